// The figures of charts as tables. No DOM here.

import { common } from '../words/common.js';
import { statistics as words } from '../words/statistics.js';
import { nameWords } from '../model/format.js';
import { bins } from './scale.js';

/**
 * @typedef {'text' | 'count' | 'number' | 'share' | 'ms' | 'date'} Unit
 * @typedef {{title: string, columns: {name: string, unit: Unit}[], rows: (string | number | null)[][]}} Section
 *   the first column names what a row is about
 */

const THIRDS = [words.reportThirds.first, words.reportThirds.second, words.reportThirds.last];
const MARKS = ['min', 'p10', 'median', 'mean', 'p90', 'max'];

/** @param {any} heat @returns {Section} */
export function heatSection({ name, places, total }) {
  const rows = Object.entries(places).sort(([a, x], [b, y]) => y - x || a.localeCompare(b, 'en', { numeric: true }));
  return {
    title: nameWords(name),
    columns: [text(words.reportPlace), { name, unit: 'count' }, { name: words.share, unit: 'share' }],
    rows: rows.map(([place, value]) => [place, value, total ? value / total : 0]),
  };
}

/** @param {{name: string, seats: any[]}[]} luck @returns {Section[]} */
export function luckSections(luck) {
  return luck.map(({ name, seats }) => ({
    title: nameWords(name),
    columns: [text(common.seat), { name: words.reportTimes, unit: 'count' }, ...[words.reportExpected, words.reportActual, words.difference].map(number)],
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
    { title: common.accuracy, columns: [text(common.seat), number(words.accuracy)], rows: accuracyBySeat.map((value, index) => [common.seatNumber(index + 1), value]) },
    {
      title: words.marksTitle,
      columns: [text(words.part), ...[words.actions, words.dubious, words.mistakes, words.blunders].map((name) => ({ name, unit: /** @type {Unit} */ ('count') }))],
      rows: phases.map(({ actions, dubious, mistakes, blunders }, index) => [THIRDS[index], actions, dubious, mistakes, blunders]),
    },
    {
      title: words.reportChances,
      columns: [text(words.ply), { name: common.someGames, unit: 'count' }, ...Array.from({ length: seats }, (_, index) => share(common.seatInText(index + 1))), share(common.aDraw)],
      rows: chances.map((at) => [String(at.ply), at.games, ...Array.from({ length: seats }, (_, index) => at.chances[index] ?? null), at.draw]),
    },
  ];
}

/**
 * A distribution's marks and bins; nothing where it is empty.
 * @param {string} title @param {any} spread @param {Unit} unit
 * @returns {Section[]}
 */
export function spreadSections(title, spread, unit) {
  if (!spread?.count) return [];
  return [
    { title, columns: [text(words.figure), { name: words.value, unit }], rows: MARKS.map((name) => [words.marks[name], spread[name]]) },
    {
      title,
      columns: [{ name: words.from, unit }, { name: words.below, unit }, { name: common.someGames, unit: 'count' }],
      rows: bins(spread.histogram, spread.max).map(({ from, to, count }) => [from, to, count]),
    },
  ];
}

function text(name) {
  return { name, unit: /** @type {const} */ ('text') };
}

function number(name) {
  return { name, unit: /** @type {const} */ ('number') };
}
