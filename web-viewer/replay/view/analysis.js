// The analysis panel: who stands how at the ply shown, what was lost where, and an analysis to be had.

import { common } from '../../words/common.js';
import { replay as words } from '../../words/replay.js';
import { errorWords } from '../../base/api.js';
import { chip, h, marked, setHidden, setText } from '../../base/dom.js';
import { patch, patchChunks, row } from '../../base/patch.js';
import { playedWords } from '../../model/analysis.js';
import { bestWords, chanceWords } from '../../model/chances.js';
import { seatName } from '../../model/format.js';
import { named } from '../../model/happened.js';
import { mistakes } from '../../model/lesson.js';
import { placeAddress } from '../../model/url.js';
import { chanceList } from './chance-list.js';

/** Draws the analysis into its panel. */
export class AnalysisPanel {
  /**
   * @param {HTMLElement} panel
   * @param {import('../replay.js').Replay} replay
   * @param {{analysing: import('../requests/analysing.js').Analysing, learning: import('../requests/learning.js').Learning, engine: import('./engine.js').Engine}} parts
   */
  constructor(panel, replay, { analysing, learning, engine }) {
    this.replay = replay;
    this.learning = learning;
    this.engine = engine;
    this.said = h('p', { class: 'sum', role: 'status' });
    this.bar = /** @type {HTMLProgressElement} */ (h('progress', { 'aria-label': words.progress, hidden: true }));
    this.start = h('button', { type: 'button', class: 'primary', onclick: () => analysing.start() }, words.analyse);
    this.cancel = h('button', { type: 'button', onclick: () => analysing.cancel() }, common.cancel);
    this.here = h('div', { class: 'evaluation' });
    this.accuracy = h('div');
    this.lessons = h('div');
    this.moments = h('div');
    this.table = h('div', { class: 'evaluations' });
    this.every = /** @type {HTMLDetailsElement} */ (h('details', { hidden: true }, h('summary', {}, words.every), this.table));
    this.every.addEventListener('toggle', () => this.list(this.replay.now()));
    this.made = h('p', { class: 'hint', role: 'status' });
    this.panel = panel;
    panel.append(this.said, this.bar, h('p', { class: 'row' }, this.start, this.cancel), this.here, engine.element, this.accuracy, this.lessons, this.moments, this.every, this.made);
    panel.addEventListener('click', (event) => this.click(event));
    /** @type {any[]} what the lists were made from */ this.from = [];
  }

  /** @param {import('../derive.js').Now} now */
  draw(now) {
    const { analysis, game, isAnalysing, isSecret, isSignedIn, lesson, moments, moves, tab } = now;
    if (!game || tab !== 'analysis') return;
    const isWaiting = analysis?.state === 'QUEUED' || analysis?.state === 'RUNNING';
    const isDone = Boolean(analysis?.plies?.length);
    // The bar says how far it is; a screen reader hears when it is done.
    this.said.setAttribute('aria-live', analysis?.state === 'RUNNING' ? 'off' : 'polite');
    const hadFocus = this.panel.contains(document.activeElement);
    patch(this.said, marked(stateWords(now)));
    setHidden(this.bar, !isWaiting);
    if (isWaiting) [this.bar.max, this.bar.value] = [Math.max(1, analysis.total), analysis.done];
    setHidden(this.start, isWaiting || isSecret || !isSignedIn || analysis === undefined || (isDone && !analysis.stale));
    setText(this.start, isDone ? words.analyseAgain : words.analyse);
    this.start.setAttribute('aria-disabled', String(isAnalysing));
    setHidden(this.cancel, !isWaiting);
    if (hadFocus && !this.panel.contains(document.activeElement)) this.panel.focus({ preventScroll: true });
    patch(this.here, isDone ? hereParts(now) : []);
    this.engine.draw(now);
    for (const bar of this.panel.querySelectorAll('[data-share]')) /** @type {HTMLElement} */ (bar).style.setProperty('--share', /** @type {HTMLElement} */ (bar).dataset.share);
    setText(this.made, isDone ? words.made(analysis.engine, analysis.playouts) : '');
    const from = [analysis, moments, moves, lesson, game.seats];
    if (from.every((part, index) => part === this.from[index])) return;
    this.from = from;
    patch(this.accuracy, isDone ? [accuracyTable(analysis, game.seats)] : []);
    patch(this.moments, moments.length > 0 ? [h('h2', {}, words.decided), h('ol', { class: 'moments' }, ...moments.map((moment) => momentRow(moment, now)))] : []);
    patch(this.lessons, isDone && !lesson ? this.lessonParts(now) : []);
    setHidden(this.every, !isDone || Boolean(lesson?.isOpen));
    this.list(now);
  }

