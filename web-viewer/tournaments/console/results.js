// Entering results: one key or tap for each table.

import { common } from '../../words/common.js';
import { h, openDialog } from '../../base/dom.js';
import { patch, row } from '../../base/patch.js';
import { steadyTaps } from '../../base/steady.js';
import { matchAt } from '../../model/bracket.js';
import { recordPath } from '../../model/url.js';
import { placeAt, quickResults, rankingText } from '../../model/tournament.js';
import { console as words } from '../../words/console.js';
import { matchWords } from '../pairings.js';
import { resultText } from '../parts.js';
import { RankingField } from '../ranking-field.js';
import { resultBefore } from './console.js';

/** Draws the tables of a round that was opened and handles their input: results can be corrected at any time. */
export class Results {
  /** @param {import('./console.js').Console} console @param {(table: number) => void} slip makes a slip for a table */
  constructor(console, slip) {
    this.console = console;
    this.slip = slip;
    // Keys mean the table that is next, wherever else on the page the focus is.
    document.addEventListener('keydown', (event) => this.keyElsewhere(event));
    this.help = h('p', { class: 'hint keys' });
    this.list = h('div', { class: 'tables', onkeydown: (event) => this.key(event), onclick: ({ target }) => this.chosen(target) });
    this.place = h('section', { class: 'results', 'aria-label': common.results, hidden: true }, this.help, this.list);
    this.onlyMissing = false;
  }

  /** @param {import('./console.js').Now} now */
  draw({ pending, round, tournament }) {
    this.place.hidden = !['OPEN', 'CLOSED'].includes(round?.status);
    if (this.place.hidden) return;
    const kbd = (text) => h('kbd', {}, text);
    patch(this.help, tournament.seats === 2
      ? words.keys(kbd('1'), kbd('='), kbd('2'), kbd('0'), kbd('↑'), kbd('↓'))
      : words.keysOfRankings(kbd('↑'), kbd('↓')));
    patch(this.list, round.tables.map((table) => row(`table-${table.number}`, [table, pending[table.number], tournament.bracket], () => this.table(table, pending[table.number], matchAt(tournament.bracket, round.number, table.number)))));
  }

  table(table, pending, match) {
    const ranking = pending ?? table.ranking;
    const names = table.seats.map(({ entrant }) => entrant.name);
    const isSet = (each) => JSON.stringify(each) === JSON.stringify(ranking) && table.source !== 'FORFEIT';
    const quick = quickResults(table.seats.length);
    const title = names.join(' – ');
    const buttons = quick.length > 0
      ? quick.map(({ ranking: each, text }) => h('button', { type: 'button', class: 'score-button', 'aria-pressed': String(Boolean(ranking) && isSet(each)), 'aria-label': words.result(text, rankingText(each, (seat) => names[seat - 1])), onclick: () => this.enter(table, each) }, text))
      : [h('button', { type: 'button', class: 'score-button', onclick: () => this.rank(table) }, ranking ? words.changeRanking : words.enterRanking)];
    return h('div', { class: `table-row ${ranking && !table.disputed ? 'has-result' : 'waits'} ${pending ? 'pending' : ''}`.trim(), 'data-table': String(table.number), role: 'group', 'aria-label': common.tableOf(table.number, title) },
      h('span', { class: 'draft-number' }, String(table.number)),
      h('span', { class: 'names' }, ...table.seats.map((seat) => h('span', { class: (ranking?.length > 1 && ranking[0].includes(seat.number)) ? 'won' : '' }, h('bdi', {}, seat.entrant.name), seat.forfeited && h('span', { class: 'soft' }, ' ', words.forfeited), ranking && quick.length === 0 && !seat.forfeited && h('span', { class: 'place' }, ` ${placeAt(ranking, seat.number)}.`))), match && h('small', { class: 'hint' }, matchWords(match, table))),
      h('span', { class: 'score-buttons' }, ...buttons),
      h('span', { class: 'source hint' }, this.sourceText(table, pending)),
      h('button', { type: 'button', class: 'quiet icon', 'aria-label': words.more(table.number), onclick: () => this.more(table) }, '⋯'));
  }

  sourceText(table, pending) {
    const { adjournedUntil, disputed, game, ranking, result, source, status } = table;
    if (pending) return words.sending;
    if (disputed) return words.roundsDisputed(rankingText(disputed, (seat) => table.seats[seat - 1].entrant.name));
    if (status === 'ADJOURNED') return adjournedUntil ? words.adjournedUntil(adjournedUntil) : common.adjourned;
    if (ranking || result) return source === 'FORFEIT' ? words.byForfeit(resultText(table)) : words.sources[source] ?? '';
    return game?.ply > 0 ? words.ply(game.ply) : '';
  }

  // --- input

  async enter(table, ranking) {
    // A record that says so already is not corrected.
    if (table.source === 'GAME' && JSON.stringify(table.ranking) === JSON.stringify(ranking)) return;
    const isNew = !table.ranking;
    const done = this.console.enter(table, ranking);
    if (isNew) this.focusNext(table.number);
    await done;
    // What could not be entered is where the work goes on.
    if (isNew && this.console.now().refused) this.focus(table.number, 0);
  }

  /** A click on a table chooses it for the keys. */
  chosen(target) {
    if (!target.closest('button, a')) target.closest('[data-table]')?.querySelector('button').focus();
  }

  /** Moves the focus to the next table without a result, so that keys and eyes meet; without one, to the next step. */
  begin() {
    if (!this.place.hidden) this.focusNext(0);
  }

