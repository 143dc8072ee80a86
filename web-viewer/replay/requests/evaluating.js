// Asks the engine of the service about single positions, each once. No DOM here.

import { common } from '../../words/common.js';
import { playing as act } from '../../words/playing.js';
import { replay as words } from '../../words/replay.js';
import { ApiError, errorWords, fetchLog, request, token } from '../../base/api.js';
import { english } from '../../model/english.js';
import { seatOf } from '../../model/format.js';
import { written } from '../../model/play.js';
import { EVALUATE } from '../../model/figure-queries.js';

/** A position is asked about once the reader rests there. */
const REST_MS = 400;
const KEPT_MAX = 200;
/** The most logs that a line can be away from its game. */
const FORKS_MAX = 100;

/** Requests evaluations; that of the position shown arrives as a message. */
export class Evaluating {
  /** @param {import('../replay.js').Replay} replay */
  constructor(replay) {
    this.replay = replay;
    this.isOn = isOnInSession();
    if (this.isOn) replay.send('set', { isEngineOn: true });
    /** @type {Map<string, any>} answers by what was asked, the least recently used first */ this.kept = new Map();
    /** @type {Map<string, Promise<any>>} how logs were created */ this.logs = new Map();
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
    const { game: { kind, setup }, path } = this.replay.now();
    const plies = path.slice(0, node.ply + 1);
    // A position that was set up has no action.
    const from = plies.findLastIndex(({ action }) => action === null);
    const position = await this.setUp(plies[from]);
    const actions = [...plies.slice(from + 1), ...further ? [further] : []].map(({ by, action }) => written(by ?? '', action ?? ''));
    const variables = { kind, setup, actions, position, playouts, seat };
    const key = JSON.stringify(variables);
    const known = this.kept.get(key) ?? (await request(EVALUATE, variables, undefined, signal)).evaluate;
    this.kept.delete(key);
    this.kept.set(key, known);
    for (const old of this.kept.keys()) if (this.kept.size > KEPT_MAX) this.kept.delete(old);
    return known;
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
  const text = new TextDecoder().decode(await fetchLog(log));
  return JSON.parse(text.slice(0, text.indexOf('\n'))).body;
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
