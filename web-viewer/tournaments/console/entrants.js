// Entrants: entering players one by one or as a list, withdrawals, byes.

import { request } from '../../base/api.js';
import { byId, h, openDialog, setText } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { ENTRIES_MAX, parseEntries } from '../../model/entry.js';
import { counted } from '../../model/format.js';
import { byeWords, paged } from '../../model/tournament.js';
import { FIND_PLAYERS, findAll } from '../../model/tournament-queries.js';
import { empty, sheet } from '../parts.js';
import { note } from '../standings.js';

const TYPING_MS = 200;
/** How many names are looked up in one request. */
const LOOKED_UP = 20;
/** The largest file accepted, in bytes. */
const FILE_MAX = 1_000_000;

/** Draws the tab and handles its input. */
export class Entrants {
  /** @param {HTMLElement} place @param {import('./console.js').Console} console */
  constructor(place, console) {
    this.place = place;
    this.console = console;
    /** @type {any[]} players matching what is typed */ this.found = [];
    /** @type {any} the known player being entered */ this.player = null;
    /** @type {Map<string, string>} ids of players by name in lower case; empty if nobody or several people have the name */ this.known = new Map();
    this.active = -1;
    this.typing = 0;
    this.looking = 0;
    this.list = h('div', { class: 'entrants-list' });
    this.build();
    place.append(this.form, this.paste, this.list);
  }

  build() {
    const input = (name, label, options = {}) => h('div', { class: 'field' }, h('label', { for: `entry-${name}` }, label), h('input', { id: `entry-${name}`, name, autocomplete: 'off', ...options }));
    this.options = h('ul', { id: 'entry-options', class: 'options', role: 'listbox', 'aria-label': 'Known players', hidden: true, onclick: (event) => this.choose(event) });
    this.hint = h('p', { class: 'hint', role: 'status' });
    this.form = h('form', { class: 'card group entry', onsubmit: (event) => { event.preventDefault(); this.enter(); } },
      h('h2', {}, 'Enter a player'),
      h('div', { class: 'fields' },
        h('div', { class: 'field wide' }, h('label', { for: 'entry-name' }, 'Name'),
          h('input', { id: 'entry-name', name: 'name', autocomplete: 'off', maxlength: '100', role: 'combobox', 'aria-controls': 'entry-options', 'aria-expanded': 'false', 'aria-autocomplete': 'list',
            oninput: () => this.typed(), onkeydown: (event) => this.key(event) }), this.options),
        input('rating', 'Rating', { inputmode: 'numeric', size: '5', maxlength: '4', pattern: '[0-9]{1,4}' }), input('club', 'Club', { maxlength: '100' }),
        input('country', 'Country', { size: '4', maxlength: '2', pattern: '[A-Z]{2}', placeholder: 'AT', title: 'Two capital letters' }),
        h('button', { type: 'submit', class: 'primary' }, 'Enter')),
      this.hint);
    this.name = this.form.querySelector('#entry-name');
    this.text = h('textarea', { id: 'paste-text', rows: '5', spellcheck: 'false', placeholder: 'Ada Lovelace; 1850; Club A\nBela Bartók\t1720', oninput: () => this.preview() });
    this.shown = h('div', { class: 'preview' });
    this.fileHint = h('p', { class: 'hint', role: 'status' });
    this.paste = h('details', { class: 'card group paste' }, h('summary', {}, 'Paste or upload a list'),
      h('p', { class: 'hint', id: 'paste-hint' }, 'One player per line: the name, then rating, club and country (AT) if known, separated by tabs, semicolons or commas. Columns copied from a spreadsheet work; if the first line names them (name, rating, club, country), they may be in any order.'),
      h('div', { class: 'row' }, h('label', { for: 'paste-file' }, 'A file (CSV)'), h('input', { type: 'file', id: 'paste-file', accept: '.csv,.txt,.tsv,text/csv,text/plain', onchange: (event) => this.read(event.target) }), this.fileHint),
      h('label', { for: 'paste-text', class: 'hidden' }, 'List of players'), this.text, this.shown);
    this.text.setAttribute('aria-describedby', 'paste-hint');
  }

  // --- entering

  typed() {
    clearTimeout(this.typing);
    this.active = -1;
    this.player = null;
    this.typing = setTimeout(() => this.lookUp(), TYPING_MS);
  }

