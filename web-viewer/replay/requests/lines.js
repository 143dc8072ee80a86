// Requests for the lines of a game: their tree, their positions, and their arrangement.

import { fetchLog, request, token } from '../../base/api.js';
import { actionsTo } from '../../model/play.js';
import { ANNOTATE, ARRANGE, FOLD, TREE } from '../../model/queries.js';
import { isUnsaved, pathOf, treeOf } from '../../model/tree.js';
import { Folding } from './folding.js';
import { loadPositions } from './logs.js';
import { Positions } from './positions.js';

/** Requests lines; answers arrive as messages. */
export class Lines {
  /** @param {import('../replay.js').Replay} replay */
  constructor(replay) {
    this.replay = replay;
    this.folding = new Folding(replay);
    /** @type {import('./judging.js').Judging | null} the rules in this browser */ this.judging = null;
    /** @type {Map<string, Positions>} by log */
    this.shelves = new Map();
    /** Hidden lines are requested for readers who may have some. */
    this.asksHidden = Boolean(token());
    /** lines whose logs were loaded, for their comments @type {Set<string>} */ this.heard = new Set();
    this.turn = 0;
  }

  // --- positions

  /** The positions of a log. */
  shelf(log) {
    const known = this.shelves.get(log);
    if (known) return known;
    const made = new Positions((from, to) => this.load(log, from, to), () => this.want());
    this.shelves.set(log, made);
    return made;
  }

  /** Requests the position where the reader is; reports what is known about it. */
  want() {
    const { game, log, path, place, ply, shown } = this.replay.now();
    if (!game) return;
    const shelf = this.shelf(log);
    shelf.want(ply, this.end(log));
    const [position, error] = [shelf.get(ply), shelf.error(ply) ?? null];
    const before = ply > 0 ? this.shelves.get(path[ply - 1]?.log ?? log)?.get(ply - 1) : undefined;
    const isShown = shown.place === place && shown.position === position && shown.error === error && shown.before === before;
    if (!isShown) this.replay.send('placed', { place, position, before, error });
    this.compare();
    this.hear();
  }

  /** Loads the log of the line that the reader follows, if somebody commented on it: the tree has the comments without their authors. */
  async hear() {
    const { id, line, lineEvents, path } = this.replay.now();
    if (line === id || this.heard.has(line) || isUnsaved(line) || !path.some(({ log, comment }) => log === line && comment)) return;
    this.heard.add(line);
    const events = (await fetchLog(line).catch(() => '')).split('\n').filter(Boolean).map((each) => JSON.parse(each));
    this.replay.send('set', { lineEvents: new Map(lineEvents).set(line, events) });
  }

  /** Requests those around it. */
  ahead() {
    const { log, ply } = this.replay.now();
    this.shelf(log).ahead(ply, this.end(log));
  }

  /** The positions a step away, as far as they are loaded. */
  neighbours() {
    const { line, path, ply } = this.replay.now();
    return [ply - 1, ply + 1].flatMap((at) => this.shelves.get(path[at]?.log ?? line)?.get(at) ?? []);
  }

  /** The last ply of a log. */
  end(log) {
    const { game, id, last, tree } = this.replay.now();
    return log === id ? game.ply : tree.tips.get(log)?.ply ?? last;
  }

  /** Requests the position that the one shown is compared with. */
  compare() {
    const { line, path, since } = this.replay.now();
    if (since.ply < 0) return;
    const log = path[since.ply]?.log ?? line;
    const shelf = this.shelf(log);
    if (!shelf.get(since.ply)) shelf.want(since.ply, this.end(log));
    const [place, position] = [`${log}:${since.ply}`, shelf.get(since.ply)];
    if (since.place !== place || since.position !== position) this.replay.send('compared', { ply: since.ply, place, position });
  }

  async load(log, from, to) {
    const { tree, viewer } = this.replay.now();
    if (!isUnsaved(log)) {
      try {
        return await loadPositions(log, from, to, viewer);
      } catch (why) {
        const own = why.code === 'OFFLINE' ? this.judging?.positions(log, from, to) : null;
        if (own) return own;
        throw why;
      }
    }
    const path = pathOf(tree, log);
    const plies = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    return Promise.all(plies.map(async (ply) => {
      return this.judging?.played(actionsTo(path, ply)) ?? (await request(FOLD, await this.folding.to(path, ply))).fold;
    }));
  }

  /** Tries again to load the position where the reader is. */
  retry() {
    this.shelf(this.replay.now().log).retry();
  }

  /** Forgets positions: all of them, or those of the mainline from a ply on. */
  forget(from = null) {
    if (from === null) this.shelves.clear();
    else this.shelves.get(this.replay.now().id)?.dropFrom(from);
  }

  // --- the tree

  /** Reloads the tree, up to a line; by default the one that the reader follows. */
  async open(line = this.replay.now().line) {
    const turn = ++this.turn;
    const { id, moves } = this.replay.now();
    this.replay.send('set', { treeError: null, treeLoading: true });
    try {
      const loaded = [];
      for (let after = null, more = true; more;) {
        const page = await this.page(after);
        if (turn !== this.turn) return;
        loaded.push(page);
        after = page.next;
        const isThere = line === id || isUnsaved(line) || loaded.some(({ lines }) => lines.some((one) => one.id === line));
        more = Boolean(after) && !(isThere && pathOf(treeOf(id, loaded, moves), line).length);
      }
      this.replay.send('grown', loaded);
    } catch (treeError) {
      if (turn === this.turn) this.replay.send('set', { treeError, treeLoading: false });
    }
  }

  /** Loads the next page of the tree. */
  async more() {
    const { tree, treeLoading } = this.replay.now();
    if (!tree.next || treeLoading) return;
    const turn = ++this.turn;
    this.replay.send('set', { treeError: null, treeLoading: true });
    try {
      const page = await this.page(tree.next);
      if (turn !== this.turn) return;
      this.replay.send('added', page);
      this.replay.send('set', { treeLoading: false });
    } catch (treeError) {
      if (turn === this.turn) this.replay.send('set', { treeError, treeLoading: false });
    }
  }

  async page(after) {
    const { id } = this.replay.now();
    const ask = (hidden) => request(TREE, { id, after, hidden });
    const { game } = await ask(this.asksHidden).catch((why) => {
      if (why.code !== 'FORBIDDEN' || !this.asksHidden) throw why;
      this.asksHidden = false;
      return ask(false);
    });
    return { ...game.tree, game: id };
  }

  // --- arranging

  /** Names, hides, shows or promotes a line. */
  async arrange(line, change) {
    await request(ARRANGE, { line, ...change });
    await this.open();
  }

  /** Comments on a node and gives it glyphs; an empty comment and no glyphs remove both. */
  async annotate({ id, log, parent, ply, by, action }, comment, glyphs) {
    await request(ANNOTATE, { game: log, ply, comment, glyphs });
    this.heard.delete(log);
    this.replay.send('added', { nodes: [{ id, parent, ply, by, action, comment, glyphs }] });
  }
}
