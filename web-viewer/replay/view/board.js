// The board: the scene of a position as SVG, with markers and animated turns.

import { s } from '../../base/dom.js';
import { drawing } from '../../base/drawing.js';
import { patch, row } from '../../base/patch.js';
import { turn, turned } from '../../model/scene.js';

const TURN_MS = 700;

/** Draws positions into an element. */
export class Board {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    /** @type {Partial<import('../derive.js').Now>} what is shown */
    this.shown = {};
    /** @type {Animation[]} */ this.turning = [];
  }

  /**
   * Shows the position, once it is loaded; if a turn led to it from the one shown, it is seen turning.
   * @param {import('../derive.js').Now} now
   */
  draw({ act, flipped, marks, node, position }) {
    this.place.setAttribute('aria-busy', String(!position));
    this.place.classList.toggle('playable', Boolean(act.legal?.actions?.length));
    if (!position) return;
    patch(this.place, [row('scene', [position, flipped, marks], () => scene(position, flipped, marks))]);
    const before = this.shown;
    if (position === before.position && flipped === before.flipped) return;
    this.shown = { flipped, node, position };
    for (const animation of this.turning.splice(0)) animation.cancel();
    const motion = before.position && flipped === before.flipped && areNeighbours(before.node, node) && turn(before.position, position, flipped);
    if (motion && !matchMedia('(prefers-reduced-motion: reduce)').matches) this.turning = animate(motion, [...this.place.querySelectorAll('[data-group]')]);
  }
}

function scene({ ply, scene: drawn }, flipped, marks) {
  const view = drawn.view.join(' ');
  return s('svg', { class: 'scene', role: 'img', 'aria-label': `Board after ply ${ply}`, viewBox: view }, ...drawing(drawn, flipped),
    ...marks.length ? [s('g', { class: 'marks' }, ...marks.map(({ at, r, kind }) => {
      const [cx, cy] = turned(drawn, flipped)(at);
      return s('circle', { class: `mark-${kind}`, cx, cy, r });
    }))] : []);
}

/** Whether one of two nodes follows from the other. */
function areNeighbours(one, other) {
  return !one || !other || one.id === other.id || one.parent === other.id || other.parent === one.id;
}

function animate({ groups, about: [x, y], degrees }, elements) {
  const at = (angle) => `translate(${x}px, ${y}px) rotate(${angle}deg) translate(${-x}px, ${-y}px)`;
  return elements.filter((element) => groups.includes(element.getAttribute('data-group'))).map((element) => {
    element.style.transformBox = 'view-box';
    element.style.transformOrigin = '0 0';
    return element.animate([{ transform: at(degrees) }, { transform: at(0) }], { duration: TURN_MS, easing: 'ease-in-out' });
  });
}
