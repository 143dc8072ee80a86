// The lines of a game: loading the tree, walking along it, playing on it, arranging it. No DOM here.

import { ApiError, request, token } from './api.js';
import { actorName } from './format.js';
import { Positions } from './positions.js';
import { written } from './play.js';
import { ACT, ANNOTATE, ARRANGE, FOLD, FOLD_LEGAL, FORK, LEGAL, MOVES, POSITIONS, ROLL, TREE } from './queries.js';
import {
  SHOWN_FIRST, beside, childOf, enclosing, entered, entrance, exit, folded, isHidden, lineThrough, needed, nodeId, pathOf, tipOf,
  treeOf, variations,
} from './tree.js';

const UNKNOWN_PAGE = 100;

/**
 * What may be played at a node. `seq`: the last event of its log, where it is the log's last ply. `unknown`: what
 * not everybody knows on the way to it, with what the reader does know.
 * @typedef {{toAct: string[], actions: string[] | null, prompt: any, seq: number | null, unknown: Unknown[]}} Legal
 * @typedef {{ply: number, by: string, action: string}} Unknown
 */

/** What is kept of a game's lines beside the page's state. */
export class Lines {
  /**
   * @param {() => any} state of the replay page
   * @param {(change: object) => void} update
   * @param {(text: string, isGoing?: boolean) => void} say to who listens
   */
  constructor(state, update, say) {
    this.state = state;
    this.update = update;
    this.say = say;
    /** @type {Map<string, Positions>} by log */
    this.shelves = new Map();
    /** @type {Map<string, Promise<Legal>>} by node and actor */
    this.legals = new Map();
    this.unsaved = 0;
    /** Hidden lines are told to whoever may have some. */
    this.asksHidden = Boolean(token());
    this.turn = 0;
    this.built = [];
    this.listed = [];
  }

  // --- what follows from the state

  /** Brings what follows from the pages, the moves and the place up to date. */
  derive() {
    const { state } = this;
    const now = state();
    const from = [now.pages, now.moves];
    if (from.some((part, index) => part !== this.built[index])) {
      this.built = from;
      now.tree = treeOf(now.id, now.pages, now.moves);
      now.path = null;
    }
    if (now.path === null || now.path.of !== now.line) {
      now.path = Object.assign(pathOf(now.tree, now.line), { of: now.line });
      now.walk = this.walk();
    }
    now.last = now.line === now.id ? now.game.ply : Math.max(now.path.length - 1, 0);
    now.ply = Math.max(0, Math.min(now.ply, now.last));
    now.node = now.path[now.ply];
    const withHidden = now.withHidden || isHidden(now.tree, now.line);
    const options = [now.tree, now.folds, withHidden];
    if (options.some((part, index) => part !== this.listed[index])) {
      this.listed = options;
      now.variations = variations(now.tree, { folds: now.folds, withHidden });
    }
  }

  /** The plies of the path as the mainline's moves are told. */
  walk() {
    const { id, line, moves, path, game } = this.state();
    if (line === id) return moves;
    return path.slice(1).map((node) => (node.log === id && moves[node.ply - 1]) || {
      ...node, glyphs: node.glyphs ?? [], text: `${node.by === 'chance' ? '' : `${actorName(node.by ?? '', game.seats)}: `}${node.action}`,
    });
  }

  // --- positions

  /** The positions of the log that holds the place. */
  shelf() {
    const { node, line } = this.state();
    return this.shelfOf(node?.log ?? line);
  }

  shelfOf(log) {
    const known = this.shelves.get(log);
    if (known) return known;
    const made = new Positions((from, to) => this.load(log, from, to), () => this.update({}));
    this.shelves.set(log, made);
    return made;
  }

  /** Asks for the position at the place, and for those around it. */
  want() {
    const { node, line, id, game, tree, last } = this.state();
    const log = node?.log ?? line;
    const end = log === id ? game.ply : tree.tips.get(log)?.ply ?? last;
    const shelf = this.shelf();
    const { ply } = this.state();
    shelf.want(ply, end);
    return shelf.get(ply);
  }

  async load(log, from, to) {
    if (isUnsaved(log)) return this.fold(log, from, to);
    const { viewer } = this.state();
    const { game } = await request(POSITIONS, { id: log, from, to, viewer: viewer || null });
    return game.positions;
  }

  fold(log, from, to) {
    const { game, tree } = this.state();
    const path = pathOf(tree, log);
    const plies = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    return Promise.all(plies.map(async (ply) => {
      const { fold } = await request(FOLD, { kind: game.kind, setup: game.setup, actions: actionsTo(path, ply) });
      return fold;
    }));
  }

