// Fair dice: once the seed is public, every roll of the service is recomputed, as in events/src/fair.rs. The
// position's prompt says which dice were rolled.

import { concat, fromHex, sha256 } from './sha256.js';

const ROLL_DOMAIN = new TextEncoder().encode('plybook/roll/v1\0');
const BLOCK = 64;

/**
 * @typedef {import('./verify.js').LogEvent} LogEvent
 * @typedef {Record<string, string[]>} Hands dice by seat, as in `{"1": ["d12"], "4": ["d20"]}`
 */

/** The dice of one event: numbers that follow from the seed, the game and the event's seq. */
export class Dice {
  /** @param {string} seed @param {string} game @param {number} seq */
  constructor(seed, game, seq) {
    this.seed = fromHex(seed);
    this.message = concat([ROLL_DOMAIN, fromHex(game), bigEndian(seq, 8)]);
    this.blocks = 0;
    /** @type {number[]} */
    this.words = [];
  }

  /**
   * The next number, uniform in `0..n`.
   * @param {number} n
   * @returns {Promise<number>}
   */
  async below(n) {
    const limit = Math.floor(2 ** 32 / n) * n;
    for (;;) {
      if (this.words.length === 0) await this.refill();
      const word = this.words.shift();
      if (word < limit) return word % n;
    }
  }

  async refill() {
    const block = fromHex(await hmac(this.seed, concat([this.message, bigEndian(this.blocks++, 4)])));
    const view = new DataView(block.buffer);
    for (let at = 0; at < 32; at += 4) this.words.push(view.getUint32(at));
  }
}

/**
 * The seed that a log publishes; null while it is secret, or if there is none.
 * @param {LogEvent[]} events
 * @returns {string | null}
 */
export function publishedSeed(events) {
  return events.find(({ body }) => body.seed?.seed)?.body.seed.seed ?? null;
}

/**
 * The rolls that the service made.
 * @param {LogEvent[]} events
 * @returns {LogEvent[]}
 */
export function fairRolls(events) {
  return events.filter(({ type, body }) => type === 'acted' && body.fair);
}

/**
 * The roll that follows from a seed for an event.
 * @param {string} seed
 * @param {LogEvent} event
 * @param {Hands} hands
 * @returns {Promise<string>} in the notation of rolls: `roll:1=7,3=4+11`
 */
export async function rollOf(seed, event, hands) {
  const dice = new Dice(seed, event.game, event.seq);
  const parts = [];
  for (const seat of Object.keys(hands).sort((a, b) => Number(a) - Number(b))) {
    const faces = [];
    for (const die of hands[seat]) faces.push((await dice.below(Number(die.slice(1)))) + 1);
    parts.push(`${seat}=${faces.join('+')}`);
  }
  return `roll:${parts.join(',')}`;
}

async function hmac(key, message) {
  const padded = new Uint8Array(BLOCK);
  padded.set(key);
  const inner = await sha256(padded.map((byte) => byte ^ 0x36), message);
  return sha256(padded.map((byte) => byte ^ 0x5c), fromHex(inner));
}

function bigEndian(value, bytes) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(value));
  return new Uint8Array(view.buffer).subarray(8 - bytes);
}