  /** For each seat, a lesson from its mistakes. */
  lessonParts({ analysis, game, moves }) {
    const found = mistakes(analysis, moves);
    if (found.size === 0 || analysis.state !== 'DONE') return [];
    return [h('h2', {}, common.learn), h('p', { class: 'lessons' }, ...[...found].map(([seat, plies]) => h('button', {
      type: 'button', onclick: () => this.learning.start(seat),
    }, chip(seat), words.mistakes(seatName(game.seats, seat), plies.length))))];
  }

  /** Every ply in words, once somebody wants to read it. */
  list({ analysis, game, moves }) {
    if (!this.every.open || !analysis?.plies || !game) return;
    patchChunks(this.table, analysis.plies.map((evaluation) => row(`evaluation-${evaluation.ply}`, [evaluation, game.seats], () => h('li', {},
      h('strong', {}, words.ply(evaluation.ply)), `${chanceWords(evaluation, game.seats)}. ${bestWords(evaluation)} ${said(evaluation, moves[evaluation.ply], game.seats)}`))));
  }

  click(event) {
    const link = event.target.closest('[data-at]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.replay.send('visit', this.replay.now().id, Number(link.dataset.at));
  }
}

/** What there is, or why there is nothing. */
function stateWords({ analysis, analysisError, isSecret, isSignedIn, game }) {
  if (analysisError) return errorWords(analysisError);
  if (isSecret) return words.secret;
  if (analysis === undefined) return words.analysisLooking;
  const wish = isSignedIn ? '' : words.signIn;
  switch (analysis?.state) {
    case 'QUEUED': return words.queued;
    case 'RUNNING': return words.running(analysis.done, analysis.total);
    case 'CANCELLED': return (analysis.plies?.length ? words.cancelled : words.cancelledEmpty) + wish;
    case 'DONE': return analysis.stale ? words.stale + wish : '';
    default: return game.status === 'VOID' ? words.isVoid : words.none + wish;
  }
}

/** The position shown, in words. */
function hereParts({ evaluation, game, id, lesson, log, moves, ply }) {
  if (lesson?.isOpen) return [h('p', {}, words.hidden)];
  if (log !== id) return [h('p', {}, words.onLine)];
  if (!evaluation) return [h('p', {}, words.notPart)];
  const move = moves[ply];
  const played = move ? said(evaluation, move, game.seats) : '';
  return [
    h('h2', {}, ply === 0 ? words.atStart : words.analysisAtPly(ply)),
    chanceList(evaluation, game.seats),
    evaluation.best && h('p', {}, bestWords(evaluation)),
    played && h('p', {}, words.playedHere(played)),
  ];
}

function said(evaluation, move, seats) {
  return move ? named(playedWords(evaluation, move), seats) : '';
}

function accuracyTable({ accuracy = [] }, seats) {
  return h('table', { class: 'accuracy' },
    h('caption', {}, common.accuracy),
    h('tbody', {}, ...accuracy.map((share, index) => h('tr', {},
      h('th', { scope: 'row' }, chip(index + 1), ' ', seatName(seats, index + 1)), h('td', {}, share == null ? '–' : words.percent(Math.round(share)))))));
}

function momentRow({ ply, glyph, text, by }, { game, id, viewer }) {
  return h('li', {}, h('a', { href: placeAddress({ id, viewer, ply }), 'data-at': ply },
    h('span', { class: 'ply' }, String(ply)), chip(by), h('span', {}, `${by ? `${seatName(game.seats, by)}: ` : ''}${named(text, game.seats)}`), h('strong', { class: 'glyphs' }, glyph)));
}
