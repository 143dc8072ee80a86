// What a player plays from the start, how it fares, and where it differs from what others play.

/**
 * What was played from a position, as `explore` answers it.
 * @typedef {{games: number, results: {wins: number[], draws: number, other: number}, position: {toAct: string[]},
 *   actions: {action: string, positionKey: string, games: number, results: {wins: number[], draws: number, other: number}}[]}} Explored
 *
 * An action from a position: in how many of the player's games, its share of them and of the others' games that came here (null if
 * there are none), and what share of the player's games with it was won, draws by half (null if none is over). `differs`: played
 * much more or much less than by others.
 * @typedef {{action: string, key: string, games: number, share: number, others: number | null, score: number | null,
 *   differs: '' | 'more' | 'less'}} Choice
 */

/** Shares differ by as much as this where somebody leaves what others play. */
const DIFFERS = 0.25;
/** From fewer games of others there is nothing to tell. */
const OTHERS_LEAST = 4;

/**
 * The player's actions from a position, the most frequent first; then those that others play there much more.
 * @param {Explored} own the player's games, from one seat
 * @param {Explored} all all games, the player's included
 * @param {number} seat of the player
 * @returns {Choice[]}
 */
export function choices(own, all, seat) {
  const counted = new Map(own.actions.map((each) => [each.action, each]));
  const sum = ({ actions }) => actions.reduce((total, { games }) => total + games, 0);
  const [ownTotal, othersTotal] = [sum(own), sum(all) - sum(own)];
  const isOwn = own.position.toAct.includes(`seat:${seat}`);
  return all.actions.map(({ action, positionKey: key, games: everybody }) => {
    const known = counted.get(action);
    const games = known?.games ?? 0;
    const share = ownTotal ? games / ownTotal : 0;
    const others = othersTotal > 0 ? Math.max(0, everybody - games) / othersTotal : null;
    const isTold = isOwn && ownTotal > 0 && others !== null && othersTotal >= OTHERS_LEAST;
    /** @type {Choice['differs']} */ const differs = !isTold ? '' : share - others >= DIFFERS ? 'more' : others - share >= DIFFERS ? 'less' : '';
    return { action, key, games, share, others, score: known ? scoreOf(known.results, seat) : null, differs };
  }).filter(({ games, differs }) => games > 0 || differs === 'less').sort((one, other) => other.games - one.games || (other.others ?? 0) - (one.others ?? 0));
}

/** @returns {number | null} 0 to 1; null if no game was decided */
function scoreOf({ wins, draws }, seat) {
  const over = wins.reduce((total, count) => total + count, 0) + draws;
  return over > 0 ? Math.min(1, (wins[seat - 1] + draws / 2) / over) : null;
}

/**
 * The seats that a player had in games of a kind, the most frequent first.
 * @param {{kind: string, seats: {number: number, player: {id: string} | null}[]}[]} games
 * @param {string} kind
 * @param {string} player
 * @returns {number[]}
 */
export function seatsOf(games, kind, player) {
  /** @type {Map<number, number>} */ const found = new Map();
  for (const game of games) {
    if (game.kind !== kind) continue;
    for (const { number, player: sitting } of game.seats) if (sitting?.id === player) found.set(number, (found.get(number) ?? 0) + 1);
  }
  return [...found].sort(([one, a], [other, b]) => b - a || one - other).map(([number]) => number);
}
