// Slips to be printed and cut: for the tables, with a link to enter the result, and of results, with the head of the game.

import { request } from '../../base/api.js';
import { h, openDialog } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { qrCode } from '../../base/qr.js';
import { counted, moment } from '../../model/format.js';
import { placeAt } from '../../model/tournament.js';
import { SLIPS } from '../../model/tournament-mutations.js';
import { loadResultSlips } from '../load.js';
import { resultText } from '../parts.js';

/** How many digits of a head are printed; all of them are in the code. */
const HEAD_SHOWN = 16;

/** Draws slips and requests their links. */
export class Slips {
  /** @param {import('./console.js').Console} console */
  constructor(console) {
    this.console = console;
    this.place = h('section', { class: 'slips', 'aria-label': 'Table slips', hidden: true });
  }

  ask() {
    const { round } = this.console.now();
    const waiting = round.tables.filter(({ ranking }) => !ranking).map(({ number }) => number);
    const make = (text, tables, style) => h('button', { type: 'button', class: style, onclick: () => { dialog.close(); this.make(tables); } }, text);
    const dialog = openDialog(`Slips for round ${round.number}`,
      h('p', {}, 'Each slip has a link and a QR code for its table. Whoever has it can enter the result of this table and record its game until the round is closed, but nothing else.'),
      h('p', { class: 'hint' }, 'Earlier links for the same tables stop working.'),
      h('div', { class: 'row' }, make(`All ${counted(round.tables.length, 'table')}`, null, 'primary'),
        waiting.length > 0 && waiting.length < round.tables.length && make(`${counted(waiting.length, 'table')} without a result`, waiting, '')));
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
      else openDialog('Result slips', h('p', {}, `No game of round ${round.number} with a record is over yet. A result that was entered without a record has no head to print.`));
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
      h('div', { class: 'slips-head no-print' }, h('h2', {}, isOfResults ? `Results of round ${round.number}` : `Slips for round ${round.number}`),
        h('button', { type: 'button', class: 'primary', onclick: () => print() }, 'Print'),
        h('button', { type: 'button', onclick: () => this.console.set({ slips: [], results: [] }) }, 'Close the slips'),
        h('p', { class: 'hint' }, isOfResults ? 'Whoever keeps a slip can show later that the record was changed, if it was: the code leads to the game and names the last event as it is now.' : 'They are shown only once: after leaving this page, you need new ones.')),
      h('div', { class: 'slip-sheet' }, ...isOfResults ? results.map((table) => resultSlip(table, tournament, round)) : slips.map((slip) => drawn(slip, tournament, round))),
    ]);
  }
}

function drawn({ table, token, expires, names, qr }, tournament, round) {
  const link = `${location.origin}/table#token=${token}`;
  return h('article', { class: 'slip', 'aria-label': `Table ${table}` },
    h('div', { class: 'slip-text' },
      h('p', { class: 'slip-event' }, tournament.name),
      h('p', { class: 'slip-table' }, h('strong', {}, `Table ${table}`), ` · Round ${round.number}`),
      h('ol', { class: 'slip-names' }, ...names.map((name) => h('li', {}, h('span', {}, name), names.length > 2 && h('span', { class: 'slip-place' })))),
      names.length === 2 ? h('p', { class: 'slip-result' }, 'Result') : h('p', { class: 'slip-hint' }, 'Write the place after each name.'),
      h('p', { class: 'slip-hint' }, `Scan to enter the result. Valid until the round is closed${expires ? `, at most ${moment(expires)}` : ''}.`)),
    h('a', { href: link, class: 'slip-code', 'aria-label': `Link for table ${table}` }, qrCode(qr)));
}

/** The result of a table, with the head of its game. */
function resultSlip({ game, number, ranking, seats, source, ...table }, tournament, round) {
  const { hash, qr } = game.head;
  const link = `${location.origin}/games/${encodeURIComponent(game.id)}#head=${hash}`;
  const place = (seat) => (seats.length > 2 ? ` · ${placeAt(ranking, seat)}.` : '');
  return h('article', { class: 'slip', 'aria-label': `Table ${number}` },
    h('div', { class: 'slip-text' },
      h('p', { class: 'slip-event' }, tournament.name),
      h('p', { class: 'slip-table' }, h('strong', {}, `Table ${number}`), ` · Round ${round.number}`),
      h('ol', { class: 'slip-names' }, ...seats.map((seat) => h('li', {}, h('span', {}, seat.entrant.name, place(seat.number))))),
      seats.length === 2 && h('p', { class: 'slip-score' }, 'Result ', h('strong', {}, resultText({ ...table, ranking, seats, source }))),
      h('p', { class: 'slip-hint' }, `The record after ${counted(game.ply, 'ply', 'plies')}: `, h('code', {}, shortHead(hash)), '. Scan to compare it with the record as it is then.')),
    h('a', { href: link, class: 'slip-code', 'aria-label': `The game of table ${number}, with its head` }, qr && qrCode(qr)));
}

/** The first digits of a head, in groups of four. */
function shortHead(hash) {
  return hash.slice(0, HEAD_SHOWN).replace(/(.{4})(?=.)/g, '$1 ');
}
