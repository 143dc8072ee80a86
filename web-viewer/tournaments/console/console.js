// The hub of the organiser's console: its state, what it loads, and how decisions are sent.

import { common } from '../../words/common.js';
import { request } from '../../base/api.js';
import { openKeyDialog } from '../../base/key-dialog.js';
import { newKey } from '../../base/random-key.js';
import { requestSigned } from '../../base/signing.js';
import { store } from '../../base/store.js';
import { NEEDS_KEY, rulingDeed } from '../../model/signing.js';
import { undoing } from '../../model/tournament-log.js';
import { EDIT_PLAYER } from '../../model/player-queries.js';
import { ADJUDICATE, CANCEL_PAIRING, REASONS, REOPEN, VOID, decision } from '../../model/tournament-mutations.js';
import { roundAsked } from '../../model/tournament-steps.js';
import { console as words } from '../../words/console.js';
import { resultText } from '../parts.js';
import { followTournament, loadEntrants, loadRound, loadTournament } from '../load.js';

const JOB_MS = 700;
/** Decisions that must not be taken if others have changed something in the meantime. */
const GUARDED = new Set(['editTournament', 'pairRound', 'changePairing', 'unpairRound', 'openRound', 'unopenRound', 'endRound', 'resumeRound', 'finishTournament', 'resumeTournament']);

/** @type {{same: string, done: Promise<boolean>}} */
const NOTHING_SENT = { same: '', done: Promise.resolve(false) };

/** Decisions that take games away, and why these no longer count. */
const VOIDING = { forfeit: REASONS.forfeited, unopenRound: REASONS.openedByMistake };

/** @typedef {ReturnType<Console['now']>} Now */

/**
 * What was done last, and the decisions that undo it. ruled: a game that was adjudicated, and its earlier result; undone: says that what came after it
 * was undone; earlier: what was done before it, which can be undone next.
 * @typedef {{text: string, undo: import('../../model/tournament-log.js').Decided[], ruled?: {game: string, before: number[][] | null}, undone?: string, earlier?: Said}} Said
 */

/** @type {Said} */
export const NOTHING_SAID = { text: '', undo: [] };

/** Loads a tournament, keeps it up to date, and carries out its organiser's decisions. */
export class Console {
  /** @param {string} id @param {{tab: string, round: number}} url @param {() => void} draw */
  constructor(id, url, draw) {
    this.id = id;
    const { state, update } = store({
      url,
      /** @type {any} */ tournament: null,
      /** @type {any[]} */ entrants: [],
      /** @type {any} the round shown; null if it is not paired */ round: null,
      loading: true,
      /** @type {any} why nothing can be shown */ error: null,
      /** @type {any} why the last decision was refused */ refused: null,
      busy: '',
      said: NOTHING_SAID,
      /** @type {Record<number, number[][]>} results on their way, by table */ pending: {},
      /** @type {any} a pairing being changed; see editor.js */ draft: null,
      /** @type {any[]} slips to be printed */ slips: [],
      /** @type {any[]} tables whose results are to be printed */ results: [],
      /** @type {any} */ history: null,
      /** @type {any} */ issued: null,
      live: 'connecting',
    }, draw);
    this.now = state;
    this.set = update;
    /** @type {Promise<any>} decisions are sent one after the other */
    this.queue = Promise.resolve();
    /** The last decision while it has no answer: the same one again, as by a double click, is not another. */
    this.last = NOTHING_SENT;
    this.asked = 0;
    /** @type {Promise<any>} the latest one */ this.loading = Promise.resolve();
    this.timer = 0;
    /** @type {import('../../base/live.js').Live | null} */
    this.live = null;
  }

  /** Loads everything to be shown; overlapping calls all finish with the last one. */
  load() {
    this.loading = this.loadOnce(++this.asked);
    return this.loading;
  }

