// The list of moves, with comments and what was taken back.

import { Chunks } from './chunks.js';
import { chip, h } from './dom.js';
import { actorName, duration, seatName, seatOf } from './format.js';

/** Draws the moves into their panel. */
export class Moves {
  /**
   * @param {HTMLElement} panel
   * @param {(ply: number) => void} go
   */
  constructor(panel, go) {
    this.panel = panel;
    this.list = h('div', { class: 'moves', role: 'group', 'aria-label': 'Moves' });
    this.status = h('p', { class: 'hint' });
    panel.append(this.list, this.status);
    /** @type {any[]} */ this.seats = [];
    /** @type {Map<number, string>} */ this.glyphs = new Map();
    this.chunks = new Chunks(this.list, (entry) => this.row(entry));
    /** @type {Map<number, {entry: any, move: any, notes: string}>} rows by ply, to keep their identity */
    this.entries = new Map();
    this.current = null;
    this.ply = -1;
    panel.addEventListener('click', (event) => click(event, go));
  }

  /** @param {any} state of the replay page */
  draw({ game, glyphs, moves, movesDone, movesError, notes, ply }) {
    if (!game) return;
    this.seats = game.seats;
    if (glyphs !== this.glyphs) this.entries.clear();
    this.glyphs = glyphs;
    const start = this.entry(0, undefined, notes);
    this.chunks.show([start, ...moves.map((move) => this.entry(move.ply, move, notes))]);
    this.status.textContent = movesError ? 'The moves could not be loaded.' : movesDone ? '' : 'Loading moves…';
    this.mark(ply);
  }

  entry(ply, move, notes) {
    const here = notes.filter((note) => note.ply === ply);
    const told = JSON.stringify(here);
    const old = this.entries.get(ply);
    if (old && old.move === move && old.notes === told) return old.entry;
    const entry = { ply, move, notes: here };
    this.entries.set(ply, { entry, move, notes: told });
    return entry;
  }

  row({ ply, move, notes }) {
    const seat = move ? seatOf(move.by) : 0;
    const link = move
      ? h('a', { href: `#${ply}`, 'data-ply': ply },
        h('span', { class: 'ply' }, String(ply)), chip(seat, this.glyphs.get(seat)),
        h('span', { class: 'hidden' }, `${seat ? seatName(this.seats, seat) : actorName(move.by, this.seats)} `),
        h('span', { class: 'text', title: move.text }, move.action),
        h('span', { class: 'glyphs' }, move.glyphs.join(' ')),
        h('span', { class: 'time' }, move.elapsedMs == null ? '' : duration(move.elapsedMs)))
      : h('a', { href: '#0', 'data-ply': 0 }, h('span', { class: 'ply' }, '0'), h('span', { class: 'text' }, 'Start'));
    return h('li', {}, link,
      move?.comment && h('p', { class: 'comment' }, move.comment),
      ...notes.map((note) => h('p', { class: `note ${note.kind}` }, note.text, note.detail && h('span', { class: 'detail' }, note.detail))));
  }

  mark(ply) {
    if (this.current?.isConnected && ply === this.ply) return;
    const link = this.list.querySelector(`a[data-ply="${ply}"]`);
    this.current?.removeAttribute('aria-current');
    link?.setAttribute('aria-current', 'step');
    this.current = link;
    this.ply = ply;
    if (link) reveal(this.panel, link);
  }
}

function click(event, go) {
  const link = event.target.closest('a[data-ply]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(Number(link.dataset.ply));
}

/** Scrolls the panel, never the page. */
function reveal(panel, link) {
  const [frame, row] = [panel.getBoundingClientRect(), link.getBoundingClientRect()];
  const margin = Math.min(80, frame.height / 4);
  if (row.top < frame.top + margin) panel.scrollTop += row.top - frame.top - margin;
  else if (row.bottom > frame.bottom - margin) panel.scrollTop += row.bottom - frame.bottom + margin;
}
