// What a log commits to before it is opened, as in FORMAT.md.

import { concat, fromHex, sha256 } from './sha256.js';

const encoder = new TextEncoder();
const SEAL_DOMAIN = encoder.encode('plybook/seal/v1\0');

/**
 * The commitment to a content.
 * @param {string} game id of the log
 * @param {string} by who seals it, such as `seat:1`
 * @param {{salt: string, content: string}} opening salt: 32 bytes in hex
 * @returns {Promise<string>} 64 hex digits
 */
export function commitmentTo(game, by, { salt, content }) {
  const who = concat([encoder.encode(by), Uint8Array.of(0)]);
  return sha256(SEAL_DOMAIN, fromHex(game), who, fromHex(salt), encoder.encode(content));
}
