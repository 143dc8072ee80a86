// An outbox of one message: what was entered without a connection is sent once there is one, and takes effect once.

/** @typedef {{key: string, ranking: number[][]}} Waiting */

/** Keeps a message until the service has answered; every attempt has the same idempotency key. */
export class Outbox {
  /**
   * @param {{post: (waiting: Waiting) => Promise<any>, kept: Waiting | null, keep: (waiting: Waiting | null) => void}} options
   *   kept: what was left of an earlier visit; keep: called with what has to outlive this one
   */
  constructor({ post, kept, keep }) {
    this.post = post;
    this.waiting = kept;
    this.keep = keep;
    this.isSending = false;
  }

  /** @param {Waiting | null} waiting instead of what waits */
  put(waiting) {
    this.waiting = waiting;
    this.keep(waiting);
  }

  /**
   * Sends what waits.
   * @returns {Promise<boolean>} whether nothing waits any more; false if the service cannot be reached, or it is being sent already
   * @throws what the service refuses; it no longer waits then
   */
  async send() {
    const { waiting } = this;
    if (!waiting || this.isSending) return !waiting;
    this.isSending = true;
    try {
      await this.post(waiting);
    } catch (why) {
      if (why.code === 'OFFLINE') return false;
      this.done(waiting);
      throw why;
    } finally {
      this.isSending = false;
    }
    this.done(waiting);
    return true;
  }

  /** Something else may have been put here meanwhile. */
  done(waiting) {
    if (this.waiting === waiting) this.put(null);
  }
}
