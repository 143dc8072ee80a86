// Results by seat, as shares and in words. No DOM here.

import { common } from '../words/common.js';
import { number } from '../words/locale.js';
import { statistics as words } from '../words/statistics.js';

/**
 * @typedef {{wins: number[], draws: number, other: number}} Results
 * @typedef {{seat: number, name: string, count: number, share: number, kind: 'win' | 'draw' | 'other'}} Part
 */

/**
 * The parts of the results. Shares refer to the games with a result, so those without have none.
 * @param {Results} results
 * @param {number} games how many these are the results of; several seats may have won one
 * @param {number} [seats] that every game has; of other seats, only those that won are listed
 * @returns {Part[]}
 */
export function parts({ wins, draws, other }, games, seats = wins.length) {
  const told = games - other;
  const share = (count) => (told > 0 ? count / told : 0);
  const last = Math.max(seats, wins.findLastIndex((count) => count > 0) + 1);
  return [
    ...wins.slice(0, last).map((count, index) => ({ seat: index + 1, name: common.seatNumber(index + 1), count, share: share(count), kind: /** @type {const} */ ('win') })),
    ...(draws ? [{ seat: 0, name: common.draw, count: draws, share: share(draws), kind: /** @type {const} */ ('draw') }] : []),
    ...(other ? [{ seat: 0, name: words.noResult, count: other, share: 0, kind: /** @type {const} */ ('other') }] : []),
  ];
}

/**
 * Whether games were won by several seats at once, as far as the number of games tells.
 * @param {Results} results
 * @param {number} games
 */
export function isShared({ wins, draws, other }, games) {
  return sum(wins) + draws + other > games;
}

/**
 * The results in a sentence without a full stop, for screen readers and titles.
 * @param {Results} results
 */
export function resultWords({ wins, draws, other }) {
  const won = wins.flatMap((count, index) => (count ? [words.seatWon(index + 1, count)] : []));
  const rest = [draws && words.drawn(draws), other && words.withoutResult(other)];
  return [...won, ...rest.filter(Boolean)].join(', ') || words.noResults;
}

/**
 * The opponents of a player, most frequent first, each with the kind played most.
 * @param {{kind: string, seats: {name: string, player: {id: string} | null}[]}[]} games
 * @param {string} id the player's
 * @returns {{id: string, name: string, games: number, kind: string}[]}
 */
export function opponents(games, id) {
  /** @type {Map<string, {name: string, kinds: Map<string, number>, games: number}>} */ const met = new Map();
  for (const { kind, seats } of games) {
    for (const { name, player } of seats) {
      if (!player || player.id === id) continue;
      const other = met.get(player.id) ?? { name, kinds: new Map(), games: 0 };
      other.games += 1;
      other.kinds.set(kind, (other.kinds.get(kind) ?? 0) + 1);
      met.set(player.id, other);
    }
  }
  const most = (kinds) => [...kinds].reduce((one, next) => (next[1] > one[1] ? next : one))[0];
  return [...met].map(([key, { name, kinds, games: count }]) => ({ id: key, name, games: count, kind: most(kinds) })).sort((a, b) => b.games - a.games);
}

/** @param {number} share 0 to 1 @returns {string} */
export function percent(share) {
  const value = share * 100;
  return `${number(value, value < 9.95 ? 1 : 0)} %`;
}

function sum(counts) {
  return counts.reduce((all, count) => all + count, 0);
}
