// Contributions to the service's dice: see docs/fair-dice.md.

import { ApiError } from './api.js';
import { randomHex } from './random-key.js';
import { requestSigned } from './signing.js';

const ADD_ENTROPY = 'mutation AddEntropy($game: ID!, $seat: Int!, $entropy: Hash!, $signature: Signature) { addEntropy(game: $game, seat: $seat, entropy: $entropy, signature: $signature) { id } }';

/**
 * Contributes 32 random bytes of this browser to the dice of a game, for each of these seats. If the service
 * refuses, because something was rolled meanwhile for instance, or this device has no key where everything is signed, the
 * game goes on without.
 * @param {string} game
 * @param {number[]} seats
 * @param {string} [as] the token to use instead of the reader's
 */
export async function contribute(game, seats, as) {
  for (const seat of seats) {
    const entropy = randomHex(32);
    try {
      await requestSigned(ADD_ENTROPY, { game, seat, entropy }, game, () => ({ type: 'entropy_added', by: `seat:${seat}`, body: { entropy } }), as);
    } catch (why) {
      if (!(why instanceof ApiError)) throw why;
    }
  }
}
