// Verifies a game's log from its exact bytes, as described in FORMAT.md and implemented in
// events/src/chain.rs: first layout, order, hashes and times, then the sealed contents and the seed.

import { concat, fromHex, sha256 } from './sha256.js';

const encoder = new TextEncoder();
const EVENT_DOMAIN = encoder.encode('plybook/event/v1\0');
const SEAL_DOMAIN = encoder.encode('plybook/seal/v1\0');
const SEED_DOMAIN = encoder.encode('plybook/seed/v1\0');
const ZERO = '0'.repeat(64);
const EVENT_BYTES_MAX = 64 * 1024;
const DEPTH_MAX = 64;
const PLAIN = '[\\x21\\x23-\\x5b\\x5d-\\x7e]*';
const LAYOUT = new RegExp(
  '^\\{"at":"([\\x21-\\x5b\\x5d-\\x7e]{24})","body":(\\{[^]*\\})' +
  `,"by":"(${PLAIN})","game":"(${PLAIN})","prev":"(${PLAIN})","seq":(0|[1-9][0-9]*),"type":"(${PLAIN})","v":1\\}$`,
);

/**
 * An event as recorded in the log, with the hash computed here.
 * @typedef {{seq: number, at: string, by: string, type: string, body: any, prev: string, hash: string, game: string}} LogEvent
 */

/**
 * The result of a verification. `head` is the hash of the last good event.
 * @typedef {{valid: boolean, events: number, head: string, firstBad?: number, problem?: string}} Finding
 */

/** The first thing wrong with a log. */
export class ChainError extends Error {
  /** @param {number} seq @param {string} problem */
  constructor(seq, problem) {
    super(problem);
    this.seq = seq;
  }
}

/** How far a log has been checked, and the events so far. */
export class Chain {
  /** @param {string} game the id that every event must carry */
  constructor(game) {
    this.game = game;
    this.head = ZERO;
    this.at = '';
    /** @type {LogEvent[]} */
    this.events = [];
  }

  /**
   * Checks the log's next event. Calls must not overlap.
   * @param {Uint8Array} bytes exact bytes, without the line's end
   * @returns {Promise<LogEvent>}
   * @throws {ChainError} the first thing wrong
   */
  async check(bytes) {
    const seq = this.events.length;
    const event = split(bytes, seq);
    if (event.game !== this.game) throw new ChainError(seq, `belongs to another log (${event.game})`);
    if (event.seq !== seq) throw new ChainError(seq, `is numbered ${event.seq}`);
    const expected = seq === 0 ? forkHash(event) ?? ZERO : this.head;
    if (event.prev !== expected) {
      throw new ChainError(seq, 'does not carry the hash of the event before it: one of the two was changed');
    }
    if (event.at < this.at) throw new ChainError(seq, 'is dated before the event before it');
    event.hash = await sha256(EVENT_DOMAIN, bytes);
    await checkOpened(event, this);
    this.head = event.hash;
    this.at = event.at;
    this.events.push(event);
    return event;
  }
}

/**
 * Checks a whole log as downloaded: one event a line.
 * @param {Chain} chain a new one; it holds the good events afterwards
 * @param {Uint8Array} log
 * @param {{seq: number, hash: string}} [head] the head that somebody else gave for this log
 * @param {(done: number) => void} [progress]
 * @returns {Promise<Finding>}
 */
export async function verifyLog(chain, log, head, progress = () => {}) {
  try {
    for (const line of lines(log)) {
      const event = await chain.check(line);
      if (event.seq === head?.seq && event.hash !== head.hash) {
        chain.events.pop();
        throw new ChainError(event.seq, 'has another hash than the head that the service gives');
      }
      if (event.seq % 250 === 249) progress(event.seq + 1);
    }
    const count = chain.events.length;
    if (count === 0) throw new ChainError(0, 'is missing: the log is empty');
    if (head && count <= head.seq) throw new ChainError(count, `is missing: the service's head is event ${head.seq}`);
    return { valid: true, events: count, head: chain.head };
  } catch (why) {
    return failure(chain, why);
  }
}

/**
 * The finding after a check that threw.
 * @param {Chain} chain
 * @param {unknown} why
 * @returns {Finding}
 */
export function failure(chain, why) {
  if (!(why instanceof ChainError)) throw why;
  return { valid: false, events: chain.events.length, head: chain.head, firstBad: why.seq, problem: why.message };
}

/**
 * The lines of a log, without their ends.
 * @param {Uint8Array} log
 * @returns {Generator<Uint8Array>}
 */
