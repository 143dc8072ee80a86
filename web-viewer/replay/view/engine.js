// The engine beside any position: a switch, and what it thinks of the position shown.

import { chip, h, setText } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { bestWords, percentWords } from '../../model/analysis.js';
import { counted, seatName } from '../../model/format.js';
import { shortened } from '../../model/happened.js';
import { worth } from '../../model/lesson.js';
import { evaluationRefused } from '../requests/evaluating.js';
import { chanceList } from './chance-list.js';

/** Draws it into the analysis panel. */
export class Engine {
  /**
   * @param {import('../replay.js').Replay} replay
   * @param {import('../requests/evaluating.js').Evaluating} evaluating
   * @param {import('../requests/playing.js').Playing} playing
   */
  constructor(replay, evaluating, playing) {
    this.evaluating = evaluating;
    this.playing = playing;
    this.button = h('button', { type: 'button', role: 'switch', class: 'switch', title: 'The engine beside any position (E)', onclick: () => replay.send('engine') }, 'Engine');
    this.said = h('p', { class: 'hint', role: 'status' });
    this.found = h('div', { class: 'evaluated' });
    this.element = h('section', { class: 'engine', 'aria-label': 'The engine', hidden: true }, this.button, this.said, this.found);
  }

  /** @param {import('../derive.js').Now} now */
  draw(now) {
    const { evaluated, evaluation, isEngineOn, isSecret, lesson, position } = now;
    this.element.hidden = isSecret || !position || Boolean(evaluation) || Boolean(lesson?.isOpen);
    if (this.element.hidden) return;
    this.button.setAttribute('aria-checked', String(isEngineOn));
    setText(this.said, isEngineOn ? stateWords(now) : '');
    const answer = evaluated?.answer;
    patch(this.found, evaluated?.error ? [h('button', { type: 'button', onclick: () => this.evaluating.retry() }, 'Try again')] : answer ? this.answered(answer, now) : []);
  }

  answered(answer, { game }) {
    const { actions, engine, playouts, seat } = answer;
    const share = (after) => percentWords(worth(after, seat));
    return [
      chanceList(answer, game.seats),
      answer.proof && h('p', {}, proofWords(answer.proof, game.seats)),
      actions.length > 0 && h('h2', {}, `What ${seatName(game.seats, seat)} could play`),
      actions.length > 0 && h('ol', { class: 'best-actions' }, ...actions.map((each) => h('li', {}, h('button', {
        type: 'button', class: 'quiet', title: `Play ${shortened(each.action)} as a line`, onclick: () => this.playing.playAs(`seat:${seat}`, each.action),
      }, chip(seat), h('span', { class: 'name' }, shortened(each.action)), h('span', { class: 'share' }, share(each)))))),
      answer.best && h('p', {}, bestWords(answer)),
      h('p', { class: 'hint' }, `Engine ${engine}, ${counted(playouts, 'playout')}.`),
    ];
  }
}

function stateWords({ evaluated, isSignedIn }) {
  if (!isSignedIn) return 'Sign in to have positions evaluated.';
  if (evaluated?.error) return evaluationRefused(evaluated.error);
  if (!evaluated) return 'Looking at this position…';
  return evaluated.answer.seat ? '' : evaluated.answer.playouts > 0 ? 'Chance is to act.' : 'The game is over.';
}

function proofWords({ plies, winner }, seats) {
  if (plies === 0) return '';
  const when = `within ${counted(plies, 'ply', 'plies')}, however the others play`;
  return winner ? `${seatName(seats, winner)} wins ${when}.` : `It ends without a single winner ${when}.`;
}
