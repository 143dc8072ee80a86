// Playing from any ply: which actions are legal there, and where they are recorded.

import { playing as words } from '../../words/playing.js';
import { ApiError, request, token } from '../../base/api.js';
import { seatOf } from '../../model/format.js';
import { actionsTo, promptsByActor, written } from '../../model/play.js';
import { commentWith, ownKey } from '../../model/own.js';
import { ACT, ANNOTATE, FOLD, FOLD_LEGAL, FORK, LEGAL, MOVES, ROLL } from '../../model/queries.js';
import { childOf, isUnsaved, nodeId, savedEnd } from '../../model/tree.js';
import { plyOf, triedOf } from '../../model/url.js';

const ASK_MS = 120;
const UNKNOWN_PAGE = 100;

/**
 * What may be played at a node. `form`: how it is put together on the board, if it is; see `formed` in entry/forms.js. `seq`: the
 * last event of its log, if it is the log's last ply. `unknown`: the actions on the way to it that not everybody knows, with what
 * the reader does know.
 * @typedef {{toAct: string[], actions: string[] | null, prompt: any, form: any, seq: number | null, unknown: Unknown[]}} Legal
 * @typedef {{ply: number, by: string, action: string}} Unknown
 */

/** Plays on the lines of a game. */
export class Playing {
  /**
   * @param {import('../replay.js').Replay} replay
   * @param {import('./lines.js').Lines} lines
   * @param {string} [hash] of the address
   */
  constructor(replay, lines, hash = '') {
    this.replay = replay;
    this.lines = lines;
    /** what the address says was tried, until that is on the board */ this.tried = triedOf(hash);
    /** @type {Map<string, Promise<Legal>>} by place and actor */
    this.legals = new Map();
    this.unsaved = 0;
    this.timer = 0;
    this.waiting = '';
    /** @type {(by: string, action: string) => Promise<void> | null} takes an action that answers a question; null if it is to be played */
    this.answer = () => null;
  }

  // --- what is legal

  /** Requests the actions once the reader pauses. */
  want() {
    this.resume();
    const { act, actor, game, movesDone, movesError, playing, position, rules } = this.replay.now();
    if (this.waiting !== act.of) {
      clearTimeout(this.timer);
      this.waiting = '';
    }
    if (!act.isOpen || playing || !position || !actor || act.legal || act.error?.isLoading || this.waiting === act.of) return;
    // What a line has to assume is filled in with what the reader knows of the moves.
    if (mayAssume(game, rules) && !movesDone && !movesError) return;
    this.waiting = act.of;
    this.timer = setTimeout(() => this.ask(), ASK_MS);
  }

  /**
   * The legal actions where the reader is; null if they could not be loaded, or the reader has moved on.
   * @returns {Promise<Legal | null>}
   */
  async ask() {
    const { act: { of, legal } } = this.replay.now();
    if (legal) return legal;
    clearTimeout(this.timer);
    this.waiting = of;
    try {
      this.replay.send('judged', of, { legal: await this.legal() });
    } catch (error) {
      this.replay.send('judged', of, { error: { ...error, message: error.message, isLoading: true } });
    }
    if (this.waiting === of) this.waiting = '';
    const { act } = this.replay.now();
    return act.of === of ? act.legal : null;
  }

  legal() {
    const { actor, game, id, log, ply } = this.replay.now();
    const key = [log, ply, actor, log === id ? game.head.seq : ''].join(' ');
    const known = this.legals.get(key) ?? this.load(log, ply, actor);
    this.legals.set(key, known);
    known.catch(() => this.legals.delete(key));
    return known;
  }

  async load(log, ply, by) {
    const { path } = this.replay.now();
    const seat = seatOf(by) || null;
    // Where nothing is recorded, the rules in this browser know as much as the service.
    const { judging } = this.lines;
    const [own] = isUnsaved(log) ? [judging?.played(actionsTo(path, ply))] : (!token() && judging?.positions(log, ply, ply, ['legal', 'form'])) || [];
    if (own) {
      const { actions = [], prompt = null } = own.legal[by] ?? {};
      return { toAct: own.toAct, actions, prompt: prompt && { dice: {}, ...prompt }, form: own.form[by] ?? null, seq: null, unknown: [] };
    }
    if (isUnsaved(log)) {
      const { fold } = await request(FOLD_LEGAL, { ...await this.lines.folding.to(path, ply), seat });
      return { toAct: fold.toAct, actions: fold.legalActions, prompt: promptsByActor(fold.prompts)[by] ?? null, form: fold.form, seq: null, unknown: [] };
    }
    const [{ game }, unknown] = await Promise.all([request(LEGAL, { id: log, ply, seat }), this.unknown(log, ply)]);
    const { form, toAct, legalActions, prompts } = game.position;
    return { toAct, actions: legalActions, prompt: promptsByActor(prompts)[by] ?? null, form, seq: game.ply === ply ? game.head.seq : null, unknown };
  }

