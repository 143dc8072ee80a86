// The bar above the moves: the current line, and what can be done with it.

import { common } from '../../words/common.js';
import { lines as words } from '../../words/replay-lines.js';
import { replay as page } from '../../words/replay-page.js';
import { errorWords, holder, token } from '../../base/api.js';
import { byId, h, marked, openDialog, setHidden, setText } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { standalone } from '../../base/standalone.js';
import { NOTHING, commentWith, marksOf, wordsOf } from '../../model/own.js';
import { refusalWords } from '../../model/play.js';
import { isUnsaved, lineName } from '../../model/tree.js';
import { besideAddress } from '../../model/url.js';

import { openNote } from './own.js';

const GLYPHS = Object.entries(words.glyphs);

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
    const note = position && button('own', own === NOTHING ? words.addNote : words.note, () => openNote(this.replay), { title: words.ownKept });
    const comment = (may) => may && button('line-comment', common.comment, () => this.comment(node, comments.get(node.log)?.get(node.ply)));
    if (line === id) return [missing && h('p', { class: 'hint' }, words.notListed, alone), note, comment(isSignedIn && node && !standalone())];
    const mayComment = shown?.mayArrange && node && (node.log === line || tree.lines.get(node.log)?.mayArrange);
    return [
      button('line-leave', words.leave, () => this.replay.send('leave'), { title: words.leaveHint }),
      isUnsaved(line) || standalone() ? h('strong', { class: 'line-name' }, lineName(tree, line))
        : h('a', { class: 'line-name', id: 'line-alone', href: `/games/${encodeURIComponent(line)}`, title: words.aloneHint }, lineName(tree, line)),
      shown?.hidden && h('span', { class: 'tag' }, words.hidden),
      !isUnsaved(line) && h('a', { class: 'button small', id: 'line-beside', href: besideAddress({ id, other: line, viewer }), title: words.besideHint }, common.beside),
      isUnsaved(line) && h('span', { class: 'tag' }, words.thisPageOnly),
      isUnsaved(line) && !standalone() && button('line-share', words.share, () => this.share()),
      note, comment(mayComment),
      shown?.mayArrange && button('line-arrange', words.arrange, () => this.arrange(shown)),
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

  /** Whoever has a token makes a line of what was tried; for others, its address is all there is. */
  share() {
    const said = h('p', { class: 'bad', role: 'alert' });
    const address = h('input', { readonly: true, dir: 'ltr', value: new URL(this.replay.now().address, location.href).href, 'aria-label': words.address });
    if (!token()) {
      openDialog(words.share, h('p', {}, words.addressIs), address);
      address.select();
      return;
    }
    const name = h('input', { id: 'line-share-name', maxlength: '200', autocomplete: 'off', value: holder() && words.lineOf(holder()) });
    const save = (text, visibility, kind) => h('button', { type: 'button', class: kind, onclick: () => this.attempt(dialog, () => this.playing.save(visibility, name.value.trim())) }, text);
    const dialog = openDialog(words.share, h('p', {}, words.addressIs), address,
      h('div', { class: 'sign-in' }, h('label', { for: 'line-share-name' }, common.name), name,
        h('div', { class: 'row' }, save(words.sharePublic, 'PUBLIC', 'primary'), save(words.shareUnlisted, 'UNLISTED', ''))),
      h('p', { class: 'hint' }, words.shareHint), said);
  }

  arrange(line) {
    const name = h('input', { id: 'line-new-name', maxlength: '200', autocomplete: 'off', value: line.name ?? '' });
    const change = (text, what) => h('button', { type: 'button', onclick: () => this.attempt(dialog, () => this.lines.arrange(line.id, what)) }, text);
    const form = h('form', { class: 'sign-in', onsubmit: (event) => {
      event.preventDefault();
      this.attempt(dialog, () => this.lines.arrange(line.id, { name: name.value.trim() }));
    } },
    h('label', { for: 'line-new-name' }, common.name), name,
    h('div', { class: 'row' }, h('button', { type: 'submit', class: 'primary' }, words.saveName)));
    const dialog = openDialog(words.arrangeTitle, form,
      h('div', { class: 'row' }, change(words.putFirst, { promote: true }), change(line.hidden ? words.showAgain : words.hide, { hidden: !line.hidden })),
      h('p', { class: 'hint' }, words.hideHint),
      h('p', { class: 'bad', role: 'alert' }));
    name.focus();
  }

  /** A comment replaces its author's, whoever wrote the others. */
  comment(node, told = []) {
    const { own } = this.replay.now();
    const text = h('textarea', { id: 'comment-text', rows: '4', maxlength: '2000' });
    text.value = told.length > 1 ? '' : wordsOf(node.comment);
    const drawn = own.marks.length > 0 && h('label', { class: 'choice' }, h('input', { type: 'checkbox', name: 'drawn', checked: true }), words.withMarks);
    const boxes = GLYPHS.map(([glyph, what]) => h('label', { class: 'glyph-choice' },
      h('input', { type: 'checkbox', name: 'glyph', value: glyph, checked: (node.glyphs ?? []).includes(glyph) }), h('span', { title: what }, `${glyph} `, h('span', { class: 'hidden' }, what))));
    const save = (comment, glyphs) => this.attempt(dialog, () => this.lines.annotate(node, comment, glyphs));
    const others = (node.glyphs ?? []).filter((glyph) => !GLYPHS.some(([known]) => known === glyph));
    const form = h('form', { class: 'sign-in', onsubmit: (event) => {
      event.preventDefault();
      const chosen = [...form.querySelectorAll('[name=glyph]:checked')].map((box) => /** @type {HTMLInputElement} */ (box).value);
      const marks = form.querySelector('[name=drawn]:checked') ? own.marks : marksOf(node.comment);
      save(commentWith(text.value.trim(), marks) || null, [...chosen, ...others]);
    } },
    h('label', { for: 'comment-text' }, common.comment), text, drawn,
    h('fieldset', {}, h('legend', {}, words.judgement), ...boxes),
    h('div', { class: 'row' }, h('button', { type: 'submit', class: 'primary' }, common.save),
      (node.comment || node.glyphs?.length) && h('button', { type: 'button', onclick: () => save(null, []) }, common.remove)));
    const dialog = openDialog(common.commentOn(node.ply), form, h('p', { class: 'bad', role: 'alert' }));
    text.focus();
  }

  /** Carries out a dialog's action; if it is refused, the dialog stays with its input. */
  async attempt(dialog, act) {
    const said = dialog.querySelector('[role=alert]');
    setText(said, '');
    try {
      await act();
      dialog.close();
    } catch (why) {
      said.replaceChildren(...marked(token() ? refusalWords(why) : words.signInFirst));
    }
  }
}
