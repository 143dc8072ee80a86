// The rules in this browser, which verified the record: from then on they give the positions that the page shows. No DOM here.

import { replay as words } from '../../words/replay.js';
import { shapes } from '../../model/scene.js';

/** What the rules of a verified record say of the game. */
export class Judging {
  /**
   * @param {import('../replay.js').Replay} replay
   * @param {import('./game.js').Game} game
   */
  constructor(replay, game) {
    this.replay = replay;
    this.game = game;
    /** @type {any} the last position that was compared */ this.compared = null;
  }

  get rules() {
    return this.game.record?.rules ?? null;
  }

  /**
   * Positions of this log; null if the rules have not judged it.
   * @param {string} log
   * @param {number} from
   * @param {number} to
   * @param {import('../../rules/index.js').Part[]} [parts]
   * @returns {any[] | null}
   */
  positions(log, from, to, parts = ['scene', 'text']) {
    const { viewer } = this.replay.now();
    return this.knows(log) ? this.rules.positions({ game: log, from, to, viewer: viewer || 'all', parts }) : null;
  }

  /**
   * The position after actions from the start, with what may be done there; null if the rules have not judged the log.
   * @param {string[]} actions
   * @returns {any}
   */
  played(actions) {
    const { id } = this.replay.now();
    return this.knows(id) ? this.rules.play({ game: id, ply: 0, actions, parts: ['scene', 'text', 'legal', 'form'] }) : null;
  }

  /** Whether the rules have judged this log as it stands, and everybody may know everything in it. */
  knows(log) {
    const { id, isSecret, judged } = this.replay.now();
    return judged?.state === 'done' && !judged.wrong && log === id && !isSecret;
  }

  /** Compares the position that is shown with the one that the rules give, once both are of the same events. */
  want() {
    const { finding, game, judged, log, ply, position } = this.replay.now();
    if (!position || position === this.compared || !this.knows(log) || ply > judged.plies) return;
    if (finding.events !== game.head.seq + 1 || this.game.lines.shelf(log).get(ply) !== position) return;
    this.compared = position;
    const [own] = this.positions(log, ply, ply) ?? [];
    if (looks(own) === looks(position)) return;
    this.replay.send('set', { judged: { ...judged, wrong: words.otherPosition(ply) } });
  }
}

/** A position as far as readers see it. */
function looks({ scene, text, toAct }) {
  return JSON.stringify([text, toAct, scene.view, scene.status ?? '', shapes(scene)]);
}
