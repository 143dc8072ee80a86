// The statistics as tables, shown beside the charts and offered for download. No DOM here.

import { csv } from './csv.js';
import { nameWords, reasonWords } from '../model/format.js';
import { parts } from './results.js';
import { bins } from './scale.js';

/**
 * @typedef {'text' | 'count' | 'number' | 'share' | 'ms' | 'date'} Unit
 * @typedef {{id: string, title: string, columns: {name: string, unit: Unit}[], rows: (string | number | null)[][]}} Section
 *   the first column names what a row is about
 */

const THIRDS = ['First third', 'Second third', 'Last third'];
const MARKS = ['min', 'p10', 'median', 'mean', 'p90', 'max'];

/**
 * Everything the page shows, in its order.
 * @param {any} statistics
 * @param {{heat?: any, against?: {players: string[], results: import('./results.js').Results} | null}} more
 * @returns {Section[]}
 */
export function report(statistics, { heat, against } = {}) {
  return [
    overview(statistics),
    against && againstSection(against),
    resultsSection(statistics),
    reasonsSection(statistics),
    ...spreadSections('plies', 'Length in plies', statistics.plies, 'count'),
    ...spreadSections('duration', 'Duration', statistics.durationMs, 'ms'),
    ...spreadSections('branching', 'Choices per ply', statistics.branching, 'number'),
    monthsSection(statistics),
    actionsSection(statistics.firstActions),
    heat && heatSection(heat),
    ...analysisSections(statistics.analysis),
    ...luckSections(statistics.luck),
    measuresSection(statistics.measures),
    ...statistics.measures.flatMap(({ name, distribution }) => spreadSections(`measure:${name}`, name, distribution, 'number')),
  ].filter(Boolean);
}

/**
 * One file of them all: a line for each figure.
 * @param {Section[]} sections
 */
export function reportCsv(sections) {
  const rows = sections.flatMap(({ id, columns, rows: lines }) => (
    lines.flatMap(([item, ...figures]) => figures.flatMap((value, index) => (value == null ? [] : [[id, item, figureName(columns[index + 1]), value]])))));
  return csv([['section', 'item', 'figure', 'value'], ...rows]);
}

/** @param {any} statistics @returns {Section} */
export function resultsSection({ results, games }) {
  return {
    id: 'results',
    title: 'Results by seat',
    columns: [text('Result'), { name: 'games', unit: 'count' }, { name: 'share', unit: 'share' }],
    rows: parts(results, games).map(({ name, count, share }) => [name, count, share]),
  };
}

/** @param {any} statistics @returns {Section} */
export function reasonsSection({ reasons, finished }) {
  return {
    id: 'reasons',
    title: 'How games end',
    columns: [text('Reason'), { name: 'games', unit: 'count' }, { name: 'share', unit: 'share' }],
    rows: reasons.map(({ key, count }) => [reasonWords(key), count, finished ? count / finished : 0]),
  };
}

/** @param {any} statistics @returns {Section} */
export function monthsSection({ byMonth }) {
  return {
    id: 'months',
    title: 'Games by month',
    columns: [text('Month'), { name: 'games', unit: 'count' }],
    rows: byMonth.map(({ key, count }) => [key, count]),
  };
}

/** @param {any[]} actions of the explorer @returns {Section} */
export function actionsSection(actions) {
  const seats = Math.max(0, ...actions.map(({ results }) => results.wins.findLastIndex((count) => count > 0) + 1));
  const wins = Array.from({ length: seats }, (_, index) => ({ name: `won by seat ${index + 1}`, unit: /** @type {Unit} */ ('count') }));
  return {
    id: 'first actions',
    title: 'First actions',
    columns: [
      text('Action'), { name: 'games', unit: 'count' }, ...wins, { name: 'draws', unit: 'count' }, { name: 'no result', unit: 'count' },
      { name: 'last played', unit: 'date' },
    ],
    rows: actions.map(({ action, games, results, lastPlayed }) => (
      [action, games, ...wins.map((_, index) => results.wins[index] ?? 0), results.draws, results.other, lastPlayed ?? null])),
  };
}

