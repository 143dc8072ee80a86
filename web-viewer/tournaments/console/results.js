// Entering results: one key or tap for each table.

import { h, openDialog } from '../../base/dom.js';
import { patch, row } from '../../base/patch.js';
import { matchAt } from '../../model/bracket.js';
import { placeAt, quickResults, rankingText } from '../../model/tournament.js';
import { matchWords } from '../pairings.js';
import { resultText } from '../parts.js';
import { RankingField } from '../ranking-field.js';
import { resultBefore } from './console.js';

const SOURCES = { GAME: 'from the record', TABLE: 'entered at the table', ORGANISER: '', FORFEIT: 'forfeit' };

/** Draws the tables of an open round and handles their input. */
export class Results {
  /** @param {import('./console.js').Console} console */
  constructor(console) {
    this.console = console;
    this.help = h('p', { class: 'hint keys' });
    this.list = h('div', { class: 'tables', onkeydown: (event) => this.key(event) });
    this.place = h('section', { class: 'results', 'aria-label': 'Results', hidden: true }, this.help, this.list);
    this.onlyMissing = false;
  }

  /** @param {import('./console.js').Now} now */
  draw({ pending, round, tournament }) {
    this.place.hidden = round?.status !== 'OPEN';
    if (this.place.hidden) return;
    const kbd = (text) => h('kbd', {}, text);
    patch(this.help, tournament.seats === 2
      ? [kbd('1'), ' the first won · ', kbd('='), ' a draw · ', kbd('2'), ' the second won · ', kbd('0'), ' no result · ', kbd('↑'), kbd('↓'), ' another table; then the next without a result is chosen']
      : ['Enter at a table opens its ranking; ', kbd('↑'), kbd('↓'), ' go to another table.']);
    patch(this.list, round.tables.map((table) => row(`table-${table.number}`, [table, pending[table.number], tournament.bracket], () => this.table(table, pending[table.number], matchAt(tournament.bracket, round.number, table.number)))));
  }

  table(table, pending, match) {
    const ranking = pending ?? table.ranking;
    const names = table.seats.map(({ entrant }) => entrant.name);
    const isSet = (each) => JSON.stringify(each) === JSON.stringify(ranking) && table.source !== 'FORFEIT';
    const quick = quickResults(table.seats.length);
    const title = names.join(' – ');
    const buttons = quick.length > 0
      ? quick.map(({ ranking: each, text }) => h('button', { type: 'button', class: 'score-button', 'aria-pressed': String(Boolean(ranking) && isSet(each)), 'aria-label': `${text}: ${rankingText(each, (seat) => names[seat - 1])}`, onclick: () => this.enter(table, each) }, text))
      : [h('button', { type: 'button', class: 'score-button', onclick: () => this.rank(table) }, ranking ? 'Change the ranking' : 'Enter the ranking')];
    return h('div', { class: `table-row ${ranking ? 'has-result' : 'waits'} ${pending ? 'pending' : ''}`.trim(), 'data-table': String(table.number), role: 'group', 'aria-label': `Table ${table.number}: ${title}` },
      h('span', { class: 'draft-number' }, String(table.number)),
      h('span', { class: 'names' }, ...table.seats.map((seat) => h('span', { class: (ranking?.length > 1 && ranking[0].includes(seat.number)) ? 'won' : '' }, seat.entrant.name, seat.forfeited && h('span', { class: 'soft' }, ' (forfeit)'), ranking && quick.length === 0 && !seat.forfeited && h('span', { class: 'place' }, ` ${placeAt(ranking, seat.number)}.`))), match && h('small', { class: 'hint' }, matchWords(match, table))),
      h('span', { class: 'score-buttons' }, ...buttons),
      h('span', { class: 'source hint' }, this.sourceText(table, pending)),
      h('button', { type: 'button', class: 'quiet icon', 'aria-label': `More for table ${table.number}`, onclick: () => this.more(table) }, '⋯'));
  }

  sourceText(table, pending) {
    const { adjournedUntil, game, ranking, result, source, status } = table;
    if (pending) return 'sending…';
    if (status === 'ADJOURNED') return `adjourned${adjournedUntil ? ` until ${adjournedUntil}` : ''}`;
    if (ranking || result) return source === 'FORFEIT' ? `${resultText(table)} ${SOURCES.FORFEIT}` : SOURCES[source] ?? '';
    return game?.ply > 0 ? `ply ${game.ply}` : '';
  }

  // --- input

