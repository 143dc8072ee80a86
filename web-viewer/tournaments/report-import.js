// A report file that becomes a tournament: what is in it, who its players are, and the import.

import { common } from '../words/common.js';
import { errorWords, request } from '../base/api.js';
import { h, marked } from '../base/dom.js';
import { patch } from '../base/patch.js';
import { newKey } from '../base/random-key.js';
import { textOf } from '../model/entry.js';
import { formatWords } from '../model/tournament.js';
import { IMPORT_REPORT } from '../model/tournament-mutations.js';
import { PREVIEW_REPORT } from '../model/tournament-queries.js';
import { console as people } from '../words/console.js';
import { tournament as words } from '../words/tournament.js';
import { knownText, who } from './known.js';
import { sheet } from './parts.js';

/** What one request may cost is the limit. */
const FILE_MAX = 390_000;

/** Draws the section; the game, the time zone and whether it is rated are those of the form. */
export class ReportImport {
  /** @param {HTMLElement} place @param {() => {kind: string, timeZone: string, rated: string}} fields */
  constructor(place, fields) {
    this.place = place;
    this.fields = fields;
    this.file = '';
    /** @type {any} */ this.found = null;
    /** @type {Map<number, string>} */ this.chosen = new Map();
    this.said = '';
    /** @type {string | null} so that nothing is imported twice */ this.key = null;
    this.shown = h('div', { class: 'preview' });
    place.append(h('details', { class: 'card group', id: 'report-import' }, h('summary', {}, words.title), h('p', { class: 'hint' }, words.hint),
      h('div', { class: 'row' }, h('label', { for: 'report-file' }, words.file), h('input', { type: 'file', id: 'report-file', accept: '.trf,.trfx,.txt,text/plain', onchange: (event) => this.read(event.target) })), this.shown));
  }

  async read(field) {
    const [file] = field.files;
    field.value = '';
    if (!file) return;
    Object.assign(this, { found: null, file: '', said: '', chosen: new Map(), key: null });
    if (file.size > FILE_MAX) this.said = words.tooLarge(file.name);
    else {
      this.file = textOf(new Uint8Array(await file.arrayBuffer()));
      await request(PREVIEW_REPORT, { file: this.file, timeZone: this.fields().timeZone }).then(({ previewTournament }) => { this.found = previewTournament; }, (error) => { this.said = errorWords(error); });
    }
    this.draw();
  }

  /** Who each entrant is: a player, somebody new, or nobody yet. */
  plans() {
    const used = new Set();
    return this.found.entrants.map((entrant) => {
      const options = [...entrant.players.map(({ id }) => id), 'new'];
      const plan = this.chosen.get(entrant.number) ?? (options.length > 2 ? '' : options[0]);
      const does = used.has(plan) ? '' : plan;
      if (does && does !== 'new') used.add(does);
      return { entrant, options, does };
    });
  }

  draw() {
    patch(this.shown, [this.said && h('p', { class: 'notice bad', role: 'alert' }, ...marked(this.said)), ...this.preview()].filter(Boolean));
  }

  preview() {
    if (!this.found) return [];
    const { byes, forfeits, leftOut, name, open, rounds, tables } = this.found;
    const { kind } = this.fields();
    const plans = this.plans();
    const undecided = plans.filter(({ does }) => !does).length;
    const isReady = kind && undecided === 0 && !this.key;
    const text = this.key ? words.running : !kind ? words.reportChooseKind : undecided > 0 ? common.chooseFor(undecided) : words.take;
    const parts = [name, formatWords(this.found), words.reportRounds(rounds), words.tables(tables), forfeits && words.forfeits(forfeits), byes && words.reportByes(byes), open && words.open(open)];
    const rows = plans.map(({ does, entrant, options }) => h('tr', {}, h('td', { class: 'number' }, String(entrant.number)), h('th', { scope: 'row' }, entrant.name), h('td', { class: 'number' }, entrant.rating == null ? '' : String(entrant.rating)), h('td', {}, entrant.country ?? ''),
      h('td', { class: 'soft' }, who(entrant.name, does, options.map((option) => [option, this.textOf(option, entrant, kind)]), (option) => { this.chosen.set(entrant.number, option); this.draw(); }))));
    return [
      h('p', { id: 'report-about' }, parts.filter(Boolean).join(' · ')),
      leftOut.length > 0 && h('p', { class: 'hint', id: 'report-left-out' }, words.leftOut, ' ', leftOut.map((what) => words.left[what]).join('; ')),
      sheet({ caption: words.reportCaption, columns: [{ text: common.rank, class: 'number' }, common.name, { text: common.rating, class: 'number' }, common.country, people.note] }, rows),
      h('button', { type: 'button', class: 'primary', id: 'import-report', 'aria-disabled': String(!isReady), onclick: () => isReady && this.send(plans) }, text),
    ];
  }

  textOf(option, { name, players }, kind) {
    const player = players.find(({ id }) => id === option);
    return player ? knownText(player, name, kind) : people.newPlayer;
  }

  async send(plans) {
    const { kind, rated, timeZone, name } = this.fields();
    const players = plans.map(({ does, entrant }) => ({ number: entrant.number, player: does === 'new' ? null : does }));
    this.key = newKey();
    this.said = '';
    this.draw();
    try {
      const { importTournament } = await request(IMPORT_REPORT, { input: { file: this.file, kind, timeZone, rated: Boolean(rated), players, ...(this.found.name ? {} : { name }) }, key: this.key });
      location.assign(`/tournaments/${encodeURIComponent(importTournament.id)}/organise`);
    } catch (error) {
      Object.assign(this, { key: null, said: errorWords(error) });
      this.draw();
    }
  }
}
