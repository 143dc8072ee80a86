// Slips to be printed and cut: for the tables, with a link to enter the result, and of results, with the head of the game.

import { common } from '../../words/common.js';
import { request } from '../../base/api.js';
import { h, openDialog } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { addressField, phonesAddress } from '../../base/phones.js';
import { qrCode } from '../../base/qr.js';
import { save, saved } from '../../base/saved.js';
import { placeAt } from '../../model/tournament.js';
import { SLIPS } from '../../model/tournament-mutations.js';
import { TOKENS } from '../../model/tournament-queries.js';
import { console as words } from '../../words/console.js';
import { moment } from '../../words/locale.js';
import { loadResultSlips } from '../load.js';
import { resultText } from '../parts.js';

/** Where slips are kept on this device, for each tournament those of its last round. */
const KEPT = (tournament) => `plybook.slips.${tournament}`;

/** How many digits of a head are printed; all of them are in the code. */
const HEAD_SHOWN = 16;

/** Draws slips and requests their links. */
export class Slips {
  /** @param {import('./console.js').Console} console */
  constructor(console) {
    this.console = console;
    this.place = h('section', { class: 'slips', 'aria-label': words.tableSlips, hidden: true });
  }

  /** @param {number} [only] the table to make a slip for; by default any can be chosen */
  async ask(only) {
    const { round } = this.console.now();
    const valid = await request(TOKENS, { id: this.console.id }).then(({ tournament }) => tournament.tokens.map(({ id }) => id), () => null);
    const waiting = round.tables.filter(({ ranking }) => !ranking).map(({ number }) => number);
    // Another organiser may have made new ones since.
    const made = this.kept(round).filter(({ id, table }) => (!only || table === only) && (!valid || valid.includes(id)));
    const act = (text, onclick, style = '') => h('button', { type: 'button', class: style, onclick: () => { dialog.close(); onclick(); } }, text);
    const make = (text, tables, style) => act(text, () => this.make(tables), style);
    const chosen = h('select', { 'aria-label': words.oneTable }, ...round.tables.map(({ number }) => h('option', { value: String(number) }, common.table(number))));
    const fresh = made.length > 0 ? '' : 'primary';
    const dialog = openDialog(only ? common.table(only) : words.forRound(round.number),
      h('p', {}, words.slipsExplained),
      addressField(),
      made.length > 0 && h('div', { class: 'row' }, act(words.again(made.length), () => this.show({ slips: made }), 'primary'), h('span', { class: 'hint' }, words.againHint)),
      h('h3', {}, words.fresh), h('p', { class: 'hint' }, words.earlierEnd),
      only ? h('div', { class: 'row' }, make(common.table(only), [only], fresh)) : h('div', { class: 'row' }, make(words.all(round.tables.length), null, fresh),
        waiting.length > 0 && waiting.length < round.tables.length && make(words.waiting(waiting.length), waiting, ''),
        chosen, act(words.oneTable, () => this.make([Number(chosen.value)]))),
      !only && h('h3', {}, words.slipsByHand), !only && h('div', { class: 'row' }, act(words.withoutLinks, () => this.show({ slips: round.tables.map(blank) }))));
    dialog.querySelector('.primary').focus();
  }

  async make(tables) {
    const { round } = this.console.now();
    const base = phonesAddress();
    try {
      const { issueTableTokens } = await request(SLIPS, { tournament: this.console.id, round: round.number, tables, base });
      const slips = issueTableTokens.map((slip) => ({ ...slip, base }));
      this.keep(round, slips);
      await this.show({ slips });
    } catch (refused) {
      this.console.set({ refused });
    }
  }

  /** Slips of this round that were made on this device; showing them again leaves those valid that are printed. */
  kept({ number, openedAt }) {
    const kept = saved(KEPT(this.console.id));
    return kept?.round === number && kept.openedAt === openedAt ? kept.slips : [];
  }

  keep(round, slips) {
    const others = this.kept(round).filter(({ table }) => !slips.some((slip) => slip.table === table));
    // Without room on this device, they are shown now and not again.
    save(KEPT(this.console.id), { round: round.number, openedAt: round.openedAt, slips: [...others, ...slips].sort((one, other) => one.table - other.table) });
  }