/** @param {any} heat @returns {Section} */
export function heatSection({ name, places, total }) {
  const rows = Object.entries(places).sort(([a, x], [b, y]) => y - x || a.localeCompare(b, 'en', { numeric: true }));
  return {
    id: `board: ${name}`,
    title: nameWords(name),
    columns: [text('Place'), { name, unit: 'count' }, { name: 'share', unit: 'share' }],
    rows: rows.map(([place, value]) => [place, value, total ? value / total : 0]),
  };
}

/** @param {{name: string, seats: any[]}[]} luck @returns {Section[]} */
export function luckSections(luck) {
  return luck.map(({ name, seats }) => ({
    id: `luck: ${name}`,
    title: nameWords(name),
    columns: [text('Seat'), { name: 'times', unit: 'count' }, ...['expected', 'actual', 'difference'].map(number)],
    rows: seats.map(({ seat, count, expected, actual }) => [`Seat ${seat}`, count, expected, actual, actual - expected]),
  }));
}

/**
 * How well the seats played, how their actions were marked, and their chances; nothing where no game is analysed.
 * @param {any} analysis
 * @returns {Section[]}
 */
export function analysisSections(analysis) {
  if (!analysis?.games) return [];
  const { accuracyBySeat, phases, chances } = analysis;
  const seats = Math.max(0, ...chances.map((at) => at.chances.length));
  const share = (name) => ({ name, unit: /** @type {Unit} */ ('share') });
  return [
    { id: 'accuracy', title: 'Accuracy', columns: [text('Seat'), number('accuracy')], rows: accuracyBySeat.map((value, index) => [`Seat ${index + 1}`, value]) },
    {
      id: 'marks',
      title: 'Marks',
      columns: [text('Part'), ...['actions', 'dubious', 'mistakes', 'blunders'].map((name) => ({ name, unit: /** @type {Unit} */ ('count') }))],
      rows: phases.map(({ actions, dubious, mistakes, blunders }, index) => [THIRDS[index], actions, dubious, mistakes, blunders]),
    },
    {
      id: 'chances',
      title: 'Mean chances',
      columns: [text('Ply'), { name: 'games', unit: 'count' }, ...Array.from({ length: seats }, (_, index) => share(`seat ${index + 1}`)), share('draw')],
      rows: chances.map((at) => [String(at.ply), at.games, ...Array.from({ length: seats }, (_, index) => at.chances[index] ?? null), at.draw]),
    },
  ];
}

/** @param {any[]} measures @returns {Section} */
export function measuresSection(measures) {
  return {
    id: 'measures',
    title: 'Measures',
    columns: [text('Measure'), ...['mean', 'min', 'median', 'max'].map(number)],
    rows: measures.map(({ name, value, distribution }) => [name, value, distribution?.min ?? null, distribution?.median ?? null, distribution?.max ?? null]),
  };
}

/**
 * A distribution's marks and bins; nothing where it is empty.
 * @param {string} id @param {string} title @param {any} spread @param {Unit} unit
 * @returns {Section[]}
 */
export function spreadSections(id, title, spread, unit) {
  if (!spread?.count) return [];
  return [
    { id, title, columns: [text('Figure'), { name: 'value', unit }], rows: MARKS.map((name) => [name, spread[name]]) },
    {
      id: `${id}: histogram`,
      title,
      columns: [{ name: 'from', unit }, { name: 'below', unit }, { name: 'games', unit: 'count' }],
      rows: bins(spread.histogram, spread.max).map(({ from, to, count }) => [from, to, count]),
    },
  ];
}

function overview({ games, finished }) {
  const columns = [text('Figure'), { name: 'games', unit: /** @type {Unit} */ ('count') }];
  return { id: 'games', title: 'Games', columns, rows: [['all', games], ['finished', finished]] };
}

function againstSection({ players, results: { wins, draws, other } }) {
  return {
    id: 'head to head',
    title: 'Head to head',
    columns: [text('Result'), { name: 'games', unit: /** @type {Unit} */ ('count') }],
    rows: [...players.map((name, index) => [`won by ${name}`, wins[index] ?? 0]), ['draws', draws], ['no result', other]],
  };
}

function figureName({ name, unit }) {
  return unit === 'ms' ? `${name} (ms)` : name;
}

function text(name) {
  return { name, unit: /** @type {const} */ ('text') };
}

function number(name) {
  return { name, unit: /** @type {const} */ ('number') };
}
