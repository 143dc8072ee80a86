// Tournaments in words, and lists in order.

import { LOCALE, day, ltr, number } from '../words/locale.js';
import { states as words } from '../words/tournament-state.js';

export const FORMATS = Object.entries(words.formats);
export const STATUSES = Object.entries(words.statuses);

/**
 * A number of points as usually written: `2½`.
 * @param {number | null | undefined} value
 */
export function points(value) {
  if (value == null) return '';
  const whole = Math.trunc(value);
  if (Math.abs(value - whole) !== 0.5) return number(value);
  return ltr(`${whole ? number(whole) : (value < 0 ? '−' : '')}½`);
}

/** @param {{format: string, formatOptions?: any, roundsPlanned?: number | null}} tournament */
export function formatWords({ format, formatOptions, roundsPlanned }) {
  const { cycles = 1, best_of: bestOf } = { ...formatOptions, ...formatOptions?.knock_out };
  const name = cycles > 1 && format === 'ROUND_ROBIN' ? words.doubleRoundRobin : words.formats[format] ?? format;
  return [name, bestOf > 1 && words.bestOf(bestOf), roundsPlanned && words.rounds(roundsPlanned)].filter(Boolean).join(', ');
}

/** @param {{status: string, currentRound?: {number: number, status: string} | null, roundsPlanned?: number | null}} tournament */
export function statusWords({ status, currentRound, roundsPlanned }) {
  if (status === 'FINISHED') return words.statuses.FINISHED;
  if (!currentRound) return words.statuses.PLANNED;
  const state = roundWords(currentRound.status);
  return roundsPlanned ? words.roundOf(currentRound.number, roundsPlanned, state) : words.round(currentRound.number, state);
}

/** @param {string} status of a round */
export function roundWords(status) {
  return words.roundStates[status] ?? status;
}

/** @param {string} kind of a bye */
export function byeWords(kind) {
  return words.byes[kind] ?? kind;
}

/**
 * The days on which a tournament is played.
 * @param {{startsAt?: string | null, endsAt?: string | null}} tournament
 */
export function datesWords({ startsAt, endsAt }) {
  const [from, to] = [startsAt, endsAt].map((at) => (at ? day(at) : ''));
  return from && to && from !== to ? `${from} – ${to}` : from || to;
}

/**
 * The results that can be entered with one key at a table of two; with more seats, a ranking is entered.
 * @param {number} seats
 * @returns {{ranking: number[][], text: string, key: string}[]}
 */
export function quickResults(seats) {
  if (seats !== 2) return [];
  return [{ ranking: [[1], [2]], text: '1–0', key: '1' }, { ranking: [[1, 2]], text: '½–½', key: '=' }, { ranking: [[2], [1]], text: '0–1', key: '2' }];
}

/**
 * A result in words, such as "Ada won" or "Ada, then Bela and Carl".
 * @param {number[][]} ranking groups of seats, best first
 * @param {(seat: number) => string} name
 */
export function rankingText(ranking, name) {
  const seats = ranking.flat().length;
  if (ranking.length === 1) return words.draw;
  if (seats === 2) return words.won(name(ranking[0][0]));
  return words.ranking(ranking.map((group) => group.map(name).join(' = ')));
}

/**
 * The place of a seat at its table, from 1, possibly shared; 0 while there is none. After a forfeit, those who
 * did not forfeit share first place.
 * @param {number[][] | null | undefined} ranking groups of seats, best first
 * @param {number} seat
 */
export function placeAt(ranking, seat) {
  let place = 1;
  for (const group of ranking ?? []) {
    if (group.includes(seat)) return place;
    place += group.length;
  }
  return 0;
}

/**
 * Whether a seat came first, without everybody sharing first place.
 * @param {{ranking?: number[][] | null, seats: any[]}} table
 * @param {number} seat
 */
export function hasWon({ ranking, seats }, seat) {
  return placeAt(ranking, seat) === 1 && (ranking?.[0].length ?? 0) < seats.length;
}

/**
 * Adds a seat to a ranking that is being entered, in the next place or sharing the last one; a seat already in it is
 * removed again, with all after it.
 * @param {number[][]} ranking
 * @param {number} seat
 * @param {boolean} shared
 */
export function ranked(ranking, seat, shared) {
  const at = ranking.findIndex((group) => group.includes(seat));
  if (at >= 0) return ranking.slice(0, at).concat([ranking[at].filter((other) => other !== seat)]).filter((group) => group.length > 0);
  if (!shared || ranking.length === 0) return [...ranking, [seat]];
  return [...ranking.slice(0, -1), [...ranking.at(-1) ?? [], seat]];
}

/**
 * The result in a cell of a progress table: points, `+` or `−` after a forfeit, `*` while there is none.
 * @param {{result: string, forfeit: boolean, bye?: string | null, points: number | null, opponents: {rank: number}[], table?: number | null}} cell
 */
export function cellText(cell) {
  if (!cell.table && !cell.opponents.length) return words.shortByes[cell.bye ?? 'ZERO'] ?? words.shortByes.PAIRING;
  // A result that is struck out gives no points; it stays to be seen, in brackets.
  if (cell.struck) return `(${cell.forfeit ? { WIN: '+', LOSS: '−' }[cell.result] ?? '–' : { WIN: '1', DRAW: '½', LOSS: '0' }[cell.result] ?? '*'})`;
  if (cell.points == null) return '*';
  return cell.forfeit ? { WIN: '+', LOSS: '−' }[cell.result] ?? '–' : points(cell.points);
}

/**
 * The crosstable: `cells[i][j]` are the points that row i took from row j, one number for each game.
 * @param {{entrant: {number: number}, cells: {opponents: {number: number}[], points: number | null, forfeit: boolean, result: string}[]}[]} rows
 * @returns {string[][][]}
 */
export function square(rows) {
  return rows.map(({ cells }) => rows.map(({ entrant }) => (
    cells.filter(({ opponents }) => opponents.some(({ number }) => number === entrant.number)).map((cell) => cellText(/** @type {any} */ (cell))))));
}

/**
 * Where everybody plays, in the order of names.
 * @param {any} round
 * @returns {{entrant: any, table: any | null, seat: number, others: any[], bye: any | null}[]}
 */
export function byName(round) {
  const seated = round.tables.flatMap((table) => table.seats.map((seat) => (
    { entrant: seat.entrant, table, seat: seat.number, others: table.seats.filter((other) => other !== seat).map(({ entrant }) => entrant), bye: null })));
  const out = round.unpaired.map((bye) => ({ entrant: bye.entrant, table: null, seat: 0, others: [], bye }));
  return [...seated, ...out].sort((one, other) => one.entrant.name.localeCompare(other.entrant.name, LOCALE));
}

/**
 * Rows cut into pages.
 * @template T
 * @param {T[]} rows
 * @param {number} size at least 1
 * @returns {T[][]}
 */
export function paged(rows, size) {
  const pages = [];
  for (let from = 0; from < rows.length; from += Math.max(1, size)) pages.push(rows.slice(from, from + Math.max(1, size)));
  return pages;
}

/**
 * The round that a page shows: the one asked for, or the last paired one.
 * @param {{number: number, status: string}[]} rounds
 * @param {number} asked 0 for none
 * @returns {number} 0 before the first pairing
 */
export function roundShown(rounds, asked) {
  if (rounds.some(({ number }) => number === asked)) return asked;
  return rounds.filter(({ status }) => status !== 'UNPAIRED').at(-1)?.number ?? 0;
}
