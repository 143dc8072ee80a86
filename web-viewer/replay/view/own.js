// A reader's own circles and arrows: the right button of a mouse or a long press draws them.

import { placesAt } from '../../base/drawing.js';
import { toggled } from '../../model/own.js';
import { middles } from '../../model/play.js';
import { seenOn } from './sheet.js';

const PRESS_MS = 500;
const STILL_PX = 10;

/** Draws on the board: from a place to itself a circle, to another one an arrow; the same again removes it. */
export class Drawn {
  /** @param {HTMLElement} board @param {import('../replay.js').Replay} replay */
  constructor(board, replay) {
    [this.board, this.replay] = [board, replay];
    /** where it begins */ this.from = '';
    this.timer = 0;
    this.at = { clientX: 0, clientY: 0 };
    board.addEventListener('pointerdown', (event) => this.down(event));
    board.addEventListener('pointermove', (event) => this.move(event));
    board.addEventListener('pointerup', (event) => this.up(event));
    board.addEventListener('pointercancel', () => this.end());
    board.addEventListener('contextmenu', (event) => this.place(event) && event.preventDefault());
    // While a finger draws, it neither scrolls nor steps.
    for (const name of ['touchmove', 'touchend']) board.addEventListener(name, (event) => this.from && (event.preventDefault(), event.stopPropagation()), { capture: true, passive: false });
  }

  place(event) {
    const { position } = this.replay.now();
    const known = position && middles(position.scene);
    return known ? placesAt(event, seenOn(this.board)).find((place) => known.has(place)) ?? '' : '';
  }

  down(event) {
    this.end();
    this.at = event;
    if (event.button === 2) this.from = this.place(event);
    else if (event.pointerType === 'touch' && event.isPrimary) this.timer = setTimeout(() => { this.from = this.place(event); navigator.vibrate?.(20); }, PRESS_MS);
  }

  move({ clientX, clientY }) {
    if (!this.from && Math.hypot(clientX - this.at.clientX, clientY - this.at.clientY) > STILL_PX) clearTimeout(this.timer);
  }

  up(event) {
    const to = this.from && this.place(event);
    if (to) this.replay.send('own', { marks: toggled(this.replay.now().own.marks, this.from, to) });
    // What comes of the same touch, a click, comes before the next one.
    setTimeout(() => this.end());
  }

  end() {
    clearTimeout(this.timer);
    this.from = '';
  }
}
