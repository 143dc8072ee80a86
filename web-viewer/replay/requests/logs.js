// Requests for one log, a game's or a line's, by itself. No DOM here.

import { replay as words } from '../../words/replay.js';
import { ApiError, request } from '../../base/api.js';
import { GAME, MOVES, POSITIONS } from '../../model/queries.js';
import { scenesOf } from '../../model/scene.js';

const MOVES_PAGE = 500;

/**
 * A game, or a line as a game of its own, with all its moves.
 * @param {string} id
 * @param {string} viewer see `viewerOf` in model/url.js
 * @param {{moves: any[], cursor: string | null}} [known] the log as it was loaded before, if its moves still stand
 * @returns {Promise<any>} as in `GAME`, with `moves`, and the `cursor` behind them
 * @throws {ApiError} `NOT_FOUND` if there is none
 */
export async function loadLog(id, viewer, known = { moves: [], cursor: null }) {
  const { game } = await request(GAME, { id });
  if (!game) throw new ApiError(words.noSuchGame, 'NOT_FOUND');
  const moves = [...known.moves];
  let { cursor: after } = known;
  for (let more = true; more;) {
    const { nodes, pageInfo } = (await request(MOVES, { id, first: MOVES_PAGE, after, viewer: viewer || null })).game.moves;
    moves.push(...nodes);
    more = pageInfo.hasNextPage;
    after = pageInfo.endCursor ?? after;
  }
  return { ...game, moves, cursor: after };
}

/**
 * Positions with their scenes.
 * @param {string} id
 * @param {number} from
 * @param {number} to included
 * @param {string} viewer
 * @returns {Promise<import('./positions.js').Position[]>}
 */
export async function loadPositions(id, from, to, viewer) {
  const { positions, scenes } = (await request(POSITIONS, { id, from, to, viewer: viewer || null })).game;
  const drawn = scenesOf(scenes);
  return positions.map((position, index) => ({ ...position, scene: drawn[index] }));
}
