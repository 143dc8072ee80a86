// Entrants: entering players one by one or as a list, withdrawals, byes.

import { request } from '../../base/api.js';
import { byId, h, openDialog, setText } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { ENTRIES_MAX, parseEntries } from '../../model/entry.js';
import { byeWords, paged } from '../../model/tournament.js';
import { FIND_PLAYERS, findAll } from '../../model/tournament-queries.js';
import { entrants as words } from '../../words/console-entrants.js';
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
    this.options = h('ul', { id: 'entry-options', class: 'options', role: 'listbox', 'aria-label': words.knownPlayers, hidden: true, onclick: (event) => this.choose(event) });
    this.hint = h('p', { class: 'hint', role: 'status' });
    this.form = h('form', { class: 'card group entry', onsubmit: (event) => { event.preventDefault(); this.enter(); } },
      h('h2', {}, words.enterPlayer),
      h('div', { class: 'fields' },
        h('div', { class: 'field wide' }, h('label', { for: 'entry-name' }, words.name),
          h('input', { id: 'entry-name', name: 'name', autocomplete: 'off', maxlength: '100', role: 'combobox', 'aria-controls': 'entry-options', 'aria-expanded': 'false', 'aria-autocomplete': 'list',
            oninput: () => this.typed(), onkeydown: (event) => this.key(event) }), this.options),
        input('rating', words.rating, { inputmode: 'numeric', size: '5', maxlength: '4', pattern: '[0-9]{1,4}' }), input('club', words.club, { maxlength: '100' }),
        input('country', words.country, { size: '4', maxlength: '2', pattern: '[A-Z]{2}', placeholder: 'AT', title: words.twoCapitals }),
        h('button', { type: 'submit', class: 'primary' }, words.enter)),
      this.hint);
    this.name = this.form.querySelector('#entry-name');
    this.text = h('textarea', { id: 'paste-text', rows: '5', spellcheck: 'false', dir: 'auto', placeholder: words.pasteSuchAs, oninput: () => this.preview() });
    this.shown = h('div', { class: 'preview' });
    this.fileHint = h('p', { class: 'hint', role: 'status' });
    this.paste = h('details', { class: 'card group paste' }, h('summary', {}, words.paste),
      h('p', { class: 'hint', id: 'paste-hint' }, words.pasteHint),
      h('div', { class: 'row' }, h('label', { for: 'paste-file' }, words.file), h('input', { type: 'file', id: 'paste-file', accept: '.csv,.txt,.tsv,text/csv,text/plain', onchange: (event) => this.read(event.target) }), this.fileHint),
      h('label', { for: 'paste-text', class: 'hidden' }, words.list), this.text, this.shown);
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
    setText(this.hint, !text ? '' : this.player ? words.isKnown : this.found.length ? '' : words.isNew);
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
    setText(this.hint, known ? words.isKnownAndRated(known) : words.isKnown);
    this.drawOptions();
    this.name.focus();
  }

  async enter() {
    clearTimeout(this.typing);
    const value = (name) => this.form.elements.namedItem(name).value.trim();
    const name = value('name');
    if (!name) {
      setText(this.hint, words.typeName);
      this.name.focus();
      return;
    }
    if (!this.form.reportValidity()) return;
    const known = this.player?.name === name || this.player?.name.toLowerCase() === name.toLowerCase() ? this.player : null;
    const entrant = { ...(known ? { player: known.id } : { name }), ...details({ rating: Number(value('rating')) || null, club: value('club'), country: value('country') }) };
    const done = await this.console.decide('addEntrants', { entrants: [{ ...entrant, ...this.late() }] }, { told: words.entered(name) });
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
      setText(this.fileHint, words.tooLarge(file.name));
      return;
    }
    const bytes = await file.arrayBuffer();
    try {
      this.text.value = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      // Spreadsheets on Windows write this if they do not write UTF-8.
      this.text.value = new TextDecoder('windows-1252').decode(bytes);
    }
    setText(this.fileHint, words.fileRead(file.name));
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
      h('td', { class: entry.problem ? 'bad' : 'soft' }, entry.problem ? words.leftOut(entry.problem) : idOf(entry) ? words.knownHere : isLooking ? '' : words.newPlayer)));
    const isReady = good.length > 0 && good.length <= ENTRIES_MAX && !isLooking;
    const text = good.length > ENTRIES_MAX ? words.tooMany(ENTRIES_MAX) : isLooking ? words.looking : words.enterAll(good.length);
    patch(this.shown, entries.length === 0 ? [] : [
      sheet({ caption: words.toBeEntered, columns: [words.name, { text: words.rating, class: 'number' }, words.club, words.country, words.note] }, rows),
      h('button', { type: 'button', class: 'primary', 'aria-disabled': String(!isReady), onclick: () => isReady && this.enterAll(good) }, text),
    ]);
  }

  async enterAll(good) {
    const entrants = good.map((entry) => {
      const player = this.known.get(entry.name.toLowerCase());
      return { ...(player ? { player } : { name: entry.name }), ...details(entry), ...this.late() };
    });
    if (!await this.console.decide('addEntrants', { entrants }, { told: words.allEntered(good.length) })) return;
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
    patch(this.list, active.length === 0 ? [empty(words.nobody)] : [sheet({
      caption: words.caption, class: 'entrants', columns: [{ text: words.number, class: 'number' }, words.name, { text: words.rating, class: 'number' }, words.club, words.round(next), { text: words.change, class: 'end' }],
    }, active.map((entrant) => this.entrant(entrant, next, tournament)))]);
  }

  entrant(entrant, next, tournament) {
    const absence = entrant.absences.find(({ round }) => round === next);
    const isOut = entrant.status === 'WITHDRAWN';
    const button = (text, label, onclick) => h('button', { type: 'button', class: 'small', 'aria-label': label, onclick }, text);
    const paired = tournament.rounds.some(({ status }) => status !== 'UNPAIRED');
    return h('tr', { class: isOut ? 'gone' : '', id: `entrant-${entrant.number}` },
      h('td', { class: 'number' }, String(entrant.rank)),
      h('th', { scope: 'row' }, h('bdi', { class: 'name' }, entrant.name), h('span', { class: 'detail' }, note(entrant))),
      h('td', { class: 'number' }, entrant.rating == null ? '' : String(entrant.rating)),
      h('td', {}, [entrant.club, entrant.country].filter(Boolean).join(' · ')),
      h('td', {}, isOut ? words.out : entrant.fromRound > next ? words.fromRound(entrant.fromRound) : h('select', { 'aria-label': words.inRound(entrant.name, next), onchange: (event) => this.absent(entrant, next, event.target.value) },
        ...[['', words.plays], ['HALF', byeWords('HALF')], ['ZERO', words.absent], ['FULL', byeWords('FULL')]].map(([value, text]) => h('option', { value, selected: value === (absence?.kind ?? '') }, text)))),
      h('td', { class: 'end acts' },
        button(words.edit, words.editPlayer(entrant.name), () => this.edit(entrant)),
        isOut ? button(words.return, words.returnPlayer(entrant.name), () => this.console.decide('returnEntrant', { entrant: entrant.number }, { told: words.playsAgain(entrant.name), before: entrant }))
          : paired ? button(words.withdraw, words.withdrawPlayer(entrant.name), () => this.console.decide('withdraw', { entrant: entrant.number }, { told: words.withdrawn(entrant.name) }))
            : button(words.remove, words.removePlayer(entrant.name), () => this.console.decide('removeEntrant', { entrant: entrant.number }, { told: words.removed(entrant.name), before: { entrant: { ...(entrant.player ? { player: entrant.player.id } : {}), name: entrant.name, ...details(entrant) } } }))));
  }

  absent(entrant, round, kind) {
    const before = entrant.absences.find((absence) => absence.round === round)?.kind ?? null;
    if (!kind) return this.console.decide('cancelAbsence', { entrant: entrant.number, round }, { told: words.playsRound(entrant.name, round), before: { absence: before } });
    return this.console.decide('announceAbsence', { entrant: entrant.number, round, kind }, { told: words.willMiss[kind](entrant.name, round) });
  }

  edit(entrant) {
    const field = (name, label, options = {}) => h('div', { class: 'field' }, h('label', { for: `edit-${name}` }, label), h('input', { id: `edit-${name}`, name, autocomplete: 'off', value: entrant[name] ?? '', ...options }));
    const form = h('form', { class: 'fields', onsubmit: async (event) => {
      event.preventDefault();
      const value = (name) => form.elements.namedItem(name).value.trim();
      // An empty text, or a rating of 0, removes the earlier value.
      const input = { name: value('name'), rating: Number(value('rating')), club: value('club'), country: value('country') };
      dialog.close();
      await this.console.decide('editEntrant', { entrant: entrant.number, input }, { told: words.changed(input.name), before: { fields: { name: entrant.name, rating: entrant.rating ?? 0, club: entrant.club ?? '', country: entrant.country ?? '' } } });
      byId(`entrant-${entrant.number}`).querySelector('button')?.focus();
    } },
    field('name', words.name, { required: true, maxlength: '100' }), field('rating', words.rating, { inputmode: 'numeric', pattern: '[0-9]{1,4}', maxlength: '4' }), field('club', words.club, { maxlength: '100' }),
    field('country', words.country, { maxlength: '2', pattern: '[A-Z]{2}' }), h('div', { class: 'field' }, h('button', { type: 'submit', class: 'primary' }, words.save)));
    const dialog = openDialog(words.editPlayer(entrant.name), form);
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
