// The record of one game, verified in the browser: first the whole log, then each new event, and the
// service's dice once their seed is public. No DOM here.

import { verification as words } from '../../words/verification.js';
import { fetchLog, request } from '../../base/api.js';
import { contributors, diceOf, fairRolls, publishedSeed, rollOf } from '../../model/fair.js';
import { promptsOf } from '../../model/play.js';
import { PROMPTS } from '../../model/queries.js';
import { Chain, failure, verifyLine, verifyLog } from '../../model/verify.js';

const PROMPTS_PAGE = 500;

/**
 * @typedef {{finding?: import('../../model/verify.js').Finding | null, events?: import('../../model/verify.js').LogEvent[],
 *   checkError?: unknown, checked?: number, rolls?: {derived: number, others: number, waiting: number} | null, judged?: null}} Change
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
    /** @type {import('../../model/verify.js').Finding | null} */
    this.finding = null;
    /** @type {{seq: number, hash: string} | undefined} */
    this.head = undefined;
    this.queue = Promise.resolve();
    this.rollsChecked = false;
  }

  /**
   * Fetches the exact log and checks all of it; for a line, also the logs that it continues.
   * @param {{seq: number, hash: string}} head that the service gives
   */
  check(head) {
    this.head = head;
    this.finding = null;
    this.rollsChecked = false;
    this.changed({ finding: null, checkError: null, checked: 0, rolls: null, judged: null });
    this.later(async () => {
      const chain = new Chain(this.id);
      const bytes = await fetchLog(this.id);
      const finding = await verifyLog(chain, bytes, head, (checked) => this.changed({ checked }));
      this.chain = chain;
      this.found(finding.valid ? await verifyLine(chain, finding, fetchLog) : finding);
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
        this.found({ valid: true, events: this.chain.events.length, head: this.chain.head, ...this.chain.signed() });
      } catch (why) {
        this.found(failure(this.chain, why));
      }
    });
  }

  /**
   * Derives the service's rolls again, once the seed is public.
   * @param {number} last the game's last ply
   * @param {{seq: number, ply: number}[]} moves the whole mainline
   * @param {import('../../model/play.js').PromptsByPly | null} known what the dice were rolled for, if that is known
   */
  async checkRolls(last, moves, known = null) {
    const { events } = this.chain;
    const rolls = fairRolls(events);
    const seed = publishedSeed(events);
    if (rolls.length === 0 || this.rollsChecked) return;
    if (!seed) {
      this.changed({ rolls: { derived: 0, others: 0, waiting: rolls.length, contributors: contributors(events) } });
      return;
    }
    this.rollsChecked = true;
    const plies = new Map(moves.map(({ seq, ply }) => [seq, ply]));
    const prompts = known ?? await this.prompts(last);
    const dice = await diceOf(seed, events);
    let derived = 0;
    for (const event of rolls) {
      const hands = prompts.get(plies.get(event.seq) - 1)?.chance?.dice;
      if (!hands) continue;
      const rolled = await rollOf(dice.get(event.seq), hands);
      if (rolled !== event.body.action) {
        const problem = words.otherRoll(rolled);
        this.found({ valid: false, events: event.seq, head: event.prev, firstBad: event.seq, kind: 'rules', problem });
        return;
      }
      derived += 1;
    }
    this.changed({ rolls: { derived, others: rolls.length - derived, waiting: 0, contributors: contributors(events) } });
  }

  /** The prompt at each ply where actions cannot be listed. @returns {Promise<import('../../model/play.js').PromptsByPly>} */
  async prompts(last) {
    const prompts = new Map();
    for (let from = 0; from <= last; from += PROMPTS_PAGE) {
      const { game } = await request(PROMPTS, { id: this.id, from, to: Math.min(last, from + PROMPTS_PAGE - 1) });
      for (const [ply, awaited] of promptsOf(game.positions)) prompts.set(ply, awaited);
    }
    return prompts;
  }

  found(finding) {
    this.finding = finding;
    this.changed({ finding, events: [...this.chain.events], judged: null });
  }

  /** Runs checks one after another. */
  later(check) {
    this.queue = this.queue.then(check).catch((checkError) => this.changed({ checkError }));
  }
}
