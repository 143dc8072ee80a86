// What is folded for a position that is recorded nowhere: where it begins, and the actions from there. No DOM here.

import { replay as words } from '../../words/replay.js';
import { ApiError, fetchLog } from '../../base/api.js';
import { written } from '../../model/play.js';

/** The most logs that a line can be away from its game. */
const FORKS_MAX = 100;

/** Knows how the logs of a game were created. */
export class Folding {
  /** @param {import('../replay.js').Replay} replay */
  constructor(replay) {
    this.replay = replay;
    /** @type {Map<string, Promise<any>>} how logs were created */ this.logs = new Map();
  }

  /**
   * What leads to a ply of a path, and to further actions.
   * @param {import('../../model/tree.js').Node[]} path
   * @param {number} ply
   * @param {...{by: string, action: string}} further
   * @returns {Promise<{kind: string, setup: any, position: any, actions: string[]}>}
   */
  async to(path, ply, ...further) {
    const { game: { kind, setup } } = this.replay.now();
    const plies = path.slice(0, ply + 1);
    // A position that was set up has no action.
    const from = plies.findLastIndex(({ action }) => action === null);
    const position = await this.setUp(plies[from]);
    return { kind, setup, position, actions: [...plies.slice(from + 1), ...further].map(({ by, action }) => written(by ?? '', action ?? '')) };
  }

  /** The position that a log or its game was set up with; null for that of the setup. */
  async setUp({ log, ply }) {
    for (let at = log, forks = 0; forks < FORKS_MAX; forks += 1) {
      const { fork, position } = await this.created(at);
      if (position || ply > 0 || !fork) return position ?? null;
      at = fork.game;
    }
    throw new ApiError(words.tooManyLines, 'BAD_INPUT');
  }

  /** How a log was created. */
  created(log) {
    const { events, id } = this.replay.now();
    if (log === id && events.length > 0) return events[0].body;
    const known = this.logs.get(log) ?? createdBy(log);
    this.logs.set(log, known);
    known.catch(() => this.logs.delete(log));
    return known;
  }
}

async function createdBy(log) {
  const text = await fetchLog(log);
  return JSON.parse(text.slice(0, text.indexOf('\n'))).body;
}
