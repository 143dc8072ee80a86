// Captures and rolls along the whole mainline, for the slider's marks: looked for once the page is at rest. No DOM here.

import { request } from '../../base/api.js';
import { featsIn } from '../../model/happened.js';
import { learn } from '../../model/pictures.js';
import { STANDING } from '../../model/queries.js';

/** As many as the service gives. */
const PAGE = 500;
/** So many are looked through without a pause. */
const SLICE = 50;
const REST_MS = 300;

/** Looks through a game page by page; what it finds arrives as messages. */
export class Feats {
  /** @param {import('../replay.js').Replay} replay */
  constructor(replay) {
    this.replay = replay;
    this.isBusy = false;
    /** @type {any[]} the moves, and for whom, that were looked through */ this.of = [[], ''];
    /** @type {any} the last position that was looked at */ this.last = null;
    this.ply = 0;
    this.hasFailed = false;
  }

  /** Looks on, once the game is there, and again after what was changed. */
  want() {
    const { moves, movesDone, position, settings: { inWords }, viewer } = this.replay.now();
    if (!position || !movesDone || this.isBusy) return;
    const eyes = `${viewer} ${inWords}`;
    if (moves !== this.of[0] || eyes !== this.of[1]) this.begin(moves, eyes);
    if (this.hasFailed || this.isDone()) return;
    this.isBusy = true;
    setTimeout(() => this.look(), REST_MS);
  }

  isDone() {
    const { game, moves } = this.replay.now();
    return moves === this.of[0] && this.ply >= Math.min(game.ply, moves.length);
  }

  /** Goes on where the same moves have become more; starts again for others. */
  begin(moves, eyes) {
    const [old, before] = this.of;
    this.of = [moves, eyes];
    if (before === eyes && old.every((move, index) => move.seq === moves[index]?.seq)) return;
    [this.last, this.ply, this.hasFailed] = [null, 0, false];
    this.replay.send('found', 0, []);
  }

  async look() {
    const { game, id, moves, viewer } = this.replay.now();
    const from = this.last ? this.ply + 1 : 0;
    const to = Math.min(from + PAGE - 1, moves.length, game.ply);
    try {
      const { scenes } = (await request(STANDING, { id, from, to, viewer: viewer || null })).game;
      for (let at = 0; at < scenes.frames.length; at += SLICE) {
        await new Promise((done) => { setTimeout(done); });
        this.find(from + at, { ...scenes, frames: scenes.frames.slice(at, at + SLICE) }, moves, game.seats);
      }
    } catch {
      // Without these marks, the slider still works.
      this.hasFailed = true;
    }
    this.isBusy = false;
    this.want();
  }

  find(from, scenes, moves, seats) {
    const { feats, last } = featsIn(from, scenes, this.last, moves, seats, this.replay.now().settings.inWords);
    [this.last, this.ply] = [last, from + scenes.frames.length - 1];
    // What is taken stood on the board a ply before.
    for (const { kind, ply } of feats) if (kind === 'capture' && ply > from) learn({ items: scenes.frames[ply - from - 1].items.flatMap(([first, end]) => scenes.items.slice(first, end)) });
    this.replay.send('found', from, feats);
  }
}
