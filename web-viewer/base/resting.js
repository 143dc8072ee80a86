// What waits until the reader rests.

const REST_MS = 500;

/** Makes the latest of several calls once the reader rests, or leaves the page. */
export class Resting {
  /** @param {(value: string) => void} call */
  constructor(call) {
    this.call = call;
    /** @type {string | null} */ this.waiting = null;
    this.timer = 0;
    globalThis.addEventListener('pagehide', () => this.flush());
  }

  /** @param {string} value */
  later(value) {
    if (value === this.waiting) return;
    this.waiting = value;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), REST_MS);
  }

  forget() {
    clearTimeout(this.timer);
    this.waiting = null;
  }

  flush() {
    const value = this.waiting;
    this.forget();
    if (value !== null) this.call(value);
  }
}
