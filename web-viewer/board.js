// The board: the scene of a position as SVG, and the turns it shows.

import { s } from './dom.js';
import { shapes, turn } from './scene.js';

const TURN_MS = 700;

/** Draws positions into an element. */
export class Board {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    /** @type {{ply: number, scene: any} | null} */
    this.shown = null;
    this.flipped = false;
    this.leaps = false;
  }

  /** The next position does not follow from the one shown. */
  leap() {
    this.leaps = true;
  }

  /**
   * Shows a position; where it follows the one before by a ply that turned something, it is seen turning.
   * @param {{ply: number, scene: any} | undefined} position nothing while it is loading
   * @param {boolean} flipped
   */
  draw(position, flipped) {
    this.place.setAttribute('aria-busy', String(!position));
    if (!position || (position === this.shown && flipped === this.flipped)) return;
    const drawn = shapes(position.scene, flipped);
    const elements = drawn.map(element);
    const label = `Board after ply ${position.ply}`;
    const svg = s('svg', { class: 'scene', role: 'img', 'aria-label': label, viewBox: position.scene.view.join(' ') }, ...elements);
    this.place.replaceChildren(svg);
    const motion = this.shown && !this.leaps && flipped === this.flipped && turn(this.shown, position, flipped);
    if (motion && !matchMedia('(prefers-reduced-motion: reduce)').matches) animate(motion, drawn, elements);
    this.shown = position;
    this.leaps = false;
    this.flipped = flipped;
  }
}

/**
 * The elements of a scene, back to front, for an `svg` of one's own.
 * @param {import('./scene.js').Scene} scene
 */
export function drawing(scene) {
  return shapes(scene).map(element);
}

function element({ tag, attributes, text, title, place, group }) {
  const made = s(tag, { ...attributes, 'data-place': place || null, 'data-group': group || null }, text);
  if (title) made.append(s('title', {}, title));
  return made;
}

function animate({ groups, about: [x, y], degrees }, drawn, elements) {
  const turned = (angle) => `translate(${x}px, ${y}px) rotate(${angle}deg) translate(${-x}px, ${-y}px)`;
  elements.forEach((made, index) => {
    if (!groups.includes(drawn[index].group)) return;
    made.style.transformBox = 'view-box';
    made.style.transformOrigin = '0 0';
    made.animate([{ transform: turned(degrees) }, { transform: turned(0) }], { duration: TURN_MS, easing: 'ease-in-out' });
  });
}