  async loadOnce(ask) {
    try {
      const tournament = await loadTournament(this.id);
      const number = roundAsked(tournament, this.now().url.round);
      const [entrants, round] = await Promise.all([loadEntrants(this.id), loadRound(this.id, number)]);
      if (ask !== this.asked) return await this.loading;
      this.tellOthers(round);
      this.set({ tournament, entrants, round, loading: false, error: null });
      this.live ??= followTournament(this.id, { changed: () => this.load(), state: (live) => this.set({ live }) });
      return this.watchJob(round);
    } catch (error) {
      if (ask !== this.asked) return await this.loading;
      this.set(this.now().tournament ? { refused: error } : { loading: false, error });
      return undefined;
    }
  }

  /** Says which result that was shown here another organiser has replaced. */
  tellOthers(round) {
    const { busy, round: before } = this.now();
    if (busy || before?.number !== round?.number) return;
    const was = (table) => before?.tables.find(({ number }) => number === table.number);
    const changed = round?.tables.find((table) => table.ranking && was(table)?.ranking && JSON.stringify(table.ranking) !== JSON.stringify(was(table).ranking));
    if (changed) this.set({ said: { ...NOTHING_SAID, text: words.replaced(changed.number, resultText(changed), resultText(was(changed))) } });
  }

  /** A pairing that takes long reports its progress. */
  watchJob(round) {
    clearTimeout(this.timer);
    if (['QUEUED', 'RUNNING'].includes(round?.job?.state)) this.timer = setTimeout(() => this.load(), JOB_MS);
  }

  /** Shows another tab or round, with its own address. */
  go(change) {
    const url = { ...this.now().url, ...change };
    const params = new URLSearchParams();
    if (url.tab) params.set('tab', url.tab);
    if (url.round) params.set('round', String(url.round));
    history.pushState(null, '', `${location.pathname}${params.size ? `?${params}` : ''}`);
    // A pairing that is being changed stays while the organiser looks something up.
    this.set({ url, draft: change.round ? null : this.now().draft, refused: null, slips: [], results: [] });
    return this.load();
  }

  /**
   * Sends a decision and reloads what it affects.
   * @param {import('../../model/tournament-mutations.js').Decision} name
   * @param {Record<string, any>} variables without the tournament
   * @param {{told?: string, before?: any, isUndoing?: boolean, seq?: number}} [how] told: the message once it is done; before: the state
   *   that undoing it restores; seq: the last event seen, by default the one shown now
   * @returns {Promise<boolean>} whether it was done
   */
  decide(name, variables = {}, how = {}) {
    const same = JSON.stringify([name, variables]);
    if (this.last.same === same) return this.last.done;
    const done = this.queue.then(() => this.send(name, { tournament: this.id, ...variables }, how)).finally(() => { if (this.last.done === done) this.last = NOTHING_SENT; });
    this.last = { same, done };
    this.queue = done.catch(() => {});
    return done;
  }

  async send(name, variables, { told = '', before = {}, isUndoing = false, seq = this.now().tournament.head.seq }) {
    this.set({ busy: name, refused: null });
    const { entrants } = this.now();
    try {
      await this.voidFirst(name, variables);
      const answer = await request(decision(name), { ...variables, expectedSeq: GUARDED.has(name) ? seq : null, key: newKey() });
      const round = variables.round ?? answer[name].number;
      await this.load();
      const known = new Set(entrants.map(({ number }) => number));
      const entered = this.now().entrants.map(({ number }) => number).filter((number) => !known.has(number));
      const { said } = this.now();
      this.set({ busy: '', said: isUndoing ? said : { text: told, undo: undoing({ name, variables: { ...variables, round } }, before, entered), earlier: said } });
      return true;
    } catch (refused) {
      this.set({ busy: '', refused });
      if (refused.code === 'NO_KEY') openKeyDialog({ why: NEEDS_KEY });
      if (refused.code === 'LOG_CONFLICT') await this.load();
      return false;
    }
  }

  /** Where everything is signed, declares the games void that a decision takes away. */
  async voidFirst(name, variables) {
    const { round, tournament } = this.now();
    const reason = VOIDING[name];
    if (!reason || !isSigned(tournament)) return;
    const tables = name === 'forfeit' ? round.tables.filter(({ number }) => number === variables.table) : round.tables;
    for (const { game } of tables) {
      if (game?.status === 'RUNNING') await requestSigned(VOID, { game: game.id, reason }, game.id, () => ({ type: 'voided', by: 'arbiter', body: { reason } }));
    }
  }

