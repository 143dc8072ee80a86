// Two boards side by side, A and B: where their logs part, which plies they show, and what is different.

import { common } from '../words/common.js';
import { replay as words } from '../words/replay.js';
import { comparison, contrast } from './happened.js';
import { shortened } from './spoken.js';
import { actorName, seatName } from './format.js';

/**
 * A log with all its moves. A line is a log too.
 * @typedef {{id: string, kind: string, setup?: any, ply: number, seats: import('./format.js').Seat[],
 *   moves: {ply: number, by: string, action: string}[]}} Log
 * @typedef {{a: number, b: number}} Plies
 * @typedef {{at: number, by: number}} Pace at: what both boards have been stepped to, by A's plies; by: how far B is ahead.
 *   A board whose log has no such ply stays at its end, and goes on with the other one later.
 */

/** How many plies two logs have in common at their start; -1 if their games do not start alike. */
export function shared(a, b) {
  if (a.kind !== b.kind || a.seats.length !== b.seats.length || JSON.stringify(a.setup) !== JSON.stringify(b.setup)) return -1;
  const part = a.moves.findIndex(({ by, action }, index) => by !== b.moves[index]?.by || action !== b.moves[index]?.action);
  return part < 0 ? a.moves.length : part;
}

/** The pace at first: the plies of the address; without them, the first where two logs differ, or the ends of one log. @param {Plies | null} asked */
export function firstPace(a, b, asked) {
  if (asked) return { at: Math.min(asked.a, a.ply), by: Math.min(asked.b, b.ply) - Math.min(asked.a, a.ply) };
  return a.id === b.id ? { at: 0, by: a.ply } : { at: partOf(a, b), by: 0 };
}

/** The first ply at which two logs differ, as far as there is one. */
export function partOf(a, b) {
  return Math.min(shared(a, b) + 1, Math.max(a.ply, b.ply));
}

/** What each board shows. @returns {Plies} */
export function pliesAt(a, b, { at, by }) {
  const within = (ply, { ply: last }) => Math.max(0, Math.min(ply, last));
  return { a: within(at, a), b: within(at + by, b) };
}

/** The first and the last step that changes something. */
export function reach(a, b, { by }) {
  return { first: Math.min(0, -by), last: Math.max(a.ply, b.ply - by) };
}

/** The pace after both boards have stepped. */
export function stepped(a, b, pace, at) {
  const { first, last } = reach(a, b, pace);
  return { ...pace, at: Math.max(first, Math.min(at, last)) };
}

/** The pace after one board has stepped by itself. @param {'a'|'b'} board */
export function steppedAlone(a, b, pace, board, by) {
  const plies = pliesAt(a, b, pace);
  const moved = { ...plies, [board]: Math.max(0, Math.min(plies[board] + by, (board === 'a' ? a : b).ply)) };
  return { at: moved.a, by: moved.b - moved.a };
}

/**
 * The pace after logs have grown, or were taken back: a board at the end of its log stays there, and the other one keeps its distance,
 * unless both show the same log.
 * @param {{a: Log, b: Log}} old
 * @param {{a: Log, b: Log}} logs
 */
export function followed(old, logs, pace) {
  const at = { a: pace.at, b: pace.at + pace.by };
  const grown = (board) => (at[board] === old[board].ply ? logs[board].ply - old[board].ply : 0);
  const [a, b] = [grown('a'), grown('b')];
  if (logs.a.id === logs.b.id) return { at: at.a + a, by: at.b + b - at.a - a };
  return { ...pace, at: pace.at + (a || b) };
}

/** How two logs belong together, as a sentence. */
export function partWords(a, b, plies) {
  if (a.id === b.id) {
    const apart = plies.b - plies.a;
    return apart === 0 ? words.sameTwice : apart > 0 ? words.ahead(apart) : words.behind(-apart);
  }
  if (a.kind !== b.kind) return words.different;
  const part = shared(a, b);
  if (part < 0) return words.otherSetups;
  const next = (log) => {
    const move = log.moves[part];
    return move ? words.plays(actorName(move.by, log.seats), shortened(move.action)) : words.besideEnds;
  };
  if (part === a.moves.length && part === b.moves.length) return words.sameActions;
  return part === 0 ? words.partAtOnce(next(a), next(b)) : words.partLater(part, next(a), next(b));
}

/**
 * What is different between the positions of both boards.
 * @param {{scene: import('./scene.js').Scene} | undefined} one
 * @param {{scene: import('./scene.js').Scene} | undefined} other
 * @returns {{words: string, a: string, b: string}[] | null} null while a position is missing, and for games that cannot be compared
 */
export function differing(a, b, plies, one, other) {
  if (!one || !other || a.kind !== b.kind) return null;
  // Later in the same game: what has become of each thing.
  if (a.id === b.id && plies.a < plies.b) return comparison(one.scene, other.scene, a.seats).map(({ words: told, from, to }) => ({ words: told, a: from, b: to }));
  const nameOf = (seat) => (seatName(a.seats, seat) === seatName(b.seats, seat) ? seatName(a.seats, seat) : common.seatNumber(seat));
  return contrast(one.scene, other.scene, nameOf);
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * The log that somebody names: by its id, or by the address of a replay, where the line counts that it follows.
 * @param {string} text
 * @returns {string} empty if it names none
 */
export function logIn(text) {
  const [path, search = ''] = text.trim().toLowerCase().split('#')[0].split('?');
  return new URLSearchParams(search).get('line')?.match(ID)?.[0] ?? path.match(ID)?.at(-1) ?? '';
}
