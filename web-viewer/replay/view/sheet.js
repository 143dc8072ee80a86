// A picture of a position, the size of the board. A board has two: the one that is seen, and one for the next step.

import { s, setAttribute } from '../../base/dom.js';
import { Drawing, sceneClass, shapesOf } from '../../base/drawing.js';
import { frameFor } from '../../model/scene.js';

/** Shows one position after another. */
export class Sheet {
  constructor() {
    this.drawn = new Drawing();
    /** what a step has taken away */ this.fading = s('g', { class: 'fading', 'aria-hidden': 'true' });
    this.svg = s('svg', { role: 'img' }, this.drawn.layer, this.fading);
    /** @type {import('../requests/positions.js').Position | null} */ this.position = null;
    this.isFlipped = false;
    /** @type {import('../../model/scene.js').Scene['view']} */ this.frame = [0, 0, 0, 0];
  }

  /**
   * Whether it is on the board with a position.
   * @param {import('../requests/positions.js').Position} position
   * @param {boolean} isFlipped
   */
  shows(position, isFlipped) {
    return this.svg.isConnected && position === this.position && isFlipped === this.isFlipped;
  }

  /**
   * @param {import('../requests/positions.js').Position} position
   * @param {boolean} isFlipped
   * @param {import('../../model/scene.js').Scene['view']} frame of the position that this one follows
   */
  show(position, isFlipped, frame) {
    const { scene } = position;
    [this.position, this.isFlipped, this.frame] = [position, isFlipped, frameFor(frame, scene.view)];
    setAttribute(this.svg, 'class', sceneClass(scene));
    // Browsers lay everything out again even for the same values.
    setAttribute(this.svg, 'viewBox', this.frame.join(' '));
    this.drawn.show(shapesOf(scene, isFlipped));
  }

  /** @param {boolean} isHidden */
  hide(isHidden) {
    if (isHidden) setAttribute(this.svg, 'aria-hidden', 'true');
    else this.svg.removeAttribute('aria-hidden');
  }
}

/**
 * The `svg` of the position that is seen.
 * @param {HTMLElement} board
 */
export function seenOn(board) {
  return board.querySelector(':scope > :not([aria-hidden])');
}
