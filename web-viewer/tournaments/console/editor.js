// Changing a pairing by hand: two places are exchanged by choosing one after the other, or by dragging.

import { common } from '../../words/common.js';
import { request } from '../../base/api.js';
import { chip, h } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { draftOf, emptyDraft, entrantAt, exchanged, isSameDraft, pairingOf, sent, takenOut, withTable } from '../../model/pairing-draft.js';
import { byeWords, leastSeats, points } from '../../model/tournament.js';
import { CHECK } from '../../model/tournament-queries.js';
import { roundAsked } from '../../model/tournament-steps.js';
import { console as words } from '../../words/console.js';
import { loadStandings } from '../load.js';
import { NOTHING_SAID } from './console.js';

const CHECK_MS = 250;
/** How long to wait before a draft is checked again without a connection. */
const AGAIN_MS = 3000;
const KINDS = ['PAIRING', 'HALF', 'FULL', 'ZERO'];

/** Draws the draft of a pairing and handles its input. */
export class Editor {
  /** @param {import('./console.js').Console} console */
  constructor(console) {
    this.console = console;
    this.place = h('section', { class: 'editor', 'aria-label': words.editorByHand, hidden: true });
    this.timer = 0;
    this.checked = 0;
    const at = ({ target }) => target.closest?.('[data-place]');
    this.place.addEventListener('dragstart', (event) => at(event) && this.pick(read(at(event)), true));
    this.place.addEventListener('dragover', (event) => at(event) && event.preventDefault());
    this.place.addEventListener('drop', (event) => {
      if (!at(event)) return;
      event.preventDefault();
      this.choose(read(at(event)));
    });
    this.place.addEventListener('dragend', () => this.set({ picked: null }));
    this.place.addEventListener('keydown', (event) => this.key(event));
  }

  set(change) {
    const { draft } = this.console.now();
    if (draft) this.console.set({ draft: { ...draft, ...change } });
  }

  /** Starts from the round's present pairing, or from an empty one. */
  begin() {
    const { entrants, round, tournament, url } = this.console.now();
    const number = round?.number ?? roundAsked(tournament, url.round);
    const active = entrants.filter(({ status, fromRound, withdrawnFrom }) => status !== 'REMOVED' && !(status === 'WITHDRAWN' && withdrawnFrom <= number) && fromRound <= number)
      .map(({ absences, number: entrant }) => ({ number: entrant, bye: absences.find((absence) => absence.round === number)?.kind }));
    const isPaired = round && round.status !== 'UNPAIRED';
    const pairing = isPaired ? draftOf(round, active) : emptyDraft(active, tournament.seats);
    this.console.set({ said: NOTHING_SAID, draft: { number, seq: tournament.head.seq, least: leastSeats(tournament), pairing, first: isPaired ? pairing : null, before: isPaired ? pairingOf(round) : null, picked: null, warnings: [], isChecked: false, said: words.editorChoose } });
    this.check();
    // Everybody's points, also of those who do not play.
    this.scores = new Map();
    loadStandings(this.console.id, number - 1).then((rows) => {
      this.scores = new Map(number > 1 ? rows.map(({ entrant, score }) => [entrant.number, score]) : []);
      this.set({});
    }, () => {});
  }

  /** Whether something would be lost. */
  isChanged() {
    const { draft } = this.console.now();
    return Boolean(draft) && draft.pairing.tables.some((seats) => seats.some(Boolean)) && !(draft.first && isSameDraft(draft.first, draft.pairing));
  }

  // --- input

  pick(place, isDrag = false) {
    const { draft } = this.console.now();
    const name = this.name(entrantAt(draft.pairing, place));
    // Redrawing would end a drag.
    if (isDrag) this.dragged = place;
    else this.set({ picked: place, said: words.chosen(name) });
  }

  choose(place) {
    const { draft } = this.console.now();
    const picked = this.dragged ?? draft.picked;
    this.dragged = null;
    if (!picked) this.pick(place);
    else if (isSame(picked, place)) this.set({ picked: null, said: words.nothingChosen });
    else {
      const [one, other] = [picked, place].map((each) => this.name(entrantAt(draft.pairing, each)));
      const numbers = [picked, place].map((each) => entrantAt(draft.pairing, each));
      this.change(exchanged(draft.pairing, picked, place), numbers.every(Boolean) ? words.swapped(one, other) : words.moved(numbers[0] ? one : other));
    }
  }

  change(pairing, said) {
    this.set({ pairing, picked: null, isChecked: false, said });
    this.check();
  }

  key(event) {
    const { draft } = this.console.now();
    if (!draft) return;
    if (event.key === 'Escape' && draft.picked) {
      event.preventDefault();
      this.set({ picked: null, said: words.nothingChosen });
      return;
    }
    const right = document.dir === 'rtl' ? -1 : 1;
    const step = { ArrowDown: 1, ArrowUp: -1, ArrowRight: right, ArrowLeft: -right }[event.key];
    const here = event.target.closest('[data-place]');
    if (!step || !here) return;
    event.preventDefault();
    const all = [...this.place.querySelectorAll('[data-place]')];
    const seats = /^Arrow(Up|Down)$/.test(event.key) && here.dataset.place.includes('.') ? this.console.now().tournament.seats : 1;
    all[Math.max(0, Math.min(all.length - 1, all.indexOf(here) + step * seats))].focus();
  }

