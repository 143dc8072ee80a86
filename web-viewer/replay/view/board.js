// The board: the scene of a position as SVG, and the turns it shows.

import { s } from '../../base/dom.js';
import { drawing } from '../../base/drawing.js';
import { turn } from '../../model/scene.js';

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
    const elements = drawing(position.scene, flipped);
    const label = `Board after ply ${position.ply}`;
    const svg = s('svg', { class: 'scene', role: 'img', 'aria-label': label, viewBox: position.scene.view.join(' ') }, ...elements);
    this.place.replaceChildren(svg);
    const motion = this.shown && !this.leaps && flipped === this.flipped && turn(this.shown, position, flipped);
    if (motion && !matchMedia('(prefers-reduced-motion: reduce)').matches) animate(motion, elements);
    this.shown = position;
    this.leaps = false;
    this.flipped = flipped;
  }
}

function animate({ groups, about: [x, y], degrees }, elements) {
  const turned = (angle) => `translate(${x}px, ${y}px) rotate(${angle}deg) translate(${-x}px, ${-y}px)`;
  for (const made of elements) {
    if (!groups.includes(made.getAttribute('data-group') ?? '')) continue;
    made.style.transformBox = 'view-box';
    made.style.transformOrigin = '0 0';
    made.animate([{ transform: turned(degrees) }, { transform: turned(0) }], { duration: TURN_MS, easing: 'ease-in-out' });
  }
}
