// A field for finding a player by name.

import { common } from '../words/common.js';
import { errorWords, request } from './api.js';
import { h, marked } from './dom.js';
import { patch } from './patch.js';
import { PLAYER, PLAYERS } from '../model/list-queries.js';

const TYPING_MS = 250;

/** A text field that looks up names while they are typed; a complete name, or the only match, is selected. */
export class PlayerField {
  /**
   * @param {HTMLInputElement} input with a `list`
   * @param {HTMLElement} hint where errors are shown
   * @param {(id: string) => void} choose called with the player's id, or an empty text for anybody
   */
  constructor(input, hint, choose) {
    this.input = input;
    this.hint = hint;
    this.choose = choose;
    /** @type {string} the player that is shown */ this.id = '';
    this.name = '';
    this.typing = 0;
    input.addEventListener('input', () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.lookUp(false), TYPING_MS);
    });
    input.addEventListener('change', () => this.lookUp(true));
  }

  /**
   * Shows the player of an address.
   * @param {string} id empty for anybody
   * @returns {Promise<string>} the name, as far as known
   */
  async show(id) {
    if (id !== this.id) {
      this.id = id;
      this.name = '';
      const known = id ? await request(PLAYER, { id }).catch(() => null) : null;
      if (this.id !== id) return this.name;
      this.name = known?.player?.name ?? '';
      this.say('');
    }
    if (!id) this.say('');
    if (document.activeElement !== this.input || !id) this.input.value = this.name;
    return this.name;
  }

  async lookUp(done) {
    clearTimeout(this.typing);
    const name = this.input.value.trim();
    if (name === this.name) {
      this.say('');
      return;
    }
    if (!name) {
      this.take({ id: '', name: '' });
      return;
    }
    try {
      const { players } = await request(PLAYERS, { name });
      if (this.input.value.trim() === name) this.pick(name, players.nodes, done);
    } catch (why) {
      this.say(errorWords(why));
    }
  }

  pick(name, found, done) {
    if (this.input.list) patch(this.input.list, found.map((player) => h('option', { value: player.name })));
    const called = found.filter((player) => player.name.toLowerCase() === name.toLowerCase());
    const taken = called.length === 1 ? called[0] : done && found.length === 1 ? found[0] : null;
    if (taken) this.take(taken);
    else if (called.length > 1) this.ask(called);
    else this.say(found.length ? common.playersMatch(found.length) : common.noPlayer);
  }

  /** Several players have this name. */
  ask(called) {
    const about = ({ club, country, name }) => [name, club, country].filter(Boolean).join(' · ');
    patch(this.hint, [common.playersMatch(called.length), ' ', ...called.flatMap((player) => [h('button', { type: 'button', class: 'link', id: `called-${player.id}`, onclick: () => this.take(player) }, about(player)), ' '])]);
  }

  take({ id, name }) {
    this.name = name;
    this.say('');
    if (document.activeElement !== this.input) this.input.value = name;
    if (id === this.id) return;
    this.id = id;
    this.choose(id);
  }

  say(text) {
    if (this.hint.textContent !== text) this.hint.replaceChildren(...marked(text));
  }
}
