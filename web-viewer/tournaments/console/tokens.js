// Tokens of other organisers, and valid links of tables: made, listed and revoked.

import { common } from '../../words/common.js';
import { errorWords, request } from '../../base/api.js';
import { h, marked, openDialog, setText } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { phonesAddress } from '../../base/phones.js';
import { qrCode } from '../../base/qr.js';
import { ORGANISER_TOKEN, REVOKE } from '../../model/tournament-mutations.js';
import { TOKENS } from '../../model/tournament-queries.js';
import { console as words } from '../../words/console.js';
import { moment } from '../../words/locale.js';
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
    this.place = h('section', { class: 'card group', 'aria-label': words.titleWithTables }, h('h2', {}, words.tokensTitle),
      h('p', {}, words.tokensExplained),
      h('form', { class: 'fields', onsubmit: (event) => { event.preventDefault(); this.invite(event.target); } },
        h('div', { class: 'field wide' }, h('label', { for: 'invite-label' }, words.forWhom), h('input', { id: 'invite-label', name: 'label', required: true, maxlength: '60', autocomplete: 'off' })),
        h('div', { class: 'field' }, h('label', { for: 'invite-days' }, words.days), h('input', { id: 'invite-days', name: 'days', inputmode: 'numeric', pattern: '[1-9][0-9]{0,2}', size: '4', value: '7' })),
        h('button', { type: 'submit' }, words.make)),
      this.refused, this.said, this.list);
  }

  draw() {
    if (!this.isAsked) this.load();
    const organisers = (this.tokens ?? []).filter(({ role }) => role === 'organiser');
    const tables = (this.tokens ?? []).filter(({ role }) => role === 'table');
    const { forWhom, made, revoke, round, table, valid } = words.tokensColumns;
    const ending = (token, label, ended) => h('button', { type: 'button', class: 'small', 'aria-label': label, onclick: () => this.end(token, ended) }, words.revoke);
    const until = ({ expires }) => (expires ? moment(expires) : words.untilRevoked);
    patch(this.list, [
      organisers.length > 0 && sheet({ caption: words.ofOrganisers, columns: [forWhom, made, valid, { text: revoke, class: 'end' }] }, organisers.map((token) => h('tr', { id: `token-${token.id}` },
        h('th', { scope: 'row' }, token.label), h('td', { class: 'soft' }, moment(token.created)), h('td', { class: 'soft' }, until(token)), h('td', { class: 'end' }, ending(token, words.revokeOf(token.label), words.revoked(token.label)))))),
      tables.length > 0 && h('details', { id: 'table-tokens' }, h('summary', {}, words.countedLinks(tables.length)),
        h('p', { class: 'hint' }, words.linksHint),
        sheet({ caption: words.links, columns: [{ text: round, class: 'number' }, { text: table, class: 'number' }, made, { text: revoke, class: 'end' }] }, tables.map((token) => h('tr', { id: `token-${token.id}` },
          h('td', { class: 'number' }, String(token.round)), h('th', { scope: 'row', class: 'number' }, String(token.table)), h('td', { class: 'soft' }, moment(token.created)),
          h('td', { class: 'end' }, ending(token, words.revokeOfTable(token.table, token.round), words.revokedOfTable(token.table, token.round))))))),
      this.tokens?.length === 0 && h('p', { class: 'hint' }, words.none),
    ].filter(Boolean));
  }

  async load() {
    this.isAsked = true;
    try {
      const { tournament } = await request(TOKENS, { id: this.console.id });
      this.tokens = tournament.tokens;
      setText(this.refused, '');
    } catch (error) {
      this.refused.replaceChildren(...marked(errorWords(error)));
    }
    this.draw();
  }

  async invite(form) {
    const value = (name) => form.elements.namedItem(name).value.trim();
    try {
      const base = phonesAddress();
      const { createToken: made } = await request(ORGANISER_TOKEN, { tournament: this.console.id, label: value('label'), days: Number(value('days')) || null, base });
      this.hand(made, value('label'), `${base}/tournaments/${encodeURIComponent(this.console.id)}/organise#token=${made.token}`);
    } catch (error) {
      this.refused.replaceChildren(...marked(errorWords(error)));
      return;
    }
    await this.load();
  }

  /** Shows the link of a helper, which is handed over by its code, copied, or as a token to be pasted. */
  hand({ expires, qr, token }, label, link) {
    const said = h('span', { class: 'hint', role: 'status' });
    const copy = async () => {
      const isDone = await navigator.clipboard?.writeText(link).then(() => true, () => false);
      setText(said, isDone ? words.copied : words.notCopied);
    };
    openDialog(words.madeTitle, h('p', {}, expires ? words.madeUntil(label, moment(expires)) : words.made(label)),
      h('div', { class: 'helper-code' }, qr && qrCode(qr)),
      h('div', { class: 'row' }, h('input', { readonly: true, value: link, dir: 'ltr', 'aria-label': words.tokensLink }), h('button', { type: 'button', class: 'primary', onclick: copy }, common.copy), said),
      h('details', {}, h('summary', {}, words.asToken), h('pre', { dir: 'ltr' }, h('code', {}, token))));
  }

  /** Revokes a token; `ended` is said then. */
  async end({ id }, ended) {
    try {
      await request(REVOKE, { id });
    } catch (error) {
      this.refused.replaceChildren(...marked(errorWords(error)));
      return;
    }
    setText(this.said, ended);
    await this.load();
  }
}
