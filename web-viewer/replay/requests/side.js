// One of two logs that are shown side by side: its facts and moves, its record, and its changes. No DOM here.

import { firstChanged, rewrites } from '../../model/history.js';
import { FOLLOW } from '../../model/queries.js';
import { loadLog } from './logs.js';

const REFRESH_MS = 60;
const RETRY_MS = 2000;

/**
 * @typedef {{log?: any, stands?: number} & import('./record.js').Change} Change stands: the first ply whose position may be another now
 */

/** A log, loaded, verified and followed. */
export class Side {
  /**
   * @param {string} id
   * @param {string} viewer
   * @param {(change: Change) => void} changed what is known now
   */
  constructor(id, viewer, changed) {
    this.id = id;
    this.viewer = viewer;
    this.changed = changed;
    /** @type {any} as from `loadLog` */ this.log = null;
    /** @type {import('./record.js').Record | null} once it is verified */ this.record = null;
    this.seqSeen = -1;
    this.arrived = [];
    this.isBusy = false;
    this.timer = 0;
  }

  /** @throws {import('../../base/api.js').ApiError} */
  async load() {
    this.log = await loadLog(this.id, this.viewer);
    this.seqSeen = this.log.head.seq;
    return this.log;
  }

  /** Verifies the record. */
  async check() {
    try {
      const { Record } = await import('./record.js');
      this.record ??= new Record(this.id, this.changed);
      this.record.check(this.log.head);
      // No badge is pressed here.
      this.record.want();
    } catch (checkError) {
      this.changed({ checkError });
    }
  }

  /** What is to be subscribed to. @returns {import('../../base/live.js').Subscription} */
  following() {
    return {
      query: FOLLOW,
      variables: () => ({ id: this.id, after: this.seqSeen }),
      next: ({ gameEvents: event }) => {
        this.seqSeen = event.seq;
        this.arrived.push(event);
        this.record?.next(event);
        this.refreshSoon(REFRESH_MS);
      },
    };
  }

  refreshSoon(ms) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), ms);
  }

  /** Loads what has come; all moves only if the mainline was rewritten. */
  async refresh() {
    if (this.isBusy) {
      this.refreshSoon(REFRESH_MS);
      return;
    }
    this.isBusy = true;
    const events = this.arrived;
    this.arrived = [];
    try {
      this.log = await loadLog(this.id, this.viewer, rewrites(events) ? undefined : this.log);
      this.changed({ log: this.log, stands: Math.min(...events.map(firstChanged)) });
    } catch {
      this.arrived = [...events, ...this.arrived];
      this.refreshSoon(RETRY_MS);
    }
    this.isBusy = false;
  }
}
