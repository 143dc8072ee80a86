// Tournaments in words, and lists in order.

import { common } from '../words/common.js';
import { LOCALE, day, ltr, moment, number } from '../words/locale.js';
import { tournament as words } from '../words/tournament.js';
import { known } from './time-zone.js';

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

/** A tie-break as the service writes it, with the decimal point of the language. @param {string} text */
export function tieBreakText(text) {
  return text.replace('.', number(0.5).charAt(1));
}

/** @param {{format: string, formatOptions?: any, roundsPlanned?: number | null}} tournament */
export function formatWords({ format, formatOptions, roundsPlanned }) {
  const { cycles = 1, best_of: bestOf } = { ...formatOptions, ...formatOptions?.knock_out };
  const name = cycles > 1 && format === 'ROUND_ROBIN' ? words.doubleRoundRobin : words.formats[format] ?? format;
  return [name, bestOf > 1 && words.stateBestOf(bestOf), roundsPlanned && words.reportRounds(roundsPlanned)].filter(Boolean).join(', ');
}

/** @param {any} scoring with its points in tenths */
export function scoringWords(scoring) {
  const given = (tenths) => points(tenths / 10);
  if (scoring.by === 'place') return words.byPlace(scoring.points.map(given).join(', '));
  if (scoring.by === 'beaten') return scoring.full ? words.byBeatenOf(number(scoring.full)) : words.byBeaten;
  return words.byResult(given(scoring.win), given(scoring.draw), given(scoring.loss));
}

/** @param {{status: string, currentRound?: {number: number, status: string} | null, roundsPlanned?: number | null}} tournament */
export function statusWords({ status, currentRound, roundsPlanned }) {
  if (status === 'FINISHED') return words.statuses.FINISHED;
  if (!currentRound) return words.statuses.PLANNED;
  const state = roundWords(currentRound.status);
  return roundsPlanned ? words.roundOf(currentRound.number, roundsPlanned, state) : words.stateRound(currentRound.number, state);
}

/** @param {string} status of a round */
export function roundWords(status) {
  return words.roundStates[status] ?? status;
}

/** @param {string} kind of a bye */
export function byeWords(kind) {
  return words.stateByes[kind] ?? kind;
}

/**
 * Why an entrant does not play in a round. Formats that draw all opponents leave somebody over without an absence.
 * @param {{kind: string, entrant: any}} bye
 * @param {number} round
 * @param {string} format
 */
export function byeName({ kind, entrant }, round, format) {
  const isAway = entrant.status === 'WITHDRAWN' || (entrant.absences ?? []).some((absence) => absence.round === round);
  return kind === 'ZERO' && !isAway && words.leftOver[format] ? words.leftOver[format] : byeWords(kind);
}

/** The kinds of byes that somebody can ask for; where everybody meets everybody, none gives points. @param {string} format */
export function byeKinds(format) {
  return ['SWISS', 'FREE'].includes(format) ? ['HALF', 'ZERO', 'FULL'] : ['ZERO'];
}

/**
 * The next round to be paired.
 * @param {{rounds: {number: number, status: string}[]}} tournament
 */
export function nextRound({ rounds }) {
  return Math.max(0, ...rounds.filter(({ status }) => status !== 'UNPAIRED').map(({ number }) => number)) + 1;
}

/** How many rounds ahead byes are announced, if the number of rounds is unknown. */
const AHEAD = 5;

/**
 * The rounds for which byes can be announced.
 * @param {{rounds: {number: number, status: string}[], roundsPlanned?: number | null}} tournament
 */
export function roundsAhead(tournament) {
  const next = nextRound(tournament);
  const last = tournament.roundsPlanned ?? next + AHEAD - 1;
  return Array.from({ length: Math.max(0, last - next + 1) }, (_, index) => next + index);
}

/**
 * How many play at least at a table.
 * @param {{format: string, formatOptions?: any, ruleSet?: {minSeats: number} | null, seats: number}} tournament
 */
export function leastSeats({ format, formatOptions, ruleSet, seats }) {
  const least = formatOptions?.smallest ?? Math.max(ruleSet?.minSeats ?? 2, format === 'FREE' ? 2 : 3);
  return Math.min(seats, least);
}

/**
 * How many rounds of a Swiss tournament everybody can play against somebody new, if more are planned; 0 if there are enough opponents.
 * @param {{format: string, seats: number, roundsPlanned?: number | null, entrantsCount: number}} tournament
 */
export function roundsPossible({ format, seats, roundsPlanned, entrantsCount }) {
  const most = entrantsCount % 2 ? entrantsCount : entrantsCount - 1;
  return format === 'SWISS' && seats === 2 && entrantsCount >= 2 && (roundsPlanned ?? 0) > most ? most : 0;
}

/**
 * Points as they are typed: `1½`, `1,5` or `1.5`; null if they are none.
 * @param {string} text
 */
export function pointsTyped(text) {
  const plain = text.trim().replace('½', '.5').replace(',', '.');
  return /^(\d+(\.\d)?|\.\d)$/.test(plain) ? Number(plain) : null;
}

