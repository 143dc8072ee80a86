// Verifies the log of a game or a line from its exact bytes, as described in FORMAT.md: layout, numbers, hashes
// and times, what may come in which order by whom (order.js), the sealed contents and the seed.

import { faults as words } from '../words/faults.js';
import { isAuthor, isBody, isHash, isId, isOfGames, isSignature, isTime, isWho } from './bodies.js';
import { canonical } from './canonical.js';
import { commitmentTo } from './commitment.js';
import { Disorder, isPersonal, Order } from './order.js';
import { fromHex, sha256 } from './sha256.js';
import { isSigned, statementOf } from './signature.js';

const encoder = new TextEncoder();
const EVENT_DOMAIN = encoder.encode('plybook/event/v1\0');
const SEED_DOMAIN = encoder.encode('plybook/seed/v1\0');
const ZERO = '0'.repeat(64);
const EVENT_BYTES_MAX = 64 * 1024;
const FORKS_MAX = 100;
const PLAIN = '[\\x21\\x23-\\x5b\\x5d-\\x7e]*';
const LAYOUT = new RegExp(
  '^\\{"at":"([\\x21-\\x5b\\x5d-\\x7e]{24})","body":(\\{[^]*\\})' +
  `,"by":"(${PLAIN})","game":"(${PLAIN})","prev":"(${PLAIN})","seq":(0|[1-9][0-9]*)(?:,"signature":"(${PLAIN})")?,"type":"(${PLAIN})","v":1(?:,"who":"(${PLAIN})")?\\}$`,
);

/** The types of events of other logs than those of games and lines. */
const OTHERS = ('player_created player_edited player_merged player_unmerged player_key_added player_key_removed received tournament_created tournament_edited entered '
  + 'entrant_edited entry_removed withdrawn returned absence_announced absence_cancelled paired pairing_changed unpaired round_opened '
  + 'round_unopened game_opened table_opened table_reseated result_recorded result_removed forfeited adjourned resumed round_closed round_reopened '
  + 'tournament_finished tournament_reopened imported history_accepted key_rotated').split(' ');

/**
 * An event as recorded in the log, with the hash computed here.
 * @typedef {{seq: number, at: string, by: string, who?: string, signature?: string, type: string, body: any, prev: string, hash: string, game: string}} LogEvent
 */

/**
 * The result of a verification. `head` is the hash of the last good event, `kind` the sort of fault, one word as in
 * FORMAT.md. `signers` says which keys signed how many of these events, `unsigned` how many somebody did without signing.
 * Where the browser knows no Ed25519, `unchecked` signatures were only read.
 * @typedef {{valid: boolean, events: number, head: string, firstBad?: number, kind?: string, problem?: string,
 *   signers?: Signer[], unsigned?: number, unchecked?: number}} Finding
 * @typedef {{key: string, who: string, events: number, since: string}} Signer
 */

/** The first thing wrong with a log. */
export class ChainError extends Error {
  /** @param {number} seq @param {string} kind @param {string} problem */
  constructor(seq, kind, problem) {
    super(problem);
    this.seq = seq;
    this.kind = kind;
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
    /** @type {Order | null} */
    this.order = null;
    /** @type {{seq: number, prev: string} | null} the place of the first of the `revealed` events at the end */
    this.revealing = null;
    /** How many signatures could not be checked here. */
    this.unchecked = 0;
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
    if (event.game !== this.game) throw new ChainError(seq, 'chain', words.ofOtherLog(event.game));
    if (event.seq !== seq) throw new ChainError(seq, 'chain', words.numbered(event.seq));
    const expected = seq === 0 ? forkHash(event) ?? ZERO : this.head;
    if (event.prev !== expected) {
      throw new ChainError(seq, 'chain', words.notChained);
    }
    if (event.at < this.at) throw new ChainError(seq, 'chain', words.datedBefore);
    event.hash = await sha256(EVENT_DOMAIN, bytes);
    const place = this.revealing ?? { seq, prev: event.prev };
    await this.#checkSignature(event, place);
    try {
      if (this.order) {
        this.order.check(event);
        await checkOpened(event, this.game, this.order);
        this.order.apply(event);
      } else {
        this.order = new Order(event);
      }
    } catch (why) {
      if (why instanceof Disorder) throw new ChainError(seq, why.kind, why.message);
      throw why;
    }
    this.head = event.hash;
    this.at = event.at;
    this.revealing = event.type === 'revealed' ? place : null;
    this.events.push(event);
    return event;
  }

  async #checkSignature(event, place) {
    if (!event.signature) return;
    const is = await isSigned(statementOf(event, place), event.signature);
    if (is === false) throw new ChainError(event.seq, 'signature', words.badSignature);
    if (is === undefined) this.unchecked += 1;
  }

  /** Which keys signed how many of the events, and how many somebody did without signing. */
  signed() {
    /** @type {Map<string, Signer>} */
    const signers = new Map();
    const personal = this.events.filter(isPersonal);
    for (const { signature, who = '', at } of personal) {
      if (!signature) continue;
      const key = signature.split(':')[0];
      const signer = signers.get(key + who) ?? { key, who, events: 0, since: at };
      signer.events += 1;
      signers.set(key + who, signer);
    }
    const unsigned = personal.filter(({ signature }) => !signature).length;
    return { signers: [...signers.values()], unsigned, unchecked: this.unchecked };
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
        throw new ChainError(event.seq, 'chain', words.otherHead);
      }
      if (event.seq % 250 === 249) progress(event.seq + 1);
    }
    const count = chain.events.length;
    if (count === 0) throw new ChainError(0, 'form', words.missingAll);
    if (chain.order?.isEnding) throw new ChainError(count, 'order', words.missingEnd);
    if (head && count <= head.seq) throw new ChainError(count, 'chain', words.missingHead(head.seq));
    return { valid: true, events: count, head: chain.head, ...chain.signed() };
  } catch (why) {
    return failure(chain, why);
  }
}

