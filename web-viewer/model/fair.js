// Fair dice: once the seed is public, every roll of the service is recomputed, as in events/src/fair.rs. The
// position's prompt says which dice were rolled.

import { rollText } from './dice.js';
import { concat, fromHex, sha256 } from './sha256.js';

const encoder = new TextEncoder();
const ENTROPY_DOMAIN = encoder.encode('plybook/entropy/v1\0');
const ROLL_DOMAIN = encoder.encode('plybook/roll/v1\0');
const BLOCK = 64;

/**
 * @typedef {import('./verify.js').LogEvent} LogEvent
 * @typedef {Record<string, string[]>} Hands dice by seat, as in `{"1": ["d12"], "4": ["d20"]}`
 */

/** The dice of one roll: numbers that follow from a key, the game and the number of rolls before. */
export class Dice {
  /** @param {Uint8Array} key @param {string} game @param {number} ordinal */
  constructor(key, game, ordinal) {
    this.key = key;
    this.message = concat([ROLL_DOMAIN, fromHex(game), bigEndian(ordinal, 8)]);
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
    const block = fromHex(await hmac(this.key, concat([this.message, bigEndian(this.blocks++, 4)])));
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
 * The seats that contributed to the dice, in the order in which they did.
 * @param {LogEvent[]} events
 * @returns {number[]}
 */
export function contributors(events) {
  return contributions(events).map(({ by }) => seatOf(by));
}

/**
 * The dice of every roll of a log, by seq.
 * @param {string} seed
 * @param {LogEvent[]} events the whole log
 * @returns {Promise<Map<number, Dice>>}
 */
export async function diceOf(seed, events) {
  const [{ game }] = events;
  const entropy = contributions(events).flatMap(({ by, body: added }) => [Uint8Array.of(seatOf(by)), fromHex(added.entropy)]);
  const key = fromHex(await hmac(fromHex(seed), concat([ENTROPY_DOMAIN, fromHex(game), ...entropy])));
  return new Map(fairRolls(events).map(({ seq }, ordinal) => [seq, new Dice(key, game, ordinal)]));
}

/**
 * What dice show, rolled as a prompt says.
 * @param {Dice} dice
 * @param {Hands} hands
 * @returns {Promise<string>} in the notation of rolls: `roll:1=7,3=4+11`
 */
export async function rollOf(dice, hands) {
  const rolled = [];
  for (const seat of Object.keys(hands).map(Number).sort((a, b) => a - b)) {
    const faces = [];
    for (const die of hands[seat]) faces.push((await dice.below(Number(die.slice(1)))) + 1);
    rolled.push({ seat, faces });
  }
  return rollText(rolled);
}

/**
 * The seats that a token contributes for by itself: those of its player. A table's token is for all of them.
 * @param {{role: string, seat: number | null, player: {id: string} | null, game: {id: string} | null}} me
 * @param {{id: string, seats: {number: number, player: {id: string} | null}[], entropyAwaitedFrom: number[]}} game
 * @returns {number[]}
 */
export function contributedFor({ role, seat, player, game: only }, { id, seats, entropyAwaitedFrom }) {
  if (only && only.id !== id) return [];
  if (role === 'table') return entropyAwaitedFrom;
  if (role !== 'player') return [];
  const own = seats.filter((entry) => (seat ? entry.number === seat : player && entry.player?.id === player.id));
  return own.map(({ number }) => number).filter((number) => entropyAwaitedFrom.includes(number));
}

function contributions(events) {
  return events.filter(({ type }) => type === 'entropy_added');
}

function seatOf(by) {
  return Number(by.slice('seat:'.length));
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