  async enter(table, ranking) {
    const isNew = !table.ranking;
    const done = this.console.enter(table, ranking);
    if (isNew) this.focusNext(table.number);
    await done;
  }

  key(event) {
    const here = event.target.closest('[data-table]');
    if (!here || event.ctrlKey || event.metaKey || event.altKey) return;
    const { round } = this.console.now();
    const table = round.tables.find(({ number }) => number === Number(here.dataset.table));
    const quick = quickResults(table.seats.length).find(({ key }) => key === event.key || (key === '=' && /^[dr½]$/i.test(event.key)));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (quick) this.enter(table, quick.ranking);
    else if (event.key === '0' && table.ranking) this.clear(table);
    else if (step) this.focus(table.number, step, [...here.querySelectorAll('button')].indexOf(event.target));
    else return;
    event.preventDefault();
  }

  focus(number, step, button = 0) {
    const all = [...this.list.children];
    const at = all.findIndex((item) => item.dataset.table === String(number));
    const to = all[Math.max(0, Math.min(all.length - 1, at + step))];
    const buttons = to.querySelectorAll('button');
    buttons[Math.min(button, buttons.length - 1)]?.focus();
  }

  /** The next table without a result, starting below this one. */
  focusNext(number) {
    const { pending, round } = this.console.now();
    const waits = round.tables.filter((table) => !table.ranking && !pending[table.number] && table.status !== 'ADJOURNED' && table.number !== number);
    const next = waits.find((table) => table.number > number) ?? waits[0];
    if (next) this.list.querySelector(`[data-table="${next.number}"] button`)?.focus();
  }

  clear(table) {
    const { round } = this.console.now();
    return this.console.decide('clearResult', { round: round.number, table: table.number }, { told: `Table ${table.number} has no result now.`, before: resultBefore(table) });
  }

  rank(table) {
    const field = new RankingField(table.seats.map(({ number, entrant }) => ({ number, name: entrant.name })), table.ranking ?? []);
    const save = h('button', { type: 'button', class: 'primary', onclick: () => {
      if (!field.isComplete()) return;
      dialog.close();
      this.enter(table, field.ranking);
    } }, 'Enter');
    field.changed = () => save.setAttribute('aria-disabled', String(!field.isComplete()));
    field.changed();
    const dialog = openDialog(`Table ${table.number}: the ranking`, field.place, h('div', { class: 'row' }, save));
  }

  more(table) {
    const { round } = this.console.now();
    const at = { round: round.number, table: table.number };
    const before = resultBefore(table);
    const act = (text, name, variables, told) => h('button', { type: 'button', onclick: () => { dialog.close(); this.console.decide(name, { ...at, ...variables }, { told, before }); } }, text);
    const until = h('input', { id: 'adjourn-until', maxlength: '100', autocomplete: 'off', placeholder: 'such as tomorrow, 10:00' });
    const seats = table.seats.map(({ number }) => number);
    const dialog = openDialog(`Table ${table.number}: ${table.seats.map(({ entrant }) => entrant.name).join(' – ')}`,
      h('h3', {}, 'Forfeit'), h('div', { class: 'row' },
        ...table.seats.map(({ number, entrant }) => act(`${entrant.name} did not come`, 'forfeit', { seats: [number] }, `Table ${table.number}: ${entrant.name} forfeits.`)),
        act(seats.length === 2 ? 'Neither came' : 'Nobody came', 'forfeit', { seats }, `Table ${table.number}: nobody gets anything.`)),
      h('h3', {}, 'Adjourn'), h('div', { class: 'row' }, h('label', { for: 'adjourn-until', class: 'hidden' }, 'Until'), until,
        h('button', { type: 'button', onclick: () => { dialog.close(); this.console.decide('adjourn', { ...at, until: until.value.trim() || null }, { told: `Table ${table.number} is adjourned.` }); } }, 'Adjourn')),
      h('h3', {}, 'Result and record'), h('div', { class: 'row' },
        table.ranking && act('Remove the result', 'clearResult', {}, `Table ${table.number} has no result now.`),
        table.game && h('a', { class: 'button', href: `/games/${table.game.id}` }, 'Open the record'),
        table.status === 'ADJOURNED' && act('Resume the game', 'resumeGame', {}, `Table ${table.number} plays again.`),
        table.game?.status === 'VOID' && act('Start another game', 'openGame', {}, `Table ${table.number} has a new game.`),
        table.source === 'GAME' && h('p', { class: 'hint' }, 'A result that comes from a record changes when that record is corrected.')));
  }
}
