// The hub of the replay page: receives messages and carries out their consequences.

import { store } from '../base/store.js';
import { derive, last } from './derive.js';
import { first, update } from './update.js';

/** @typedef {import('./derive.js').Now} Now */

/** The state of the page, changed only by messages. */
export class Replay {
  /** @param {Parameters<typeof first>[0]} address */
  constructor(address) {
    this.store = store(first(address), () => this.draw(this.now()), update);
    /** Derived once for each state, however many ask. */ this.derived = last(derive);
    /** @type {(now: Now) => void} draws the page, once for all simultaneous messages */
    this.draw = () => {};
    /** @type {() => void} requests the position after each message */
    this.want = () => {};
    /** @type {() => void} requests what else is missing, once the page is drawn */
    this.wantRest = () => {};
  }

  /** @returns {Now} */
  now() {
    return this.derived(this.store.state());
  }

  /**
   * Takes a message; see `MESSAGES` in update.js.
   * @param {string} name
   * @param {...any} values
   */
  send(name, ...values) {
    this.store.update(name, ...values);
    this.want();
  }
}
