// The bar above the moves: the current line, and what can be done with it.

import { errorWords, token } from '../../base/api.js';
import { byId, h, openDialog, setText } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { standalone } from '../../base/standalone.js';
import { counted } from '../../model/format.js';
import { refusalWords } from '../../model/play.js';
import { isUnsaved, lineName } from '../../model/tree.js';
import { besideAddress } from '../../model/url.js';

const GLYPHS = [['!!', 'brilliant'], ['!', 'good'], ['!?', 'interesting'], ['?!', 'doubtful'], ['?', 'a mistake'], ['??', 'a blunder']];

/** Draws the bar, and the footer below the moves for what is not loaded yet. */
export class LineBar {
  /**
   * @param {HTMLElement} panel of the moves
   * @param {import('../replay.js').Replay} replay
   * @param {import('../requests/lines.js').Lines} lines
   */
  constructor(panel, replay, lines) {
    this.replay = replay;
    this.lines = lines;
    this.bar = h('div', { class: 'line-bar', role: 'group', 'aria-label': 'Line' });
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
    this.bar.hidden = this.bar.childNodes.length === 0;
    if (hadFocus && !this.bar.contains(document.activeElement)) byId('panel-moves').focus();
  }

  head({ tree, line, id, node, missing, viewer }) {
    const shown = tree.lines.get(line);
    const alone = h('a', { href: `/games/${encodeURIComponent(missing)}` }, 'Open it by itself');
    if (line === id) return [missing && h('p', { class: 'hint' }, 'The line of this address is not listed here. This is the mainline. ', alone)];
    const button = (name, text, onclick, more = {}) => h('button', { type: 'button', class: 'small', id: name, onclick, ...more }, text);
    const mayComment = shown?.mayArrange && node && (node.log === line || tree.lines.get(node.log)?.mayArrange);
    return [
      button('line-leave', '↰ Leave', () => this.replay.send('leave'), { title: 'Back to the line this one leaves (Shift ←)' }),
      isUnsaved(line) || standalone() ? h('strong', { class: 'line-name' }, lineName(tree, line))
        : h('a', { class: 'line-name', id: 'line-alone', href: `/games/${encodeURIComponent(line)}`, title: 'This line by itself, with its own record' }, lineName(tree, line)),
      shown?.hidden && h('span', { class: 'tag' }, 'hidden'),
      !isUnsaved(line) && h('a', { class: 'button small', id: 'line-beside', href: besideAddress({ id, other: line, viewer }), title: 'The mainline and this line on two boards' }, 'Side by side'),
      isUnsaved(line) && h('span', { class: 'tag' }, 'kept in this page only'),
      mayComment && button('line-comment', 'Comment', () => this.comment(node)),
      shown?.mayArrange && button('line-arrange', 'Arrange', () => this.arrange(shown)),
    ];
  }

  rest({ tree, treeError, treeLoading, withHidden }) {
    const hidden = [...tree.lines.values()].filter((line) => line.hidden).length;
    const button = (text, onclick) => h('button', { type: 'button', class: 'small', onclick }, text);
    if (treeError) return [h('p', { class: 'hint bad' }, `The lines could not be loaded. ${errorWords(treeError)} `), button('Try again', () => this.lines.open())];
    if (treeLoading && tree.lines.size === 0) return [h('span', { class: 'note-quiet' }, 'Loading lines…')];
    const loaded = tree.lines.size;
    return [
      tree.next && button(treeLoading ? 'Loading…' : `Load more lines (${loaded.toLocaleString()} of ${Math.max(tree.totalLines, loaded).toLocaleString()})`, () => this.lines.more()),
      hidden > 0 && button(withHidden ? 'Leave out hidden lines' : `Show ${counted(hidden, 'hidden line')}`, () => this.replay.send('hide')),
    ];
  }

  arrange(line) {
    const name = h('input', { id: 'line-new-name', maxlength: '200', autocomplete: 'off', value: line.name ?? '' });
    const change = (text, what) => h('button', { type: 'button', onclick: () => this.attempt(dialog, () => this.lines.arrange(line.id, what)) }, text);
    const form = h('form', { class: 'sign-in', onsubmit: (event) => {
      event.preventDefault();
      this.attempt(dialog, () => this.lines.arrange(line.id, { name: name.value.trim() }));
    } },
    h('label', { for: 'line-new-name' }, 'Name'), name,
    h('div', { class: 'row' }, h('button', { type: 'submit', class: 'primary' }, 'Save the name')));
    const dialog = openDialog('Arrange the line', form,
      h('div', { class: 'row' }, change('Put first here', { promote: true }), change(line.hidden ? 'Show it again' : 'Hide it', { hidden: !line.hidden })),
      h('p', { class: 'hint' }, 'A hidden line is not listed; it stays in the record, and its address still opens it.'),
      h('p', { class: 'bad', role: 'alert' }));
    name.focus();
  }

  comment(node) {
    const text = h('textarea', { id: 'comment-text', rows: '4', maxlength: '2000' });
    text.value = node.comment ?? '';
    const boxes = GLYPHS.map(([glyph, words]) => h('label', { class: 'glyph-choice' },
      h('input', { type: 'checkbox', name: 'glyph', value: glyph, checked: (node.glyphs ?? []).includes(glyph) }), h('span', { title: words }, `${glyph} `, h('span', { class: 'hidden' }, words))));
    const save = (comment, glyphs) => this.attempt(dialog, () => this.lines.annotate(node, comment, glyphs));
    const others = (node.glyphs ?? []).filter((glyph) => !GLYPHS.some(([known]) => known === glyph));
    const form = h('form', { class: 'sign-in', onsubmit: (event) => {
      event.preventDefault();
      const chosen = [...form.querySelectorAll('[name=glyph]:checked')].map((box) => /** @type {HTMLInputElement} */ (box).value);
      save(text.value.trim() || null, [...chosen, ...others]);
    } },
    h('label', { for: 'comment-text' }, 'Comment'), text,
    h('fieldset', {}, h('legend', {}, 'Judgement'), ...boxes),
    h('div', { class: 'row' }, h('button', { type: 'submit', class: 'primary' }, 'Save'),
      (node.comment || node.glyphs?.length) && h('button', { type: 'button', onclick: () => save(null, []) }, 'Remove')));
    const dialog = openDialog(`Comment on ply ${node.ply}`, form, h('p', { class: 'bad', role: 'alert' }));
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
      setText(said, token() ? refusalWords(why) : 'Sign in first.');
    }
  }
}
