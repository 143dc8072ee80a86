// Asks the engine of the service about single positions, each once. No DOM here.

import { common } from '../../words/common.js';
import { playing as act } from '../../words/playing.js';
import { replay as words } from '../../words/replay.js';
import { errorWords, request, token } from '../../base/api.js';
import { english } from '../../model/english.js';
import { seatOf } from '../../model/format.js';
import { EVALUATE } from '../../model/figure-queries.js';

/** A position is asked about once the reader rests there. */
const REST_MS = 400;
const KEPT_MAX = 200;

/** Requests evaluations; that of the position shown arrives as a message. */
export class Evaluating {
  /** @param {import('../replay.js').Replay} replay @param {import('./folding.js').Folding} folding */
  constructor(replay, folding) {
    this.replay = replay;
    this.folding = folding;
    this.isOn = isOnInSession();
    if (this.isOn) replay.send('set', { isEngineOn: true });
    /** @type {Map<string, any>} answers by what was asked, the least recently used first */ this.kept = new Map();
    /** @type {{position: any, seat: number | null} | null} what is being asked about */ this.wanted = null;
    this.cancel = new AbortController();
    this.timer = 0;
  }

  /** Asks about the position shown, if the engine is to look at it. */
  want() {
    const { actor, isEngineOn, mayEvaluate, node, position } = this.replay.now();
    if (isEngineOn !== this.isOn) keepInSession(this.isOn = isEngineOn);
    const wanted = isEngineOn && mayEvaluate && node && position ? { position, seat: position.toAct.length > 1 ? seatOf(actor) || null : null } : null;
    if (wanted?.position === this.wanted?.position && wanted?.seat === this.wanted?.seat) return;
    this.wanted = wanted;
    clearTimeout(this.timer);
    this.cancel.abort();
    if (wanted) this.timer = setTimeout(() => this.look(wanted), REST_MS);
  }

  /** Asks once more about the position shown. */
  retry() {
    this.wanted = null;
    this.replay.send('set', { evaluated: null });
  }

  async look({ position, seat }) {
    this.cancel = new AbortController();
    const { signal } = this.cancel;
    const told = (change) => signal.aborted || this.replay.send('set', { evaluated: { position, seat, answer: null, error: null, ...change } });
    try {
      told({ answer: await this.ask(this.replay.now().node, { seat, signal }) });
    } catch (error) {
      told({ error });
    }
  }

  /**
   * What the engine thinks of a position: the one at a node of the path that the reader follows, or the one that a further action leads to.
   * @param {import('../../model/tree.js').Node} node
   * @param {{further?: {by: string, action: string} | null, playouts?: number | null, seat?: number | null, signal?: AbortSignal}} [how] playouts:
   *   by default as many as the service likes; seat: whose actions, where several are to act
   * @returns {Promise<import('../../model/analysis.js').Evaluated>}
   * @throws {ApiError}
   */
  async ask(node, { further = null, playouts = null, seat = null, signal = undefined } = {}) {
    const variables = { ...await this.folding.to(this.replay.now().path, node.ply, ...further ? [further] : []), playouts, seat };
    const key = JSON.stringify(variables);
    const known = this.kept.get(key) ?? (await request(EVALUATE, variables, undefined, signal)).evaluate;
    this.kept.delete(key);
    this.kept.set(key, known);
    for (const old of this.kept.keys()) if (this.kept.size > KEPT_MAX) this.kept.delete(old);
    return known;
  }
}

const ENGINE = 'plybook.engine';

function isOnInSession() {
  try {
    return sessionStorage.getItem(ENGINE) === 'on';
  } catch {
    return false;
  }
}

function keepInSession(isOn) {
  try {
    sessionStorage.setItem(ENGINE, isOn ? 'on' : 'off');
  } catch {
    // A browser without storage still works: the switch holds until the page is left.
  }
}

/**
 * Why there is no evaluation, for people.
 * @param {any} why
 */
export function evaluationRefused(why) {
  switch (why?.code) {
    case 'UNAUTHENTICATED':
    case 'FORBIDDEN': return token() ? act.forbidden(english(why.message.replace(/[.!]?$/, '.'))) : words.signInToAsk;
    case 'RATE_LIMITED': return words.analysisTooMany;
    case 'OFFLINE': return common.offline;
    default: return errorWords(why);
  }
}
