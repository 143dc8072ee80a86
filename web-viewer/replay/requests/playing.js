// Playing from any ply: what is legal there, and where an action goes. No DOM here.

import { ApiError, request, token } from '../../base/api.js';
import { actionsTo, isUnsaved } from './lines.js';
import { written } from '../../model/play.js';
import { ACT, FOLD_LEGAL, FORK, LEGAL, MOVES, ROLL } from '../../model/queries.js';
import { childOf, nodeId, tipOf } from '../../model/tree.js';

const UNKNOWN_PAGE = 100;

/**
 * What may be played at a node. `seq`: the last event of its log, where it is the log's last ply. `unknown`: what
 * not everybody knows on the way to it, with what the reader does know.
 * @typedef {{toAct: string[], actions: string[] | null, prompt: any, seq: number | null, unknown: Unknown[]}} Legal
 * @typedef {{ply: number, by: string, action: string}} Unknown
 */

/** Plays on the lines of a game. */
export class Playing {
  /** @param {import('./lines.js').Lines} lines */
  constructor(lines) {
    this.lines = lines;
    /** @type {Map<string, Promise<Legal>>} by place and actor */
    this.legals = new Map();
    this.unsaved = 0;
  }

  /**
   * What may be played here.
   * @param {string} by the actor, of those who are to act
   * @returns {Promise<Legal>}
   */
  legal(by) {
    const { node, line, ply, id, game } = this.lines.state();
    const log = node?.log ?? line;
    const key = [log, ply, by, log === id ? game.head.seq : ''].join(' ');
    const known = this.legals.get(key) ?? this.ask(log, ply, by);
    this.legals.set(key, known);
    known.catch(() => this.legals.delete(key));
    return known;
  }

  async ask(log, ply, by) {
    const seat = by.startsWith('seat:') ? Number(by.slice(5)) : null;
    if (isUnsaved(log)) {
      const { game, path } = this.lines.state();
      const { fold } = await request(FOLD_LEGAL, { kind: game.kind, setup: game.setup, actions: actionsTo(path, ply), seat });
      return { toAct: fold.toAct, actions: fold.legalActions, prompt: fold.prompt?.[by] ?? null, seq: null, unknown: [] };
    }
    const [{ game }, unknown] = await Promise.all([request(LEGAL, { id: log, ply, seat }), this.unknown(log, ply)]);
    const { toAct, legalActions, prompt } = game.position;
    return { toAct, actions: legalActions, prompt: prompt?.[by] ?? null, seq: game.ply === ply ? game.head.seq : null, unknown };
  }

  /** What a line that leaves a running game has to assume, because not everybody knows it. */
  async unknown(log, ply) {
    const { id, game, rules, moves } = this.lines.state();
    if (log !== id || game.status !== 'RUNNING' || !rules?.secrets) return [];
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

  /** Where an action played here would go: it is there already, goes on with a line, or starts one. */
  whither(by = '', action = '') {
    const { node, line, tree, id } = this.lines.state();
    if (action && childOf(node, by, action)) return 'there';
    const mine = line !== id && (isUnsaved(line) || (token() && tree.lines.get(line)?.mayArrange));
    return mine && node && node === tipOf(tree, line) ? 'on' : 'new';
  }

  /**
   * Plays an action here.
   * @throws {ApiError} nothing was written
   */
  async play(by, action, { seq, assume }) {
    const { node, line } = this.lines.state();
    const there = childOf(node, by, action);
    if (there) return this.lines.visitNode(there);
    const goesOn = this.whither() === 'on';
    if (!token()) return this.playUnsaved(by, action);
    if (goesOn) {
      const seat = by.startsWith('seat:') ? Number(by.slice(5)) : null;
      const { act } = await request(ACT, { game: line, seat, action, expectedSeq: seq });
      return this.played(act, node);
    }
    const { fork } = await request(FORK, { game: node.log, ply: node.ply, actions: [written(by, action)], assume });
    return this.played(fork, node);
  }

  /** Lets the service roll what is awaited here, on a new line where need be. */
  async roll({ seq, assume }) {
    if (this.whither() === 'on' && !isUnsaved(this.lines.state().line)) {
      const { line, node } = this.lines.state();
      const { roll } = await request(ROLL, { game: line, expectedSeq: seq });
      return this.played(roll, node);
    }
    await this.start({ assume });
    const { line, node } = this.lines.state();
    const { roll } = await request(ROLL, { game: line });
    return this.played(roll, node);
  }

  /** Starts a line here that has played nothing yet. */
  async start({ assume }) {
    const { node } = this.lines.state();
    const { fork } = await request(FORK, { game: node.log, ply: node.ply, actions: [], assume });
    await this.played(fork, node);
  }

  /** Takes in what the service answered to an action after a node, and goes there. */
  async played(game, node) {
    const { ply: from, game: { id: parent } } = game.forkedFrom;
    // Where not all is known of a game, a line leaves it earlier and plays what is assumed itself.
    if (!this.lines.state().tree.lines.has(game.id) && from !== node.ply) {
      this.lines.state().line = game.id;
      await this.lines.open();
      return this.lines.visit(game.id, game.ply);
    }
    const [move] = game.moves.nodes;
    const has = move && move.ply > node.ply;
    const known = this.lines.state().tree.lines.get(game.id);
    const line = { hidden: false, name: null, mayArrange: true, ...known, id: game.id, parent, ply: from, createdAt: game.createdAt, plies: game.ply };
    const child = has && { id: nodeId(game.id, move.ply), parent: node.id, ply: move.ply, by: move.by, action: move.action, key: move.positionKey };
    this.legals.clear();
    this.lines.update({ pages: [...this.lines.state().pages, { lines: [line], nodes: has ? [child] : [] }] });
    return this.lines.visit(game.id, game.ply);
  }

  /** Plays on in this browser only. */
  playUnsaved(by, action) {
    const { node, line, game, rules, pages } = this.lines.state();
    if (rules?.secrets && game.status === 'RUNNING') {
      throw new ApiError('while a game with secrets runs, lines are for those who are signed in', 'BAD_INPUT');
    }
    const goesOn = this.whither() === 'on';
    const log = goesOn ? line : `unsaved-${++this.unsaved}`;
    const ply = node.ply + 1;
    const started = { name: 'Not saved', parent: node.log, ply: node.ply, hidden: false, createdAt: '', mayArrange: false };
    const entry = { ...(goesOn ? {} : started), id: log, plies: ply };
    const nodes = [{ id: nodeId(log, ply), parent: node.id, ply, by, action }];
    this.lines.update({ pages: [...pages, { lines: [entry], nodes, unsaved: true }] });
    this.lines.visit(log, ply);
  }
}
