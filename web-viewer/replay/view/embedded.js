// What the page has in a frame of another site: who played, as a link to the whole page.

import { replay as words } from '../../words/replay.js';
import { byId, h, setText, settle } from '../../base/dom.js';

export class Embedded {
  /** @param {HTMLElement} board */
  constructor(board) {
    this.link = h('a', { target: '_blank', rel: 'noopener', title: words.wholeReplay });
    board.before(h('h1', { class: 'whole' }, this.link));
  }

  /** @param {import('../derive.js').Now} now */
  draw({ address, game, position }) {
    if (!game) return;
    if (position) settle(byId('replay'));
    this.link.setAttribute('href', address);
    setText(this.link, document.title.replace(/ · Plybook$/, ''));
  }
}
