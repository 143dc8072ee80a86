// The tournament that games are limited to, beside the other filters.

import { common } from '../words/common.js';
import { request } from './api.js';
import { h } from './dom.js';
import { patch } from './patch.js';
import { TOURNAMENT_NAME } from '../model/list-queries.js';

/** Says which tournament it is, and can be closed. */
export class TournamentChip {
  /** @param {HTMLElement} place @param {() => void} clear */
  constructor(place, clear) {
    this.place = place;
    this.clear = clear;
    this.id = '';
  }

  /** @param {string} id empty for games of any tournament, or of none */
  async show(id) {
    if (id === this.id) return;
    this.id = id;
    if (!id) {
      patch(this.place, []);
      return;
    }
    const answer = await request(TOURNAMENT_NAME, { id }).catch(() => null);
    if (this.id !== id) return;
    patch(this.place, [
      h('a', { href: `/tournaments/${encodeURIComponent(id)}` }, answer?.tournament?.name ?? common.oneTournament),
      h('button', { type: 'button', class: 'quiet icon', 'aria-label': common.anyTournament, onclick: this.clear }, '✕'),
    ]);
  }
}
