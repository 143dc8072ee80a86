// Mutations of a game that are signed if they have to be.

import { request } from './api.js';
import { sign } from './device-key.js';

const SIGNING = `query Signing($id: ID!) {
  me { role player { id keys { key until } } }
  game(id: $id) { id status signatures signingPlace { seq prev } seats { number player { id keys { key until } } } position(viewer: "public") { toAct closable } }
}`;

/** How often something is signed again, if somebody else was faster. */
const TRIES_MAX = 3;

/**
 * Sends a mutation that has the variable `$signature`, signed where everything is, or if this device's key is that of
 * the person who does it. If somebody else was faster, it is signed again.
 * @param {string} mutation
 * @param {Record<string, any>} variables
 * @param {string} id of the game
 * @param {(game: any) => import('../model/signing.js').Deed} deedIn what is recorded in the game as it stands
 * @param {string} [as] the token to use instead of the reader's
 * @returns {Promise<any>} the answer
 * @throws {import('./api.js').ApiError} `NO_KEY`: everything in this game is signed, and this device has no key
 */
export async function requestSigned(mutation, variables, id, deedIn, as) {
  for (let tries = 1, last = -1; ; tries++) {
    const { game, me } = await request(SIGNING, { id }, as);
    const signed = await sign(deedIn(game), game, me);
    try {
      return await request(mutation, { ...variables, signature: signed?.signature ?? null }, as);
    } catch (why) {
      const isOvertaken = signed && why.code === 'BAD_SIGNATURE' && game.signingPlace.seq > last;
      if (!isOvertaken || tries === TRIES_MAX) throw why;
      last = game.signingPlace.seq;
    }
  }
}
