// Results by seat: shares, words. No DOM here.

/**
 * @typedef {{wins: number[], draws: number, other: number}} Results
 * @typedef {{seat: number, name: string, count: number, share: number, kind: 'win' | 'draw' | 'other'}} Part
 */

/**
 * What the results consist of. Shares are of the games with a result; of those without, of all.
 * @param {Results} results
 * @param {number} games how many these are the results of; several seats may have won one
 * @param {number} [seats] that every game has; of others only those are told of that won
 * @returns {Part[]}
 */
export function parts({ wins, draws, other }, games, seats = wins.length) {
  const share = (count, of) => (of > 0 ? count / of : 0);
  const told = games - other;
  return [
    ...wins.slice(0, Math.max(seats, wins.findLastIndex((count) => count > 0) + 1)).map((count, index) => ({ seat: index + 1, name: `Seat ${index + 1}`, count, share: share(count, told), kind: /** @type {const} */ ('win') })),
    ...(draws ? [{ seat: 0, name: 'Draw', count: draws, share: share(draws, told), kind: /** @type {const} */ ('draw') }] : []),
    ...(other ? [{ seat: 0, name: 'No result', count: other, share: share(other, games), kind: /** @type {const} */ ('other') }] : []),
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
 * The results in a sentence without an end, for screen readers and titles.
 * @param {Results} results
 */
export function resultWords({ wins, draws, other }) {
  const won = wins.flatMap((count, index) => (count ? [`seat ${index + 1} won ${count.toLocaleString()}`] : []));
  const rest = [draws && `${draws.toLocaleString()} drawn`, other && `${other.toLocaleString()} without a result`];
  return [...won, ...rest.filter(Boolean)].join(', ') || 'no results';
}

/** @param {number} share 0 to 1 @returns {string} */
export function percent(share) {
  const value = share * 100;
  return `${value > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} %`;
}

function sum(counts) {
  return counts.reduce((all, count) => all + count, 0);
}
