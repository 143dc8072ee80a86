// What a person signs, as bytes, and what is committed to where it is secret (FORMAT.md, *Signatures* and *Commitments*).

import { concat, fromHex, sha256 } from './sha256.js';

const encoder = new TextEncoder();
const SIGNATURE_DOMAIN = encoder.encode('plybook/signature/v1\0');
const SEAL_DOMAIN = encoder.encode('plybook/seal/v1\0');

/**
 * What a person signs: an event without what the service adds.
 * @typedef {{body: any, by: string, game: string, prev: string, seq: number, type: string}} Statement
 */

/**
 * The bytes that are signed.
 * @param {Statement} statement
 * @returns {Uint8Array}
 */
export function bytesOf(statement) {
  return concat([SIGNATURE_DOMAIN, encoder.encode(canonical(statement))]);
}

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

/** JSON with the members in the order of their names, and no spaces. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}
