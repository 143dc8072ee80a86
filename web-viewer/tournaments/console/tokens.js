// Tokens of other organisers, and valid links of tables: made, listed and revoked.

import { errorWords, request } from '../../base/api.js';
import { h, openDialog, setText } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { counted, moment } from '../../model/format.js';
import { ORGANISER_TOKEN, REVOKE } from '../../model/tournament-mutations.js';
import { TOKENS } from '../../model/tournament-queries.js';
import { sheet } from '../parts.js';

/** Draws the tokens of a tournament and handles their input. */
export class Tokens {
  /** @param {import('./console.js').Console} console */
  constructor(console) {
    this.console = console;
    /** @type {any[] | null} as far as loaded */ this.tokens = null;
    this.isAsked = false;
    this.refused = h('p', { class: 'bad', role: 'alert' });
    this.said = h('p', { class: 'hint', role: 'status' });
    this.list = h('div', { class: 'tokens' });
    this.place = h('section', { class: 'card group', 'aria-label': 'Other organisers and tables' }, h('h2', {}, 'Other organisers'),
      h('p', {}, 'A token for somebody who helps to run this tournament, and for nothing else. Arbiters and administrators can make one.'),
      h('form', { class: 'fields', onsubmit: (event) => { event.preventDefault(); this.invite(event.target); } },
        h('div', { class: 'field wide' }, h('label', { for: 'invite-label' }, 'For whom'), h('input', { id: 'invite-label', name: 'label', required: true, maxlength: '60', autocomplete: 'off' })),
        h('div', { class: 'field' }, h('label', { for: 'invite-days' }, 'Days'), h('input', { id: 'invite-days', name: 'days', inputmode: 'numeric', pattern: '[0-9]{1,3}', size: '4', value: '7' })),
        h('button', { type: 'submit' }, 'Make a token')),
      this.refused, this.said, this.list);
  }

  draw() {
    if (!this.isAsked) this.load();
    const organisers = (this.tokens ?? []).filter(({ role }) => role === 'organiser');
    const tables = (this.tokens ?? []).filter(({ role }) => role === 'table');
    const ending = (token, what) => h('button', { type: 'button', class: 'small', 'aria-label': `Revoke the token ${what}`, onclick: () => this.end(token, what) }, 'Revoke');
    const until = ({ expires }) => (expires ? moment(expires) : 'until it is revoked');
    patch(this.list, [
      organisers.length > 0 && sheet({ caption: 'Tokens of organisers', columns: ['For whom', 'Made', 'Valid', { text: 'Revoke', class: 'end' }] }, organisers.map((token) => h('tr', { id: `token-${token.id}` },
        h('th', { scope: 'row' }, token.label), h('td', { class: 'soft' }, moment(token.created)), h('td', { class: 'soft' }, until(token)), h('td', { class: 'end' }, ending(token, `of ${token.label}`))))),
      tables.length > 0 && h('details', { id: 'table-tokens' }, h('summary', {}, `Links of tables: ${counted(tables.length, 'link')}`),
        h('p', { class: 'hint' }, 'They expire with their round; a new slip for a table replaces the earlier one.'),
        sheet({ caption: 'Links of tables', columns: [{ text: 'Round', class: 'number' }, { text: 'Table', class: 'number' }, 'Made', { text: 'Revoke', class: 'end' }] }, tables.map((token) => h('tr', { id: `token-${token.id}` },
          h('td', { class: 'number' }, String(token.round)), h('th', { scope: 'row', class: 'number' }, String(token.table)), h('td', { class: 'soft' }, moment(token.created)),
          h('td', { class: 'end' }, ending(token, `of table ${token.table} in round ${token.round}`)))))),
      this.tokens?.length === 0 && h('p', { class: 'hint' }, 'Only the tokens of arbiters and administrators are valid.'),
    ].filter(Boolean));
  }

  async load() {
    this.isAsked = true;
    try {
      const { tournament } = await request(TOKENS, { id: this.console.id });
      this.tokens = tournament.tokens;
      setText(this.refused, '');
    } catch (error) {
      setText(this.refused, errorWords(error));
    }
    this.draw();
  }

  async invite(form) {
    const value = (name) => form.elements.namedItem(name).value.trim();
    try {
      const { createToken: made } = await request(ORGANISER_TOKEN, { tournament: this.console.id, label: value('label'), days: Number(value('days')) || null });
      openDialog('A token for an organiser', h('p', {}, `For ${value('label')}${made.expires ? `, until ${moment(made.expires)}` : ''}. It is shown only once: hand it over, to be pasted under "Sign in".`), h('pre', {}, h('code', {}, made.token)));
    } catch (error) {
      setText(this.refused, errorWords(error));
      return;
    }
    await this.load();
  }

  async end({ id }, what) {
    try {
      await request(REVOKE, { id });
    } catch (error) {
      setText(this.refused, errorWords(error));
      return;
    }
    setText(this.said, `The token ${what} is no longer valid.`);
    await this.load();
  }
}
