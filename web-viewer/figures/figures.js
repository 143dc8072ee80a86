// DOM elements for charts, bars, tables and cards.

import { statistics as words } from '../words/statistics.js';
import { day, number } from '../words/locale.js';
import { h, s } from '../base/dom.js';
import { capital, duration } from '../model/format.js';
import { percent, resultWords } from './results.js';

const RESULT_WIDTH = 130; // the least a bar of results has, in px
const DIGIT = 7.2;

let charts = 0;

/**
 * A chart that is redrawn at the width available to it.
 * @param {string} label what it shows, in a sentence
 * @param {(width: number) => import('./shapes.js').Chart} make
 */
export function chart(label, make) {
  // It draws itself, so another chart must not take its place: a separate id distinguishes them.
  const place = h('div', { class: 'chart', id: `chart-${++charts}` });
  let drawn = 0;
  new ResizeObserver(([{ contentRect }]) => {
    const width = Math.floor(contentRect.width);
    if (width < 40 || width === drawn) return;
    drawn = width;
    // The chart's height may cause a scroll bar and so a new width, but not within this notification.
    requestAnimationFrame(() => place.replaceChildren(svg(make(width), label)));
  }).observe(place);
  return place;
}

/**
 * A level bar, for a cell of a table that carries the number too.
 * @param {number} share of its width, 0 to 1
 * @param {string} [name] classes
 */
export function bar(share, name = '') {
  return s('svg', { class: `level ${name}`, 'aria-hidden': 'true' },
    s('rect', { class: 'trough', width: '100%', height: '100%', rx: 3 }),
    s('rect', { class: 'bar', width: `${Math.min(100, share * 100).toFixed(2)}%`, height: '100%', rx: 3 }));
}

/**
 * A table with bars, which needs no separate table of the same data.
 * @param {string[]} heads empty over bars
 * @param {HTMLElement[]} rows
 */
export function barsTable(heads, rows) {
  return h('table', { class: 'bars' },
    h('thead', {}, h('tr', {}, ...heads.map((name) => (name ? h('th', { scope: 'col' }, name) : h('td', {}))))),
    h('tbody', {}, ...rows));
}

/**
 * Results in one bar, by seat; as columns where one game has several winners.
 * @param {import('./results.js').Results} results
 * @param {boolean} shared
 * @param {number} games
 * @param {string} [label] what it says, in words
 */
export function resultsBar(results, shared, games, label = resultWords(results)) {
  const inside = shared ? winnersColumns(results, games) : resultsParts(results);
  return s('svg', { class: shared ? 'results shared' : 'results', role: 'img', 'aria-label': label }, s('title', {}, label), ...inside);
}

function resultsParts({ wins, draws, other }) {
  const won = wins.map((count, index) => ({ count, name: `seat-${index + 1}` }));
  const parts = [...won, { count: draws, name: 'drawn' }, { count: other, name: 'undecided' }];
  const sum = parts.reduce((all, { count }) => all + count, 0);
  let from = 0;
  return parts.filter(({ count }) => count > 0).flatMap(({ count, name }) => {
    const share = (100 * count) / sum;
    const start = from;
    from += share;
    const text = String(count);
    const fits = (share / 100) * RESULT_WIDTH > text.length * DIGIT + 6;
    return [
      s('rect', { class: `part ${name}`, x: `${start.toFixed(2)}%`, width: `${share.toFixed(2)}%`, height: '100%' }),
      fits && s('text', { class: name, x: `${(start + share / 2).toFixed(2)}%`, y: '50%' }, text),
    ].filter(Boolean);
  });
}

function winnersColumns({ wins }, games) {
  const each = 100 / Math.max(1, wins.length);
  return wins.flatMap((count, index) => {
    const high = Math.max(games ? (100 * count) / games : 0, 4);
    const place = { x: `${(index * each).toFixed(2)}%`, width: `${(each * 0.82).toFixed(2)}%` };
    return [
      s('rect', { class: 'trough', ...place, height: '100%' }),
      s('rect', { class: `part seat-${index + 1}`, ...place, y: `${(100 - high).toFixed(2)}%`, height: `${high.toFixed(2)}%` }),
    ];
  });
}

/**
 * A table of a section of the report.
 * @param {import('./report.js').Section} section
 */
export function table({ title, columns, rows }) {
  const look = (unit) => (unit === 'text' ? '' : 'number');
  const cell = (value, index) => {
    const { unit } = columns[index];
    return h(index ? 'td' : 'th', { scope: index ? null : 'row', class: look(unit) }, shown(value, unit));
  };
  return h('div', { class: 'scrolls', tabindex: '0', role: 'group', 'aria-label': words.titleAsTable(title) },
    h('table', { class: 'data' },
      h('thead', {}, h('tr', {}, ...columns.map(({ name, unit }) => h('th', { scope: 'col', class: look(unit) }, capital(name))))),
      h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.map(cell))))));
}

/**
 * A card with a heading; tables with the data of its charts open beneath.
 * @param {{title: string, name?: string, about?: string | Node, aside?: Node | false | null, sections?: import('./report.js').Section[]}} options
 * @param {...(Node | string | null | undefined | false)} content
 */
export function card({ title, name = '', about, aside, sections = [] }, ...content) {
  const filled = sections.filter(({ rows }) => rows.length);
  return h('section', { class: `card figure ${name}`, 'aria-label': title },
    h('header', {}, h('h2', {}, title), aside),
    about && h('p', { class: 'hint' }, about),
    ...content,
    filled.length > 0 && h('details', { class: 'as-table' }, h('summary', {}, words.asTable, h('span', { class: 'hidden' }, `: ${title}`)), ...filled.map(table)));
}

/**
 * A value as people read it.
 * @param {string | number | null} value
 * @param {import('./report.js').Unit} unit
 * @returns {string}
 */
export function shown(value, unit) {
  if (value == null) return '–';
  switch (unit) {
    case 'ms': return duration(Number(value));
    case 'share': return percent(Number(value));
    case 'date': return day(String(value));
    case 'text': return String(value);
    default: return figure(Number(value));
  }
}

/** @param {number} value written with as many digits as are useful */
export function figure(value) {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return number(value, digits);
}

function svg({ width, height, shapes }, label) {
  const made = shapes.map(({ tag, attributes, text, title }) => {
    const element = s(tag, attributes, text ?? '');
    if (title) element.append(s('title', {}, title));
    return element;
  });
  return s('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label }, ...made);
}
