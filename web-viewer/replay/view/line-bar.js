// The bar above the moves: the current line, and what can be done with it.

import { common } from '../../words/common.js';
import { playing as words } from '../../words/playing.js';
import { replay as page } from '../../words/replay.js';
import { errorWords } from '../../base/api.js';
import { byId, h, marked, setHidden } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { standalone } from '../../base/standalone.js';
import { NOTHING } from '../../model/own.js';
import { isUnsaved, lineName } from '../../model/tree.js';
import { besideAddress } from '../../model/url.js';


/** Draws the bar, and the footer below the moves for what is not loaded yet. */
export class LineBar {
  /**
   * @param {HTMLElement} panel of the moves
   * @param {import('../replay.js').Replay} replay
   * @param {import('../requests/lines.js').Lines} lines
   * @param {import('../requests/playing.js').Playing} playing
   */
  constructor(panel, replay, lines, playing) {
    this.replay = replay;
    this.lines = lines;
    this.playing = playing;
    this.bar = h('div', { class: 'line-bar', role: 'group', 'aria-label': words.line });
    this.foot = h('div', { class: 'line-foot' });
    panel.prepend(this.bar);
    panel.append(this.foot);
  }

  /** @param {import('../derive.js').Now} now */
  draw(now) {
    if (!now.game) return;
    const hadFocus = this.bar.contains(document.activeElement);
    patch(this.bar, this.head(now));
    patch(this.foot, this.rest(now));
    setHidden(this.bar, this.bar.childNodes.length === 0);
    if (hadFocus && !this.bar.contains(document.activeElement)) byId('panel-moves').focus();
  }

  head({ comments, tree, line, id, isSignedIn, node, missing, own, position, viewer }) {
    const shown = tree.lines.get(line);
    const alone = h('a', { href: `/games/${encodeURIComponent(missing)}` }, words.alone);
    const button = (name, text, onclick, more = {}) => h('button', { type: 'button', class: 'small', id: name, onclick, ...more }, text);
    const note = position && button('own', own === NOTHING ? words.addNote : words.note, () => this.open('note', this.replay), { title: words.ownKept });
    const comment = (may) => may && button('line-comment', common.comment, () => this.open('comment', this, node, comments.get(node.log)?.get(node.ply)));
    if (line === id) return [missing && h('p', { class: 'hint' }, words.notListed, alone), note, comment(isSignedIn && node && !standalone())];
    const mayComment = shown?.mayArrange && node && (node.log === line || tree.lines.get(node.log)?.mayArrange);
    return [
      button('line-leave', words.leave, () => this.replay.send('leave'), { title: words.leaveHint }),
      isUnsaved(line) || standalone() ? h('strong', { class: 'line-name' }, lineName(tree, line))
        : h('a', { class: 'line-name', id: 'line-alone', href: `/games/${encodeURIComponent(line)}`, title: words.aloneHint }, lineName(tree, line)),
      shown?.hidden && h('span', { class: 'tag' }, words.linesHidden),
      !isUnsaved(line) && h('a', { class: 'button small', id: 'line-beside', href: besideAddress({ id, other: line, viewer }), title: words.besideHint }, common.beside),
      isUnsaved(line) && h('span', { class: 'tag' }, words.thisPageOnly),
      isUnsaved(line) && !standalone() && button('line-share', words.share, () => this.open('share', this)),
      note, comment(mayComment),
      shown?.mayArrange && button('line-arrange', words.arrange, () => this.open('arrange', this, shown)),
    ];
  }

  rest({ tree, treeError, treeLoading, withHidden }) {
    const hidden = [...tree.lines.values()].filter((line) => line.hidden).length;
    const button = (text, onclick) => h('button', { type: 'button', class: 'small', onclick }, text);
    if (treeError) return [h('p', { class: 'hint bad' }, ...marked(words.failed(errorWords(treeError)))), button(common.again, () => this.lines.open())];
    if (treeLoading && tree.lines.size === 0) return [h('span', { class: 'note-quiet' }, words.loading)];
    const loaded = tree.lines.size;
    return [
      tree.next && button(treeLoading ? page.loading : words.loadMore(loaded, Math.max(tree.totalLines, loaded)), () => this.lines.more()),
      hidden > 0 && button(withHidden ? words.leaveOut : words.showHidden(hidden), () => this.replay.send('hide')),
    ];
  }

  /** @param {'share' | 'arrange' | 'comment' | 'note'} name of a dialog @param {...any} of */
  open(name, ...of) {
    return import('./line-dialogs.js').then((dialogs) => dialogs[name](...of)).catch((why) => this.replay.send('say', errorWords(why)));
  }
}
