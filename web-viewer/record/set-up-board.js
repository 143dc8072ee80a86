// The position that a new game starts from. What stands on the board is tapped, then where it is to go; the service judges.

import { boardKeys } from '../base/board-keys.js';
import { h, s, setText } from '../base/dom.js';
import { drawing, placesAt, sceneClass } from '../base/drawing.js';
import { told } from '../model/happened.js';
import { middles, rings } from '../model/play.js';
import { exchanged } from '../model/set-up.js';
import { newGame as words } from '../words/new-game.js';

export class SetUpBoard {
  /** @param {(position: any) => void} change what the position is to be */
  constructor(change) {
    this.change = change;
    /** @type {any} */ this.picture = null;
    this.isFixed = false;
    this.held = '';
    this.marks = s('g', { class: 'marks' });
    this.svg = s('svg', { role: 'img', 'aria-label': words.startBoard });
    this.board = h('div', { class: 'board', onclick: (event) => this.tap(placesAt(event, this.board)) });
    this.said = h('p', { class: 'hint', role: 'status' });
    this.element = h('aside', { class: 'card picture', id: 'picture', 'aria-label': words.start }, this.board, this.said);
    boardKeys(this.board, { scene: () => this.picture?.scene, svg: () => this.svg, told: (place) => setText(this.said, told(this.picture.scene, place, [])) });
    this.board.append(this.svg);
  }

  /** @param {any} picture @param {boolean} isFixed whether it follows from actions */
  draw(picture, isFixed) {
    if (picture === this.picture && isFixed === this.isFixed) return;
    [this.picture, this.isFixed, this.held] = [picture, isFixed, ''];
    this.svg.setAttribute('class', sceneClass(picture.scene));
    this.svg.setAttribute('viewBox', picture.scene.view.join(' '));
    this.svg.replaceChildren(...drawing(picture.scene), this.marks);
    setText(this.said, picture.ply > 0 ? words.after(picture.ply) : isFixed ? words.startHint : words.moveHint);
    this.mark();
  }

  tap(tapped) {
    const places = this.isFixed ? [] : [...middles(this.picture.scene).keys()];
    const place = tapped.find((each) => places.includes(each));
    if (!place) return;
    const [one, held] = [this.held, !this.held ? place : ''];
    this.held = held;
    this.mark();
    if (one && one !== place) this.change(exchanged(this.picture.position, places, one, place));
  }

  mark() {
    this.marks.replaceChildren(...rings(this.picture.scene, [this.held]).map(({ at: [cx, cy], r }) => s('circle', { class: 'mark-picked', cx, cy, r })));
  }
}
