// What was played from positions, each requested once. No DOM here.

const KEPT_MAX = 200;

/**
 * @typedef {{answer: any, error: unknown, loading: boolean}} Found
 */

/** A cache of answers that drops the least recently used first; waits while the reader keeps stepping. */
export class Explored {
  /**
   * @param {(place: any, filter: object) => Promise<any>} load
   * @param {() => void} changed an answer has come, or failed
   * @param {number} delayMs before an unknown place is requested
   */
  constructor(load, changed, delayMs) {
    this.load = load;
    this.changed = changed;
    this.delayMs = delayMs;
    /** @type {Map<string, Found>} */ this.found = new Map();
    this.timer = 0;
    this.waiting = '';
  }

  /**
   * What is known about a place, which is requested if nothing is. A place that replaces one that
   * was not requested yet takes its turn.
   * @param {any} place plain data
   * @param {object} filter
   * @returns {Found | undefined}
   */
  want(place, filter) {
    const key = JSON.stringify([place, filter]);
    const found = this.found.get(key);
    if (found) {
      this.leave();
      this.found.delete(key);
      this.found.set(key, found);
      return found;
    }
    if (key !== this.waiting) {
      this.leave();
      this.waiting = key;
      this.timer = setTimeout(() => this.fetch(key, place, filter), this.delayMs);
    }
    return undefined;
  }

  /** Drops the pending request: nobody is waiting for it. */
  leave() {
    clearTimeout(this.timer);
    this.waiting = '';
  }

  /** Retries what failed. */
  retry() {
    for (const [key, { error }] of this.found) if (error) this.found.delete(key);
    this.changed();
  }

  async fetch(key, place, filter) {
    this.waiting = '';
    const found = { answer: null, error: /** @type {unknown} */ (null), loading: true };
    this.found.set(key, found);
    for (const old of this.found.keys()) if (this.found.size > KEPT_MAX) this.found.delete(old);
    const known = await this.load(place, filter).then((answer) => ({ answer }), (error) => ({ error }));
    if (this.found.get(key) === found) this.found.set(key, { ...found, ...known, loading: false });
    this.changed();
  }
}

/**
 * Whether an action of the explorer is the one with which a game continued.
 * @param {string} action `b1-b2`, or `3:b1-b2` where several seats act at once
 * @param {{by: string, action: string} | undefined} move
 */
export function isMove(action, move) {
  if (!move) return false;
  return action === move.action || action === `${move.by.replace(/^seat:/, '')}:${move.action}`;
}

/**
 * The games to list: each once, the highest rated first, without this one.
 * @param {any[]} top @param {any[]} recent @param {string} own id of the game that is open
 * @returns {{top: any[], recent: any[]}}
 */
export function others(top, recent, own) {
  const best = top.filter(({ id }) => id !== own);
  const seen = new Set(best.map(({ id }) => id));
  return { top: best, recent: recent.filter(({ id }) => id !== own && !seen.has(id)) };
}
