// The lines of a game: loading the tree, walking along it, arranging it. No DOM here.

import { request, token } from '../../base/api.js';
import { actorName } from '../../model/format.js';
import { SHOWN_FIRST, enclosing, folded, needed, variations } from '../../model/listing.js';
import { written } from '../../model/play.js';
import { Positions } from './positions.js';
import { ANNOTATE, ARRANGE, FOLD, POSITIONS, TREE } from '../../model/queries.js';
import { isHidden, lineThrough, pathOf, treeOf } from '../../model/tree.js';
import { beside, entered, entrance, exit } from '../../model/walk.js';

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

/** The actions that lead along a path to a ply, as lists of actions write them. */
export function actionsTo(path, ply) {
  return path.slice(1, ply + 1).map((node) => written(node.by ?? '', node.action ?? ''));
}