/**
 * Checks that a line continues the logs that it says it continues, as far as it depends on them.
 * @param {Chain} chain of a whole valid log
 * @param {Finding} finding about it
 * @param {(game: string) => Promise<Uint8Array> | Uint8Array} fetchLog
 * @returns {Promise<Finding>} the same finding, unless the line does not fit
 */
export async function verifyLine(chain, finding, fetchLog) {
  let first = chain.events[0];
  for (let forks = 0; first.body.fork; forks += 1) {
    const { game } = first.body.fork;
    const parent = new Chain(game);
    const found = forks < FORKS_MAX ? await verifyLog(parent, await fetchLog(game)) : null;
    const problem = found ? misfit(first, parent, found) : words.tooManyForks(FORKS_MAX);
    if (problem) return { ...finding, valid: false, events: 0, firstBad: 0, kind: 'line', problem };
    first = parent.events[0];
  }
  return finding;
}

/** Why a line does not continue its parent; empty if it does. */
function misfit({ at, body }, parent, found) {
  const { game, seq, ply, hash } = body.fork;
  if (!found.valid && found.firstBad <= seq) return words.continuesFaulty(game, found.firstBad, found.problem);
  if (parent.events[seq]?.hash !== hash) return words.leavesAbsent(seq, game);
  const [start, ...rest] = parent.events.slice(0, seq + 1);
  const before = new Order(start);
  for (const event of rest) before.apply(event);
  const last = parent.events[seq].type;
  const leads = last === 'acted' || last === 'sealed' || (seq === 0 && (!before.isLine || 'position' in start.body));
  if (!leads || before.ply !== ply) return words.leavesOther(seq, game, ply);
  if (at < start.at) return words.earlierThan(game);
  const { revealed } = parent.order;
  const hidden = [...before.submitted.keys(), ...('sealed_setup' in start.body ? [0] : [])];
  if (hidden.some((sealed) => !revealed.has(sealed))) return words.continuesSealed;
  const setup = 'sealed_setup' in start.body ? revealed.get(0) : canonical(start.body.setup);
  const isSame = body.kind === start.body.kind && body.rules === start.body.rules && body.seats.length === before.seats;
  if (!isSame || canonical(body.setup) !== setup) return words.otherGame(game);
  return '';
}

/**
 * The finding after a check that threw.
 * @param {Chain} chain
 * @param {unknown} why
 * @returns {Finding}
 */
export function failure(chain, why) {
  if (!(why instanceof ChainError)) throw why;
  return { valid: false, events: chain.events.length, head: chain.head, firstBad: why.seq, kind: why.kind, problem: why.message };
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

/** @returns {LogEvent} */
function split(bytes, seq) {
  if (bytes.length > EVENT_BYTES_MAX) throw new ChainError(seq, 'form', words.tooLarge);
  const parts = LAYOUT.exec(decode(bytes, seq));
  if (!parts) throw new ChainError(seq, 'form', words.notLaidOut);
  const [, at, text, by, game, prev, number, signature, type, who] = parts;
  const body = parseBody(text, seq);
  const wrong = Object.entries({
    at: isTime(at), by: isAuthor(by), game: isId(game), prev: isHash(prev), seq: Number.isSafeInteger(Number(number)),
    who: who === undefined || isWho(who), signature: signature === undefined || isSignature(signature),
  }).find(([, isRight]) => !isRight);
  if (wrong) throw new ChainError(seq, 'form', words.badMember(wrong[0]));
  if (!isOfGames(type)) throw new ChainError(seq, OTHERS.includes(type) ? 'order' : 'form', words.notOfGames(type));
  if (!isBody(type, body)) throw new ChainError(seq, 'form', words.badMembers(type));
  return { seq: Number(number), at, by, ...(who && { who }), ...(signature && { signature }), type, body, prev, hash: '', game };
}

function decode(bytes, seq) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ChainError(seq, 'form', words.notUtf8);
  }
}

function parseBody(text, seq) {
  try {
    const body = JSON.parse(text);
    if (canonical(body) === text) return body;
  } catch {
    // Reported below: whatever JSON.parse or canonical threw, the body is not canonical.
  }
  throw new ChainError(seq, 'form', words.notCanonical);
}

function forkHash(event) {
  return event.type === 'created' ? event.body.fork?.hash : undefined;
}

/** Checks the hashes of an opened secret and of a published seed, and that an opened setup is the one announced. */
async function checkOpened({ type, body }, game, order) {
  if (type === 'revealed') {
    const { by, commitment } = order.sealed.get(body.of);
    if (await commitmentTo(game, by, body) !== commitment) throw new Disorder('seal', words.opensOther(body.of));
    if (body.of === 0 && !isSetup(order.created.setup, body.content)) throw new Disorder('seal', words.opensOtherSetup);
  }
  if (body.seed && (type === 'ended' || type === 'voided')) {
    const hash = await sha256(SEED_DOMAIN, fromHex(game), fromHex(body.seed.salt), fromHex(body.seed.seed));
    if (hash !== order.created.fairness) throw new Disorder('dice', words.otherSeed);
  }
}

/** Whether a complete setup has everything that was public of it. */
function isSetup(part, content) {
  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  try {
    const whole = JSON.parse(content);
    if (canonical(whole) !== content) return false;
    if (!isObject(part) || !isObject(whole)) return canonical(part) === content;
    return Object.keys(part).every((name) => Object.hasOwn(whole, name) && canonical(part[name]) === canonical(whole[name]));
  } catch {
    return false;
  }
}
