// Explorer requests, made only while the panel is open.

import { request } from '../../base/api.js';
import { EXPLORE, FOLD_KEY, FOLD_LIKENESS, KEY, LIKENESS } from '../../model/figure-queries.js';
import { isUnsaved } from '../../model/tree.js';
import { Explored } from './explored.js';

const DELAY_MS = 180;
const NOTHING = { games: 0, pending: 0, results: { wins: [], draws: 0, other: 0 }, actions: [], topGames: [], recentGames: [] };

/** Requests what was played; answers arrive as messages. */
export class Exploring {
  /** @param {import('../replay.js').Replay} replay @param {import('./folding.js').Folding} folding */
  constructor(replay, folding) {
    this.replay = replay;
    this.folding = folding;
    /** @type {Map<string, Promise<string>>} keys of positions, by place and head */ this.keys = new Map();
    const explored = (delayMs) => new Explored((place, filter) => this.load(place, filter), () => this.want(), delayMs);
    this.here = explored(DELAY_MS);
    this.there = explored(0);
  }

  /** Requests what was played where the reader is, and where an action leads. */
  want() {
    const { filter, game, here: oldHere, isSecret, opened, place, tab, there: oldThere } = this.replay.now();
    if (!game || tab !== 'explorer' || isSecret) {
      this.here.leave();
      return;
    }
    // A takeback or a new action may change a ply.
    const here = this.here.want({ kind: game.kind, place, seq: game.head.seq }, filter);
    const there = opened ? this.there.want({ kind: game.kind, key: opened }, filter) : undefined;
    if (here !== oldHere || there !== oldThere) this.replay.send('set', { here, there });
  }

  /**
   * The address of a search for positions like the one where the reader is; null if not everything about it is known.
   * @throws {import('../../base/api.js').ApiError}
   */
  async similar() {
    const { game, log, path, ply } = this.replay.now();
    const position = isUnsaved(log)
      ? (await request(FOLD_LIKENESS, await this.folding.to(path, ply))).fold
      : (await request(LIKENESS, { id: log, ply })).game.position;
    return position.likeness && `/search?${new URLSearchParams({ kind: game.kind, where: position.likeness })}`;
  }

  async load({ kind, key, place, seq }, { player, tournament, day: since }) {
    const filter = { ...(player && { player }), ...(tournament && { tournament }), ...(since && { since: new Date(`${since}T00:00:00`).toISOString() }) };
    const position = key ?? await this.keyOf(`${place} ${seq}`);
    try {
      const { explore } = await request(EXPLORE, { kind, key: position, filter });
      return { ...explore, key: position };
    } catch (why) {
      if (why.code === 'NOT_FOUND') return { ...NOTHING, key: position };
      throw why;
    }
  }

  /** The key of the position where the reader is, as the record has it, for any viewer. */
  async keyOf(name) {
    if (!this.keys.has(name)) {
      const asked = this.askKey();
      this.keys.set(name, asked);
      asked.catch(() => this.keys.delete(name));
    }
    return this.keys.get(name);
  }

  async askKey() {
    const { log, path, ply } = this.replay.now();
    if (!isUnsaved(log)) return (await request(KEY, { id: log, ply })).game.position.positionKey;
    const { fold } = await request(FOLD_KEY, await this.folding.to(path, ply));
    return fold.positionKey;
  }
}
