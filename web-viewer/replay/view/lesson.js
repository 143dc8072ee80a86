// The question of a lesson, below the board: what is asked, help, and what became of the answer.

import { common } from '../../words/common.js';
import { replayServed as words } from '../../words/replay-served.js';
import { byId, h, marked, setHidden, setText } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { bestWords } from '../../model/chances.js';
import { seatName } from '../../model/format.js';
import { shortened } from '../../model/spoken.js';
import { hintWords } from '../../model/lesson.js';

/** Draws the lesson while there is one. */
export class Lesson {
  /**
   * @param {import('../replay.js').Replay} replay
   * @param {import('../requests/learning.js').Learning} learning
   */
  constructor(replay, learning) {
    this.replay = replay;
    const button = (text, onclick, more = {}) => h('button', { type: 'button', onclick, ...more }, text);
    this.count = h('p', { class: 'hint' });
    this.ask = h('p', { class: 'question', tabindex: '-1' });
    this.verdict = h('p', { class: 'verdict', role: 'status' });
    this.hint = button(words.hint, () => learning.hint());
    this.solve = button(words.solve, () => learning.solve());
    this.back = button(words.back, () => learning.back());
    this.next = button(words.next, () => learning.next());
    this.end = button(words.end, () => learning.stop(), { class: 'quiet end', title: words.endHint });
    this.section = h('section', { class: 'lesson', 'aria-label': common.learn, hidden: true },
      this.count, this.ask, this.verdict, h('p', { class: 'row' }, this.hint, this.solve, this.back, this.next), this.end);
    byId('notice').after(this.section);
    this.asked = '';
  }

  /** @param {import('../derive.js').Now} now */
  draw(now) {
    const { analysis, game, isQuestion, lesson, moves } = now;
    const hadFocus = this.section.contains(document.activeElement);
    setHidden(this.section, !lesson);
    const asked = lesson ? `${lesson.seat} ${lesson.ply}` : '';
    if (!lesson) {
      if (this.asked && hadFocus) byId('board').focus({ preventScroll: true });
      this.asked = '';
      return;
    }
    const [{ isOpen, index, plies, found, verdict }, { best }] = [lesson, analysis.plies[lesson.ply]];
    setText(this.count, words.count(index + 1, plies.length, found));
    setText(this.ask, words.question(seatName(game.seats, lesson.seat), lesson.ply, shortened(moves[lesson.ply].action)));
    this.verdict.dataset.verdict = verdict;
    patch(this.verdict, marked([verdictWords(lesson), isOpen ? hintWords(lesson, best) : bestWords(analysis.plies[lesson.ply])].filter(Boolean).join(' ')));
    const isBusy = verdict === 'waiting';
    setHidden(this.hint, !isOpen || !isQuestion || lesson.given === best);
    setText(this.hint, lesson.given ? words.wholeAction : words.hint);
    setHidden(this.solve, !isOpen || !isQuestion);
    setHidden(this.back, isQuestion);
    setText(this.next, index + 1 < plies.length ? (isOpen ? words.skip : words.next) : words.finish);
    this.next.className = isOpen ? '' : 'primary';
    for (const button of [this.hint, this.solve, this.next]) button.setAttribute('aria-disabled', String(isBusy));
    // A question is read and comes into view; a button that is gone leaves the focus to it.
    const isGone = hadFocus && !this.section.contains(document.activeElement);
    if (asked !== this.asked || isGone) this.ask.focus({ preventScroll: true });
    if (asked !== this.asked) show(byId('board'));
    this.asked = asked;
  }
}

function show(board) {
  const { top, bottom } = board.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) board.scrollIntoView({ block: 'start' });
}

function verdictWords({ told, tried, verdict }) {
  const action = shortened(tried);
  switch (verdict) {
    case 'waiting': return words.waiting(action);
    case 'wrong': return words.wrong(action, told);
    case 'right': return words.right(action, told);
    default: return '';
  }
}
