// Entrants: entering players one by one or as a list, withdrawals, byes.

import { common } from '../../words/common.js';
import { errorWords, request } from '../../base/api.js';
import { byId, h, marked, openDialog, setText } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { countryOf } from '../../model/countries.js';
import { ENTRIES_MAX, keyOf, parseEntries, textOf, unread } from '../../model/entry.js';
import { byeKinds, byeWords, nextRound, paged, pointsTyped, roundsAhead } from '../../model/tournament.js';
import { FIND_PLAYERS, findAll } from '../../model/tournament-queries.js';
import { console as words } from '../../words/console.js';
import { aboutPlayer, knownText, ratingOf, who } from '../known.js';
import { empty, sheet } from '../parts.js';
import { note } from '../standings.js';
import { Forbidden } from './forbidden.js';

const TYPING_MS = 200;
/** How long to wait before names are looked up again that could not be. */
const AGAIN_MS = 3000;
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
    /** @type {any[]} players who have the name that is typed, and those of them who are entered */ this.called = [];
    this.taken = [];
    /** what was looked up last */ this.looked = '';
    /** whether a new player was chosen though the name is known */ this.isStranger = false;
    /** @type {Map<string, any[]>} the players who have a name of the list; see `keyOf` */ this.known = new Map();
    /** @type {Map<string, string>} what was chosen for lines of the list, by their place and name */ this.chosen = new Map();
    this.seq = -1;
    this.active = -1;
    this.typing = 0;
    this.looking = 0;
    this.list = h('div', { class: 'entrants-list' });
    this.build();
    this.forbidden = new Forbidden(console);
    place.append(this.form, this.paste, this.list, this.forbidden.place);
  }

  build() {
    const input = (name, label, options = {}) => h('div', { class: 'field' }, h('label', { for: `entry-${name}` }, label), h('input', { id: `entry-${name}`, name, autocomplete: 'off', ...options }));
    this.options = h('ul', { id: 'entry-options', class: 'options', role: 'listbox', 'aria-label': words.knownPlayers, hidden: true, onclick: (event) => this.choose(event) });
    this.hint = h('p', { class: 'hint', role: 'status' });
    this.missed = input('points', words.missed, { inputmode: 'decimal', size: '4', maxlength: '4', pattern: '[0-9]*([.,][0-9]|½)?', placeholder: '0' });
    this.form = h('form', { class: 'card group entry', onsubmit: (event) => { event.preventDefault(); this.enter(); } },
      h('h2', {}, words.enterPlayer),
      h('div', { class: 'fields' },
        h('div', { class: 'field wide' }, h('label', { for: 'entry-name' }, common.name),
          h('input', { id: 'entry-name', name: 'name', autocomplete: 'off', maxlength: '100', role: 'combobox', 'aria-controls': 'entry-options', 'aria-expanded': 'false', 'aria-autocomplete': 'list',
            oninput: () => this.typed(), onkeydown: (event) => this.key(event) }), this.options),
        input('rating', common.rating, { inputmode: 'numeric', size: '5', maxlength: '4', pattern: '[0-9]{1,4}' }), input('club', common.club, { maxlength: '100' }),
        input('country', common.country, { size: '4', maxlength: '3', pattern: '[A-Za-z]{2,3}', placeholder: 'AT', title: words.twoCapitals }),
        this.missed, h('button', { type: 'submit', class: 'primary' }, words.entrantsEnter)),
      this.hint);
    this.name = this.form.querySelector('#entry-name');
    this.text = h('textarea', { id: 'paste-text', rows: '5', spellcheck: 'false', dir: 'auto', placeholder: words.pasteSuchAs, oninput: () => this.preview() });
    this.shown = h('div', { class: 'preview' });
    this.fileHint = h('p', { class: 'hint', role: 'status' });
    this.paste = h('details', { class: 'card group paste' }, h('summary', {}, words.paste),
      h('p', { class: 'hint', id: 'paste-hint' }, words.pasteHint),
      h('div', { class: 'row' }, h('label', { for: 'paste-file' }, common.csvFile), h('input', { type: 'file', id: 'paste-file', accept: '.csv,.txt,.tsv,text/csv,text/plain', onchange: (event) => this.read(event.target) }), this.fileHint),
      h('label', { for: 'paste-text', class: 'hidden' }, common.playerList), this.text, this.shown);
    this.text.setAttribute('aria-describedby', 'paste-hint');
  }

  // --- entering

  typed() {
    clearTimeout(this.typing);
    this.active = -1;
    this.player = null;
    this.isStranger = false;
    this.typing = setTimeout(() => this.lookUp(), TYPING_MS);
  }

  /** Looks up what is typed: by its letters for the list, and whole, as the service compares names. */
  async lookUp() {
    clearTimeout(this.typing);
    const text = this.name.value.trim();
    const none = { found: { nodes: [] }, called: { nodes: [] } };
    const answer = text ? await request(FIND_PLAYERS, { name: text }).catch((error) => ({ error })) : none;
    if (this.name.value.trim() !== text) return;
    if (answer.error) {
      this.hint.replaceChildren(...marked(errorWords(answer.error)));
      return;
    }
    const { found, called } = answer;
    const { free, taken } = this.sorted(called.nodes);
    this.looked = text;
    this.found = [...free, ...this.sorted(found.nodes).free.filter(({ id }) => free.every((same) => same.id !== id))];
    this.called = free;
    this.taken = taken;
    this.player = free.length === 1 && taken.length === 0 ? free[0] : null;
    this.drawOptions();
    setText(this.hint, !text ? '' : taken.length > 0 ? words.isEntered(taken[0].name) : free.length > 1 ? words.several : this.player ? this.knownWords(this.player) : this.found.length ? '' : words.isNew);
  }

  /** Known players, divided into those who can be entered and those who are. */
  sorted(players) {
    const entered = new Set(this.console.now().entrants.filter(({ status }) => status !== 'REMOVED').map(({ player }) => player?.id));
    return { free: players.filter(({ id }) => !entered.has(id)), taken: players.filter(({ id }) => entered.has(id)) };
  }

  knownWords(player) {
    const about = this.about(player);
    return about.length > 0 ? words.isKnownAs(about.join(' · ')) : words.isKnown;
  }

  drawOptions() {
    const open = (this.found.length > 0 || this.mayBeNew()) && !this.player && !this.isStranger && document.activeElement === this.name;
    this.options.hidden = !open;
    this.name.setAttribute('aria-expanded', String(open));
    const option = (index, id, ...content) => h('li', { role: 'option', id: `entry-option-${index}`, 'data-id': id, 'aria-selected': String(index === this.active) }, ...content);
    patch(this.options, [
      ...this.found.map((player, index) => option(index, player.id, player.name, ...this.about(player).map((text) => h('span', { class: 'soft' }, ` · ${text}`)))),
      this.mayBeNew() && option(this.found.length, '', words.isNewPlayer(this.looked)),
    ].filter(Boolean));
    if (this.active >= 0) this.name.setAttribute('aria-activedescendant', `entry-option-${this.active}`);
    else this.name.removeAttribute('aria-activedescendant');
  }

  /** Whether a new player can be chosen though others have the name. */
  mayBeNew() {
    return this.called.length + this.taken.length > 0;
  }

  /** What distinguishes a known player from others with the same name. */
  about(player) {
    return aboutPlayer(player, this.console.now().tournament.kind);
  }

  key(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const count = this.options.children.length;
    if (by && !this.options.hidden && count > 0) {
      event.preventDefault();
      this.active = (this.active + by + count) % count;
      this.drawOptions();
    } else if (event.key === 'Enter' && this.active >= 0) {
      event.preventDefault();
      this.take(this.found[this.active] ?? null);
    } else if (event.key === 'Escape') {
      this.found = [];
      this.drawOptions();
    }
  }

  choose(event) {
    const id = event.target.closest('[role=option]')?.dataset.id;
    if (id != null) this.take(this.found.find((other) => other.id === id) ?? null);
  }

  /** Chooses a known player, or with `null` a new one though the name is known. */
  take(player) {
    this.player = player;
    this.active = -1;
    this.isStranger = !player;
    if (!player) {
      setText(this.hint, words.isNew);
      this.drawOptions();
      this.name.focus();
      return;
    }
    this.name.value = player.name;
    this.looked = player.name;
    const rating = this.form.elements.namedItem('rating');
    const known = ratingOf(player, this.console.now().tournament.kind);
    if (known && !rating.value) rating.value = String(known);
    setText(this.hint, this.knownWords(player));
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
    const stated = value('country');
    const country = countryOf(stated);
    if (stated && !country) {
      setText(this.hint, common.noCountry(stated));
      this.form.elements.namedItem('country').focus();
      return;
    }
    if (!this.player && !this.isStranger && this.looked !== name) await this.lookUp();
    // Without an answer, the name is not taken for a new one.
    if (this.looked !== name || this.name.value.trim() !== name) return;
    const known = this.player;
    // Whether it is somebody of that name, or another one, is for the organiser to say.
    if (!known && !this.isStranger && this.mayBeNew()) {
      this.drawOptions();
      this.name.focus();
      return;
    }
    const entrant = { ...(known ? { player: known.id } : { name }), ...details({ rating: Number(value('rating')) || null, club: value('club'), country }) };
    const done = await this.console.decide('addEntrants', { entrants: [{ ...entrant, ...this.late() }] }, { told: words.entered(name) });
    if (!done) return;
    this.form.reset();
    this.forget();
    this.drawOptions();
    setText(this.hint, '');
    this.name.focus();
  }

  /** Nothing is typed, and nobody is found. */
  forget() {
    Object.assign(this, { found: [], called: [], taken: [], looked: '', player: null, isStranger: false });
    this.known.clear();
    this.chosen.clear();
  }

  /** Late entrants play from the next round that is not paired. */
  late() {
    const fromRound = nextRound(this.console.now().tournament);
    const points = pointsTyped(this.form.elements.namedItem('points').value);
    return fromRound > 1 ? { fromRound, ...(points ? { points } : {}) } : {};
  }

  /** Puts the contents of a file into the field, so that they can be checked before anything is entered. */
  async read(field) {
    const [file] = field.files;
    field.value = '';
    if (!file) return;
    if (file.size > FILE_MAX) {
      setText(this.fileHint, common.listTooLarge(file.name));
      return;
    }
    this.text.value = textOf(new Uint8Array(await file.arrayBuffer()));
    setText(this.fileHint, words.fileRead(file.name));
    this.preview();
  }

  /** Shows what would be entered; names are looked up among the known players once the typing pauses. */
  preview() {
    clearTimeout(this.looking);
    const entries = parseEntries(this.text.value);
    const names = [...new Set(entries.filter(({ name, problem }) => !problem && !this.known.has(keyOf(name))).map(({ name }) => name))].slice(0, ENTRIES_MAX);
    this.drawPreview(entries, names.length > 0);
    if (names.length > 0) this.looking = setTimeout(() => this.lookUpAll(names), TYPING_MS);
  }

  async lookUpAll(names) {
    for (const part of paged(names, LOOKED_UP)) {
      const variables = Object.fromEntries(part.map((name, index) => [`n${index}`, name]));
      const answer = await request(findAll(part.length), variables).catch((refused) => ({ refused }));
      if (answer.refused) {
        // Without an answer, no name is taken for new: look them up again.
        this.console.set({ refused: answer.refused });
        this.looking = setTimeout(() => this.preview(), AGAIN_MS);
        return;
      }
      part.forEach((name, index) => this.known.set(keyOf(name), answer[`n${index}`].nodes));
    }
    this.preview();
  }

  /**
   * What each line would do: enter a known player (an id), a new one ('new'), nobody ('out'), or nothing yet ('').
   * @param {import('../../model/entry.js').Entry[]} entries
   */
  plans(entries) {
    const used = new Set();
    return entries.map((entry, index) => {
      const { free, taken } = this.sorted(this.known.get(keyOf(entry.name)) ?? []);
      const isDoubtful = entry.twice || taken.length > 0;
      const options = [...free.map(({ id }) => id), 'new', ...(isDoubtful ? ['out'] : [])];
      const usual = isDoubtful ? 'out' : free.length === 1 ? free[0].id : free.length > 1 ? '' : 'new';
      const plan = entry.problem ? 'out' : this.chosen.get(`${index} ${keyOf(entry.name)}`) ?? usual;
      // Nobody is entered twice.
      const does = used.has(plan) ? '' : plan;
      if (!['', 'new', 'out'].includes(does)) used.add(does);
      return { entry, index, free, taken, does, options };
    });
  }

  drawPreview(entries, isLooking) {
    const plans = this.plans(entries);
    const good = plans.filter(({ does }) => does && does !== 'out');
    const undecided = isLooking ? [] : plans.filter(({ does }) => !does);
    const { ignored, titles } = unread(this.text.value);
    const rows = plans.map((plan) => {
      const { entry } = plan;
      const isOut = plan.does === 'out';
      return h('tr', { class: isOut || entry.notes.length > 0 ? 'bad-row' : '' },
        h('th', { scope: 'row' }, entry.name || '–'), h('td', { class: 'number' }, entry.rating == null ? '' : String(entry.rating)), h('td', {}, entry.club), h('td', {}, entry.country),
        h('td', { class: isOut ? 'bad' : 'soft' }, entry.problem ? words.leftOut(entry.problem) : isLooking && !this.known.has(keyOf(entry.name)) ? '' : this.choice(plan), ...entry.notes.map((note) => h('span', { class: 'bad' }, ' ', note))));
    });
    const isReady = good.length > 0 && good.length <= ENTRIES_MAX && !isLooking && undecided.length === 0;
    const text = good.length > ENTRIES_MAX ? words.tooMany(ENTRIES_MAX) : isLooking ? words.looking : undecided.length > 0 ? common.chooseFor(undecided.length) : words.enterAll(good.length);
    patch(this.shown, entries.length === 0 ? [] : [
      titles.length > 0 && h('p', { class: 'hint' }, words.titles(titles.join(' · '))),
      ignored.length > 0 && h('p', { class: 'hint', id: 'ignored' }, words.ignored(ignored.join(', '))),
      sheet({ caption: words.toBeEntered, columns: [common.name, { text: common.rating, class: 'number' }, common.club, common.country, words.note] }, rows),
      h('button', { type: 'button', class: 'primary', 'aria-disabled': String(!isReady), onclick: () => isReady && this.enterAll(good) }, text),
    ].filter(Boolean));
  }

  /** What a line does, which can be chosen where there is more than one possibility. */
  choice({ does, entry, free, index, options, taken }) {
    const text = (option) => {
      const player = free.find(({ id }) => id === option);
      if (player) return knownText(player, entry.name, this.console.now().tournament.kind);
      return option === 'new' ? words.newPlayer : taken.length > 0 ? words.outEntered : words.outTwice;
    };
    return who(entry.name, does, options.map((option) => [option, text(option)]), (option) => {
      this.chosen.set(`${index} ${keyOf(entry.name)}`, option);
      this.preview();
    });
  }

  async enterAll(good) {
    const entrants = good.map(({ does, entry }) => ({ ...(does === 'new' ? { name: entry.name } : { player: does }), ...details(entry), ...this.late() }));
    if (!await this.console.decide('addEntrants', { entrants }, { told: words.allEntered(good.length) })) return;
    this.text.value = '';
    setText(this.fileHint, '');
    this.paste.removeAttribute('open');
    this.forget();
    this.preview();
  }

  // --- the list

  /** @param {import('./console.js').Now} now */
  draw(now) {
    const { entrants, tournament } = now;
    this.forbidden.draw(now);
    // Somebody may be registered, entered or removed by now.
    if (this.seq !== tournament.head.seq) {
      this.seq = tournament.head.seq;
      this.known.clear();
      if (this.text.value) this.preview();
    }
    const isOver = tournament.status === 'FINISHED';
    this.form.hidden = isOver;
    this.missed.hidden = nextRound(tournament) === 1 || !['SWISS', 'FREE'].includes(tournament.format);
    this.paste.hidden = isOver;
    const active = entrants.filter(({ status }) => status !== 'REMOVED').sort((one, other) => one.rank - other.rank);
    const next = nextRound(tournament);
    patch(this.list, active.length === 0 ? [empty(common.noEntrants)] : [sheet({
      caption: words.caption, class: 'entrants', columns: [{ text: common.rank, class: 'number' }, common.name, { text: common.rating, class: 'number' }, common.club, common.round(next), { text: common.change, class: 'end' }],
    }, active.map((entrant) => this.entrant(entrant, next, tournament)))]);
  }

  entrant(entrant, next, tournament) {
    const absence = entrant.absences.find(({ round }) => round === next);
    const isOut = entrant.status === 'WITHDRAWN';
    const button = (text, label, onclick) => h('button', { type: 'button', class: 'small', 'aria-label': label, onclick }, text);
    // An entrant who was in no pairing yet can be removed as a mistake.
    const isNew = entrant.fromRound >= next;
    const later = entrant.absences.filter(({ round }) => round > next).map(({ kind, round }) => words.missesRound(round, byeWords(kind)));
    return h('tr', { class: isOut ? 'gone' : '', id: `entrant-${entrant.number}` },
      h('td', { class: 'number' }, String(entrant.rank)),
      h('th', { scope: 'row' }, h('bdi', { class: 'name' }, entrant.name), h('span', { class: 'detail' }, [note(entrant), ...later].filter(Boolean).join(' · '))),
      h('td', { class: 'number' }, entrant.rating == null ? '' : String(entrant.rating)),
      h('td', {}, [entrant.club, entrant.country].filter(Boolean).join(' · ')),
      h('td', {}, isOut ? words.out : entrant.fromRound > next ? common.fromRound(entrant.fromRound) : h('select', { 'aria-label': words.inRound(entrant.name, next), onchange: (event) => this.absent(entrant, next, event.target.value) },
        ...this.choices(tournament).map(([value, text]) => h('option', { value, selected: value === (absence?.kind ?? '') }, text)))),
      h('td', { class: 'end acts' },
        button(common.edit, common.editPlayer(entrant.name), () => this.edit(entrant)),
        !isOut && roundsAhead(tournament).length > 1 && button(common.byes, words.byesOf(entrant.name), () => this.byes(entrant, tournament)),
        isOut ? button(words.return, words.returnPlayer(entrant.name), () => this.console.decide('returnEntrant', { entrant: entrant.number }, { told: words.playsAgain(entrant.name), before: { withdrawnFrom: Math.max(entrant.withdrawnFrom, next) } }))
          : !isNew ? button(words.withdraw, words.withdrawPlayer(entrant.name), () => this.console.decide('withdraw', { entrant: entrant.number }, { told: withdrawn(entrant, tournament) }))
            : button(common.remove, words.removePlayer(entrant.name), () => this.console.decide('removeEntrant', { entrant: entrant.number }, { told: words.removed(entrant.name), before: { entrant: { ...(entrant.player ? { player: entrant.player.id } : {}), name: entrant.name, ...details(entrant), ...(entrant.fromRound > 1 ? { fromRound: entrant.fromRound, points: entrant.points } : {}) } } }))));
  }

  choices({ format }) {
    return [['', words.plays], ...byeKinds(format).map((kind) => [kind, kind === 'ZERO' ? words.absent : byeWords(kind)])];
  }

  /** Byes for all rounds that are not paired yet. */
  byes(entrant, tournament) {
    const kindIn = (round) => entrant.absences.find((absence) => absence.round === round)?.kind ?? '';
    const field = (round) => h('div', { class: 'field' }, h('label', { for: `bye-${round}` }, common.round(round)),
      h('select', { id: `bye-${round}` }, ...this.choices(tournament).map(([value, text]) => h('option', { value, selected: value === kindIn(round) }, text))));
    const form = h('form', { class: 'fields', onsubmit: async (event) => {
      event.preventDefault();
      const chosen = roundsAhead(tournament).map((round) => ({ round, kind: form.querySelector(`#bye-${round}`).value })).filter(({ round, kind }) => kind !== kindIn(round));
      dialog.close();
      for (const { round, kind } of chosen) if (!await this.absent(entrant, round, kind)) break;
      byId(`entrant-${entrant.number}`).querySelector('button')?.focus();
    } }, ...roundsAhead(tournament).map(field), h('div', { class: 'field' }, h('button', { type: 'submit', class: 'primary' }, common.save)));
    const dialog = openDialog(words.byesOf(entrant.name), form);
    form.querySelector('select').focus();
  }

  absent(entrant, round, kind) {
    const before = { absence: entrant.absences.find((absence) => absence.round === round)?.kind ?? null };
    if (!kind) return this.console.decide('cancelAbsence', { entrant: entrant.number, round }, { told: words.playsRound(entrant.name, round), before });
    return this.console.decide('announceAbsence', { entrant: entrant.number, round, kind }, { told: words.willMiss[kind](entrant.name, round), before });
  }

  edit(entrant) {
    const field = (name, label, options = {}) => h('div', { class: 'field' }, h('label', { for: `edit-${name}` }, label), h('input', { id: `edit-${name}`, name, autocomplete: 'off', value: entrant[name] ?? '', ...options }));
    // The player is somebody of the club, whose name the other tournaments have too.
    const everywhere = entrant.player && h('input', { type: 'checkbox', name: 'everywhere' });
    const said = h('p', { class: 'hint', role: 'status' });
    const form = h('form', { class: 'fields', onsubmit: async (event) => {
      event.preventDefault();
      const value = (name) => form.elements.namedItem(name).value.trim();
      const country = countryOf(value('country'));
      if (value('country') && !country) {
        setText(said, common.noCountry(value('country')));
        return;
      }
      // An empty text, or a rating of 0, removes the earlier value.
      const input = { name: value('name'), rating: Number(value('rating')), club: value('club'), country };
      dialog.close();
      await this.console.decide('editEntrant', { entrant: entrant.number, input }, { told: common.wasChanged(input.name), before: { fields: { name: entrant.name, rating: entrant.rating ?? 0, club: entrant.club ?? '', country: entrant.country ?? '' } } });
      if (everywhere?.checked) await this.console.correctPlayer(entrant.player.id, { name: input.name, club: input.club || null, country: country || null });
      byId(`entrant-${entrant.number}`).querySelector('button')?.focus();
    } },
    field('name', common.name, { required: true, maxlength: '100' }), field('rating', common.rating, { inputmode: 'numeric', pattern: '[0-9]{1,4}', maxlength: '4' }), field('club', common.club, { maxlength: '100' }),
    field('country', common.country, { maxlength: '3', pattern: '[A-Za-z]{2,3}' }),
    everywhere && h('div', { class: 'field wide' }, h('label', {}, everywhere, ' ', words.everywhere)), said, h('div', { class: 'field' }, h('button', { type: 'submit', class: 'primary' }, common.save)));
    const dialog = openDialog(common.editPlayer(entrant.name), form);
    form.querySelector('input').focus();
  }
}

function details({ rating, club, country }) {
  return Object.fromEntries(Object.entries({ rating, club, country }).filter(([, value]) => value));
}

/** An entrant who withdraws after the pairing, but before the round is open, is still in it. */
function withdrawn({ name }, { currentRound }) {
  return currentRound?.status === 'PAIRED' ? words.withdrawnAfter(name, currentRound.number) : words.withdrawn(name);
}
