// The list of moves, with comments, what was taken back, and the variations of each ply.

import { Chunks } from './chunks.js';
import { chip, h } from '../../base/dom.js';
import { actorName, duration, seatName, seatOf } from '../../model/format.js';
import { placeAddress } from '../../model/url.js';
import { variationRows } from './variations.js';

const STOPS = 'a[href], button';

/**
 * What a reader does with the list.
 * @typedef {{visit: (line: string, ply: number) => void, fold: (first: string, isFolded: boolean) => void,
 *   more: (key: string, count: number) => void}} Acts
 */

/** Draws the moves into their panel. */
export class Moves {
  /**
   * @param {HTMLElement} panel
   * @param {Acts} acts
   */
  constructor(panel, acts) {
    this.panel = panel;
    this.acts = acts;
    this.list = h('div', { class: 'moves', role: 'group', 'aria-label': 'Moves' });
    this.status = h('p', { class: 'hint' });
    panel.append(this.list, this.status);
    /** @type {any} */ this.context = {};
    /** @type {Map<number, string>} */ this.glyphs = new Map();
    this.chunks = new Chunks(this.list, (entry) => this.row(entry));
    /** @type {Map<number, {entry: any, move: any, notes: string, blocks: any}>} rows by ply, to keep their identity */
    this.entries = new Map();
    this.current = null;
    this.place = '';
    this.isFound = false;
    panel.addEventListener('click', (event) => this.click(event));
    this.list.addEventListener('keydown', (event) => this.key(event));
    // What stands around the panel comes and goes: the place stays in view.
    new ResizeObserver(() => this.current?.isConnected && reveal(panel, this.current)).observe(panel);
  }

  /** @param {any} state of the replay page */
  draw(state) {
    const { game, glyphs, moves, movesDone, movesError, notes, tree, viewer, more } = state;
    if (!game) return;
    if (glyphs !== this.glyphs || viewer !== this.context.viewer || more !== this.context.more) this.entries.clear();
    this.glyphs = glyphs;
    this.context = { id: game.id, tree, seats: game.seats, viewer, more };
    const start = this.entry(0, undefined, state);
    const focused = this.list.contains(document.activeElement) ? nameOf(document.activeElement) : '';
    this.chunks.show([start, ...moves.map((move) => this.entry(move.ply, move, { notes, variations: state.variations }))]);
    this.status.textContent = movesError ? 'The moves could not be loaded.' : movesDone ? '' : 'Loading moves…';
    this.mark(state, focused);
  }

  entry(ply, move, { notes, variations }) {
    const here = notes.filter((note) => note.ply === ply);
    const told = JSON.stringify(here);
    const blocks = variations.get(ply);
    const old = this.entries.get(ply);
    if (old && old.move === move && old.notes === told && old.blocks === blocks) return old.entry;
    const entry = { ply, move, notes: here, blocks };
    this.entries.set(ply, { entry, move, notes: told, blocks });
    return entry;
  }

  row({ ply, move, notes, blocks }) {
    const seat = move ? seatOf(move.by) : 0;
    const { id, seats, viewer } = this.context;
    const place = { href: placeAddress({ id, viewer, ply }), 'data-ply': ply, 'data-line': id, 'data-at': ply, tabindex: '-1' };
    const link = move
      ? h('a', place,
        h('span', { class: 'ply' }, String(ply)), chip(seat, this.glyphs.get(seat)),
        h('span', { class: 'hidden' }, `${seat ? seatName(seats, seat) : actorName(move.by, seats)} `),
        h('span', { class: 'text', title: move.text }, move.action),
        h('span', { class: 'glyphs' }, move.glyphs.join(' ')),
        h('span', { class: 'time' }, move.elapsedMs == null ? '' : duration(move.elapsedMs)))
      : h('a', place, h('span', { class: 'ply' }, '0'), h('span', { class: 'text' }, 'Start'));
    return h('li', {}, link,
      move?.comment && h('p', { class: 'comment' }, move.comment),
      ...notes.map((note) => h('p', { class: `note ${note.kind}` }, note.text, note.detail && h('span', { class: 'detail' }, note.detail))),
      ...variationRows(blocks ?? [], String(ply), this.context));
  }

  /** Marks the place; the focus stays in the list where it was in it, and follows the place where that moves. */
  mark({ node, ply, id, line }, focused) {
    const place = node?.id ?? `${line}:${ply}`;
    const moved = place !== this.place;
    if (this.current?.isConnected && this.isFound && !moved && (!focused || this.list.contains(document.activeElement))) return;
    const onMainline = node ? node.log === id : line === id;
    const found = this.list.querySelector(onMainline ? `a[data-ply="${ply}"]` : `a[data-node="${CSS.escape(place)}"]`);
    const link = found ?? this.list.querySelector(`a[data-line="${CSS.escape(line)}"]`);
    const isNew = moved || (found && this.current !== found && !this.isFound);
    this.isFound = Boolean(found);
    this.current?.removeAttribute('aria-current');
    link?.setAttribute('aria-current', 'step');
    this.current = link;
    this.place = place;
    const old = moved ? null : [...this.list.querySelectorAll(STOPS)].find((stop) => nameOf(stop) === focused);
    this.stop(old ?? link, Boolean(focused));
    if (link && isNew) reveal(this.panel, link);
  }

  /** Makes one link or button of the list the one that Tab reaches. */
  stop(element, focus) {
    for (const other of this.list.querySelectorAll('[tabindex="0"]')) other.setAttribute('tabindex', '-1');
    element?.setAttribute('tabindex', '0');
    if (focus) element?.focus({ preventScroll: true });
  }

  key(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const stops = [...this.list.querySelectorAll(STOPS)];
    const next = stops[stops.indexOf(event.target.closest(STOPS)) + by];
    if (!next) return;
    this.stop(next, true);
    reveal(this.panel, next);
  }

  click(event) {
    const target = event.target.closest('[data-at], [data-fold], [data-more]');
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { line, at, fold, more, shown } = target.dataset;
    if (fold) this.acts.fold(fold, target.getAttribute('aria-expanded') === 'true');
    else if (more) this.acts.more(more, Number(shown));
    else this.acts.visit(line, Number(at));
  }
}

/** What tells a link or button of the list from the others, also after it was drawn anew. */
function nameOf({ dataset }) {
  return [dataset.fold, dataset.more, dataset.line, dataset.at].join(' ');
}

/** Scrolls the panel, never the page. */
function reveal(panel, link) {
  const [frame, row] = [panel.getBoundingClientRect(), link.getBoundingClientRect()];
  const margin = Math.min(80, frame.height / 4);
  if (row.top < frame.top + margin) panel.scrollTop += row.top - frame.top - margin;
  else if (row.bottom > frame.bottom - margin) panel.scrollTop += row.bottom - frame.bottom + margin;
}