  /** Forgets positions: all of them, or those of the mainline from a ply on. */
  forget(from = null) {
    this.legals.clear();
    if (from === null) this.shelves.clear();
    else this.shelves.get(this.state().id)?.dropFrom(from);
  }

  // --- the tree

  /** Loads the tree anew, as far as the line that is walked along. What was not saved stays. */
  async open() {
    const turn = ++this.turn;
    const { id } = this.state();
    const want = this.state().line;
    this.update({ treeError: null, treeLoading: true });
    try {
      const loaded = [];
      for (let after = null, more = true; more;) {
        const page = await this.page(after);
        if (turn !== this.turn) return;
        loaded.push(page);
        after = page.next;
        const isThere = want === id || isUnsaved(want) || loaded.some(({ lines }) => lines.some((line) => line.id === want));
        more = Boolean(after) && !(isThere && pathOf(treeOf(id, loaded, this.state().moves), want).length);
      }
      const unsaved = this.state().pages.filter((page) => page.unsaved);
      this.update({ pages: [...loaded, ...unsaved], treeLoading: false });
      if (!pathOf(this.state().tree, want).length && want !== id) {
        this.update({ line: id, missing: want });
      }
    } catch (treeError) {
      if (turn === this.turn) this.update({ treeError, treeLoading: false });
    }
  }

  /** Loads the next page of the tree. */
  async more() {
    const { tree, treeLoading } = this.state();
    if (!tree.next || treeLoading) return;
    const turn = ++this.turn;
    this.update({ treeError: null, treeLoading: true });
    try {
      const page = await this.page(tree.next);
      if (turn === this.turn) this.update({ pages: [...this.state().pages, page], treeLoading: false });
    } catch (treeError) {
      if (turn === this.turn) this.update({ treeError, treeLoading: false });
    }
  }

  async page(after) {
    const ask = (hidden) => request(TREE, { id: this.state().id, after, hidden });
    const { game } = await ask(this.asksHidden).catch((why) => {
      if (why.code !== 'FORBIDDEN' || !this.asksHidden) throw why;
      this.asksHidden = false;
      return ask(false);
    });
    return game.tree;
  }

  // --- walking

  /** Goes to a ply of a log, and says so where it is another line. */
  visit(line, ply) {
    const { line: old, tree, id } = this.state();
    const node = line === id ? undefined : pathOf(tree, line)[ply];
    this.update({ line, ply, missing: '', ...this.opened(enclosing(tree, node)) });
    if (line === old) return;
    this.say(entered(this.state().tree, this.state().node, line, this.state().withHidden), true);
  }

  /** What has to be opened in the list for variations to be seen. */
  opened(firsts) {
    const { variations: listed, folds, more } = this.state();
    const closed = folded([...listed.values()].flat());
    const unfold = firsts.filter((first) => closed.has(first));
    const lengthen = [...needed(listed, firsts)].filter(([place, count]) => count > (more.get(place) ?? SHOWN_FIRST));
    return {
      ...unfold.length > 0 && { folds: new Map([...folds, ...unfold.map((first) => /** @type {const} */ ([first, false]))]) },
      ...lengthen.length > 0 && { more: new Map([...more, ...lengthen]) },
    };
  }

  /** Goes to a node; the line that is walked along is kept where it leads through it. */
  visitNode(node) {
    if (node) this.visit(lineThrough(node, this.state().line), node.ply);
  }

  sibling(by) {
    const { tree, node, withHidden } = this.state();
    const other = beside(tree, node, by, withHidden);
    return other ? this.visitNode(other) : this.say('No variation here.');
  }

  enter() {
    const { tree, path, ply, withHidden } = this.state();
    const other = entrance(tree, path, ply, withHidden);
    return other ? this.visitNode(other) : this.say('No variation leaves here.');
  }

  leave() {
    const { tree, line, id } = this.state();
    const to = line === id ? undefined : exit(tree, line);
    return to ? this.visit(to.log, to.ply) : this.say('This is the mainline.');
  }

  // --- playing

  /**
   * What may be played here.
   * @param {string} by the actor, of those who are to act
   * @returns {Promise<Legal>}
   */
  legal(by) {
    const { node, line, ply } = this.state();
    const log = node?.log ?? line;
    const key = `${log}:${ply}:${by}`;
    const known = this.legals.get(key) ?? this.ask(log, ply, by);
    this.legals.set(key, known);
    known.catch(() => this.legals.delete(key));
    return known;
  }

