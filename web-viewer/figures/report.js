// The statistics as tables, shown beside the charts and offered for download. No DOM here.

import { common } from '../words/common.js';
import { report as words } from '../words/report.js';
import { csv } from './csv.js';
import { nameWords, reasonWords } from '../model/format.js';
import { parts } from './results.js';
import { bins } from './scale.js';

/**
 * @typedef {'text' | 'count' | 'number' | 'share' | 'ms' | 'date'} Unit
 * @typedef {{id: string, title: string, columns: {name: string, unit: Unit}[], rows: (string | number | null)[][]}} Section
 *   the first column names what a row is about
 */

const THIRDS = [words.thirds.first, words.thirds.second, words.thirds.last];
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
    ...spreadSections('plies', words.lengthInPlies, statistics.plies, 'count'),
    ...spreadSections('duration', common.duration, statistics.durationMs, 'ms'),
    ...spreadSections('branching', common.choicesPerPly, statistics.branching, 'number'),
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
function resultsSection({ results, games }) {
  return {
    id: 'results',
    title: common.bySeat,
    columns: [text(common.result), { name: common.someGames, unit: 'count' }, { name: words.share, unit: 'share' }],
    rows: parts(results, games).map(({ name, count, share }) => [name, count, share]),
  };
}

/** @param {any} statistics @returns {Section} */
function reasonsSection({ reasons, finished }) {
  return {
    id: 'reasons',
    title: common.ends,
    columns: [text(common.reason), { name: common.someGames, unit: 'count' }, { name: words.share, unit: 'share' }],
    rows: reasons.map(({ key, count }) => [reasonWords(key), count, finished ? count / finished : 0]),
  };
}

/** @param {any} statistics @returns {Section} */
export function monthsSection({ byMonth }) {
  return {
    id: 'months',
    title: common.byMonth,
    columns: [text(common.month), { name: common.someGames, unit: 'count' }],
    rows: byMonth.map(({ key, count }) => [key, count]),
  };
}

/** @param {any[]} actions of the explorer @returns {Section} */
function actionsSection(actions) {
  const seats = Math.max(0, ...actions.map(({ results }) => results.wins.findLastIndex((count) => count > 0) + 1));
  const wins = Array.from({ length: seats }, (_, index) => ({ name: words.wonBySeat(index + 1), unit: /** @type {Unit} */ ('count') }));
  return {
    id: 'first actions',
    title: common.first,
    columns: [
      text(common.action), { name: common.someGames, unit: 'count' }, ...wins, { name: words.draws, unit: 'count' }, { name: words.noResult, unit: 'count' },
      { name: words.lastPlayed, unit: 'date' },
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
    columns: [text(words.place), { name, unit: 'count' }, { name: words.share, unit: 'share' }],
    rows: rows.map(([place, value]) => [place, value, total ? value / total : 0]),
  };
}

/** @param {{name: string, seats: any[]}[]} luck @returns {Section[]} */
export function luckSections(luck) {
  return luck.map(({ name, seats }) => ({
    id: `luck: ${name}`,
    title: nameWords(name),
    columns: [text(common.seat), { name: words.times, unit: 'count' }, ...[words.expected, words.actual, words.difference].map(number)],
    rows: seats.map(({ seat, count, expected, actual }) => [common.seatNumber(seat), count, expected, actual, actual - expected]),
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
    { id: 'accuracy', title: common.accuracy, columns: [text(common.seat), number(words.accuracy)], rows: accuracyBySeat.map((value, index) => [common.seatNumber(index + 1), value]) },
    {
      id: 'marks',
      title: words.marksTitle,
      columns: [text(words.part), ...[words.actions, words.dubious, words.mistakes, words.blunders].map((name) => ({ name, unit: /** @type {Unit} */ ('count') }))],
      rows: phases.map(({ actions, dubious, mistakes, blunders }, index) => [THIRDS[index], actions, dubious, mistakes, blunders]),
    },
    {
      id: 'chances',
      title: words.chances,
      columns: [text(words.ply), { name: common.someGames, unit: 'count' }, ...Array.from({ length: seats }, (_, index) => share(words.ofSeat(index + 1))), share(common.aDraw)],
      rows: chances.map((at) => [String(at.ply), at.games, ...Array.from({ length: seats }, (_, index) => at.chances[index] ?? null), at.draw]),
    },
  ];
}

/** @param {any[]} measures @returns {Section} */
function measuresSection(measures) {
  return {
    id: 'measures',
    title: common.measures,
    columns: [text(common.measure), ...[words.marks.mean, words.marks.min, words.marks.median, words.marks.max].map(number)],
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
    { id, title, columns: [text(words.figure), { name: words.value, unit }], rows: MARKS.map((name) => [words.marks[name], spread[name]]) },
    {
      id: `${id}: histogram`,
      title,
      columns: [{ name: words.from, unit }, { name: words.below, unit }, { name: common.someGames, unit: 'count' }],
      rows: bins(spread.histogram, spread.max).map(({ from, to, count }) => [from, to, count]),
    },
  ];
}

function overview({ games, finished }) {
  const columns = [text(words.figure), { name: common.someGames, unit: /** @type {Unit} */ ('count') }];
  return { id: 'games', title: common.games, columns, rows: [[words.all, games], [words.finished, finished]] };
}

function againstSection({ players, results: { wins, draws, other } }) {
  return {
    id: 'head to head',
    title: words.headToHead,
    columns: [text(common.result), { name: common.someGames, unit: /** @type {Unit} */ ('count') }],
    rows: [...players.map((name, index) => [words.wonBy(name), wins[index] ?? 0]), [words.draws, draws], [words.noResult, other]],
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
