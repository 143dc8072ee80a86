// Requests for the game: its facts, its moves, its record, and its changes while the page is open.

import { replay as words } from '../../words/replay.js';
import { ApiError, request, token } from '../../base/api.js';
import { standalone } from '../../base/standalone.js';
import { firstChanged, newsOf, rewrites } from '../../model/history.js';
import { FOLLOW, GAME, MOVES, RULES, SEATED } from '../../model/queries.js';

/** As many as the service gives: a game takes few requests. */
const MOVES_PAGE = 500;
const REFRESH_MS = 60;
const RETRY_MS = 2000;

/** Requests the game; answers arrive as messages. */
export class Game {
  /**
   * @param {import('../replay.js').Replay} replay
   * @param {import('./lines.js').Lines} lines
   */
  constructor(replay, lines) {
    this.replay = replay;
    this.lines = lines;
    /** @type {import('./record.js').Record | null} once it is verified */ this.record = null;
    this.cursor = null;
    this.turn = 0;
    this.rewritten = false;
    this.seqSeen = -1;
    this.arrived = [];
    this.timer = 0;
  }

  /**
   * Loads everything but the record, and follows the game from then on.
   * @param {number | null} asked the ply that the address names
   */
  async start(asked) {
    this.replay.send('set', { error: null });
    try {
      const game = await this.load();
      this.seqSeen = game.head.seq;
      const isLine = this.replay.now().line !== game.id;
      if (isLine) await this.lines.open();
      const { line, tree, viewer } = this.replay.now();
      if (/^\d+$/.test(viewer) && Number(viewer) > game.seats.length) {
        this.replay.send('set', { viewer: '' });
        this.replay.send('say', words.noSeat(viewer));
      }
      const ply = asked ?? tree.lines.get(line)?.ply ?? (game.status === 'RUNNING' ? game.ply : 0);
      this.replay.send('set', { game, rules: game.ruleSet, ply });
      if (!isLine) this.lines.open();
      else if (line !== game.id) this.replay.send('visit', line, ply);
      this.loadMoves();
      this.listen();
      // Without a contribution, the game goes on.
      this.contribute(game).catch(() => {});
    } catch (error) {
      this.replay.send('set', { error });
    }
  }

  /** Contributes to the dice of a game that the reader plays. */
  async contribute(game) {
    if (!token() || game.entropyAwaitedFrom.length === 0) return;
    const [{ contribute }, { contributedFor }] = await Promise.all([import('../../base/entropy.js'), import('../../model/fair.js')]);
    const { me } = await request(SEATED);
    await contribute(game.id, contributedFor(me, game));
  }

  async load() {
    const { game } = await request(GAME, { id: this.replay.now().id });
    if (!game) throw new ApiError(words.noSuchGame, 'NOT_FOUND');
    return game;
  }

  /** Loads the moves that are not there yet, page by page; all of them if the mainline was rewritten. */
  async loadMoves() {
    const turn = ++this.turn;
    const anew = this.rewritten;
    const { id, viewer, game: { head: { seq: movesSeq } } } = this.replay.now();
    let moves = anew ? [] : this.replay.now().moves;
    let after = anew ? null : this.cursor;
    try {
      for (let more = true; more;) {
        const { game } = await request(MOVES, { id, first: MOVES_PAGE, after, viewer: viewer || null });
        if (turn !== this.turn) return;
        const { nodes, pageInfo } = game.moves;
        moves = [...moves, ...nodes];
        more = pageInfo.hasNextPage;
        after = pageInfo.endCursor ?? after;
        if (anew && more) continue;
        this.cursor = after;
        this.replay.send('set', { moves, movesDone: !more, movesSeq, movesError: null });
      }
      this.rewritten = false;
    } catch (movesError) {
      if (turn === this.turn) this.replay.send('set', { movesError });
    }
  }

  /** Shows the game as another viewer sees it. */
  view(viewer) {
    this.lines.forget();
    this.rewritten = true;
    this.replay.send('set', { viewer });
    this.loadMoves();
  }

  /** The document of the rules. @returns {Promise<string>} */
  async document() {
    const { kind, rulesVersion } = this.replay.now().game;
    const { ruleSet } = await request(RULES, { kind, version: rulesVersion });
    return ruleSet.document;
  }

  /** Verifies the record. */
  async check() {
    try {
      const { Record } = await import('./record.js');
      const { id, game } = this.replay.now();
      this.record ??= new Record(id, (change) => this.replay.send('set', change));
      this.record.check(game.head);
    } catch (checkError) {
      this.replay.send('set', { checkError });
    }
  }

  async listen() {
    if (standalone()) return;
    const { follow, liveUrl } = await import('../../base/live.js');
    follow({
      url: liveUrl(),
      token: token(),
      query: FOLLOW,
      variables: () => ({ id: this.replay.now().id, after: this.seqSeen }),
      state: (live) => this.replay.send('set', { live }),
      next: ({ gameEvents: event }) => {
        this.seqSeen = event.seq;
        this.arrived.push(event);
        this.record?.next(event);
        this.refreshSoon(REFRESH_MS);
      },
    });
  }

  refreshSoon(ms) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), ms);
  }

  /** Updates the page for the events that have arrived. */
  async refresh() {
    const events = this.arrived;
    this.arrived = [];
    try {
      const game = await this.load();
      for (const event of events) this.lines.forget(firstChanged(event));
      this.replay.send('refreshed', game);
      const news = events.map(({ bytes }) => newsOf(JSON.parse(bytes), game.seats)).filter(Boolean);
      if (news.length) this.replay.send('news', news);
      this.rewritten ||= rewrites(events);
      if (this.rewritten) this.lines.open();
      this.loadMoves();
    } catch {
      this.arrived = [...events, ...this.arrived];
      this.refreshSoon(RETRY_MS);
    }
  }
}
