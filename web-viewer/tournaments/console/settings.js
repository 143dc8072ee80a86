// The settings of a tournament, and who else may run it.

import { common } from '../../words/common.js';
import { errorWords } from '../../base/api.js';
import { h } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { changed, changes, fieldOf, fieldsOf, inputOf, problems } from '../../model/tournament-form.js';
import { console as words } from '../../words/console.js';
import { TournamentForm } from '../form.js';
import { Tokens } from './tokens.js';

/** Draws the tab and handles its input. */
export class Settings {
  /** @param {HTMLElement} place @param {import('./console.js').Console} console */
  constructor(place, console) {
    this.console = console;
    /** @type {Record<string, string> | null} as far as changed */ this.fields = null;
    this.found = {};
    /** @type {any[]} */ this.kinds = [];
    this.fieldsPlace = h('div');
    this.form = new TournamentForm(this.fieldsPlace, (name, value) => this.change(name, value));
    this.save = h('button', { type: 'submit', class: 'primary' }, common.save);
    this.element = h('form', { class: 'tournament-form', onsubmit: (event) => { event.preventDefault(); this.submit(); } },
      this.fieldsPlace, h('div', { class: 'form-end' }, this.save, h('button', { type: 'button', onclick: () => this.forget() }, words.undoChanges)));
    this.tokens = new Tokens(console);
    this.whole = h('section', { class: 'card group', 'aria-label': words.whole });
    place.append(this.element, this.tokens.place, this.whole);
  }

  change(name, value) {
    this.fields = changed(this.current(), name, value, this.kinds);
    this.found = { ...this.found, [name]: '' };
    this.draw(this.console.now());
  }

  forget() {
    this.fields = null;
    this.found = {};
    this.draw(this.console.now());
  }

  current() {
    return this.fields ?? fieldsOf(this.console.now().tournament);
  }

  /** @param {import('./console.js').Now} now */
  draw({ busy, tournament }) {
    const isLocked = tournament.rounds.some(({ status }) => status !== 'UNPAIRED');
    this.form.draw({ fields: this.current(), problems: this.found, kinds: this.kinds, isCreated: true, isLocked });
    this.save.setAttribute('aria-disabled', String(Boolean(busy) || !this.fields));
    this.tokens.draw();
    this.drawWhole();
  }

  /** What is done with a tournament as a whole. */
  drawWhole() {
    const { archived, id } = this.console.now().tournament;
    const archive = () => this.console.decide('editTournament', { input: { archived: !archived } }, { told: archived ? words.unarchived : words.archivedNow, before: { fields: { archived } } });
    patch(this.whole, [h('h2', {}, words.whole), h('p', { class: 'hint' }, words.wholeHint), h('div', { class: 'row' },
      h('a', { class: 'button', href: `/tournaments/new?copy=${encodeURIComponent(id)}` }, words.copy),
      h('button', { type: 'button', id: 'archive', onclick: archive }, archived ? words.unarchive : words.archive))]);
  }

  async submit() {
    const { tournament } = this.console.now();
    this.found = problems(this.current());
    if (Object.keys(this.found).length === 0) await this.send(tournament);
    this.draw(this.console.now());
    this.form.focusProblem();
  }

  async send(tournament) {
    const input = (fields) => inputOf(fields, this.kinds.find(({ kind }) => kind === fields.kind));
    const [before, after] = [input(fieldsOf(tournament)), input(this.current())];
    const edit = changes(before, after);
    if (Object.keys(edit).length === 0) return this.forget();
    if (await this.console.decide('editTournament', { input: edit }, { told: words.saved, before: { fields: changes(after, before) } })) return this.forget();
    const { refused } = this.console.now();
    const field = refused?.code === 'BAD_INPUT' ? fieldOf(refused.message) : '';
    if (field) this.found = { [field]: errorWords(refused) };
    return undefined;
  }
}
