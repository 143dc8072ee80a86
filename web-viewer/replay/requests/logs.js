// Requests for one log, a game's or a line's, by itself. No DOM here.

import { ApiError, request } from '../../base/api.js';
import { featsIn } from '../../model/happened.js';
import { GAME, MOVES, POSITIONS, STANDING } from '../../model/queries.js';
import { scenesOf } from '../../model/scene.js';

const MOVES_PAGE = 500;
const STANDING_PAGE = 100;

/**
 * A game, or a line as a game of its own, with all its moves.
 * @param {string} id
 * @param {string} viewer see `viewerOf` in model/url.js
 * @returns {Promise<any>} as in `GAME`, with `moves`
 * @throws {ApiError} `NOT_FOUND` if there is none
 */
export async function loadLog(id, viewer) {
  const { game } = await request(GAME, { id });
  if (!game) throw new ApiError('there is no such game', 'NOT_FOUND');
  const moves = [];
  for (let after = null, more = true; more;) {
    const { nodes, pageInfo } = (await request(MOVES, { id, first: MOVES_PAGE, after, viewer: viewer || null })).game.moves;
    moves.push(...nodes);
    more = pageInfo.hasNextPage;
    after = pageInfo.endCursor;
  }
  return { ...game, moves };
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

/**
 * Captures and rolls of a whole log.
 * @param {any} log as `loadLog` gives it
 * @param {string} viewer
 * @returns {Promise<import('../../model/happened.js').Feat[]>}
 */
export async function loadFeats({ id, moves, ply, seats }, viewer) {
  const found = [];
  /** @type {any} */ let before = null;
  for (let from = 0; from <= ply; from += STANDING_PAGE) {
    const to = Math.min(from + STANDING_PAGE - 1, ply);
    const { scenes } = (await request(STANDING, { id, from, to, viewer: viewer || null })).game;
    const { feats, last } = featsIn(from, scenes, before, moves, seats);
    found.push(...feats);
    before = last;
  }
  return found;
}
