// Requests for what the present rules say of the game.

import { request } from '../../base/api.js';
import { REFOLD } from '../../model/figure-queries.js';

/** Has the game judged again; the answer arrives as a message. */
export class Refolding {
  /** @param {import('../replay.js').Replay} replay */
  constructor(replay) {
    this.replay = replay;
  }

  /** Has the log judged as it stands. */
  async judge() {
    const { game, id, refold } = this.replay.now();
    if (refold?.isBusy) return;
    const of = game?.head.seq ?? -1;
    this.replay.send('set', { refold: { of, isBusy: true } });
    try {
      const found = (await request(REFOLD, { id })).game?.refold;
      this.replay.send('set', { refold: { of, found } });
    } catch (error) {
      this.replay.send('set', { refold: { of, error } });
    }
  }

  /** A game that cannot be shown may have been recorded under rules that are gone: then it is judged at once. */
  start() {
    const { error, game } = this.replay.now();
    if (!game && error?.code === 'INTERNAL') this.judge();
  }
}
