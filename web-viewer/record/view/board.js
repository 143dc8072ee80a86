// The board, large: pieces and places are tapped.

import { s } from '../../base/dom.js';
import { Drawing, placesAt, sceneClass } from '../../base/drawing.js';
import { click } from '../../model/play.js';
import { shapes } from '../../model/scene.js';

/** Draws the position and takes taps on it. */
export class RecordBoard {
  /** @param {HTMLElement} place @param {import('../recording.js').Recording} recording */
  constructor(place, recording) {
    this.place = place;
    this.recording = recording;
    this.drawn = new Drawing();
    this.marks = s('g', { class: 'marks' });
    this.svg = s('svg', { role: 'img' }, this.drawn.layer, this.marks);
    /** @type {any} */ this.shown = null;
    place.addEventListener('click', (event) => this.tap(event));
  }

  /** @param {import('../derive.js').Now} now */
  draw({ actions, hand, isGuess, marks, position }) {
    // What one seat may see leaves the page with its position.
    if (!position || hand?.stage === 'covered' || hand?.stage === 'done') {
      this.place.replaceChildren();
      this.drawn.show([]);
      this.shown = null;
      return;
    }
    if (!this.svg.isConnected) this.place.replaceChildren(this.svg);
    this.place.classList.toggle('playable', actions.length > 0);
    this.place.classList.toggle('stale', isGuess);
    this.marks.replaceChildren(...marks.map(({ at: [cx, cy], r, kind }) => s('circle', { class: `mark-${kind}`, cx, cy, r })));
    if (position === this.shown) return;
    this.shown = position;
    this.svg.setAttribute('class', sceneClass(position.scene));
    this.svg.setAttribute('viewBox', position.scene.view.join(' '));
    this.svg.setAttribute('aria-label', `Board after ply ${position.ply}`);
    this.drawn.show(shapes(position.scene));
  }

  tap(event) {
    const now = this.recording.now();
    const clicked = placesAt(event, this.place);
    if (clicked.length === 0 || now.actions.length === 0) return;
    const { picked, play, none } = click(now.actions, now.picked, clicked);
    // What is legal is not known: the recorder decides.
    if (play && !now.isGuess) this.recording.act(play);
    else this.recording.send('pick', play ? [...now.picked, clicked[0]] : picked);
    if (none) this.recording.send('set', { said: `No action here names ${none}.` });
  }
}