  /** Requests the rules that the draft breaks. */
  check() {
    clearTimeout(this.timer);
    const ask = ++this.checked;
    this.timer = setTimeout(async () => {
      const { draft } = this.console.now();
      if (!draft) return;
      const { byes, gaps, tables } = sent(draft.pairing, draft.least);
      if (gaps.length > 0) return;
      const answer = await request(CHECK, { id: this.console.id, round: draft.number, tables, byes }).catch((error) => ({ error }));
      if (ask !== this.checked) return;
      if (answer.error) {
        this.console.set({ refused: answer.error });
        if (answer.error.code === 'OFFLINE') this.timer = setTimeout(() => this.check(), AGAIN_MS);
      } else this.set({ warnings: answer.tournament.checkPairing.warnings, isChecked: true });
    }, CHECK_MS);
  }

  async save() {
    const { draft } = this.console.now();
    const { byes, gaps, tables } = sent(draft.pairing, draft.least);
    if (gaps.length > 0 || !draft.isChecked) return;
    const force = draft.warnings.length > 0;
    const how = { told: words.editorSaved(draft.number), before: { pairing: draft.before }, seq: draft.seq };
    if (await this.console.decide('changePairing', { round: draft.number, tables, byes, force }, how)) {
      this.console.set({ draft: null });
      return;
    }
    // Once told what others changed, the organiser can save anyway.
    this.set({ seq: this.console.now().tournament.head.seq });
    this.check();
  }

  // --- drawing

  /** @param {import('./console.js').Now} now */
  draw({ busy, draft, entrants, tournament }) {
    this.place.hidden = !draft;
    if (!draft) return;
    this.names = new Map(entrants.map((entrant) => [entrant.number, entrant]));
    const { gaps } = sent(draft.pairing, draft.least);
    const of = (table) => draft.warnings.filter((warning) => warning.table === table);
    patch(this.place, [
      h('p', { class: 'hint', role: 'status', id: 'editor-said' }, draft.said),
      h('ol', { class: 'draft', id: 'draft' }, ...draft.pairing.tables.map((seats, table) => h('li', { class: of(table + 1).length ? 'warned' : '', id: `draft-${table}` },
        h('span', { class: 'draft-number' }, String(table + 1)),
        ...seats.map((entrant, seat) => this.seat(draft, entrant, { table, seat })),
        of(table + 1).length > 0 && h('ul', { class: 'warnings', lang: 'en', dir: 'ltr' }, ...of(table + 1).map(({ text }) => h('li', {}, text)))))),
      h('div', { class: 'draft-out', id: 'draft-out' }, h('h2', {}, words.notPlaying),
        draft.pairing.out.length === 0 && h('p', { class: 'hint' }, words.everybodyPlays),
        h('ul', {}, ...draft.pairing.out.map(({ entrant, kind }) => h('li', {}, this.seat(draft, entrant, { out: entrant }),
          h('select', { 'aria-label': common.whyOut(this.name(entrant)), onchange: (event) => this.change({ ...draft.pairing, out: draft.pairing.out.map((each) => (each.entrant === entrant ? { entrant, kind: event.target.value } : each)) }, '') },
            ...KINDS.map((value) => h('option', { value, selected: value === kind }, byeWords(value)))))))),
      this.warnings(draft),
      h('div', { class: 'row draft-acts' }, ...this.acts(draft, { busy, gaps, tournament })),
    ].filter(Boolean));
  }

  seat(draft, entrant, place) {
    const isPicked = draft.picked && isSame(draft.picked, place);
    const isSeat = 'table' in place;
    const where = isSeat ? words.place(place.table + 1, place.seat + 1) : words.editorOut;
    const { rating = null } = this.names.get(entrant) ?? {};
    return h('button', { type: 'button', class: `seat-button ${entrant ? '' : 'vacant'}`.trim(), draggable: entrant ? 'true' : null, 'data-place': write(place), 'aria-pressed': String(Boolean(isPicked)), onclick: () => this.choose(place) },
      h('span', { class: 'hidden' }, where), isSeat && chip(place.seat + 1), h('span', { class: 'who', dir: 'auto' }, this.name(entrant)), h('span', { class: 'soft' }, this.scores.has(entrant) && ` (${points(this.scores.get(entrant))})`, rating != null && ` ${rating}`));
  }

  warnings(draft) {
    const general = draft.warnings.filter(({ table }) => !table);
    return general.length > 0 && h('ul', { class: 'warnings notice', id: 'draft-warnings', lang: 'en', dir: 'ltr' }, ...general.map(({ text }) => h('li', {}, text)));
  }

  acts(draft, { busy, gaps, tournament }) {
    const { picked, pairing } = draft;
    const canSave = !busy && gaps.length === 0 && draft.isChecked && this.isChanged();
    const text = gaps.length > 0 ? words.gaps(gaps.join(', ')) : draft.warnings.length > 0 ? words.saveAnyway : words.save;
    return [
      h('button', { type: 'button', class: 'primary', 'aria-disabled': String(!canSave), onclick: () => canSave && this.save() }, text),
      h('button', { type: 'button', onclick: () => this.console.set({ draft: null }) }, words.discard),
      picked && 'table' in picked && entrantAt(pairing, picked) > 0 && h('button', { type: 'button', onclick: () => this.change(takenOut(pairing, picked, 'PAIRING'), words.takenOut(this.name(entrantAt(pairing, picked)))) }, words.takeOut),
      h('button', { type: 'button', class: 'quiet', onclick: () => this.change(withTable(pairing, tournament.seats), words.tableAdded) }, words.addTable),
    ];
  }

  name(entrant) {
    return entrant ? this.names?.get(entrant)?.name ?? words.editorNumber(entrant) : common.nobody;
  }
}

function isSame(one, other) {
  return write(one) === write(other);
}

function write(place) {
  return 'table' in place ? `${place.table}.${place.seat}` : `out:${place.out}`;
}

function read({ dataset: { place } }) {
  if (place.startsWith('out:')) return { out: Number(place.slice(4)) };
  const [table, seat] = place.split('.').map(Number);
  return { table, seat };
}
