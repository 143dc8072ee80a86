// The record of one game, verified in the browser: first the chain of hashes of the whole log, and then, once they are
// loaded, everything by the rules; each new event likewise. No DOM here.

import { verification as words } from '../../words/verification.js';
import { errorWords, fetchLog, isEmbedded } from '../../base/api.js';
import { standalone } from '../../base/standalone.js';
import { Chain, checkLog, failure } from '../../model/chain.js';
import { english } from '../../model/english.js';
import { MODULES } from '../../rules/modules.js';

/** The most logs that a line can be away from its game. */
const FORKS_MAX = 100;

/** So long after an event the rules judge the log again. */
const JUDGED_MS = 300;

/**
 * What the rules say: `failed` is told by the finding; with `sealed`, something in the log is not revealed yet. `wrong`: what is
 * shown and does not follow from the log.
 * @typedef {{state: 'checking'|'done'|'sealed'|'failed'|'unknown', rules?: string, plies?: number, why?: string, wrong?: string}} Judged
 * @typedef {{finding?: import('../../model/chain.js').Finding | null, events?: import('../../model/chain.js').LogEvent[],
 *   checkError?: unknown, checked?: number, judged?: Judged | null}} Change
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
    this.chain = new Chain(id);
    /** @type {import('../../model/chain.js').Finding | null} */ this.finding = null;
    /** @type {{seq: number, hash: string} | undefined} */ this.head = undefined;
    /** @type {import('../../rules/index.js').Rules | null} once they are loaded */ this.rules = null;
    /** @type {Judged | null} */ this.judged = null;
    this.queue = Promise.resolve();
    this.timer = 0;
  }

  /**
   * Fetches the exact log and checks all of it; for a line, also the logs that it continues.
   * @param {{seq: number, hash: string}} head that the service gives
   */
  check(head) {
    this.head = head;
    [this.finding, this.judged] = [null, null];
    this.changed({ finding: null, checkError: null, checked: 0, judged: null });
    this.later(async () => {
      const chain = new Chain(this.id);
      const finding = await checkLog(chain, await fetchLog(this.id), head, (checked) => this.changed({ checked }));
      this.chain = chain;
      this.found(finding);
      // In a frame, and where data is to be saved, the rules come once somebody opens the verification.
      if (!isEmbedded() && !globalThis.navigator?.connection?.saveData) await this.judge();
    });
  }

  /**
   * Checks an event that came over the subscription, as the log's next one.
   * @param {{seq: number, bytes: string}} event
   */
  next(event) {
    this.later(async () => {
      if (!this.finding?.valid || event.seq < this.chain.events.length) return;
      if (event.seq > this.chain.events.length) {
        this.check(this.head);
        return;
      }
      try {
        await this.chain.check(new TextEncoder().encode(event.bytes));
        this.found(this.chain.found());
      } catch (why) {
        this.found(failure(this.chain, why));
      }
      clearTimeout(this.timer);
      if (this.rules) this.timer = setTimeout(() => this.later(() => this.judge()), JUDGED_MS);
    });
  }

  /** Has the rules verify the log, unless they have. */
  want() {
    this.later(() => this.judge());
  }

  /** Loads the rules, which verify the whole log, with the logs that a line continues. */
  async judge() {
    const { chain, finding, judged } = this;
    if (!finding?.valid || (judged && judged.state !== 'unknown')) return;
    const { kind, rules: version } = chain.events[0].body;
    this.told({ state: 'checking' });
    try {
      if (!MODULES.has(kind)) return this.told({ state: 'unknown', why: words.rulesAbsent(kind) });
      const { Rules } = await import('../../rules/index.js');
      this.rules ??= await Rules.load(kind, standalone()?.module);
      if (!this.rules.kinds().some((own) => own.kind === kind && own.version === version)) {
        return this.told({ state: 'unknown', why: words.versionAbsent(kind, version) });
      }
      this.rules.close();
      const found = this.rules.open(await logsOf(chain)).logs.find(({ game }) => game === this.id);
      const { valid, events, head, firstBad, kind: sort, problem, signers, unsigned } = found;
      if (!valid) {
        this.found({ valid, events, head, firstBad, kind: sort, problem: problemOf(problem) });
        return this.told({ state: 'failed' });
      }
      this.finding = { ...finding, signers, unsigned };
      this.changed({ finding: this.finding, events: [...chain.events] });
      const told = found.judged;
      return this.told(told ? { state: 'done', rules: told.rules, plies: told.plies } : { state: 'sealed' });
    } catch (why) {
      return this.told({ state: 'unknown', why: errorWords(why) });
    }
  }

  found(finding) {
    this.finding = finding;
    this.judged = null;
    this.changed({ finding, events: [...this.chain.events], judged: null });
  }

  /** @param {Judged} judged */
  told(judged) {
    this.judged = judged;
    this.changed({ judged });
  }

  /** Runs checks one after another. */
  later(check) {
    this.queue = this.queue.then(check).catch((checkError) => this.changed({ checkError }));
  }
}

/** The log of a chain, after all logs that it continues, as NDJSON. */
async function logsOf({ events, lines }) {
  const texts = [lines.join('\n')];
  let { fork } = events[0].body;
  for (let forks = 0; fork && forks < FORKS_MAX; forks += 1) {
    const parent = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await fetchLog(fork.game));
    texts.unshift(parent);
    fork = JSON.parse(parent.slice(0, parent.indexOf('\n'))).body.fork;
  }
  return texts.join('\n');
}

/** What the rules found, as the end of a sentence that begins with the event. */
function problemOf(problem) {
  return words.misfit(english(problem.replace(/^event \d+( \(ply \d+\))?: /, '').replace(/\.$/, '')));
}
