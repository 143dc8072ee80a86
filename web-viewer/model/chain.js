// The chain of hashes of a log: each event has the number of its place, and the hash of the event before it. All else that
// FORMAT.md demands is judged by the module of the rules (replay/requests/record.js).

import { verification as words } from '../words/verification.js';
import { sha256 } from './sha256.js';

const EVENT_DOMAIN = new TextEncoder().encode('plybook/event/v1\0');
const ZERO = '0'.repeat(64);

/**
 * An event as recorded in the log, with the hash computed here.
 * @typedef {{seq: number, at: string, by: string, who?: string, signature?: string, type: string, body: any, prev: string, hash: string, game: string}} LogEvent
 */

/**
 * What was found of a log. `head` is the hash of the last good event; `problem` continues a sentence that begins with the event.
 * The rules say who signed how much, and the kind of a fault, one word as in FORMAT.md.
 * @typedef {{valid: boolean, events: number, head: string, firstBad?: number, kind?: string, problem?: string,
 *   signers?: {key: string, who: string, events: number}[], unsigned?: number}} Finding
 */

/** The first event that does not continue the chain. */
export class ChainError extends Error {
  /** @param {number} seq @param {string} problem */
  constructor(seq, problem) {
    super(problem);
    this.seq = seq;
  }
}

/** How far a log was checked, and the events so far. */
export class Chain {
  /** @param {string} game the id that every event must carry */
  constructor(game) {
    this.game = game;
    this.head = ZERO;
    /** @type {LogEvent[]} */ this.events = [];
    /** The exact bytes of the events, as text. @type {string[]} */ this.lines = [];
  }

  /**
   * Checks the log's next event. Calls must not overlap.
   * @param {Uint8Array} bytes exact bytes, without the line's end
   * @returns {Promise<LogEvent>}
   * @throws {ChainError}
   */
  async check(bytes) {
    const seq = this.events.length;
    const [line, event] = parsed(bytes, seq);
    if (event.game !== this.game) throw new ChainError(seq, words.ofOtherLog(event.game));
    if (event.seq !== seq) throw new ChainError(seq, words.numbered(event.seq));
    if (event.prev !== (seq === 0 ? event.body.fork?.hash ?? ZERO : this.head)) throw new ChainError(seq, words.notChained);
    event.hash = await sha256(EVENT_DOMAIN, bytes);
    this.head = event.hash;
    this.events.push(event);
    this.lines.push(line);
    return event;
  }

  /** What is found of a log that ends here. @returns {Finding} */
  found() {
    return { valid: true, events: this.events.length, head: this.head };
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
export async function checkLog(chain, log, head, progress = () => {}) {
  try {
    for (const line of lines(log)) {
      const event = await chain.check(line);
      if (event.seq === head?.seq && event.hash !== head.hash) {
        chain.events.pop();
        chain.lines.pop();
        throw new ChainError(event.seq, words.otherHead);
      }
      if (event.seq % 250 === 249) progress(event.seq + 1);
    }
    const count = chain.events.length;
    if (count === 0) throw new ChainError(0, words.missingAll);
    if (head && count <= head.seq) throw new ChainError(count, words.missingHead(head.seq));
    return chain.found();
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

/** @returns {[string, LogEvent]} */
function parsed(bytes, seq) {
  try {
    const line = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const event = JSON.parse(line);
    if (typeof event.body === 'object' && event.body && [event.type, event.by, event.at].every((text) => typeof text === 'string')) return [line, event];
  } catch {
    // Not UTF-8 or not JSON: no event either.
  }
  throw new ChainError(seq, words.noEvent);
}
