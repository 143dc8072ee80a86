// The rules on the recorder's page: what comes after entries that the service does not have yet. No DOM here.

import { entriesOf } from '../model/entries.js';
import { written } from '../model/play.js';

/** @typedef {{ply: number, toAct: string[], scene: any, text: string, legal: Record<string, {actions: string[] | null, prompt: any}>}} Foreseen */

export class Foresight {
  constructor() {
    /** @type {import('../rules/index.js').Rules | null} */ this.rules = null;
    /** @type {Promise<void> | null} */ this.loading = null;
    /** @type {Promise<void>} once the rules are here */ this.ready = new Promise((resolve) => { this.isReady = resolve; });
  }

  /**
   * Loads the rules of a game. Without them, nothing is foreseen.
   * @param {string} kind
   */
  load(kind) {
    this.loading ??= this.fetch(kind).catch(() => { this.loading = null; });
    return this.loading;
  }

  async fetch(kind) {
    const { Rules } = await import('../rules/index.js');
    this.rules = await Rules.load(kind);
    this.isReady();
  }

  /**
   * The position once everything that waits is recorded; null if that cannot be known: a fair roll is among it, something that
   * is not legal, or there are secrets.
   * @param {{about: any, game: any, queue: import('../model/entries.js').Queue}} state
   * @returns {Foreseen | null}
   */
  see({ about, game, queue }) {
    const actions = entriesOf(queue)?.map(({ action, seat }) => (seat ? written(`seat:${seat}`, action) : action));
    if (!this.rules || !actions?.length || about.hasSecrets || !game.position.position) return null;
    try {
      const { ply, toAct, scene, text, legal } = this.rules.fold({ kind: about.kind, setup: about.setup, position: game.position.position, actions, parts: ['scene', 'text', 'legal'] });
      return { ply: game.ply + ply, toAct, scene, text, legal };
    } catch {
      return null;
    }
  }
}