  async lookUp() {
    const text = this.name.value.trim();
    const { players } = text ? await request(FIND_PLAYERS, { name: text }).catch(() => ({ players: { nodes: [] } })) : { players: { nodes: [] } };
    if (this.name.value.trim() !== text) return;
    const entered = new Set(this.console.now().entrants.map(({ player }) => player?.id));
    this.found = players.nodes.filter(({ id }) => !entered.has(id));
    this.player = this.found.find(({ name }) => name.toLowerCase() === text.toLowerCase()) ?? null;
    this.drawOptions();
    setText(this.hint, !text ? '' : this.player ? 'This player is known here.' : this.found.length ? '' : 'A new player with this name will be created.');
  }

  drawOptions() {
    const open = this.found.length > 0 && !this.player && document.activeElement === this.name;
    this.options.hidden = !open;
    this.name.setAttribute('aria-expanded', String(open));
    patch(this.options, this.found.map(({ id, name }, index) => h('li', { role: 'option', id: `entry-option-${index}`, 'data-id': id, 'aria-selected': String(index === this.active) }, name, ...this.about(this.found[index]).map((text) => h('span', { class: 'soft' }, ` · ${text}`)))));
    if (this.active >= 0) this.name.setAttribute('aria-activedescendant', `entry-option-${this.active}`);
    else this.name.removeAttribute('aria-activedescendant');
  }

  /** What distinguishes a known player from others with the same name. */
  about(player) {
    return [this.ratingOf(player), player.club, player.country].filter(Boolean).map(String);
  }

  /** The player's rating here in this kind of game; null without one. */
  ratingOf({ ratings }) {
    const found = ratings.find(({ kind }) => kind === this.console.now().tournament.kind);
    return found ? Math.round(found.value) : null;
  }