export function* lines(log) {
  let start = 0;
  while (start < log.length) {
    const end = log.indexOf(0x0a, start);
    yield log.subarray(start, end < 0 ? log.length : end);
    if (end < 0) return;
    start = end + 1;
  }
}

/**
 * Canonical JSON of a value (RFC 8785 for what events hold).
 * @param {any} value
 * @returns {string}
 * @throws {Error} the value has no canonical form
 */
export function canonical(value, depth = 0) {
  if (depth > DEPTH_MAX) throw new Error('nested too deep');
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new Error('numbers are integers of 53 bits');
    return String(value);
  }
  if (typeof value === 'string') {
    const text = JSON.stringify(value);
    if (/\\ud[89a-f]/.test(text.replaceAll('\\\\', ''))) throw new Error('half a surrogate pair');
    return text;
  }
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`;
  const members = Object.keys(value).sort().map((key) => {
    if (!/^[\x20-\x7e]*$/.test(key) || /["\\]/.test(key)) throw new Error('keys are printable ASCII');
    return `"${key}":${canonical(value[key], depth + 1)}`;
  });
  return `{${members.join(',')}}`;
}

/** @returns {LogEvent} */
function split(bytes, seq) {
  if (bytes.length > EVENT_BYTES_MAX) throw new ChainError(seq, 'is larger than an event may be');
  const parts = LAYOUT.exec(decode(bytes, seq));
  if (!parts) throw new ChainError(seq, 'is not laid out as an event');
  const [, at, body, by, game, prev, number, type] = parts;
  if (!Number.isSafeInteger(Number(number))) throw new ChainError(seq, 'is not laid out as an event');
  return { seq: Number(number), at, by, type, body: parseBody(body, seq), prev, hash: '', game };
}

function decode(bytes, seq) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ChainError(seq, 'is not UTF-8');
  }
}

function parseBody(text, seq) {
  try {
    const body = JSON.parse(text);
    if (canonical(body) === text) return body;
  } catch {
    // Reported below: whatever JSON.parse or canonical threw, the body is not canonical.
  }
  throw new ChainError(seq, 'has a body that is not canonical JSON');
}

function forkHash(event) {
  return event.type === 'created' ? event.body.fork?.hash : undefined;
}

/** Checks an opened secret or a published seed against what was committed to. */
async function checkOpened(event, chain) {
  if (event.type === 'revealed') {
    const sealed = chain.events[event.body.of];
    const commitment = sealed?.body.commitment ?? sealed?.body.sealed_setup;
    if (!commitment) throw new ChainError(event.seq, `opens event ${event.body.of}, which sealed nothing`);
    const owners = sealed.type === 'created' ? [sealed.by, 'service', event.by] : [sealed.by];
    const hashes = await Promise.all(owners.map((by) => sealOf(chain.game, by, event.body)));
    if (!hashes.includes(commitment)) throw new ChainError(event.seq, `does not open what event ${sealed.seq} sealed`);
  }
  checkDice(event, chain);
  const fairness = chain.events[0]?.body.fairness;
  const seed = event.body.seed;
  if (seed?.seed && fairness) {
    const hash = await sha256(SEED_DOMAIN, fromHex(chain.game), fromHex(seed.salt), fromHex(seed.seed));
    if (hash !== fairness) throw new ChainError(event.seq, 'publishes another seed than the game committed to');
  }
}

/** Checks that seats contribute before the first roll, each once, and that the seed is published in the end. */
function checkDice({ seq, type, by, body }, { events }) {
  const { dice, fairness, seats, fork } = events[0]?.body ?? body;
  if (type === 'created' && dice && !fairness) throw new ChainError(seq, 'has dice, but commits to no seed');
  if (type === 'entropy_added' && (!dice || fork || !seats.some((_, index) => by === `seat:${index + 1}`))) {
    throw new ChainError(seq, 'contributes to dice that take no contributions');
  }
  if (!dice || !['entropy_added', 'ended'].includes(type)) return;
  const isRolled = events.some((event) => event.body.fair);
  const isPublic = events.some((event) => event.body.seed?.seed);
  if (type === 'entropy_added') {
    if (isRolled || isPublic) throw new ChainError(seq, 'contributes to dice that have been rolled already');
    if (events.some((event) => event.type === type && event.by === by)) throw new ChainError(seq, 'contributes to the dice a second time');
  }
  if (type === 'ended' && isRolled && !isPublic && !body.seed) throw new ChainError(seq, 'ends the game without the seed of its dice');
}

function sealOf(game, by, { salt, content }) {
  const who = concat([encoder.encode(by), Uint8Array.of(0)]);
  return sha256(SEAL_DOMAIN, fromHex(game), who, fromHex(salt), encoder.encode(content));
}
