// A lesson from the mistakes of a seat: to find something better than what was played.

import { replayServed as words } from '../words/replay-served.js';
import { shortened } from './spoken.js';

/**
 * A question of a lesson. `ply`: the position that it asks about. `given`: as much of the best action as the reader has asked for: nothing,
 * the place it begins at, or all of it. `tried`: the last answer, and whether it is being compared, was wrong or right; `told`: what is
 * said about it.
 * @typedef {{seat: number, plies: number[], index: number, found: number, isOpen: boolean, ply: number, given: string, tried: string,
 *   verdict: ''|'waiting'|'wrong'|'right'|'shown', told: string}} Lesson
 * @typedef {import('./analysis.js').Analysis} Analysis
 */

/** The least loss of a doubtful action, as a part of an equal share of the chances. */
const DOUBTFUL = 1 / 5;

/**
 * The positions in which each seat went wrong: with `?!`, `?` or `??`.
 * @param {Analysis | null | undefined} analysis
 * @param {{by: string}[]} moves
 * @returns {Map<number, number[]>} plies by seat
 */
export function mistakes(analysis, moves) {
  /** @type {Map<number, number[]>} */ const found = new Map();
  for (const { best, glyph, ply } of analysis?.plies ?? []) {
    const seat = Number(/^seat:(\d+)$/.exec(moves[ply]?.by ?? '')?.[1] ?? 0);
    if (seat && best && glyph?.startsWith('?')) found.set(seat, [...found.get(seat) ?? [], ply]);
  }
  return new Map([...found].sort(([one], [other]) => one - other));
}

/**
 * The question at an index of a lesson.
 * @param {{seat: number, plies: number[], found?: number}} lesson
 * @param {number} index
 * @returns {Lesson}
 */
export function question({ seat, plies, found = 0 }, index) {
  return { seat, plies, index, found, isOpen: true, ply: plies[index], given: '', tried: '', verdict: '', told: '' };
}

/**
 * Further help with a question: the place at which the best action begins, or its first word, then all of it.
 * @param {Lesson} lesson
 * @param {string} best
 * @param {string[]} places that it names
 * @returns {Lesson}
 */
export function helped(lesson, best, places) {
  const [start = best.split(/(?<=.)[\s:,+-]/)[0]] = places;
  return { ...lesson, given: lesson.given || start === best ? best : start };
}

/**
 * What was given away so far, in words.
 * @param {Lesson} lesson
 * @param {string} best
 */
export function hintWords({ given }, best) {
  if (!given) return '';
  return given === best ? words.theBest(shortened(best)) : words.begins(given);
}

/**
 * What an action is worth for the seat that plays it: its chance, with its share of a draw.
 * @param {{chances: number[], draw: number}} after the position that it leads to
 * @param {number} seat
 */
export function worth({ chances, draw }, seat) {
  return (chances[seat - 1] ?? 0) + draw / Math.max(chances.length, 1);
}

/**
 * Whether an action is nearly as good as the best one: a loss as small has no glyph.
 * @param {number} loss of chances, 0 to 1
 * @param {number} seats
 */
export function isGood(loss, seats) {
  return loss < DOUBTFUL / seats;
}
