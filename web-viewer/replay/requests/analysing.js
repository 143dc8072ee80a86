// Requests for the analysis of the game: what there is, one to be made, and how far it is.

import { request, token } from '../../base/api.js';
import { follow, liveUrl } from '../../base/live.js';
import { ANALYZE, PROGRESS } from '../../model/figure-queries.js';
import { ANALYSIS } from '../../model/queries.js';

const REST_MS = 400;
/** An analysis that cannot be followed was stopped meanwhile, or too many follow something: both show later. */
const RETRY_MS = 2_000;

/** Requests the analysis; answers arrive as messages. */
export class Analysing {
  /** @param {import('../replay.js').Replay} replay */
  constructor(replay) {
    this.replay = replay;
    this.asked = '';
    this.leave = () => {};
    this.isFollowing = false;
  }

  /** Requests what there is, once the position is shown, and again after what may have made it stale. */
  want() {
    const { game, isSecret, movesDone, position } = this.replay.now();
    if (!position || !movesDone || isSecret) return;
    const wanted = `${game.status} ${game.ply}`;
    if (wanted === this.asked) return;
    this.asked = wanted;
    setTimeout(() => this.load(), REST_MS);
  }

  async load() {
    try {
      const { game } = await request(ANALYSIS, { id: this.replay.now().id });
      this.replay.send('set', { analysis: game.analysis, analysisError: null });
      if (isWaiting(game.analysis)) this.listen();
    } catch (analysisError) {
      this.replay.send('set', { analysis: null, analysisError });
    }
  }

  /** Has the game analysed. */
  async start() {
    if (this.replay.now().isAnalysing) return;
    this.replay.send('set', { analysisError: null, isAnalysing: true });
    try {
      const { analyze } = await request(ANALYZE, { id: this.replay.now().id });
      this.replay.send('set', { analysis: { ...this.replay.now().analysis, ...analyze } });
      if (isWaiting(analyze)) this.listen();
      else await this.load();
    } catch (analysisError) {
      this.replay.send('set', { analysisError });
    }
    this.replay.send('set', { isAnalysing: false });
  }

  /** Follows an analysis that is being made, which lasts as long as somebody does. */
  listen() {
    if (this.isFollowing) return;
    this.isFollowing = true;
    this.leave = follow({
      url: liveUrl(),
      token: token(),
      query: PROGRESS,
      variables: () => ({ id: this.replay.now().id }),
      state: () => {},
      next: ({ analysisProgress: progress }) => {
        this.replay.send('set', { analysis: { ...this.replay.now().analysis, ...progress } });
        if (isWaiting(progress)) return;
        this.stop();
        this.load();
      },
      refused: () => {
        this.stop();
        setTimeout(() => this.load(), RETRY_MS);
      },
    });
  }

  /** Waits no longer: an analysis that nobody waits for is cancelled. */
  cancel() {
    this.stop();
    this.replay.send('set', { analysis: { ...this.replay.now().analysis, state: 'CANCELLED' } });
  }

  stop() {
    this.leave();
    this.isFollowing = false;
  }
}

/** @param {import('../../model/analysis.js').Analysis | null} analysis */
function isWaiting(analysis) {
  return analysis?.state === 'QUEUED' || analysis?.state === 'RUNNING';
}