  keyElsewhere(event) {
    if (event.defaultPrevented || event.repeat || this.place.hidden || !this.place.checkVisibility() || ['INPUT', 'SELECT', 'TEXTAREA'].includes(event.target.nodeName) || event.target.closest?.('dialog') || this.list.contains(event.target)) return;
    // From the next step, arrows lead back to the tables.
    const next = this.waiting(0) ?? (['ArrowUp', 'ArrowDown'].includes(event.key) ? this.console.now().round.tables.at(-1) : undefined);
    if (next) this.key(event, this.list.querySelector(`[data-table="${next.number}"]`));
  }

  key(event, here = event.target.closest('[data-table]')) {
    if (!here || event.ctrlKey || event.metaKey || event.altKey) return;
    const { round } = this.console.now();
    const table = round.tables.find(({ number }) => number === Number(here.dataset.table));
    const quick = quickResults(table.seats.length).find(({ key }) => key === event.key || (key === '=' && /^[dr½]$/i.test(event.key)));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (quick) this.enter(table, quick.ranking);
    else if (event.key === '0' && table.ranking) this.clear(table);
    else if (step) this.focus(table.number, here.contains(event.target) ? step : 0, Math.max(0, [...here.querySelectorAll('button')].indexOf(event.target)));
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
    const next = this.waiting(number);
    (next ? this.list.querySelector(`[data-table="${next.number}"] button`) : document.getElementById('next-step'))?.focus();
  }

  waiting(number) {
    const { pending, round } = this.console.now();
    const waits = (round?.tables ?? []).filter((table) => !table.ranking && !pending[table.number] && table.status !== 'ADJOURNED' && table.number !== number);
    return waits.find((table) => table.number > number) ?? waits[0];
  }

  clear(table) {
    const { round } = this.console.now();
    return this.console.decide('clearResult', { round: round.number, table: table.number }, { told: words.noResult(table.number), before: resultBefore(table) });
  }

  rank(table) {
    const field = new RankingField(table.seats.map(({ number, partners, entrant }) => ({ number, partners, name: entrant.name })), table.ranking ?? []);
    const save = h('button', { type: 'button', class: 'primary', onclick: () => {
      if (!field.isComplete()) return;
      dialog.close();
      this.enter(table, field.ranking);
    } }, common.enter);
    field.changed = () => save.setAttribute('aria-disabled', String(!field.isComplete()));
    field.changed();
    steadyTaps(field.place);
    const dialog = openDialog(words.ranking(table.number), field.place, h('div', { class: 'row' }, save));
  }

  more(table) {
    const { round } = this.console.now();
    const at = { round: round.number, table: table.number };
    const before = resultBefore(table);
    const act = (text, name, variables, told) => h('button', { type: 'button', onclick: () => { dialog.close(); this.console.decide(name, { ...at, ...variables }, { told, before }); } }, text);
    const until = h('input', { id: 'adjourn-until', maxlength: '100', autocomplete: 'off', placeholder: words.untilSuchAs });
    const seats = table.seats.map(({ number }) => number);
    const dialog = openDialog(common.tableOf(table.number, table.seats.map(({ entrant }) => entrant.name).join(' – ')),
      h('h3', {}, words.forfeit), h('div', { class: 'row' },
        // At a larger table, the others play without the absent player; partners are absent together.
        ...table.seats.map(({ number, partners, entrant }) => {
          const out = seats.filter((seat) => seat === number || partners.includes(seat));
          const rest = table.seats.filter((seat) => !out.includes(seat.number));
          const isOneTeam = rest.every((seat) => seat.partners.length === rest.length - 1);
          return isOneTeam ? act(words.didNotCome(entrant.name), 'forfeit', { seats: out }, words.forfeits(table.number, entrant.name))
            : round.status === 'OPEN' && !table.ranking && act(words.didNotCome(entrant.name), 'reseatTable', { seats: rest.map((seat) => seat.entrant.number) }, words.playWithout(table.number, entrant.name));
        }),
        act(seats.length === 2 ? common.neitherCame : common.nobodyCame, 'forfeit', { seats }, words.nobodyGets(table.number))),
      h('h3', {}, words.adjourn), h('div', { class: 'row' }, h('label', { for: 'adjourn-until', class: 'hidden' }, words.until), until,
        h('button', { type: 'button', onclick: () => { dialog.close(); this.console.decide('adjourn', { ...at, until: until.value.trim() || null }, { told: words.isAdjourned(table.number) }); } }, words.adjourn)),
      h('h3', {}, words.resultAndRecord), h('div', { class: 'row' },
        table.ranking && act(words.removeResult, 'clearResult', {}, words.noResult(table.number)),
        round.status === 'OPEN' && h('button', { type: 'button', onclick: () => { dialog.close(); this.slip(table.number); } }, words.slip),
        table.game && h('a', { class: 'button', href: `/games/${table.game.id}` }, words.openRecord),
        table.game?.status === 'RUNNING' && h('a', { class: 'button', href: recordPath(table.game.id) }, words.linksAndDeadline),
        table.game?.status === 'FINISHED' && table.game.ply > 0 && h('a', { class: 'button', href: recordPath(table.game.id) }, words.correctRecord),
        table.status === 'ADJOURNED' && round.status === 'OPEN' && act(words.resume, 'resumeGame', {}, words.resumed(table.number)),
        table.game?.status === 'VOID' && !table.result && act(words.another, 'openGame', {}, words.anotherStarted(table.number)),
        table.source === 'GAME' && h('p', { class: 'hint' }, words.followsRecord)));
  }
}
