// A game as a strip of diagrams: which plies are shown, and what is written beneath them.

import { strip as words } from '../words/replay-strip.js';
import { actorName, seatOf } from './format.js';
import { shortened } from './spoken.js';

/** More diagrams than this are a book. */
export const DIAGRAMS_MAX = 60;
/** Positions that are so close are requested together. */
const GAP = 6;
const RUN_MAX = 48;
/** Longer actions, such as set-ups, are cut off. */
const NOTATION_LENGTH = 28;
const STEPS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 100, 200, 500, 1000];
/** So many diagrams fill a few pages. */
const USUAL = 12;

/** The marks that can be chosen. @type {[string, string][]} */
export const MARKS = Object.entries(words.marks);

/**
 * What the reader has chosen. `every`: a diagram each so many plies; 0: as many as fill a few pages. `marks`: at these marks.
 * `plies`: at these plies, as typed. Plies go before marks, marks before `every`.
 * @typedef {{id: string, viewer: string, every: number, marks: string[], plies: string, columns: number}} Choice
 */

/**
 * The plies of a list such as `0, 8-10, 31, end`.
 * @param {string} text
 * @param {number} last
 * @returns {{plies: number[], problem: string}} problem: the first part that names no plies of the game; empty if there is none
 */
export function listed(text, last) {
  const plies = [];
  for (const part of text.toLowerCase().split(/[\s,;]+/).filter(Boolean)) {
    const [, from, to = from] = /^(\d{1,6}|end)(?:[-–](\d{1,6}|end))?$/.exec(part) ?? [];
    const [first, end] = [from, to].map((name) => (name === 'end' ? last : Number(name ?? -1)));
    if (first < 0 || end > last || first > end) return { plies, problem: words.noPly(part, last) };
    for (let ply = first; ply <= end; ply += 1) plies.push(ply);
  }
  return { plies: sorted(plies), problem: '' };
}

/**
 * How many plies apart diagrams are unless the reader chooses.
 * @param {number} last
 */
export function usualStep(last) {
  return STEPS.find((step) => last / step < USUAL) ?? Math.ceil(last / USUAL);
}

/**
 * The plies that are shown, at most `DIAGRAMS_MAX`, and how many are left out.
 * @param {Choice} choice
 * @param {{ply: number, moves: {ply: number, comment?: string | null, glyphs?: string[]}[]}} log
 * @param {{ply: number, kind: string}[]} feats captures and rolls
 * @returns {{plies: number[], more: number, problem: string}}
 */
export function diagrams(choice, log, feats) {
  const { plies, problem } = chosen(choice, log, feats);
  return { plies: plies.slice(0, DIAGRAMS_MAX), more: Math.max(0, plies.length - DIAGRAMS_MAX), problem };
}

function chosen({ every, marks, plies }, log, feats) {
  if (plies.trim()) return listed(plies, log.ply);
  if (marks.length > 0) {
    const noted = log.moves.filter(({ comment, glyphs = [] }) => (
      (marks.includes('comment') && comment) || (marks.includes('mistake') && glyphs.some((glyph) => ['?', '??', '?!'].includes(glyph)))));
    const found = [...feats.filter(({ kind }) => marks.includes(kind)), ...noted].map(({ ply }) => ply);
    return { plies: sorted(found), problem: found.length > 0 ? '' : words.noMarks };
  }
  const step = every || usualStep(log.ply);
  const steps = Array.from({ length: Math.floor(log.ply / step) + 1 }, (_, index) => index * step);
  return { plies: sorted([...steps, log.ply]), problem: '' };
}

/**
 * The positions to request: those of the plies, and those before them, which sentences need.
 * @param {number[]} plies ascending
 * @returns {[number, number][]} both ends included
 */
export function runs(plies) {
  /** @type {[number, number][]} */ const found = [];
  for (const ply of plies) {
    const [from, last] = [Math.max(0, ply - 1), found.at(-1)];
    if (last && from - last[1] <= GAP && ply - last[0] < RUN_MAX) last[1] = ply;
    else found.push([from, ply]);
  }
  return found;
}

/**
 * The actions between two diagrams, as notation: `5. b1-b2`, with the seat's number where seats do not alternate.
 * @param {{ply: number, by: string, action: string}[]} moves of the mainline
 * @param {number} after the ply of the diagram before
 * @param {number} ply of this diagram
 * @param {import('./format.js').Seat[]} seats
 */
export function between(moves, after, ply, seats) {
  return moves.slice(after, ply).map(({ ply: number, by, action }) => {
    const who = seats.length > 2 || !seatOf(by) ? `${seatOf(by) || actorName(by, seats)}: ` : '';
    return `${number}. ${who}${shortened(action, NOTATION_LENGTH)}`;
  });
}

function sorted(plies) {
  return [...new Set(plies)].sort((one, other) => one - other);
}