/**
 * Groups of entrants of the same club, who are not to meet.
 * @param {{number: number, club?: string | null, status?: string}[]} entrants
 * @returns {number[][]}
 */
export function clubGroups(entrants) {
  const there = entrants.filter(({ club, status }) => club && status !== 'REMOVED');
  const groups = [...new Set(there.map(({ club }) => club))].map((club) => there.filter((each) => each.club === club).map(({ number }) => number));
  return groups.filter((group) => group.length > 1).map((group) => group.sort((one, other) => one - other));
}

/**
 * The round that starts next, as far as times are known.
 * @param {{rounds: {number: number, status: string}[], roundsAt?: string[], status?: string}} tournament
 * @param {number} now in milliseconds
 * @returns {{round: number, at: string} | null}
 */
export function nextStart({ rounds, roundsAt = [], status }, now) {
  const isOpened = (number) => rounds.some((round) => round.number === number && ['OPEN', 'CLOSED'].includes(round.status));
  const index = status === 'FINISHED' ? -1 : roundsAt.findIndex((at, each) => Date.parse(at) > now && !isOpened(each + 1));
  return index < 0 ? null : { round: index + 1, at: roundsAt[index] };
}

/** Letters that are no others with accents, as people type them. */
const SPELLED = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' };

/**
 * Where those play whose names contain a text, whatever the accents and case; umlauts may be spelled out.
 * @param {any} round
 * @param {string} text
 */
export function foundIn(round, text) {
  const plain = (name) => name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replace(/[ßæœøłđðþı]/g, (letter) => SPELLED[letter]);
  const spellings = (name) => [plain(name), plain(name.toLowerCase().normalize('NFC').replace(/[äöü]/g, (letter) => `${plain(letter)}e`))];
  const parts = plain(text).split(/[\s,]+/).filter(Boolean);
  return parts.length === 0 ? [] : byName(round).filter(({ entrant }) => spellings(entrant.name).some((name) => parts.every((part) => name.includes(part))));
}

/**
 * A time as the clocks of a tournament show it, and as the reader's do if they differ.
 * @param {(at: string, zone?: string) => string} form such as `moment`
 * @param {string} at
 * @param {{timeZone?: string | null}} tournament
 */
export function timeWords(form, at, { timeZone }) {
  const [there, here] = [form(at, known(timeZone)), form(at)];
  return there === here ? there : words.inZones(there, here);
}

/**
 * The days on which a tournament is played, and when it begins.
 * @param {{startsAt?: string | null, endsAt?: string | null, timeZone?: string | null}} tournament
 */
export function datesWords({ startsAt, endsAt, timeZone }) {
  const [from, to] = [startsAt, endsAt].map((at) => (at ? day(at, known(timeZone)) : ''));
  const begin = startsAt ? timeWords(moment, startsAt, { timeZone }) : '';
  return from && to && from !== to ? `${begin} – ${to}` : begin || to;
}

/**
 * Blocks of rows laid out in columns of at most `rows`, none of them torn; a block that is longer has a column of its own.
 * @template T
 * @param {T[][]} blocks
 * @param {number} rows
 * @returns {T[][]}
 */
export function packed(blocks, rows) {
  const columns = [];
  for (const block of blocks) {
    const last = columns.at(-1);
    if (last && last.length + block.length <= rows) last.push(...block);
    else columns.push([...block]);
  }
  return columns;
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
 * Adds a team, in most games a single seat, to a ranking that is being entered, in the next place or sharing the last one; a
 * team already in it is removed again, with all after it.
 * @param {number[][]} ranking
 * @param {number[]} team
 * @param {boolean} shared
 */
export function ranked(ranking, team, shared) {
  const at = ranking.findIndex((group) => group.includes(team[0]));
  if (at >= 0) return ranking.slice(0, at).concat([ranking[at].filter((other) => !team.includes(other))]).filter((group) => group.length > 0);
  if (!shared || ranking.length === 0) return [...ranking, team];
  return [...ranking.slice(0, -1), [...ranking.at(-1) ?? [], ...team]];
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
    { entrant: seat.entrant, table, seat: seat.number, ...beside(table, seat), bye: null })));
  const out = round.unpaired.map((bye) => ({ entrant: bye.entrant, table: null, seat: 0, others: [], partners: [], bye }));
  return [...seated, ...out].sort((one, other) => one.entrant.name.localeCompare(other.entrant.name, LOCALE));
}

/** The others at a table: opponents, and those who win and lose with a seat. */
function beside({ seats }, { number, partners = [] }) {
  const of = (test) => seats.filter((other) => other.number !== number && test(partners.includes(other.number))).map(({ entrant }) => entrant);
  return { others: of((isPartner) => !isPartner), partners: of((isPartner) => isPartner) };
}

/**
 * Whom somebody meets, and with whom: "Bela, Dora (with Carl)".
 * @param {{others: {name: string}[], partners: {name: string}[]}} row
 */
export function against({ others, partners }) {
  const names = others.map(({ name }) => name).join(', ');
  return partners.length > 0 ? `${names} (${common.with(partners.map(({ name }) => name))})` : names;
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