  key(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by && this.found.length > 0) {
      event.preventDefault();
      this.active = (this.active + by + this.found.length) % this.found.length;
      this.drawOptions();
    } else if (event.key === 'Enter' && this.active >= 0) {
      event.preventDefault();
      this.take(this.found[this.active]);
    } else if (event.key === 'Escape') {
      this.found = [];
      this.drawOptions();
    }
  }

  choose(event) {
    const id = event.target.closest('[role=option]')?.dataset.id;
    const player = this.found.find((other) => other.id === id);
    if (player) this.take(player);
  }

  take(player) {
    this.player = player;
    this.active = -1;
    this.name.value = player.name;
    const rating = this.form.elements.namedItem('rating');
    const known = this.ratingOf(player);
    if (known && !rating.value) rating.value = String(known);
    setText(this.hint, known ? `This player is known here, and rated ${known}.` : 'This player is known here.');
    this.drawOptions();
    this.name.focus();
  }

  async enter() {
    clearTimeout(this.typing);
    const value = (name) => this.form.elements.namedItem(name).value.trim();
    const name = value('name');
    if (!name) {
      setText(this.hint, 'Type a name.');
      this.name.focus();
      return;
    }
    if (!this.form.reportValidity()) return;
    const known = this.player?.name === name || this.player?.name.toLowerCase() === name.toLowerCase() ? this.player : null;
    const entrant = { ...(known ? { player: known.id } : { name }), ...details({ rating: Number(value('rating')) || null, club: value('club'), country: value('country') }) };
    const done = await this.console.decide('addEntrants', { entrants: [{ ...entrant, ...this.late() }] }, { told: `${name} is entered.` });
    if (!done) return;
    this.form.reset();
    this.found = [];
    this.player = null;
    this.drawOptions();
    setText(this.hint, '');
    this.name.focus();
  }

  /** Late entrants play from the next round that is not paired. */
  late() {
    const paired = this.console.now().tournament.rounds.filter(({ status }) => status !== 'UNPAIRED').length;
    return paired > 0 ? { fromRound: paired + 1 } : {};
  }

  /** Puts the contents of a file into the field, so that they can be checked before anything is entered. */
  async read(field) {
    const [file] = field.files;
    field.value = '';
    if (!file) return;
    if (file.size > FILE_MAX) {
      setText(this.fileHint, `${file.name} is too large for a list of players.`);
      return;
    }
    const bytes = await file.arrayBuffer();
    try {
      this.text.value = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      // Spreadsheets on Windows write this if they do not write UTF-8.
      this.text.value = new TextDecoder('windows-1252').decode(bytes);
    }
    setText(this.fileHint, `${file.name} was read; nothing is entered yet.`);
    this.preview();
  }

  /** Shows what would be entered; names are looked up among the known players once the typing pauses. */
  preview() {
    clearTimeout(this.looking);
    const entered = new Set(this.console.now().entrants.map(({ name }) => name.toLowerCase()));
    const entries = parseEntries(this.text.value, entered);
    const unknown = entries.filter(({ name, problem }) => !problem && !this.known.has(name.toLowerCase())).map(({ name }) => name).slice(0, ENTRIES_MAX);
    this.drawPreview(entries, unknown.length > 0);
    if (unknown.length > 0) this.looking = setTimeout(() => this.lookUpAll(unknown), TYPING_MS);
  }

  async lookUpAll(names) {
    for (const part of paged(names, LOOKED_UP)) {
      const variables = Object.fromEntries(part.map((name, index) => [`n${index}`, name]));
      const answer = await request(findAll(part.length), variables).catch(() => ({}));
      part.forEach((name, index) => {
        const same = (answer[`n${index}`]?.nodes ?? []).filter((player) => player.name.toLowerCase() === name.toLowerCase());
        // With two players of the same name, it is unknown which one is meant.
        this.known.set(name.toLowerCase(), same.length === 1 ? same[0].id : '');
      });
    }
    this.preview();
  }

  drawPreview(entries, isLooking) {
    const good = entries.filter(({ problem }) => !problem);
    const idOf = ({ name }) => this.known.get(name.toLowerCase());
    const rows = entries.map((entry) => h('tr', { class: entry.problem ? 'bad-row' : '' },
      h('th', { scope: 'row' }, entry.name || '–'), h('td', { class: 'number' }, entry.rating == null ? '' : String(entry.rating)), h('td', {}, entry.club), h('td', {}, entry.country),
      h('td', { class: entry.problem ? 'bad' : 'soft' }, entry.problem ? `left out: it ${entry.problem}` : idOf(entry) ? 'known here' : isLooking ? '' : 'new player')));
    const isReady = good.length > 0 && good.length <= ENTRIES_MAX && !isLooking;
    const text = good.length > ENTRIES_MAX ? `At most ${ENTRIES_MAX} at once` : isLooking ? 'Looking for known players…' : `Enter ${counted(good.length, 'player')}`;
    patch(this.shown, entries.length === 0 ? [] : [
      sheet({ caption: 'Players to be entered', columns: ['Name', { text: 'Rating', class: 'number' }, 'Club', 'Country', 'Note'] }, rows),
      h('button', { type: 'button', class: 'primary', 'aria-disabled': String(!isReady), onclick: () => isReady && this.enterAll(good) }, text),
    ]);
  }

  async enterAll(good) {
    const entrants = good.map((entry) => {
      const player = this.known.get(entry.name.toLowerCase());
      return { ...(player ? { player } : { name: entry.name }), ...details(entry), ...this.late() };
    });
    if (!await this.console.decide('addEntrants', { entrants }, { told: `${counted(good.length, 'player')} entered.` })) return;
    this.text.value = '';
    setText(this.fileHint, '');
    this.paste.removeAttribute('open');
    this.preview();
  }

  // --- the list

  /** @param {import('./console.js').Now} now */
  draw({ entrants, tournament }) {
    const isOver = tournament.status === 'FINISHED';
    this.form.hidden = isOver;
    this.paste.hidden = isOver;
    const active = entrants.filter(({ status }) => status !== 'REMOVED').sort((one, other) => one.rank - other.rank);
    const next = nextRound(tournament);
    patch(this.list, active.length === 0 ? [empty('Nobody has entered yet.')] : [sheet({
      caption: 'Entrants', class: 'entrants', columns: [{ text: 'No.', class: 'number' }, 'Name', { text: 'Rating', class: 'number' }, 'Club', `Round ${next}`, { text: 'Change', class: 'end' }],
    }, active.map((entrant) => this.entrant(entrant, next, tournament)))]);
  }

  entrant(entrant, next, tournament) {
    const absence = entrant.absences.find(({ round }) => round === next);
    const isOut = entrant.status === 'WITHDRAWN';
    const button = (text, label, onclick) => h('button', { type: 'button', class: 'small', 'aria-label': `${label} ${entrant.name}`, onclick }, text);
    const paired = tournament.rounds.some(({ status }) => status !== 'UNPAIRED');
    return h('tr', { class: isOut ? 'gone' : '', id: `entrant-${entrant.number}` },
      h('td', { class: 'number' }, String(entrant.rank)),
      h('th', { scope: 'row' }, h('span', { class: 'name' }, entrant.name), h('span', { class: 'detail' }, note(entrant))),
      h('td', { class: 'number' }, entrant.rating == null ? '' : String(entrant.rating)),
      h('td', {}, [entrant.club, entrant.country].filter(Boolean).join(' · ')),
      h('td', {}, isOut ? 'out' : entrant.fromRound > next ? `from round ${entrant.fromRound}` : h('select', { 'aria-label': `${entrant.name} in round ${next}`, onchange: (event) => this.absent(entrant, next, event.target.value) },
        ...[['', 'plays'], ['HALF', byeWords('HALF')], ['ZERO', 'absent'], ['FULL', byeWords('FULL')]].map(([value, text]) => h('option', { value, selected: value === (absence?.kind ?? '') }, text)))),
      h('td', { class: 'end acts' },
        button('Edit', 'Edit', () => this.edit(entrant)),
        isOut ? button('Return', 'Return', () => this.console.decide('returnEntrant', { entrant: entrant.number }, { told: `${entrant.name} plays again.`, before: entrant }))
          : paired ? button('Withdraw', 'Withdraw', () => this.console.decide('withdraw', { entrant: entrant.number }, { told: `${entrant.name} has withdrawn.` }))
            : button('Remove', 'Remove', () => this.console.decide('removeEntrant', { entrant: entrant.number }, { told: `${entrant.name} is removed.`, before: { entrant: { ...(entrant.player ? { player: entrant.player.id } : {}), name: entrant.name, ...details(entrant) } } }))));
  }

  absent(entrant, round, kind) {
    const before = entrant.absences.find((absence) => absence.round === round)?.kind ?? null;
    if (!kind) return this.console.decide('cancelAbsence', { entrant: entrant.number, round }, { told: `${entrant.name} plays round ${round}.`, before: { absence: before } });
    return this.console.decide('announceAbsence', { entrant: entrant.number, round, kind }, { told: `${entrant.name}, round ${round}: ${byeWords(kind).toLowerCase()}.` });
  }

  edit(entrant) {
    const field = (name, label, options = {}) => h('div', { class: 'field' }, h('label', { for: `edit-${name}` }, label), h('input', { id: `edit-${name}`, name, autocomplete: 'off', value: entrant[name] ?? '', ...options }));
    const form = h('form', { class: 'fields', onsubmit: async (event) => {
      event.preventDefault();
      const value = (name) => form.elements.namedItem(name).value.trim();
      // An empty text, or a rating of 0, removes the earlier value.
      const input = { name: value('name'), rating: Number(value('rating')), club: value('club'), country: value('country') };
      dialog.close();
      await this.console.decide('editEntrant', { entrant: entrant.number, input }, { told: `${input.name} is changed.`, before: { fields: { name: entrant.name, rating: entrant.rating ?? 0, club: entrant.club ?? '', country: entrant.country ?? '' } } });
      byId(`entrant-${entrant.number}`).querySelector('button')?.focus();
    } },
    field('name', 'Name', { required: true, maxlength: '100' }), field('rating', 'Rating', { inputmode: 'numeric', pattern: '[0-9]{1,4}', maxlength: '4' }), field('club', 'Club', { maxlength: '100' }),
    field('country', 'Country', { maxlength: '2', pattern: '[A-Z]{2}' }), h('div', { class: 'field' }, h('button', { type: 'submit', class: 'primary' }, 'Save')));
    const dialog = openDialog(`Edit ${entrant.name}`, form);
    form.querySelector('input').focus();
  }
}

function details({ rating, club, country }) {
  return Object.fromEntries(Object.entries({ rating, club, country }).filter(([, value]) => value));
}

/** The round for which absences are announced: the next that is not paired. */
function nextRound(tournament) {
  const paired = tournament.rounds.filter(({ status }) => status !== 'UNPAIRED').map(({ number }) => number);
  return Math.max(0, ...paired) + 1;
}
