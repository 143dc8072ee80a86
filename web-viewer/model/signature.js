// Signatures of events: what a person signs, and whether a key has signed it. WebCrypto does the arithmetic, where the
// browser has Ed25519.

import { canonical } from './canonical.js';
import { concat, fromHex, toHex } from './sha256.js';

const encoder = new TextEncoder();
const DOMAIN = encoder.encode('plybook/signature/v1\0');
const PRIME = 2n ** 255n - 19n;
/** The y of the points of small order: whoever likes can sign with such a key. */
const SMALL = [0n, 1n, PRIME - 1n, 0x5fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n];

/**
 * What a person signs: an event without what the service adds.
 * @typedef {{body: any, by: string, game: string, prev: string, seq: number, type: string}} Statement
 */

/**
 * What whoever signs an event signs.
 * @param {{body: any, by: string, game: string, type: string}} event
 * @param {{seq: number, prev: string}} place that of the event, or of the first of the `revealed` directly before it
 * @returns {Statement}
 */
export function statementOf({ body, by, game, type }, { seq, prev }) {
  const { seed, ...signed } = body;
  return { body: signed, by, game, prev, seq, type };
}

/**
 * The bytes that are signed.
 * @param {Statement} statement
 * @returns {Uint8Array}
 */
export function bytesOf(statement) {
  return concat([DOMAIN, encoder.encode(canonical(statement, -1))]);
}

/**
 * Whether a statement is signed as a signature says; undefined where that cannot be found out.
 * @param {Statement} statement
 * @param {string} signature key and signature in hex, a colon between them
 * @returns {Promise<boolean | undefined>}
 */
export async function isSigned(statement, signature) {
  const [key, bytes] = signature.split(':').map(fromHex);
  if (![key, bytes.subarray(0, 32)].every(isFullPoint)) return false;
  const subtle = globalThis.crypto?.subtle;
  try {
    const known = await subtle?.importKey('raw', key, 'Ed25519', false, ['verify']);
    return known && await subtle.verify('Ed25519', known, bytes, bytesOf(statement));
  } catch (why) {
    // A key that is no point of the curve is refused here or when it verifies; NotSupportedError is about the browser.
    return why instanceof DOMException && why.name === 'NotSupportedError' ? undefined : false;
  }
}

/** Whether 32 bytes are written as a point is, and not one of small order. */
function isFullPoint(bytes) {
  const y = BigInt(`0x${toHex(bytes.slice().reverse())}`) & (2n ** 255n - 1n);
  return y < PRIME && !SMALL.includes(y);
}
