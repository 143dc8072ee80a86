// Slips to be printed and cut: for the tables, with a link to enter the result, and of results, with the head of the game.

import { request } from '../../base/api.js';
import { h, openDialog } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { qrCode } from '../../base/qr.js';
import { placeAt } from '../../model/tournament.js';
import { SLIPS } from '../../model/tournament-mutations.js';
import { slips as words } from '../../words/console-slips.js';
import { moment } from '../../words/locale.js';
import { loadResultSlips } from '../load.js';
import { resultText } from '../parts.js';

/** How many digits of a head are printed; all of them are in the code. */
const HEAD_SHOWN = 16;

/** Draws slips and requests their links. */
export class Slips {
  /** @param {import('./console.js').Console} console */
  constructor(console) {
    this.console = console;
    this.place = h('section', { class: 'slips', 'aria-label': words.tableSlips, hidden: true });
  }

  ask() {
    const { round } = this.console.now();
    const waiting = round.tables.filter(({ ranking }) => !ranking).map(({ number }) => number);
    const make = (text, tables, style) => h('button', { type: 'button', class: style, onclick: () => { dialog.close(); this.make(tables); } }, text);
    const dialog = openDialog(words.forRound(round.number),
      h('p', {}, words.explained),
      h('p', { class: 'hint' }, words.earlierEnd),
      h('div', { class: 'row' }, make(words.all(round.tables.length), null, 'primary'),
        waiting.length > 0 && waiting.length < round.tables.length && make(words.waiting(waiting.length), waiting, '')));
    dialog.querySelector('.primary').focus();
  }

  async make(tables) {
    const { round } = this.console.now();
    try {
      const { issueTableTokens } = await request(SLIPS, { tournament: this.console.id, round: round.number, tables, base: location.origin });
      this.show({ slips: issueTableTokens });
    } catch (refused) {
      this.console.set({ refused });
    }
  }

  /** Slips of the games of this round that are over and have a record. */
  async makeResults() {
    const { round } = this.console.now();
    try {
      const tables = await loadResultSlips(this.console.id, round.number, location.origin);
      const results = tables.filter(({ game, ranking }) => ranking && game?.ply > 0 && game.status === 'FINISHED');
      if (results.length > 0) this.show({ results });
      else openDialog(words.resultSlips, h('p', {}, words.noResults(round.number)));
    } catch (refused) {
      this.console.set({ refused });
    }
  }

  show(shown) {
    this.console.set({ slips: [], results: [], refused: null, ...shown });
    this.place.scrollIntoView({ block: 'start' });
    this.place.querySelector('button')?.focus();
  }

  /** @param {import('./console.js').Now} now */
  draw({ results, round, slips, tournament }) {
    const isShown = round && (results.length > 0 || (slips.length > 0 && round.status === 'OPEN'));
    this.place.hidden = !isShown;
    document.body.classList.toggle('with-slips', isShown);
    if (!isShown) {
      patch(this.place, []);
      return;
    }
    const isOfResults = results.length > 0;
    patch(this.place, [
      h('div', { class: 'slips-head no-print' }, h('h2', {}, isOfResults ? words.resultsOf(round.number) : words.forRound(round.number)),
        h('button', { type: 'button', class: 'primary', onclick: () => print() }, words.print),
        h('button', { type: 'button', onclick: () => this.console.set({ slips: [], results: [] }) }, words.close),
        h('p', { class: 'hint' }, isOfResults ? words.resultsHint : words.tablesHint)),
      h('div', { class: 'slip-sheet' }, ...isOfResults ? results.map((table) => resultSlip(table, tournament, round)) : slips.map((slip) => drawn(slip, tournament, round))),
    ]);
  }
}

function drawn({ table, token, expires, names, qr }, tournament, round) {
  const link = `${location.origin}/table#token=${token}`;
  return h('article', { class: 'slip', 'aria-label': words.table(table) },
    h('div', { class: 'slip-text' },
      h('p', { class: 'slip-event' }, tournament.name),
      h('p', { class: 'slip-table' }, h('strong', {}, words.table(table)), ' · ', words.round(round.number)),
      h('ol', { class: 'slip-names' }, ...names.map((name) => h('li', {}, h('bdi', {}, name), names.length > 2 && h('span', { class: 'slip-place' })))),
      names.length === 2 ? h('p', { class: 'slip-result' }, words.result) : h('p', { class: 'slip-hint' }, words.writePlaces),
      h('p', { class: 'slip-hint' }, expires ? words.scanUntil(moment(expires)) : words.scan)),
    h('a', { href: link, class: 'slip-code', 'aria-label': words.link(table) }, qrCode(qr)));
}

/** The result of a table, with the head of its game. */
function resultSlip({ game, number, ranking, seats, source, ...table }, tournament, round) {
  const { hash, qr } = game.head;
  const link = `${location.origin}/games/${encodeURIComponent(game.id)}#head=${hash}`;
  const place = (seat) => (seats.length > 2 ? ` · ${placeAt(ranking, seat)}.` : '');
  return h('article', { class: 'slip', 'aria-label': words.table(number) },
    h('div', { class: 'slip-text' },
      h('p', { class: 'slip-event' }, tournament.name),
      h('p', { class: 'slip-table' }, h('strong', {}, words.table(number)), ' · ', words.round(round.number)),
      h('ol', { class: 'slip-names' }, ...seats.map((seat) => h('li', {}, h('span', {}, h('bdi', {}, seat.entrant.name), place(seat.number))))),
      seats.length === 2 && h('p', { class: 'slip-score' }, ...words.resultIs(h('strong', {}, resultText({ ...table, ranking, seats, source })))),
      h('p', { class: 'slip-hint' }, ...words.recordAfter(game.ply, h('code', { dir: 'ltr' }, shortHead(hash))))),
    h('a', { href: link, class: 'slip-code', 'aria-label': words.gameOf(number) }, qr && qrCode(qr)));
}

/** The first digits of a head, in groups of four. */
function shortHead(hash) {
  return hash.slice(0, HEAD_SHOWN).replace(/(.{4})(?=.)/g, '$1 ');
}
