// Formats data as text.

import { common } from '../words/common.js';
import { LOCALE, listed, number as numberOf } from '../words/locale.js';
import { english } from './english.js';
import { term } from './terms.js';

const TENTHS = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/**
 * @typedef {{number: number, name: string, result?: string}} Seat
 * @typedef {{winners: number[], ranking?: number[][], reason: string, decidedBy?: string}} Outcome
 */

/** The name of a seat's player, or the seat's number. */
export function seatName(seats, number) {
  return seats.find((seat) => seat.number === number)?.name || common.seatNumber(number);
}

/**
 * The names of a seat's partners, who win and lose with it.
 * @param {{seats: Seat[], teams?: number[][] | null}} game
 * @param {number} number
 */
export function partnerNames({ seats, teams }, number) {
  const team = teams?.find((each) => each.includes(number)) ?? [];
  return team.filter((seat) => seat !== number).map((seat) => seatName(seats, seat));
}

/** Of a game with more seats, the first are in the names of its files. */
const FILE_SEATS = 3;

/**
 * The name of a file of a game, without its ending: who played what, and when.
 * @param {{kind: string, createdAt: string, seats: Seat[]}} game
 */
export function fileName({ kind, createdAt, seats }) {
  const names = seats.slice(0, FILE_SEATS).map(({ number }) => seatName(seats, number));
  return [...names, kind, createdAt.slice(0, 10)].map((part) => part.replace(/[^\p{L}\p{N}]+/gu, '-')).join('-');
}

/**
 * The actor of an event or a move, for people.
 * @param {string} by `seat:N`, `chance`, `arbiter`, `service`
 * @param {Seat[]} seats
 */
export function actorName(by, seats) {
  const seat = seatOf(by);
  if (seat) return seatName(seats, seat);
  return own(common.actors, by) ?? capital(by);
}

/**
 * The seat's number in `seat:N`, or 0.
 * @param {string} by
 */
export function seatOf(by) {
  return Number(/^seat:(\d+)$/.exec(by)?.[1] ?? 0);
}

/**
 * How a game ended, or that it is still in play; see `marked` in base/dom.js.
 * @param {{status: string, outcome?: Outcome | null, seats: Seat[]}} game
 */
export function outcomeWords({ status, outcome, seats }) {
  if (status === 'VOID') return common.isVoid;
  if (!outcome) return status === 'RUNNING' ? common.inPlay : common.ended;
  const said = reasonWords(outcome.reason);
  const reason = said === spaced(outcome.reason) ? english(said) : said;
  if (outcome.winners.length === 0) return outcome.details?.forfeit ? common.lostByAll(reason) : common.drawn(reason);
  return common.won(outcome.winners.map((seat) => seatName(seats, seat)), reason);
}

/**
 * A ranking as lines, best first; empty if the outcome has none, or none that adds to its winners.
 * @param {Outcome | null | undefined} outcome
 * @param {Seat[]} seats
 * @returns {string[]}
 */
export function rankingWords(outcome, seats) {
  if (!outcome?.ranking || outcome.ranking.length < 2 || seats.length < 3) return [];
  let rank = 1;
  return outcome.ranking.map((group) => {
    const line = `${rank}. ${listed(group.map((seat) => seatName(seats, seat)))}`;
    rank += group.length;
    return line;
  });
}

/** @param {string} reason a slug such as `three-on-a-square` */
export function reasonWords(reason) {
  return own(common.reasons, reason) ?? term(spaced(reason));
}

/** @param {string} name of something counted, such as `longestSlide` */
export function nameWords(name) {
  return capital(nameInText(name));
}

/** The same within a sentence. @param {string} name */
export function nameInText(name) {
  return term(spaced(name).replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase());
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function spaced(slug) {
  return slug.replaceAll(/[-_]/g, ' ');
}

/** An entry of a table by a name that comes from elsewhere; undefined if there is none. */
function own(table, name) {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Who is to act, in words; empty if nobody is. */
export function toActWords(toAct, seats) {
  if (toAct.length === 0) return '';
  return common.toAct(toAct.map((by) => actorName(by, seats)));
}

/** @param {number} ms a span of time */
export function duration(ms) {
  const seconds = Math.round(ms / 1000);
  if (ms < 10_000) return common.seconds(TENTHS.format(ms / 1000));
  if (seconds < 60) return common.seconds(numberOf(seconds));
  if (seconds < 3600) return common.minutesAnd(Math.floor(seconds / 60), seconds % 60);
  return common.hoursAnd(Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60));
}

/**
 * What a clock shows: `1:23:45`, or `9:05` below an hour.
 * @param {number} ms
 */
export function clockText(ms) {
  const [seconds, minutes, hours] = [1000, 60_000, 3_600_000].map((unit) => Math.floor(ms / unit));
  const two = (number) => String(number % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** No clock shows more, in hours. */
const HOURS_MAX = 99;

/**
 * The time that a clock shows, in milliseconds; `null` if the text is no time.
 * @param {string} text as in `clockText`
 * @returns {number | null}
 */
export function clockMs(text) {
  const [, hours = '0', minutes, seconds] = /^(?:(\d{1,2}):(?=\d\d:))?(\d{1,2}):(\d\d)$/.exec(text.trim()) ?? [];
  if (minutes === undefined || Number(minutes) > 59 && Number(hours) > 0 || Number(seconds) > 59 || Number(hours) > HOURS_MAX) return null;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

/** @param {number} ms a span of time, rounded as in speech */
export function brief(ms) {
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
  if (ms < 10_000) return common.seconds(numberOf(ms / 1000, 1));
  if (ms < minute) return common.seconds(numberOf(Math.round(ms / 1000)));
  if (ms < 10 * minute) return spoken(Math.round(ms / 1000), common.minutes, common.minutesAnd);
  if (ms < hour) return common.minutes(Math.round(ms / minute));
  if (ms < 2 * day) return spoken(Math.round(ms / minute), common.hours, common.hoursAnd);
  return common.days(Number((ms / day).toPrecision(2)));
}

/**
 * A range of two amounts with the unit given once: `20 – 29 min`.
 * @param {string} from @param {string} to
 */
export function between(from, to) {
  const unit = / \D+$/.exec(to)?.[0];
  return `${unit && from.endsWith(unit) && [from, to].every((text) => text.split(' ').length === 2) ? from.slice(0, -unit.length) : from} – ${to}`;
}

/** So many sixtieths, with the rest if there is one. */
function spoken(count, whole, withRest) {
  const rest = count % 60;
  return rest ? withRest(Math.floor(count / 60), rest) : whole(Math.floor(count / 60));
}