  /** The actions that a line from a running game has to assume, because not everybody knows them. */
  async unknown(log, ply) {
    const { game, id, moves, rules } = this.replay.now();
    if (log !== id || !mayAssume(game, rules)) return [];
    const found = [];
    for (let after = null, more = true; more;) {
      const { game: { moves: { nodes, pageInfo } } } = await request(MOVES, { id, first: UNKNOWN_PAGE, after, viewer: 'public' });
      for (const move of nodes) if (move.ply <= ply && move.action.includes('?')) found.push(move);
      after = pageInfo.endCursor;
      more = pageInfo.hasNextPage && nodes.at(-1).ply < ply;
    }
    const known = (move) => moves[move.ply - 1]?.action ?? '';
    return found.map((move) => ({ ply: move.ply, by: move.by, action: known(move).includes('?') ? '' : known(move) }));
  }

  // --- what is played

  /** Plays what the address says was tried, once the moves are there. */
  resume() {
    const { isSecret, line, movesDone, path, ply } = this.replay.now();
    const { tried } = this;
    const from = tried && movesDone && path[tried.ply];
    if (!tried || !from) return;
    this.tried = null;
    if (isSecret || isUnsaved(line)) return;
    const words = tried.words.map((word) => /** @type {RegExpExecArray} */ (/^([^:]+):(.*)$/s.exec(word)));
    const log = `unsaved-${++this.unsaved}`;
    const nodes = words.map(([, by, action], index) => ({ id: nodeId(log, from.ply + index + 1), parent: index ? nodeId(log, from.ply + index) : from.id, ply: from.ply + index + 1, by: by === 'chance' ? by : `seat:${by}`, action }));
    this.replay.send('added', { lines: [this.unsavedLine(log, from, nodes.length)], nodes, unsaved: true });
    this.replay.send('visit', log, Math.max(from.ply + 1, plyOf(location.hash) ?? ply));
  }

  /**
   * Plays an action, has dice rolled (`roll`) or starts a line (`start`). If this is refused, the choice stays, and
   * the reason is shown.
   * @param {'play' | 'roll' | 'start'} what
   * @param {{action?: string, assume?: string[] | null}} [how] assume: the actions assumed to have been played in secret
   * @returns {Promise<boolean>} whether it was done
   */
  async attempt(what, { action = '', assume = null } = {}) {
    const { act, actor } = this.replay.now();
    if (act.isBusy) return false;
    this.replay.send('act', { isBusy: true, error: null });
    try {
      if (assume?.includes('')) throw new ApiError(words.assumeEach, 'BAD_INPUT');
      await (what === 'play' && this.answer(actor, action) || this[what]({ by: actor, action, seq: act.legal?.seq ?? null, assume }));
      this.replay.send('act', { isBusy: false });
      return true;
    } catch (error) {
      this.replay.send('act', { isBusy: false, error });
      if (error?.code === 'LOG_CONFLICT') this.lines.open();
      return false;
    }
  }

  /** Plays an action as written in records: with its seat where several are to act. */
  async playWord(word) {
    const { toAct = [] } = this.replay.now().position ?? {};
    const by = toAct.length > 1 ? toAct.find((actor) => word.startsWith(written(actor, ''))) : toAct[0];
    if (!by) return;
    await this.playAs(by, toAct.length > 1 ? word.slice(written(by, '').length) : word);
  }

  /** Plays an action of one of those who are to act. */
  async playAs(by, action) {
    this.replay.send('act', { isOpen: true, by });
    if (await this.ask()) await this.attempt('play', { action });
  }

  /** If an action was played here before, goes to it. */
  async play({ by, action, seq, assume }) {
    const { events, goesOn, isSecret, line, node, path } = this.replay.now();
    // Positions that were set up are the service's to go on from.
    const isSetUp = Boolean(events[0]?.body.position) || path.some((each) => each.ply > 0 && each.action === null);
    const there = childOf(node, by, action);
    if (there) this.replay.send('visitNode', there);
    else if (goesOn && !isUnsaved(line)) await this.played((await request(ACT, { game: line, seat: seatOf(by) || null, action, expectedSeq: seq })).act, node);
    else if (token() && (isSecret || isSetUp)) await this.fork([written(by, action)], assume);
    else await this.playUnsaved(by, action);
  }

