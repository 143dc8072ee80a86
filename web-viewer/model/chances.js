// The chances of the seats: in words, and as a chart's outlines.

import { common } from '../words/common.js';
import { replay as words } from '../words/replay.js';
import { percentWords } from './analysis.js';
import { seatName } from './format.js';
import { shortened } from './spoken.js';

/**
 * @typedef {import('./analysis.js').Analysis} Analysis
 * @typedef {import('./analysis.js').Evaluation} Evaluation
 * @typedef {import('./format.js').Seat} Seat
 */

/** Further actions of a line are too unlikely to be told. */
const LINE_MAX = 6;

/**
 * Who stands how, best first.
 * @param {Evaluation} evaluation
 * @param {Seat[]} seats
 */
export function chanceWords({ chances, draw }, seats) {
  const parts = chances.map((share, index) => ({ share, name: seatName(seats, index + 1) })).sort((one, other) => other.share - one.share);
  const all = draw > 0 ? [...parts, { share: draw, name: common.aDraw }] : parts;
  return all.map(({ name, share }) => `${name} ${percentWords(share)}`).join(', ');
}

/**
 * What should be played, and how it might go on; empty where nobody chooses.
 * @param {Evaluation} evaluation
 */
export function bestWords({ best, line }) {
  if (!best) return '';
  const rest = line.slice(1, LINE_MAX).map((action) => shortened(action));
  return rest.length > 0 ? words.bestThen(shortened(best), rest) : words.best(shortened(best));
}

/**
 * The chances along a game as stacked bands, from the first seat at the bottom to draws at the top.
 * @param {Evaluation[]} plies by ply
 * @param {number} last the last ply of the game
 * @returns {{seat: number, outline: string, label: {x: number, y: number} | null}[]} seat 0 is a draw; in hundredths of the width and height;
 *   the label at the middle of the band where it is widest, if there is room for one
 */
export function bands(plies, last) {
  const each = plies.map(({ ply, chances, draw }) => ({ x: last ? (100 * ply) / last : 0, shares: [...chances, draw] }));
  const count = (plies[0]?.chances.length ?? -1) + 1;
  const edge = ({ shares }, index) => 100 - 100 * shares.slice(0, index).reduce((sum, share) => sum + share, 0);
  return Array.from({ length: count }, (_, index) => index)
    .filter((index) => each.some(({ shares }) => shares[index] > 0))
    .map((index) => {
      const upper = each.map((at) => `${round(at.x)},${round(edge(at, index + 1))}`);
      const lower = each.map((at) => `${round(at.x)},${round(edge(at, index))}`).reverse();
      const inner = each.filter(({ x }) => x >= LABEL_SIDE && x <= 100 - LABEL_SIDE);
      const widest = inner.reduce((one, other) => (one && one.shares[index] >= other.shares[index] ? one : other), inner[0]);
      const label = widest && widest.shares[index] >= LABEL_LEAST ? { x: round(widest.x), y: round((edge(widest, index) + edge(widest, index + 1)) / 2) } : null;
      return { seat: index < count - 1 ? index + 1 : 0, outline: [...upper, ...lower].join(' '), label };
    });
}

/** A label needs a fifth of the height, and stays this far from the sides, in hundredths of the width. */
const LABEL_LEAST = 0.2;
const LABEL_SIDE = 2;

/**
 * The course of a game in a sentence, for readers who do not see the chart.
 * @param {Analysis} analysis
 * @param {Seat[]} seats
 */
export function courseWords({ plies = [], turningPoints = [] }, seats) {
  const [first, final] = [plies[0], plies.at(-1)];
  if (!first || !final) return '';
  const turns = [...turningPoints].sort((one, other) => one - other).map((ply) => ply + 1);
  const course = words.course(chanceWords(first, seats), final.ply, chanceWords(final, seats));
  return turns.length > 0 ? `${course} ${words.courseTurns(turns)}` : course;
}

function round(value) {
  return Number(value.toFixed(2));
}
