// Contributions to the service's dice: see docs/fair-dice.md.

import { ApiError, request } from './api.js';
import { randomHex } from './random-key.js';

const ADD_ENTROPY = 'mutation AddEntropy($game: ID!, $seat: Int!, $entropy: Hash!) { addEntropy(game: $game, seat: $seat, entropy: $entropy) { id } }';

/**
 * Contributes 32 random bytes of this browser to the dice of a game, for each of these seats. If the service
 * refuses, because something was rolled meanwhile for instance, the game goes on without.
 * @param {string} game
 * @param {number[]} seats
 * @param {string} [as] the token to use instead of the reader's
 */
export async function contribute(game, seats, as) {
  for (const seat of seats) {
    try {
      await request(ADD_ENTROPY, { game, seat, entropy: randomHex(32) }, as);
    } catch (why) {
      if (!(why instanceof ApiError)) throw why;
    }
  }
}
