// The rules in this browser: they judge the whole record once somebody wants to know, and from then on the positions that
// the page shows. No DOM here.

import { verification as words } from '../../words/verification.js';
import { errorWords, fetchLog } from '../../base/api.js';
import { standalone } from '../../base/standalone.js';
import { english } from '../../model/english.js';
import { shapes } from '../../model/scene.js';
import { MODULES } from '../../rules/modules.js';

/** The most logs that a line can be away from its game. */
const FORKS_MAX = 100;

/**
 * What the rules say: `failed` is told by the finding; with `sealed`, something in the log is not revealed yet. `wrong`: what is
 * shown and does not follow from the log.
 * @typedef {{state: 'checking'|'done'|'sealed'|'failed'|'unknown', rules?: string, plies?: number, why?: string, wrong?: string}} Judged
 */

/** Judges the record of a game. */
export class Judging {
  /**
   * @param {import('../replay.js').Replay} replay
   * @param {import('./game.js').Game} game
   */
  constructor(replay, game) {
    this.replay = replay;
    this.game = game;
    /** @type {import('../../rules/index.js').Rules | null} */ this.rules = null;
    /** @type {any} the last position that was compared */ this.compared = null;
  }

  /** Loads the rules, which fold and judge the whole record. */
  async judge() {
    const { events, finding, id, judged } = this.replay.now();
    if (!finding?.valid || (judged && judged.state !== 'unknown')) return;
    const told = (change) => this.replay.now().finding === finding && this.replay.send('set', { judged: change });
    told({ state: 'checking' });
    try {
      const { Rules } = await import('../../rules/index.js');
      const { kind, rules: version } = events[0].body;
      if (!MODULES.has(kind)) {
        told({ state: 'unknown', why: words.rulesAbsent(kind) });
        return;
      }
      this.rules ??= await Rules.load(kind, standalone()?.module);
      if (!this.rules.kinds().some((own) => own.kind === kind && own.version === version)) {
        told({ state: 'unknown', why: words.versionAbsent(kind, version) });
        return;
      }
      this.rules.close();
      const found = this.rules.open(await logsFrom(id, events)).logs.find(({ game }) => game === id);
      if (this.replay.now().finding !== finding) return;
      if (!found.valid) this.game.record.found({ ...finding, valid: false, events: found.events, firstBad: found.firstBad, kind: found.kind, problem: problemOf(found) });
      if (!found.valid) this.replay.send('set', { judged: { state: 'failed' } });
      // The log has grown since it was verified: it is verified again first.
      else if (found.head !== finding.head) told(null);
      else if (!found.judged) told({ state: 'sealed' });
      else told({ state: 'done', rules: found.judged.rules, plies: found.judged.plies });
    } catch (why) {
      told({ state: 'unknown', why: errorWords(why) });
    }
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

  /** Compares the position that is shown with the one that the rules give. */
  want() {
    const { judged, log, ply, position } = this.replay.now();
    if (!position || position === this.compared || !this.knows(log) || ply > judged.plies) return;
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

/** What the rules found, as the end of a sentence that begins with the event. */
function problemOf({ problem }) {
  return words.misfit(english(problem.replace(/^event \d+( \(ply \d+\))?: /, '').replace(/\.$/, '')));
}

/** The log of a game, or of a line and all logs that it continues, as NDJSON. */
async function logsFrom(id, events) {
  const texts = [text(await fetchLog(id))];
  let fork = events[0].body.fork;
  for (let forks = 0; fork && forks < FORKS_MAX; forks += 1) {
    const parent = text(await fetchLog(fork.game));
    texts.unshift(parent);
    fork = JSON.parse(parent.slice(0, parent.indexOf('\n'))).body.fork;
  }
  return texts.join('\n');
}

function text(bytes) {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