  /** Lets the service roll the dice awaited here, on a new line if necessary. */
  async roll({ seq, assume }) {
    const { goesOn, line: here } = this.replay.now();
    const isOn = goesOn && !isUnsaved(here);
    if (isUnsaved(here)) await this.save('UNLISTED');
    else if (!isOn) await this.fork([], assume);
    const { line, node } = this.replay.now();
    const { roll } = await request(ROLL, { game: line, expectedSeq: isOn ? seq : null });
    await this.played(roll, node);
  }

  /** Starts a line here, without plies. */
  start({ assume }) {
    return this.fork([], assume);
  }

  /** A line of the service's: nobody finds it until it is shared. */
  async fork(actions, assume) {
    const { node } = this.replay.now();
    const { fork } = await request(FORK, { game: node.log, ply: node.ply, actions, assume, visibility: 'UNLISTED' });
    await this.played(fork, node);
  }

  /**
   * Makes a line of what was tried up to the ply shown.
   * @param {'PUBLIC' | 'UNLISTED'} visibility
   * @param {string} [name]
   */
  async save(visibility, name = '') {
    const { kept, line, path, ply } = this.replay.now();
    const from = savedEnd(path);
    if (!from) return;
    const actions = actionsTo(path, ply).slice(from.ply);
    const own = path.slice(0, ply + 1).map((node) => kept[ownKey(path, node.ply, node.id)]);
    const { fork } = await request(FORK, { game: from.log, ply: from.ply, actions, name: name || null, visibility });
    // What the reader drew and wrote on the way goes with it.
    for (const [at, { note, marks }] of Object.entries(own.slice(from.ply + 1)).filter(([, each]) => each)) {
      await request(ANNOTATE, { game: fork.id, ply: from.ply + 1 + Number(at), comment: commentWith(note, marks), glyphs: [] });
    }
    this.legals.clear();
    await this.lines.open(fork.id);
    this.replay.send('visit', fork.id, fork.ply);
    this.replay.send('dropped', line);
  }

  /** Adds the service's answer to an action after a node, and goes there. */
  async played(game, node) {
    const { ply: from, game: { id: parent } } = game.forkedFrom;
    const { tree } = this.replay.now();
    const known = tree.lines.get(game.id);
    this.legals.clear();
    // If part of the game is secret, a line leaves it earlier and plays the assumed actions itself.
    if (!known && from !== node.ply) await this.lines.open(game.id);
    else {
      const [move] = game.moves.nodes;
      const line = { hidden: true, name: null, mayArrange: true, ...known, id: game.id, parent, ply: from, createdAt: game.createdAt, plies: game.ply };
      const child = move?.ply > node.ply && { id: nodeId(game.id, move.ply), parent: node.id, ply: move.ply, by: move.by, action: move.action, key: move.positionKey };
      this.replay.send('added', { lines: [line], nodes: child ? [child] : [] });
    }
    this.replay.send('visit', game.id, game.ply);
  }

  /** Plays on in this browser only, if the rules allow it. */
  async playUnsaved(by, action) {
    const { act: { legal }, goesOn, isSecret, line, node, path, ply: here } = this.replay.now();
    if (isSecret) throw new ApiError(words.signInForLines, 'BAD_INPUT');
    if (!legal?.actions?.includes(action)) {
      await request(FOLD, await this.lines.folding.to(path, here, { by, action })).catch((why) => {
        throw new ApiError(why.message, why.code, { ...why.details, action });
      });
    }
    const log = goesOn ? line : `unsaved-${++this.unsaved}`;
    const ply = node.ply + 1;
    const nodes = [{ id: nodeId(log, ply), parent: node.id, ply, by, action }];
    this.replay.send('added', { lines: [goesOn ? { id: log, plies: ply } : this.unsavedLine(log, node, 1)], nodes, unsaved: true });
    this.replay.send('visit', log, ply);
  }

  unsavedLine(id, { log, ply }, plies) {
    return { id, name: words.notSaved, parent: log, ply, plies: ply + plies, hidden: false, createdAt: '', mayArrange: false };
  }
}

/** Whether some of a game's actions may be secret: its rules may not have come yet. */
function mayAssume(game, rules) {
  return game.status === 'RUNNING' && rules?.secrets !== false;
}
