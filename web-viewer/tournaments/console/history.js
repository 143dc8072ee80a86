// Every decision in the tournament's log.

import { common } from '../../words/common.js';
import { request } from '../../base/api.js';
import { h } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { deciderWords, eventWords, seatsAt } from '../../model/tournament-log.js';
import { HISTORY, TOKENS } from '../../model/tournament-queries.js';
import { console as words } from '../../words/console.js';
import { moment } from '../../words/locale.js';
import { failure, sheet } from '../parts.js';

/** Draws the tab; older events are loaded page by page. */
export class History {
  /** @param {HTMLElement} place @param {import('./console.js').Console} console */
  constructor(place, console) {
    this.place = place;
    this.console = console;
    this.of = -1;
    /** @type {Map<string, string>} labels of tokens by id */ this.labels = new Map();
  }

  async load(before = null) {
    const old = before ? this.console.now().history.events : [];
    try {
      const { tournament: { events: { nodes, pageInfo } } } = await request(HISTORY, { id: this.console.id, before });
      await this.loadLabels();
      this.console.set({ history: { events: [...old, ...[...nodes].reverse()], before: pageInfo.hasPreviousPage ? pageInfo.startCursor : null } });
    } catch (error) {
      this.console.set({ history: { events: old, before: null, error } });
    }
  }

  async loadLabels() {
    const found = await request(TOKENS, { id: this.console.id }).catch(() => null);
    for (const { id, label } of found?.tournament.tokens ?? []) this.labels.set(id, label);
  }

  /** @param {import('./console.js').Now} now */
  draw({ entrants, history, tournament }) {
    if (this.of !== tournament.head.seq) {
      this.of = tournament.head.seq;
      this.load();
    }
    if (!history) {
      patch(this.place, [h('p', { class: 'empty' }, words.loadingLog)]);
      return;
    }
    const { by, seq, what, when } = words.columns;
    const names = new Map(entrants.map(({ number, name }) => [number, name]));
    patch(this.place, [
      h('p', { class: 'hint' }, words.logHint),
      history.error && failure(history.error, () => this.load()),
      sheet({ caption: common.events, columns: [{ text: seq, class: 'number' }, when, what, by] }, history.events.map((event) => h('tr', {},
        h('td', { class: 'number' }, String(event.seq)), h('td', { class: 'soft' }, moment(event.at)), h('td', {}, eventWords(event, names, seatsAt(history.events, event))), h('td', { class: 'soft' }, deciderWords(event, this.labels))))),
      history.before && h('button', { type: 'button', onclick: () => this.load(history.before) }, words.earlier),
    ].filter(Boolean));
  }
}
