// Pairings and standings for a screen across a hall: large, and turning pages automatically.

import { common } from '../words/common.js';
import { chip, h, setText } from '../base/dom.js';
import { patch } from '../base/patch.js';
import { qrCode } from '../base/qr.js';
import { hasWon, packed, paged, points, statusWords, tieBreakText } from '../model/tournament.js';
import { time } from '../words/locale.js';
import { tournament as words } from '../words/tournament.js';
import { byeText, placeText, resultText, roundTitle } from './parts.js';
import { starting } from './starting.js';

const { standingsColumns: columns } = words;

const TURN_MS = 10_000;
const TICK_MS = 200;
/** The height of a row, and the space for rows, in hundredths of the screen's height. */
const ROW_VH = 6.2;
const ROOM_VH = 78;
const WIDE = 1.2;
/** How many places are shown at the end. */
const PODIUM = 3;

/** Shows one page after the other. */
export class Projector {
  /** @param {HTMLElement} place @param {{leave: () => void, again: () => void}} acts */
  constructor(place, { leave }) {
    this.place = place;
    this.leave = leave;
    this.page = 0;
    this.passed = 0;
    this.paused = false;
    this.timer = 0;
    /** @type {any[]} */ this.shown = [];
    this.key = (event) => this.pressed(event);
    this.resized = () => this.shown.length && this.draw(this.shown[0], this.shown[1]);
  }

  /** @param {any} tournament @param {{pairings: any, standings: any[] | null}} data */
  draw(tournament, data) {
    this.shown = [tournament, data];
    const { columns: most, rows } = fit(tournament, data);
    this.place.style.setProperty('--row', `${Math.min(ROW_VH, ROOM_VH / (rows + (tournament.announcement ? 1 : 0)))}vh`);
    this.pages = pagesOf(tournament, data, { columns: most, rows });
    this.page = Math.min(this.page, this.pages.length - 1);
    this.show();
    if (this.timer) return;
    this.timer = setInterval(() => this.tick(), TICK_MS);
    globalThis.addEventListener('keydown', this.key);
    globalThis.addEventListener('resize', this.resized);
  }

  stop() {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = 0;
    this.page = 0;
    this.shown = [];
    globalThis.removeEventListener('keydown', this.key);
    globalThis.removeEventListener('resize', this.resized);
    patch(this.place, []);
  }

  tick() {
    if (!this.paused) this.passed += TICK_MS;
    if (this.passed >= TURN_MS) this.turn(1);
    const shown = this.place.querySelector('.clock');
    if (shown) setText(shown, clock());
  }

  turn(by) {
    this.passed = 0;
    this.page = (this.page + by + this.pages.length) % this.pages.length;
    this.show();
  }

  pressed(event) {
    if (event.target instanceof Element && event.target.closest('dialog, input, a, button') && event.key !== 'Escape') return;
    const [next, previous] = document.dir === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
    if (event.key === next) this.turn(1);
    else if (event.key === previous) this.turn(-1);
    else if (event.key === ' ') this.pause();
    else if (event.key === 'Escape') this.leave();
    else return;
    event.preventDefault();
  }

  pause() {
    this.paused = !this.paused;
    this.show();
  }

  show() {
    const [tournament, { qr }] = this.shown;
    const page = this.pages[this.page];
    const button = (label, text, onclick) => h('button', { type: 'button', class: 'quiet icon', 'aria-label': label, onclick }, text);
    patch(this.place, [
      h('div', { class: 'beam-head' },
        h('div', {}, h('h1', {}, tournament.name), h('p', {}, page.title)),
        h('p', { class: 'clock' }, clock()), qr && qrCode(qr)),
      tournament.announcement && h('p', { class: 'announcement', role: 'status' }, tournament.announcement),
      h('div', { class: `beam ${page.columns > 1 ? 'wide' : ''}` }, ...page.parts.map((rows) => h('table', { class: page.class }, page.head && h('thead', {}, page.head()), h('tbody', {}, ...rows.map((row) => row()))))),
      h('div', { class: 'beam-foot' },
        starting(tournament) ?? h('span', {}, statusWords(tournament)),
        h('span', { class: 'dots', 'aria-hidden': 'true' }, ...this.pages.map((_, index) => h('span', { class: index === this.page ? 'dot on' : 'dot' }))),
        h('span', { class: 'beam-acts' },
          button(words.previous, '‹', () => this.turn(-1)), button(this.paused ? common.goOn : common.pause, this.paused ? '▶' : '❚❚', () => this.pause()),
          button(words.next, '›', () => this.turn(1)), button(words.leave, '✕', () => this.leave()))),
    ].filter(Boolean));
  }
}

