// The move list, with comments, takebacks, and the variations of each ply.

import { common } from '../../words/common.js';
import { playing as lines } from '../../words/playing.js';
import { replay as words } from '../../words/replay.js';
import { chip, h, marked, setAttribute, setText } from '../../base/dom.js';
import { chunked, patchChunks, row } from '../../base/patch.js';
import { actorName, duration, seatName, seatOf } from '../../model/format.js';
import { nodeId } from '../../model/tree.js';
import { placeAddress } from '../../model/url.js';
import { commentsAt, variationRows } from './variations.js';

const STOPS = 'a[href], button';

/** Draws the moves into their panel. */
export class Moves {
  /**
   * @param {HTMLElement} panel
   * @param {import('../replay.js').Replay} replay
   */
  constructor(panel, replay) {
    this.panel = panel;
    this.replay = replay;
    this.list = h('div', { class: 'moves', role: 'group', 'aria-label': lines.moves, onkeydown: (event) => this.key(event) });
    this.status = h('p', { class: 'hint' });
    panel.append(this.list, this.status);
    /** @type {any[]} what the list was made from */ this.from = [];
    /** @type {HTMLElement | null} the link to the place */ this.current = null;
    /** @type {Element | null} the one that Tab focuses */ this.tabbed = null;
    this.place = '';
    this.isFound = false;
    // Measures after the browser has laid out the page, so that a step lays it out once.
    this.watch = new IntersectionObserver((found) => this.reveal(found[found.length - 1]), { root: panel });
    panel.addEventListener('click', (event) => this.click(event));
    // Elements around the panel come and go; the current place stays in view.
    new ResizeObserver(() => this.current?.isConnected && reveal(panel, this.current)).observe(panel);
  }

  /** @param {import('../derive.js').Now} now */
  draw(now) {
    const { comments, feats, game, glyphs, kept, moments, more, moves, movesDone, settings, movesError, notes, variations, viewer } = now;
    if (!game) return;
    const hadFocus = this.list.contains(document.activeElement);
    // A step changes none of these: its cost does not depend on the length of the game.
    const from = [moves, variations, notes, glyphs, moments, more, viewer, game.seats, comments, kept, settings.inWords && feats];
    if (from.some((part, index) => part !== this.from[index])) {
      this.from = from;
      this.list.style.setProperty('--digits', String(String(moves.length).length));
      const told = new Map();
      // Rows in words have other heights.
      if (settings.inWords) this.place = '';
      const inWords = new Map(settings.inWords ? feats.map(({ ply, text }) => [ply, text]) : []);
      const decisive = new Map(moments.map((moment) => [moment.ply, moment]));
      for (const note of notes) told.set(note.ply, [...told.get(note.ply) ?? [], note]);
      patchChunks(this.list, [undefined, ...moves].map((move, ply) => {
        const [here, blocks] = [told.get(ply) ?? [], variations.get(ply)];
        const moment = decisive.get(ply);
        return row(String(ply), [move, blocks, glyphs, moment, more, viewer, inWords.get(ply), blocks && comments, blocks && kept, comments.get(game.id)?.get(ply)?.map(({ at }) => at).join(), kept[nodeId(game.id, ply)], ...here], () => moveRow(now, { ply, move, notes: here, blocks, moment, words: inWords.get(ply) }));
      }));
    }
    setText(this.status, movesError ? lines.movesFailed : movesDone ? '' : lines.movesLoading);
    this.mark(now, hadFocus);
  }

  /** Marks the place; the focus follows it where it moves, if it was in the list. */
  mark({ id, line, node, place, ply }, hadFocus) {
    const isMainline = node ? node.log === id : line === id;
    const found = isMainline ? chunked(this.list, ply)?.querySelector('a') : this.list.querySelector(`a[data-node="${CSS.escape(place)}"]`);
    const link = /** @type {HTMLElement | null} */ (found ?? this.list.querySelector(`a[data-line="${CSS.escape(line)}"]`));
    const isNew = place !== this.place || (found && !this.isFound);
    if (this.current !== link) this.current?.removeAttribute('aria-current');
    if (link) setAttribute(link, 'aria-current', 'step');
    [this.current, this.place, this.isFound] = [link, place, Boolean(found)];
    if (isNew) this.stop(link, hadFocus);
    else if (!this.tabbed?.isConnected || this.tabbed.getAttribute('tabindex') !== '0') this.stop(this.list.contains(document.activeElement) ? document.activeElement : link, hadFocus);
    if (!isNew) return;
    this.watch.disconnect();
    // Browsers say nothing of a link in a part that they have not laid out, but where that part is.
    const part = link?.closest('.moves > *');
    if (part) this.watch.observe(part);
  }

  /** @param {IntersectionObserverEntry} found where the part of the list is that has the link to the place */
  reveal({ rootBounds, target }) {
    if (!this.current || !target.contains(this.current) || !rootBounds?.height) return;
    // Once: readers may scroll on.
    this.watch.disconnect();
    reveal(this.panel, this.current);
  }

  /** Makes one link or button of the list the one that Tab focuses. */
  stop(element, focus) {
    if (this.tabbed !== element) this.tabbed?.setAttribute('tabindex', '-1');
    if (element) setAttribute(element, 'tabindex', '0');
    this.tabbed = element;
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
    if (fold) this.replay.send('fold', fold, target.getAttribute('aria-expanded') === 'true');
    else if (more) this.replay.send('more', more, Number(shown));
    else this.replay.send('visit', line, Number(at));
  }
}

function moveRow(now, { ply, move, notes, blocks, moment, words: told }) {
  const { game: { id, seats }, glyphs, viewer } = now;
  const seat = move ? seatOf(move.by) : 0;
  const place = { href: placeAddress({ id, viewer, ply }), 'data-ply': ply, 'data-line': id, 'data-at': ply, tabindex: '-1' };
  const link = move
    ? h('a', place,
      h('span', { class: 'ply' }, String(ply)), chip(seat, glyphs.get(seat)),
      h('span', { class: 'hidden' }, `${seat ? seatName(seats, seat) : actorName(move.by, seats)} `),
      told ? h('span', { class: 'text told', title: move.action }, told) : h('span', { class: 'text', title: move.text }, move.action),
      h('span', { class: 'glyphs' }, move.glyphs.join(' ')),
      moment?.glyph && h('span', { class: 'glyphs engine', title: words.says(moment.text) }, moment.glyph),
      h('span', { class: 'time' }, move.elapsedMs == null ? '' : duration(move.elapsedMs)))
    : h('a', place, h('span', { class: 'ply' }, '0'), h('span', { class: 'text' }, common.start));
  return h('li', {}, link,
    ...commentsAt(now, id, ply, move?.comment),
    ...notes.map((note) => h('p', { class: `note ${note.kind}` }, ...marked(note.text), note.detail && h('span', { class: 'detail' }, note.detail))),
    ...variationRows(blocks ?? [], String(ply), now));
}

/** Scrolls the panel, never the page. */
function reveal(panel, link) {
  const [frame, row] = [panel, link].map((element) => element.getBoundingClientRect());
  const margin = Math.min(80, frame.height / 4);
  if (row.top < frame.top + margin) panel.scrollTop += row.top - frame.top - margin;
  else if (row.bottom > frame.bottom - margin) panel.scrollTop += row.bottom - frame.bottom + margin;
}
