// The engine beside any position: a switch, and what it thinks of the position shown.

import { common } from '../../words/common.js';
import { replay as words } from '../../words/replay.js';
import { chip, h, marked, setHidden } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { percentWords } from '../../model/analysis.js';
import { bestWords } from '../../model/chances.js';
import { seatName } from '../../model/format.js';
import { shortened } from '../../model/spoken.js';
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
    this.button = h('button', { type: 'button', role: 'switch', class: 'switch', title: words.engineHint, onclick: () => replay.send('engine') }, words.analysisEngine);
    this.said = h('p', { class: 'hint', role: 'status' });
    this.found = h('div', { class: 'evaluated' });
    this.element = h('section', { class: 'engine', 'aria-label': words.theEngine, hidden: true }, this.button, this.said, this.found);
  }

  /** @param {import('../derive.js').Now} now */
  draw(now) {
    const { evaluated, evaluation, isEngineOn, isSecret, lesson, position } = now;
    setHidden(this.element, isSecret || !position || Boolean(evaluation) || Boolean(lesson?.isOpen));
    if (this.element.hidden) return;
    this.button.setAttribute('aria-checked', String(isEngineOn));
    patch(this.said, isEngineOn ? marked(stateWords(now)) : []);
    const answer = evaluated?.answer;
    patch(this.found, evaluated?.error ? [h('button', { type: 'button', onclick: () => this.evaluating.retry() }, common.again)] : answer ? this.answered(answer, now) : []);
  }

  answered(answer, { game }) {
    const { actions, engine, playouts, seat } = answer;
    const share = (after) => percentWords(worth(after, seat));
    return [
      chanceList(answer, game.seats),
      answer.proof && h('p', {}, proofWords(answer.proof, game.seats)),
      actions.length > 0 && h('h2', {}, words.couldPlay(seatName(game.seats, seat))),
      actions.length > 0 && h('ol', { class: 'best-actions' }, ...actions.map((each) => h('li', {}, h('button', {
        type: 'button', class: 'quiet', title: words.playAsLine(shortened(each.action)), onclick: () => this.playing.playAs(`seat:${seat}`, each.action),
      }, chip(seat), h('span', { class: 'name' }, shortened(each.action)), h('span', { class: 'share' }, share(each)))))),
      answer.best && h('p', {}, bestWords(answer)),
      h('p', { class: 'hint' }, words.asked(engine, playouts)),
    ];
  }
}

function stateWords({ evaluated, isSignedIn }) {
  if (!isSignedIn) return words.signInToAsk;
  if (evaluated?.error) return evaluationRefused(evaluated.error);
  if (!evaluated) return words.lookingHere;
  return evaluated.answer.seat ? '' : evaluated.answer.playouts > 0 ? words.chanceToAct : words.over;
}

function proofWords({ plies, winner }, seats) {
  if (plies === 0) return '';
  return winner ? words.wins(seatName(seats, winner), plies) : words.noWinner(plies);
}
