// What is put together, drawn over the board: pieces from trays, a path, and where the next tap may go.

import { s } from '../base/dom.js';
import { drawing } from '../base/drawing.js';
import { middles } from '../model/play.js';
import { turned } from '../model/scene.js';
import { placedText } from './placing.js';

/** The side of the square that a piece of a tray is drawn in. */
const SQUARE = 1000;

export class Overlay {
  constructor() {
    this.laid = s('g', { class: 'laid' });
    this.marks = s('g', { class: 'marks' });
    /** what is laid, and on which side of the board */ this.shown = '';
  }

  /**
   * @param {import('../model/scene.js').Scene} scene
   * @param {import('./forms.js').Formed} formed
   * @param {{at: [number, number], r: number, kind: string}[]} marks
   * @param {boolean} [flipped]
   */
  draw(scene, { laying, drawing: path }, marks, flipped = false) {
    const seen = turned(scene, flipped);
    this.lay(laying, seen, flipped);
    const at = path && path.path.length > 1 ? middles(scene) : null;
    const points = at ? path.path.flatMap((place) => (at.has(place) ? [seen(at.get(place).at).join(',')] : [])).join(' ') : '';
    this.marks.replaceChildren(...points ? [s('polyline', { class: 'mark-path', points })] : [], ...marks.map(({ at: point, r, kind }) => {
      const [cx, cy] = seen(point);
      return s('circle', { class: `mark-${kind}`, cx, cy, r });
    }));
  }

  clear() {
    this.lay(null);
    this.marks.replaceChildren();
  }

  lay(laying, seen = (point) => point, flipped = false) {
    const shown = laying ? `${placedText(laying.trays, laying.placed)} ${flipped}` : '';
    if (shown === this.shown) return;
    this.shown = shown;
    this.laid.replaceChildren(...!laying ? [] : laying.trays.flatMap(({ pieces, slots }, index) => slots.flatMap(({ place, at: [x, y] }) => {
      const piece = pieces.find(({ letter }) => letter === laying.placed[index].get(place));
      // Its upper left corner; pieces stay upright.
      const corner = flipped ? seen([x + SQUARE, y + SQUARE]) : [x, y];
      return piece ? [s('g', { transform: `translate(${corner.join(' ')})`, 'data-laid': place, 'data-letter': piece.letter }, ...drawing({ view: [0, 0, SQUARE, SQUARE], items: piece.items }))] : [];
    })));
  }
}