  async ask(log, ply, by) {
    const seat = by.startsWith('seat:') ? Number(by.slice(5)) : null;
    if (isUnsaved(log)) {
      const { game, path } = this.state();
      const { fold } = await request(FOLD_LEGAL, { kind: game.kind, setup: game.setup, actions: actionsTo(path, ply), seat });
      return { toAct: fold.toAct, actions: fold.legalActions, prompt: fold.prompt?.[by] ?? null, seq: null, unknown: [] };
    }
    const [{ game }, unknown] = await Promise.all([request(LEGAL, { id: log, ply, seat }), this.unknown(log, ply)]);
    const { toAct, legalActions, prompt } = game.position;
    return { toAct, actions: legalActions, prompt: prompt?.[by] ?? null, seq: game.ply === ply ? game.head.seq : null, unknown };
  }

  /** What a line that leaves a running game has to assume, because not everybody knows it. */
  async unknown(log, ply) {
    const { id, game, rules, moves } = this.state();
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
    const { node, line, tree, id } = this.state();
    if (action && childOf(node, by, action)) return 'there';
    const mine = line !== id && (isUnsaved(line) || (token() && tree.lines.get(line)?.mayArrange));
    return mine && node && node === tipOf(tree, line) ? 'on' : 'new';
  }

  /**
   * Plays an action here.
   * @throws {ApiError} nothing was written
   */
  async play(by, action, { seq, assume }) {
    const { node, line } = this.state();
    const there = childOf(node, by, action);
    if (there) return this.visitNode(there);
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
    if (this.whither() === 'on' && !isUnsaved(this.state().line)) {
      const { line, node } = this.state();
      const { roll } = await request(ROLL, { game: line, expectedSeq: seq });
      return this.played(roll, node);
    }
    await this.start({ assume });
    const { line, node } = this.state();
    const { roll } = await request(ROLL, { game: line });
    return this.played(roll, node);
  }

  /** Starts a line here that has played nothing yet. */
  async start({ assume }) {
    const { node } = this.state();
    const { fork } = await request(FORK, { game: node.log, ply: node.ply, actions: [], assume });
    await this.played(fork, node);
  }

  /** Takes in what the service answered to an action after a node, and goes there. */
  async played(game, node) {
    const { ply: from, game: { id: parent } } = game.forkedFrom;
    // Where not all is known of a game, a line leaves it earlier and plays what is assumed itself.
    if (!this.state().tree.lines.has(game.id) && from !== node.ply) {
      this.state().line = game.id;
      await this.open();
      return this.visit(game.id, game.ply);
    }
    const [move] = game.moves.nodes;
    const has = move && move.ply > node.ply;
    const known = this.state().tree.lines.get(game.id);
    const line = { hidden: false, name: null, mayArrange: true, ...known, id: game.id, parent, ply: from, createdAt: game.createdAt, plies: game.ply };
    const child = has && { id: nodeId(game.id, move.ply), parent: node.id, ply: move.ply, by: move.by, action: move.action, key: move.positionKey };
    this.legals.clear();
    this.update({ pages: [...this.state().pages, { lines: [line], nodes: has ? [child] : [] }] });
    return this.visit(game.id, game.ply);
  }

  /** Plays on in this browser only. */
  playUnsaved(by, action) {
    const { node, line, game, rules, pages } = this.state();
    if (rules?.secrets && game.status === 'RUNNING') {
      throw new ApiError('while a game with secrets runs, lines are for those who are signed in', 'BAD_INPUT');
    }
    const goesOn = this.whither() === 'on';
    const log = goesOn ? line : `unsaved-${++this.unsaved}`;
    const ply = node.ply + 1;
    const started = { name: 'Not saved', parent: node.log, ply: node.ply, hidden: false, createdAt: '', mayArrange: false };
    const entry = { ...(goesOn ? {} : started), id: log, plies: ply };
    const nodes = [{ id: nodeId(log, ply), parent: node.id, ply, by, action }];
    this.update({ pages: [...pages, { lines: [entry], nodes, unsaved: true }] });
    this.visit(log, ply);
  }

  // --- arranging

  /** Names, hides, shows or promotes a line. */
  async arrange(line, change) {
    await request(ARRANGE, { line, ...change });
    await this.open();
  }

  /** Comments a node, and gives it glyphs; an empty comment and no glyphs remove both. */
  async annotate(node, comment, glyphs) {
    const { pages } = this.state();
    await request(ANNOTATE, { game: node.log, ply: node.ply, comment, glyphs });
    const { id, parent, ply, by, action } = node;
    this.update({ pages: [...pages, { nodes: [{ id, parent, ply, by, action, comment, glyphs }] }] });
  }
}

/** Whether a line is kept in this browser only. */
export function isUnsaved(log) {
  return log.startsWith('unsaved-');
}

export function actionsTo(path, ply) {
  return path.slice(1, ply + 1).map((node) => written(node.by ?? '', node.action ?? ''));
}
