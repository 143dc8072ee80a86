// The positions of one game, loaded in windows, the nearest of the others in advance. No DOM here.

import { sharing } from '../../model/scene.js';

const WINDOW = 40; // so many scenes take little more than one, and are answered as cheap
const KEPT_MAX = 60;

/**
 * @typedef {{ply: number, toAct: string[], scene: import('../../model/scene.js').Scene, text: string}} Position
 */

/** A cache of windows of positions, the least recently used dropped first. */
export class Positions {
  /**
   * @param {(from: number, to: number) => Promise<Position[]>} load both ends included
   * @param {() => void} changed a window has come, or failed
   */
  constructor(load, changed) {
    this.load = load;
    this.changed = changed;
    /** @type {Map<number, {positions: Position[], to: number, loading: boolean, error: unknown}>} by index */
    this.windows = new Map();
  }

  /**
   * @param {number} ply
   * @returns {Position | undefined}
   */
  get(ply) {
    return this.windows.get(Math.floor(ply / WINDOW))?.positions[ply % WINDOW];
  }

  /**
   * Why a position could not be loaded.
   * @param {number} ply
   */
  error(ply) {
    return this.windows.get(Math.floor(ply / WINDOW))?.error;
  }

  /**
   * Makes sure that a ply is loaded or requested.
   * @param {number} ply
   * @param {number} last the game's last ply
   */
  want(ply, last) {
    this.fetch(Math.floor(ply / WINDOW), last);
  }

  /**
   * Requests the nearer of the windows beside a ply's own, once the ply is there.
   * @param {number} ply
   * @param {number} last the game's last ply
   */
  ahead(ply, last) {
    const index = Math.floor(ply / WINDOW);
    const next = ply % WINDOW < WINDOW / 2 ? index - 1 : index + 1;
    if (this.get(ply) && next >= 0 && next * WINDOW <= last) this.fetch(next, last);
  }

  /**
   * Drops all positions from a ply on: the game took another course.
   * @param {number} ply
   */
  dropFrom(ply) {
    for (const index of this.windows.keys()) {
      if ((index + 1) * WINDOW > ply) this.windows.delete(index);
    }
  }

  /** Retries what failed. */
  retry() {
    for (const [index, window] of this.windows) {
      if (window.error) this.windows.delete(index);
    }
    this.changed();
  }

  async fetch(index, last) {
    const to = Math.min(last, (index + 1) * WINDOW - 1);
    const old = this.windows.get(index);
    if (old && (old.loading || old.error || old.to >= to)) {
      this.windows.delete(index);
      this.windows.set(index, old);
      return;
    }
    const window = { positions: old?.positions ?? [], to, loading: true, error: null };
    this.windows.delete(index);
    this.windows.set(index, window);
    this.prune();
    try {
      const from = index * WINDOW + window.positions.length;
      const positions = await this.load(from, to);
      const near = this.get(from - 1) ?? this.get(to + 1);
      window.positions = [...window.positions, ...near ? sharing(positions, near) : positions];
      if (positions.length <= to - from) window.error = new Error('the service returned fewer positions than requested');
    } catch (why) {
      window.error = why;
    }
    window.loading = false;
    if (this.windows.get(index) === window) this.changed();
  }

  prune() {
    for (const index of this.windows.keys()) {
      if (this.windows.size <= KEPT_MAX) return;
      this.windows.delete(index);
    }
  }
}