  /** Slips of the games of this round that are over and have a record. */
  async makeResults() {
    const { round } = this.console.now();
    try {
      const tables = await loadResultSlips(this.console.id, round.number, phonesAddress());
      const results = tables.filter(({ game, ranking }) => ranking && game?.ply > 0 && game.status === 'FINISHED');
      if (results.length > 0) await this.show({ results });
      else openDialog(words.resultSlips, h('p', {}, words.noResults(round.number)));
    } catch (refused) {
      this.console.set({ refused });
    }
  }

  async show(shown) {
    this.console.set({ slips: [], results: [], refused: null, ...shown });
    // They are drawn before anything else happens.
    await null;
    this.place.scrollIntoView({ block: 'start' });
    this.place.querySelector('button')?.focus({ preventScroll: true });
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
        h('button', { type: 'button', class: 'primary', onclick: () => print() }, common.print),
        h('button', { type: 'button', onclick: () => { this.console.set({ slips: [], results: [] }); document.querySelector('.round-acts button')?.focus(); } }, words.slipsClose),
        h('p', { class: 'hint' }, isOfResults ? words.resultsHint : words.tablesHint)),
      h('div', { class: 'slip-sheet' }, ...isOfResults ? results.map((table) => resultSlip(table, tournament, round)) : slips.map((slip) => drawn(slip, tournament, round))),
    ]);
  }
}

/** A slip to be filled in by hand only. */
function blank({ number, seats }) {
  return { table: number, names: seats.map(({ entrant }) => entrant.name), token: '', base: '', expires: null, qr: null };
}

function drawn({ base, table, token, expires, names, qr }, tournament, round) {
  const signs = (name) => h('li', {}, h('bdi', {}, name), names.length > 2 && h('span', { class: 'slip-place' }), h('span', { class: 'slip-sign' }));
  return h('article', { class: 'slip', 'aria-label': common.table(table) },
    h('div', { class: 'slip-text' },
      h('p', { class: 'slip-event' }, tournament.name),
      h('p', { class: 'slip-table' }, h('strong', {}, common.table(table)), ' · ', common.round(round.number)),
      h('ol', { class: 'slip-names' }, ...names.map(signs)),
      names.length === 2 ? h('p', { class: 'slip-result' }, common.result) : h('p', { class: 'slip-hint' }, words.writePlaces),
      h('p', { class: 'slip-hint' }, words.sign),
      token && h('p', { class: 'slip-hint' }, expires ? words.scanUntil(moment(expires)) : words.scan),
      token && h('p', { class: 'slip-hint', dir: 'ltr' }, [base, 'table'].join('/'))),
    token && h('a', { href: `${base}/table#token=${token}`, class: 'slip-code', 'aria-label': words.link(table) }, qrCode(qr)));
}

/** The result of a table, with the head of its game. */
function resultSlip({ game, number, ranking, seats, source, ...table }, tournament, round) {
  const { hash, qr } = game.head;
  const link = `${phonesAddress()}/games/${encodeURIComponent(game.id)}#head=${hash}`;
  const place = (seat) => (seats.length > 2 ? ` · ${placeAt(ranking, seat)}.` : '');
  return h('article', { class: 'slip', 'aria-label': common.table(number) },
    h('div', { class: 'slip-text' },
      h('p', { class: 'slip-event' }, tournament.name),
      h('p', { class: 'slip-table' }, h('strong', {}, common.table(number)), ' · ', common.round(round.number)),
      h('ol', { class: 'slip-names' }, ...seats.map((seat) => h('li', {}, h('span', {}, h('bdi', {}, seat.entrant.name), place(seat.number))))),
      seats.length === 2 && h('p', { class: 'slip-score' }, ...words.resultIs(h('strong', {}, resultText({ ...table, ranking, seats, source })))),
      h('p', { class: 'slip-hint' }, ...words.recordAfter(game.ply, h('code', { dir: 'ltr' }, shortHead(hash))))),
    h('a', { href: link, class: 'slip-code', 'aria-label': words.gameOf(number) }, qr && qrCode(qr)));
}

/** The first digits of a head, in groups of four. */
function shortHead(hash) {
  return hash.slice(0, HEAD_SHOWN).replace(/(.{4})(?=.)/g, '$1 ');
}
