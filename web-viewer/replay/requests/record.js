// The record of one game, verified in the browser by the rules; each new event likewise. No DOM here.

import { replay as words } from '../../words/replay.js';
import { errorWords, fetchLog, isEmbedded } from '../../base/api.js';
import { standalone } from '../../base/standalone.js';
import { english } from '../../model/english.js';
import { MODULES } from '../../rules/modules.js';

/** The most logs that a line can be away from its game. */
const FORKS_MAX = 100;

/** So long after an event the rules judge the log again. */
const JUDGED_MS = 300;

/**
 * An event as recorded in the log. Its hash is what the next one carries, and the head that the rules find.
 * @typedef {{seq: number, at: string, by: string, who?: string, signature?: string, type: string, body: any, prev: string, hash: string, game: string}} LogEvent
 */

/**
 * What was found of a log. `head` is the hash of the last good event; `problem` continues a sentence that begins with the event.
 * `signers` says who signed how much, and `kind` is the sort of a fault, one word as in FORMAT.md.
 * @typedef {{valid: boolean, events: number, head: string, firstBad?: number, kind?: string, problem?: string,
 *   signers?: {key: string, who: string, events: number}[], unsigned?: number}} Finding
 */

/**
 * What the rules say: `waiting` until somebody asks; `failed` is told by the finding; with `sealed`, something in the log is not
 * revealed yet. `wrong`: what is shown and does not follow from the log.
 * @typedef {{state: 'waiting'|'checking'|'done'|'sealed'|'failed'|'unknown', rules?: string, plies?: number, why?: string, wrong?: string}} Judged
 * @typedef {{finding?: Finding | null, events?: LogEvent[], checkError?: unknown, judged?: Judged | null}} Change
 */

/** A record under verification. */
export class Record {
  /**
   * @param {string} id of the game
   * @param {(change: Change) => void} changed what is known now
   */
  constructor(id, changed) {
    this.id = id;
    this.changed = changed;
    /** The exact events, as text. @type {string[]} */ this.lines = [];
    /** Those that can be read. @type {LogEvent[]} */ this.events = [];
    /** How many of the lines were judged. */ this.known = -1;
    /** @type {{seq: number, hash: string} | undefined} */ this.head = undefined;
    /** @type {import('../../rules/index.js').Rules | null} once they are loaded */ this.rules = null;
    this.queue = Promise.resolve();
    this.timer = 0;
  }

  /**
   * Fetches the exact log and checks all of it; for a line, also the logs that it continues.
   * @param {{seq: number, hash: string}} head that the service gives
   */
  check(head) {
    this.head = head;
    this.changed({ finding: null, checkError: null, judged: null });
    this.later(async () => {
      [this.lines, this.events, this.known] = [(await fetchLog(this.id)).split('\n').filter(Boolean), [], -1];
      this.read();
      // In a frame, and where data is to be saved, the rules come once somebody opens the verification.
      if (isEmbedded() || globalThis.navigator?.connection?.saveData) this.changed({ judged: { state: 'waiting' } });
      else await this.judge();
    });
  }

  /**
   * Checks an event that came over the subscription, as the log's next one.
   * @param {{seq: number, bytes: string}} event
   */
  next(event) {
    this.later(async () => {
      if (event.seq < this.lines.length) return;
      if (event.seq > this.lines.length) {
        this.check(this.head);
        return;
      }
      this.lines.push(event.bytes);
      this.read();
      clearTimeout(this.timer);
      if (this.rules) this.timer = setTimeout(() => this.later(() => this.judge()), JUDGED_MS);
    });
  }

  /** Reads the lines that were not read yet, up to one that is no event. */
  read() {
    try {
      for (let seq = this.events.length; seq < this.lines.length; seq += 1) {
        const event = JSON.parse(this.lines[seq]);
        if (typeof event.body !== 'object' || !event.body || typeof event.type !== 'string' || typeof event.by !== 'string') break;
        if (seq > 0) this.events[seq - 1].hash = event.prev;
        this.events.push({ ...event, hash: '' });
      }
    } catch {
      // Not JSON: the rules say so.
    }
    this.changed({ events: [...this.events] });
  }

  /** Has the rules verify the log, unless they have. */
  want() {
    this.later(() => this.judge());
  }

  /** Loads the rules, which verify the whole log, with the logs that a line continues. */
  async judge() {
    const { lines: { length }, events: [{ body: { kind, rules: version } } = { body: {} }] } = this;
    if (this.known === length) return;
    if (!kind) {
      this.failed(0, length ? words.noEvent : words.missingAll);
      return;
    }
    if (this.known < 0) this.changed({ judged: { state: 'checking' } });
    try {
      const { Rules } = await import('../../rules/index.js');
      this.rules ??= MODULES.has(kind) ? await Rules.load(kind, standalone()?.module) : null;
      if (!this.rules?.kinds().some((own) => own.kind === kind && own.version === version)) {
        this.changed({ judged: { state: 'unknown', why: words.rulesAbsent(kind, version) } });
        return;
      }
      this.rules.close();
      const found = this.rules.open(await logsOf(this)).logs.find(({ game }) => game === this.id);
      this.known = length;
      if (found) this.found(found);
      else this.failed(0, words.ofOtherLog(this.events[0].game));
    } catch (why) {
      this.changed({ judged: { state: 'unknown', why: errorWords(why) } });
    }
  }

  /** @param {any} found what the rules say of the log */
  found({ valid, events, head, firstBad, kind, problem, signers, unsigned, judged }) {
    if (!valid) {
      this.failed(firstBad, problemOf(problem), kind);
      return;
    }
    const own = this.events;
    own[events - 1].hash = head;
    const { seq, hash } = this.head ?? { seq: 0, hash: own[0].hash };
    if (seq >= events) this.failed(events, words.missingHead(seq));
    else if (own[seq].hash !== hash) this.failed(seq, words.otherHead);
    else this.changed({ finding: { valid, events, head, signers, unsigned }, events: [...own], judged: judged ? { state: 'done', rules: judged.rules, plies: judged.plies } : { state: 'sealed' } });
  }

  /** @param {number} firstBad the first event that is wrong @param {string} problem @param {string} [kind] */
  failed(firstBad, problem, kind) {
    const events = this.events.slice(0, firstBad);
    this.changed({ finding: { valid: false, events: firstBad, head: events.at(-1)?.hash ?? '', firstBad, kind, problem }, events, judged: { state: 'failed' } });
  }

  /** Runs checks one after another. */
  later(check) {
    this.queue = this.queue.then(check).catch((checkError) => this.changed({ checkError }));
  }
}

/** The log of a record, after all logs that it continues, as NDJSON. */
async function logsOf({ events, lines }) {
  const texts = [lines.join('\n')];
  let { fork } = events[0].body;
  for (let forks = 0; fork && forks < FORKS_MAX; forks += 1) {
    const parent = await fetchLog(fork.game);
    texts.unshift(parent);
    fork = JSON.parse(parent.slice(0, parent.indexOf('\n'))).body.fork;
  }
  return texts.join('\n');
}

/** What the rules found, as the end of a sentence that begins with the event. */
function problemOf(problem) {
  return words.misfit(english(problem.replace(/^event \d+( \(ply \d+\))?: /, '').replace(/\.$/, '')));
}
