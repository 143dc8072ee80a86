// Who sits where: registered players, found by the first letters of their names, or names.

import { common } from '../words/common.js';
import { request } from '../base/api.js';
import { chip, h } from '../base/dom.js';
import { FIND_SEATED } from '../model/record-queries.js';
import { newGame as words } from '../words/new-game.js';

const TYPING_MS = 200;

/**
 * Who sits in a seat: a registered player, a name, or nobody in particular.
 * @typedef {{name: string, player: string, club: string}} Sitter
 */

/** @type {Sitter} */
export const NOBODY = Object.freeze({ name: '', player: '', club: '' });

/** Finds players while their names are typed. */
export class SeatFields {
  /** @param {(index: number, sitter: Sitter) => void} change @param {(index: number, found: any[]) => void} found */
  constructor(change, found) {
    this.change = change;
    this.found = found;
    this.typing = 0;
  }

  /**
   * @param {Sitter[]} sitters
   * @param {{index: number, found: any[]}} search the players that what was typed last may mean
   */
  draw(sitters, search) {
    return h('ol', { class: 'sitters' }, ...sitters.map((sitter, index) => this.seat(sitter, index, search.index === index ? search.found : [])));
  }

  seat({ name, player, club }, index, found) {
    const id = `seat-${index + 1}`;
    return h('li', { id: `sitter-${index + 1}` },
      h('label', { for: id }, chip(index + 1), common.seatNumber(index + 1)),
      h('input', { id, value: name, autocomplete: 'off', maxlength: '100', placeholder: common.name, 'aria-describedby': `${id}-said`, oninput: ({ target }) => this.typed(index, target.value) }),
      h('p', { class: 'hint', id: `${id}-said` }, !player ? '' : club ? words.registeredOf(club) : words.registered),
      found.length > 0 && h('div', { class: 'found', role: 'group', 'aria-label': words.found(index + 1) },
        ...found.map((each) => h('button', { type: 'button', onclick: () => this.choose(index, each) }, each.name, each.club && h('small', {}, each.club)))));
  }

  typed(index, name) {
    this.change(index, { ...NOBODY, name });
    clearTimeout(this.typing);
    const search = name.trim();
    if (!search) this.found(index, []);
    else this.typing = setTimeout(() => this.look(index, search), TYPING_MS);
  }

  async look(index, search) {
    const answer = await request(FIND_SEATED, { search }).catch(() => null);
    this.found(index, answer?.players.nodes ?? []);
  }

  choose(index, { id, name, club }) {
    this.found(index, []);
    this.change(index, { name, player: id, club: club ?? '' });
    document.getElementById(`seat-${index + 1}`)?.focus();
  }
}
