// The board, large: pieces and places are tapped.

import { s } from '../../base/dom.js';
import { Drawing, drawing, placesAt, sceneClass, shapesOf } from '../../base/drawing.js';
import { click, middles } from '../../model/play.js';
import { entry as entryText } from '../../words/record-entry.js';
import { page as pageText } from '../../words/record-page.js';
import { placedText, tapPlace } from '../placing.js';
import { tapStep } from '../routes.js';

/** Draws the position and takes taps on it. */
export class RecordBoard {
  /** @param {HTMLElement} place @param {import('../recording.js').Recording} recording */
  constructor(place, recording) {
    this.place = place;
    this.recording = recording;
    this.drawn = new Drawing();
    this.laid = s('g', { class: 'laid' });
    this.marks = s('g', { class: 'marks' });
    this.svg = s('svg', { role: 'img' }, this.drawn.layer, this.laid, this.marks);
    /** @type {any} */ this.shown = null;
    /** what is laid on the position */ this.laidText = '';
    place.addEventListener('click', (event) => this.tap(event));
  }

  /** @param {import('../derive.js').Now} now */
  draw({ actions, drawing: path, hand, isGuess, laying, marks, position }) {
    // What one seat may see leaves the page with its position.
    if (!position || hand?.stage === 'covered' || hand?.stage === 'done') {
      this.place.replaceChildren();
      this.drawn.show([]);
      this.lay(null);
      this.marks.replaceChildren();
      this.shown = null;
      return;
    }
    if (!this.svg.isConnected) this.place.replaceChildren(this.svg);
    this.place.classList.toggle('playable', actions.length > 0 || Boolean(laying || path));
    this.place.classList.toggle('stale', isGuess);
    this.lay(laying);
    this.mark(position.scene, marks, path);
    if (position === this.shown) return;
    this.shown = position;
    this.svg.setAttribute('class', sceneClass(position.scene));
    this.svg.setAttribute('viewBox', position.scene.view.join(' '));
    this.svg.setAttribute('aria-label', pageText.board(position.ply));
    this.drawn.show(shapesOf(position.scene));
  }

  /** Draws what was put on the board from trays. */
  lay(laying) {
    const text = laying ? placedText(laying.trays, laying.placed) : '';
    if (text === this.laidText) return;
    this.laidText = text;
    this.laid.replaceChildren(...!laying ? [] : laying.trays.flatMap(({ pieces, slots }, index) => slots.flatMap(({ place, at: [x, y] }) => {
      const piece = pieces.find(({ letter }) => letter === laying.placed[index].get(place));
      return piece ? [s('g', { transform: `translate(${x} ${y})`, 'data-laid': place, 'data-letter': piece.letter }, ...drawing({ view: [0, 0, 1000, 1000], items: piece.items }))] : [];
    })));
  }

  mark(scene, marks, path) {
    const at = path && path.path.length > 1 ? middles(scene) : null;
    const points = at ? path.path.flatMap((place) => (at.has(place) ? [at.get(place).at.join(',')] : [])).join(' ') : '';
    this.marks.replaceChildren(
      ...points ? [s('polyline', { class: 'mark-path', points })] : [],
      ...marks.map(({ at: [cx, cy], r, kind }) => s('circle', { class: `mark-${kind}`, cx, cy, r })));
  }

  tap(event) {
    const now = this.recording.now();
    const clicked = placesAt(event, this.place);
    if (clicked.length === 0) return;
    if (now.laying) this.put(now, clicked);
    else if (now.drawing) this.step(now, clicked);
    else if (now.actions.length > 0) this.pick(now, clicked);
  }

  put({ laying: { active, held, placed, trays } }, clicked) {
    const next = tapPlace(trays, placed, active, held, clicked);
    this.recording.send('lay', placedText(trays, next.placed), next.held);
    if (next.none) this.recording.send('set', { said: next.none });
  }

  step({ drawing: { routes }, typed }, clicked) {
    const { text, none } = tapStep(routes, typed, clicked);
    if (none) this.recording.send('set', { said: entryText.noStep(none) });
    else this.recording.send('lay', text);
  }

  pick(now, clicked) {
    const { picked, play, none } = click(now.actions, now.picked, clicked);
    // What is legal is not known: the recorder decides.
    if (play && !now.isGuess) this.recording.act(play);
    else this.recording.send('pick', play ? [...now.picked, clicked[0]] : picked);
    if (none) this.recording.send('set', { said: entryText.noAction(none) });
  }
}