  /** Undoes what was done last, by further decisions; what was done before it can be undone then. */
  async undo() {
    const { earlier = NOTHING_SAID, ruled, undo } = this.now().said;
    if (ruled && !await this.undoRuling(ruled)) return;
    for (const { name, variables } of undo) if (!await this.decide(name, variables, { isUndoing: true })) return;
    this.set({ said: { ...earlier, undone: ruled && !ruled.before ? words.undoneGoesOn : common.undone } });
  }

  /** Undoes an adjudication: the game is resumed, or gets its earlier result back. */
  undoRuling({ before, game }) {
    if (before) return this.adjudge(game, before);
    const reason = REASONS.decidedByMistake;
    return this.rule(REOPEN, { game, reason }, () => ({ type: 'reopened', by: 'arbiter', body: { reason } }));
  }

  /** Corrects the player behind an entrant, for whom other tournaments have the same name. */
  async correctPlayer(player, input) {
    try {
      await request(EDIT_PLAYER, { player, input, key: newKey() });
    } catch (refused) {
      this.set({ refused });
    }
  }

  async cancelPairing() {
    try {
      await request(CANCEL_PAIRING, { tournament: this.id });
    } catch (refused) {
      this.set({ refused });
    }
    await this.load();
  }

  /**
   * Enters a result; it is shown at once, and removed again if it is refused.
   * @param {any} table @param {number[][]} ranking
   */
  async enter(table, ranking) {
    const { round, tournament } = this.now();
    const isRuled = table.game && table.game.status !== 'VOID' && (table.game.ply > 0 || isSigned(tournament));
    this.set({ pending: { ...this.now().pending, [table.number]: ranking } });
    if (isRuled) await this.adjudicate(table, ranking);
    else await this.decide('enterResult', { round: round.number, table: table.number, ranking }, { told: words.resultEntered(table.number), before: resultBefore(table) });
    const { [table.number]: last, ...pending } = this.now().pending;
    if (last === ranking) this.set({ pending });
  }

  /** Adjudicates a game whose record has begun, or is signed; its table follows. */
  adjudicate({ game, number, ranking: before }, ranking) {
    return this.adjudge(game.id, ranking, { text: words.gameDecided(number), undo: [], ruled: { game: game.id, before } });
  }

  adjudge(game, ranking, said = null) {
    const input = rulingOf(ranking);
    return this.rule(ADJUDICATE, { game, input }, ({ status }) => rulingDeed(status, input), said);
  }

  /** @param {Said | null} [said] what is done by it; null while something is undone @returns {Promise<boolean>} whether it was done */
  async rule(mutation, variables, deedIn, said = null) {
    this.set({ busy: 'rule', refused: null });
    try {
      await requestSigned(mutation, variables, variables.game, deedIn);
      await this.load();
      const { said: earlier } = this.now();
      this.set({ busy: '', refused: null, said: said ? { ...said, earlier } : earlier });
      return true;
    } catch (refused) {
      this.set({ busy: '', refused });
      if (refused.code === 'NO_KEY') openKeyDialog({ why: NEEDS_KEY });
      return false;
    }
  }
}

function isSigned({ signatures }) {
  return signatures === 'REQUIRED';
}

function rulingOf(ranking) {
  return { winners: ranking.length > 1 ? ranking[0] : [], reason: REASONS.decided, ...(ranking.flat().length > 2 ? { ranking } : {}) };
}

/** The result of a table, so that a change can be undone. */
export function resultBefore({ adjournedUntil, game, ranking, source, seats, status }) {
  return { result: ranking ?? null, source, isPlaying: game?.status === 'RUNNING', isAdjourned: status === 'ADJOURNED', until: adjournedUntil, seats: seats.filter(({ forfeited }) => forfeited).map(({ number }) => number), seated: seats.map(({ entrant }) => entrant.number) };
}
