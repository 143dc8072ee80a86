// The board, large: pieces and places are tapped.

import { common } from '../../words/common.js';
import { boardKeys } from '../../base/board-keys.js';
import { s } from '../../base/dom.js';
import { Drawing, fitTexts, keepLegible, placesAt, sceneClass, shapesOf } from '../../base/drawing.js';
import { tapped } from '../../entry/forms.js';
import { Overlay } from '../../entry/overlay.js';
import { laidOn } from '../../entry/placing.js';
import { told } from '../../model/happened.js';
import { click } from '../../model/play.js';

/** Draws the position and takes taps on it. */
export class RecordBoard {
  /** @param {HTMLElement} place @param {import('../recording.js').Recording} recording */
  constructor(place, recording) {
    this.place = place;
    this.recording = recording;
    this.drawn = new Drawing();
    this.overlay = new Overlay();
    this.svg = s('svg', { role: 'img' }, this.drawn.layer, this.overlay.laid, this.overlay.marks);
    /** @type {any} */ this.shown = null;
    place.addEventListener('click', (event) => this.tap(event));
    keepLegible(place);
    boardKeys(place, { scene: () => this.shown?.scene, svg: () => this.svg, told: (here) => this.tell(here) });
  }

  /** @param {import('../derive.js').Now} now */
  draw(now) {
    const { actions, drawing, hand, isGuess, laying, marks, position } = now;
    // What one seat may see leaves the page with its position.
    if (!position || hand?.stage === 'covered' || hand?.stage === 'done') {
      this.place.replaceChildren();
      this.drawn.show([]);
      this.overlay.clear();
      this.shown = null;
      return;
    }
    if (!this.svg.isConnected) this.place.replaceChildren(this.svg);
    this.place.classList.toggle('playable', actions.length > 0 || Boolean(laying || drawing));
    this.place.classList.toggle('stale', isGuess);
    this.overlay.draw(position.scene, now, marks);
    if (position === this.shown) return;
    this.shown = position;
    this.svg.setAttribute('class', sceneClass(position.scene));
    this.svg.setAttribute('viewBox', position.scene.view.join(' '));
    this.svg.setAttribute('aria-label', common.boardAfter(position.ply));
    this.drawn.show(shapesOf(position.scene));
    fitTexts(this.place);
  }

  tap(event) {
    const now = this.recording.now();
    const clicked = placesAt(event, this.place);
    if (clicked.length === 0) return;
    if (now.laying || now.drawing) this.put(now, clicked);
    else if (now.actions.length > 0) this.pick(now, clicked);
  }

  put(now, clicked) {
    const { text, held, none } = tapped(now, now.typed, clicked);
    this.recording.send('lay', text, held);
    if (none) this.recording.send('set', { said: none });
    else if (now.laying && this.place.matches(':focus-visible')) this.tell(clicked[0]);
  }

  /** Says what is on a place to somebody who comes to it by keys. */
  tell(place) {
    const { game, laying } = this.recording.now();
    const laid = laying ? laidOn(laying, place) : [];
    this.recording.send('set', { said: laid.length > 0 ? `${[place, ...laid].join(', ')}.` : told(this.shown.scene, place, game.seats) });
  }

  pick(now, clicked) {
    const { picked, play, none } = click(now.actions, now.picked, clicked);
    // What is legal is not known: the recorder decides.
    if (play && !now.isGuess) this.recording.act(play);
    else this.recording.send('pick', play ? [...now.picked, clicked[0]] : picked);
    if (none) this.recording.send('set', { said: common.noneNames(none) });
  }
}