function clock() {
  return time(new Date().toISOString());
}

/** An announcement takes the room of a row. Rows are lower if a table has more seats than there is room for. */
function fit({ announcement }, { pairings }) {
  const longest = Math.max(0, ...(pairings?.tables ?? []).map(({ seats }) => (seats.length > 2 ? seats.length : 0)));
  return { rows: Math.max(longest, Math.floor(ROOM_VH / ROW_VH) - (announcement ? 1 : 0)), columns: innerWidth / innerHeight > WIDE ? 2 : 1 };
}

/** All pages: pairings, then standings. */
function pagesOf(tournament, { pairings, standings }, { rows, columns: most }) {
  const cut = (title, name, blocks, head = null) => {
    const parts = packed(blocks, head ? rows - 1 : rows);
    const per = parts.length > 1 ? most : 1;
    return paged(parts, per).map((some, index, all) => ({ title: all.length > 1 ? words.part(title, index + 1, all.length) : title, class: name, columns: per, parts: some, head }));
  };
  const single = (row) => [row];
  const out = (pairings?.unpaired ?? []).map((bye) => () => h('tr', {}, h('td', {}), h('td', { colspan: '3' }, `${bye.entrant.name} – ${byeText(bye, pairings)}`)));
  const found = [
    ...pairings ? cut(roundTitle(tournament.bracket, pairings.number), 'beam-pairings', [...pairings.tables.map((table) => (table.seats.length === 2 ? single(() => pairing(table)) : pod(table))), ...out.map(single)]) : [],
    ...tournament.status === 'FINISHED' && standings?.length ? [winners(standings)] : [],
    ...standings?.length ? cut(words.standings, 'beam-standings', standings.map((row) => single(() => standing(row))), () => standingHead(standings[0])) : [],
  ];
  return found.length ? found : [{ title: words.nothing, class: '', columns: 1, parts: [] }];
}

/** Who won, once everything is played: the first three places. */
function winners(standings) {
  const first = standings.filter(({ rank }) => rank <= PODIUM);
  return { title: words.result, class: 'beam-winners', columns: 1, parts: [first.map((row) => () => h('tr', { class: row.rank === 1 ? 'won' : '' }, h('th', { scope: 'row' }, `${row.rank}.`), h('td', { class: 'name' }, row.entrant.name)))], head: null };
}

function standingHead({ tieBreaks }) {
  const head = (text, style = '') => h('th', { scope: 'col', class: style }, text);
  return h('tr', {}, head(columns.rank), head(columns.name, 'name'), head(columns.points, 'number'), ...tieBreaks.slice(0, 2).map(({ name }) => head(name, 'number')));
}

function pairing(table) {
  const names = table.seats.map(({ number, entrant }) => h('td', { class: hasWon(table, number) ? 'name won' : 'name' }, entrant.name));
  const result = h('td', { class: 'middle result' }, resultText(table) || '–');
  return h('tr', {}, h('th', { scope: 'row' }, String(table.number)), names[0], result, names[1]);
}

/** A table of more than two: a line for each seat. */
function pod(table) {
  return table.seats.map(({ number, entrant }, index) => () => h('tr', { class: index ? 'pod' : 'pod first' },
    index ? h('td', {}) : h('th', { scope: 'row' }, String(table.number)), h('td', { colspan: '2', class: hasWon(table, number) ? 'name won' : 'name' }, chip(number), ' ', entrant.name), h('td', { class: 'middle result' }, placeText(table, number) || (index ? '' : resultText(table)))));
}

function standing({ rank, entrant, score, tieBreaks }) {
  return h('tr', {}, h('th', { scope: 'row' }, String(rank)), h('td', { class: 'name' }, entrant.name), h('td', { class: 'number points' }, points(score)), ...tieBreaks.slice(0, 2).map(({ text }) => h('td', { class: 'number soft' }, tieBreakText(text))));
}
