// A lesson from the mistakes of a seat: its questions, and what the reader answers. No DOM here.

import { replayServed as words } from '../../words/replay-served.js';
import { token } from '../../base/api.js';
import { percentWords, placesOf } from '../../model/analysis.js';
import { helped, isGood, mistakes, question, worth } from '../../model/lesson.js';
import { evaluationRefused } from './evaluating.js';

/** Asks, and judges the answers. */
export class Learning {
  /**
   * @param {import('../replay.js').Replay} replay
   * @param {import('./playing.js').Playing} playing
   * @param {import('./evaluating.js').Evaluating} evaluating
   */
  constructor(replay, playing, evaluating) {
    this.replay = replay;
    this.evaluating = evaluating;
    playing.answer = (by, action) => this.answer(by, action);
  }

  /** Ends the lesson if what it is about is no longer there. */
  want() {
    const { analysis, lesson, moves } = this.replay.now();
    if (lesson && !mistakes(analysis, moves).get(lesson.seat)?.includes(lesson.ply)) this.stop();
  }

  /** @param {number} seat */
  start(seat) {
    const { analysis, moves } = this.replay.now();
    const plies = mistakes(analysis, moves).get(seat) ?? [];
    if (plies.length > 0) this.ask(question({ seat, plies }, 0));
  }

  /** @param {import('../../model/lesson.js').Lesson} lesson */
  ask(lesson) {
    this.set(lesson);
    this.back();
  }

  /** To the position that is asked about. */
  back() {
    const { id, lesson, moves } = this.replay.now();
    this.replay.send('visit', id, lesson.ply);
    this.replay.send('act', { picked: [], typed: '', active: -1, error: null });
    this.replay.send('act', { isOpen: true, by: moves[lesson.ply].by });
  }

  /** The next question; after the last one, the lesson is over. */
  next() {
    const { lesson } = this.replay.now();
    if (lesson.index + 1 < lesson.plies.length) this.ask(question(lesson, lesson.index + 1));
    else {
      this.replay.send('say', words.over(lesson.found, lesson.plies.length));
      this.set(null);
    }
  }

  stop() {
    if (this.replay.now().lesson) this.replay.send('learned');
  }

  hint() {
    const { lesson, position } = this.replay.now();
    const best = this.best();
    this.set(helped(lesson, best, position ? placesOf(position.scene, best) : []));
  }

  solve() {
    const { lesson } = this.replay.now();
    this.set({ ...lesson, isOpen: false, given: this.best(), verdict: 'shown', told: '' });
  }

  /**
   * Takes an action as an answer, if it is one.
   * @param {string} by
   * @param {string} action
   * @returns {Promise<void> | null} null if the action is to be played
   */
  answer(by, action) {
    const { id, lesson, line, moves, ply } = this.replay.now();
    if (!lesson?.isOpen || line !== id || ply !== lesson.ply) return null;
    return by === moves[ply].by ? this.judge(action) : this.wrong(action, words.otherSeat);
  }

  async judge(action) {
    const { analysis, game, lesson, moves, path, ply } = this.replay.now();
    this.replay.send('act', { picked: [], typed: '', active: -1, error: null });
    if (action === this.best()) return this.right(action, words.engineWould);
    if (action === moves[ply].action) return this.wrong(action, words.wasPlayed);
    this.set({ ...lesson, tried: action, verdict: 'waiting', told: '' });
    const here = { ...lesson, tried: action, verdict: 'waiting' };
    try {
      // The engine's own worth of the best action, as of the position that the played one led to.
      const [before, after] = [analysis.plies[ply], analysis.plies[ply + 1]];
      const best = worth(after, lesson.seat) + before.lossOfPlayed;
      const loss = best - worth(await this.evaluating.ask(path[ply], { further: { by: moves[ply].by, action }, playouts: analysis.playouts }), lesson.seat);
      if (!this.isStill(here)) return undefined;
      if (isGood(loss, game.seats.length)) return this.right(action, loss > 0 ? words.losesGood(percentWords(loss)) : words.losesNothingGood);
      return this.wrong(action, words.loses(percentWords(loss)));
    } catch (why) {
      if (!this.isStill(here)) return undefined;
      // An action that the service refuses is no answer: it stays in the field, with the reason.
      if (why.code === 'ILLEGAL_ACTION' || why.code === 'BAD_INPUT') {
        this.set({ ...lesson, tried: '', verdict: '', told: '' });
        throw why;
      }
      return this.wrong(action, token() ? words.notCompared(evaluationRefused(why)) : words.signInToCompare);
    }
  }

  isStill({ ply, tried }) {
    const { lesson } = this.replay.now();
    return lesson?.isOpen && lesson.ply === ply && lesson.tried === tried && lesson.verdict === 'waiting';
  }

  right(action, told) {
    const { lesson } = this.replay.now();
    this.set({ ...lesson, isOpen: false, found: lesson.found + 1, tried: action, verdict: 'right', told });
  }

  wrong(action, told) {
    const { lesson } = this.replay.now();
    this.set({ ...lesson, tried: action, verdict: 'wrong', told });
  }

  /** What the engine would have played. */
  best() {
    const { analysis, lesson } = this.replay.now();
    return analysis.plies[lesson.ply].best;
  }

  set(lesson) {
    this.replay.send('set', { lesson });
  }
}
