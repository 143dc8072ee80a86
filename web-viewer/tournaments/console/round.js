// A round in the console: paired, open, closed.

import { common } from '../../words/common.js';
import { h, marked } from '../../base/dom.js';
import { patch, row } from '../../base/patch.js';
import { matchAt } from '../../model/bracket.js';
import { english } from '../../model/english.js';
import { pairingOf } from '../../model/pairing-draft.js';
import { roundWords } from '../../model/tournament.js';
import { nextStep } from '../../model/tournament-steps.js';
import { console as words } from '../../words/console.js';
import { moment } from '../../words/locale.js';
import { openExplanation, pairingNote, pairingsByTable } from '../pairings.js';
import { empty, label } from '../parts.js';
import { Editor } from './editor.js';
import { Results } from './results.js';
import { Slips } from './slips.js';

/** Draws the tab of rounds and handles its input. */
export class Round {
  /**
   * @param {HTMLElement} place
   * @param {import('./console.js').Console} console
   * @param {(table: any) => Promise<any>} explanation
   */
  constructor(place, console, explanation) {
    this.place = place;
    this.console = console;
    this.explanation = explanation;
    this.editor = new Editor(console);
    this.slips = new Slips(console);
    this.results = new Results(console, (table) => this.slips.ask(table));
    this.head = h('div', { class: 'round-head' });
    this.body = h('div', { class: 'round-body' });
    place.append(this.head, this.editor.place, this.results.place, this.body, this.slips.place);
  }

  /** @param {import('./console.js').Now} now */
  draw(now) {
    const { draft, round } = now;
    const status = round?.status ?? 'UNPAIRED';
    patch(this.head, [this.rounds(now), this.acts(now, status), this.job(now)].filter(Boolean));
    this.editor.draw(now);
    this.results.draw(now);
    this.slips.draw(now);
    const isListed = !draft && status === 'PAIRED';
    patch(this.body, [
      isListed && row(`pairings-${round.number}`, [round, now.tournament.bracket], () => pairingsByTable(round, now.tournament.seats, this.shown(now.tournament))),
      !draft && ['PAIRED', 'CLOSED'].includes(status) && pairingNote(round),
      round?.corrections.length > 0 && h('ul', { class: 'notice corrections', id: 'corrections' }, ...round.corrections.map(({ after, before, paired, table }) => h('li', {}, words.corrected(table, before ?? common.adjourned, after ?? words.withoutResult, paired)))),
      status === 'UNPAIRED' && !draft && empty(nextStep(now.tournament).text),
    ].filter(Boolean));
  }

  shown({ bracket }) {
    return {
      match: (round, table) => matchAt(bracket, round, table),
      link: ({ number }) => ({ href: `/tournaments/${encodeURIComponent(this.console.id)}?player=${number}`, go: () => location.assign(`/tournaments/${encodeURIComponent(this.console.id)}?player=${number}`) }),
      explain: async (table) => openExplanation(table, await this.explanation(table), this.console.now().round),
    };
  }

  rounds({ tournament, round, url }) {
    const next = nextStep(tournament).round;
    const numbers = tournament.rounds.filter(({ number, status }) => status !== 'UNPAIRED' || number === next);
    if (next && !numbers.some(({ number }) => number === next)) numbers.push({ number: next, status: 'UNPAIRED' });
    const shown = round?.number ?? (url.round || next);
    return h('div', { class: 'rounds', role: 'group', 'aria-label': common.roundLabel }, ...numbers.map(({ number, status }) => h('a', {
      href: `?tab=rounds&round=${number}`, class: status === 'OPEN' ? 'open' : '', 'aria-current': number === shown && 'true', 'aria-label': common.roundState(number, roundWords(status)),
      onclick: (event) => { event.preventDefault(); this.console.go({ tab: 'rounds', round: number }); },
    }, String(number))));
  }

  acts({ busy, draft, round, tournament, url }, status) {
    const number = round?.number ?? (url.round || nextStep(tournament).round);
    const button = (text, onclick, style = '') => h('button', { type: 'button', class: style, 'aria-disabled': String(Boolean(busy)), onclick: () => !busy && onclick() }, text);
    const decide = (name, told, before) => () => this.console.decide(name, { round: number }, { told, before });
    const isLast = !tournament.rounds.some((other) => other.number > number && other.status !== 'UNPAIRED');
    const acts = {
      UNPAIRED: () => [tournament.entrantsCount > 0 && number === nextStep(tournament).round && button(words.pairByHand, () => this.editor.begin())],
      PAIRED: () => [button(words.changeByHand, () => this.editor.begin()), button(words.undoPairing, decide('unpairRound', words.pairingUndone(number), { pairing: pairingOf(round) }))],
      OPEN: () => [button(words.tableSlips, () => this.slips.ask()), button(words.undoOpening, decide('unopenRound', words.openingUndone(number)))],
      CLOSED: () => [button(words.roundsReopen, decide('resumeRound', words.roundsReopened(number)))],
    }[status];
    return h('div', { class: 'round-acts' }, number > 0 && label(words.stateOf(number, roundWords(status)), status.toLowerCase()),
      round?.openedAt && h('span', { class: 'hint' }, words.since(moment(round.openedAt))), h('span', { class: 'space' }),
      ...!draft && isLast && tournament.status !== 'FINISHED' ? acts() : [],
      !draft && ['OPEN', 'CLOSED'].includes(status) && button(words.resultSlips, () => this.slips.makeResults()),
      round && status !== 'UNPAIRED' && h('a', { class: 'button', href: `/tournaments/${encodeURIComponent(tournament.id)}?view=pairings&round=${number}` }, words.publicPage));
  }

  job({ round, busy }) {
    const job = round?.job;
    if (job?.state === 'FAILED') return h('p', { class: 'notice bad', role: 'alert' }, ...marked(words.pairingFailed(job.error ? english(job.error) : words.noReason)));
    const isRunning = ['QUEUED', 'RUNNING'].includes(job?.state);
    if (!isRunning && busy !== 'pairRound') return null;
    const known = isRunning && job.total > 0;
    return h('div', { class: 'job', role: 'status' }, h('label', { for: 'job' }, words.pairing),
      h('progress', known ? { id: 'job', max: String(job.total), value: String(job.done) } : { id: 'job' }),
      isRunning && h('button', { type: 'button', onclick: () => this.console.cancelPairing() }, words.stop));
  }
}

