// The dialogs of a line and of a ply: sharing, arranging, comments, and the reader's own note. They come when they are wanted.

import { common } from '../../words/common.js';
import { playing as words } from '../../words/playing.js';
import { holder, token } from '../../base/api.js';
import { byId, h, marked, openDialog, setText } from '../../base/dom.js';
import { commentWith, marksIn, marksOf, wordsOf } from '../../model/own.js';
import { middles, refusalWords } from '../../model/play.js';

const GLYPHS = Object.entries(words.glyphs);

/** With a token, what was tried becomes a line; without one, it has an address. */
export function share(bar) {
  const said = h('p', { class: 'bad', role: 'alert' });
  const address = h('input', { readonly: true, dir: 'ltr', value: new URL(bar.replay.now().address, location.href).href, 'aria-label': words.address });
  if (!token()) {
    openDialog(words.share, h('p', {}, words.addressIs), address);
    address.select();
    return;
  }
  const name = h('input', { id: 'line-share-name', maxlength: '200', autocomplete: 'off', value: holder() && words.lineOf(holder()) });
  const save = (text, visibility, kind) => h('button', { type: 'button', class: kind, onclick: () => attempt(dialog, () => bar.playing.save(visibility, name.value.trim())) }, text);
  const dialog = openDialog(words.share, h('p', {}, words.addressIs), address,
    h('div', { class: 'sign-in' }, h('label', { for: 'line-share-name' }, common.name), name,
      h('div', { class: 'row' }, save(words.sharePublic, 'PUBLIC', 'primary'), save(words.shareUnlisted, 'UNLISTED', ''))),
    h('p', { class: 'hint' }, words.shareHint), said);
}

/** @param {import('./line-bar.js').LineBar} bar @param {any} line */
export function arrange(bar, line) {
  const name = h('input', { id: 'line-new-name', maxlength: '200', autocomplete: 'off', value: line.name ?? '' });
  const change = (text, what) => h('button', { type: 'button', onclick: () => attempt(dialog, () => bar.lines.arrange(line.id, what)) }, text);
  const form = h('form', { class: 'sign-in', onsubmit: (event) => {
    event.preventDefault();
    attempt(dialog, () => bar.lines.arrange(line.id, { name: name.value.trim() }));
  } },
  h('label', { for: 'line-new-name' }, common.name), name,
  h('div', { class: 'row' }, h('button', { type: 'submit', class: 'primary' }, words.saveName)));
  const dialog = openDialog(words.arrangeTitle, form,
    h('div', { class: 'row' }, change(words.putFirst, { promote: true }), change(line.hidden ? words.showAgain : words.hide, { hidden: !line.hidden })),
    h('p', { class: 'hint' }, words.hideHint),
    h('p', { class: 'bad', role: 'alert' }));
  name.focus();
}

/** A comment replaces the earlier one by the same author. */
export function comment(bar, node, told = []) {
  const { own } = bar.replay.now();
  const text = h('textarea', { id: 'comment-text', rows: '4', maxlength: '2000' });
  text.value = told.length > 1 ? '' : wordsOf(node.comment);
  const drawn = own.marks.length > 0 && h('label', { class: 'choice' }, h('input', { type: 'checkbox', name: 'drawn', checked: true }), words.withMarks);
  const boxes = GLYPHS.map(([glyph, what]) => h('label', { class: 'glyph-choice' },
    h('input', { type: 'checkbox', name: 'glyph', value: glyph, checked: (node.glyphs ?? []).includes(glyph) }), h('span', { title: what }, `${glyph} `, h('span', { class: 'hidden' }, what))));
  const save = (comment, glyphs) => attempt(dialog, () => bar.lines.annotate(node, comment, glyphs));
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
async function attempt(dialog, act) {
  const said = dialog.querySelector('[role=alert]');
  setText(said, '');
  try {
    await act();
    dialog.close();
    // What opened it may be gone.
    if (document.activeElement === document.body || dialog.contains(document.activeElement)) byId('panel-moves').focus();
  } catch (why) {
    said.replaceChildren(...marked(token() ? refusalWords(why) : words.signInFirst));
  }
}

/** What the reader keeps of a ply. @param {import('../replay.js').Replay} replay */
export function note(replay) {
  const { own, ply, position } = replay.now();
  const text = /** @type {HTMLTextAreaElement} */ (h('textarea', { id: 'own-note', rows: '4', maxlength: '2000', dir: 'auto' }));
  text.value = own.note;
  const marks = h('input', { id: 'own-marks', dir: 'ltr', autocomplete: 'off', spellcheck: 'false', value: own.marks.join(' ') });
  const said = h('p', { class: 'bad', role: 'alert' });
  const form = h('form', { class: 'sign-in', onsubmit: (event) => {
    event.preventDefault();
    const wanted = marksIn(/** @type {HTMLInputElement} */ (marks).value);
    const known = middles(position.scene);
    const wrong = wanted.find((mark) => !mark.split('>').every((place) => known.has(place)) || mark.split('>').length > 2);
    setText(said, wrong ? words.badMark(wrong) : '');
    if (wrong) return;
    replay.send('own', { note: text.value.trim(), marks: wanted });
    dialog.close();
  } },
  h('p', { class: 'hint' }, words.ownKept), h('label', { for: 'own-note' }, words.note), text,
  h('label', { for: 'own-marks' }, words.ownMarks), marks, h('p', { class: 'hint' }, words.ownMarksHint),
  h('div', { class: 'row' }, h('button', { type: 'submit', class: 'primary' }, common.save)), said);
  const dialog = openDialog(words.noteOn(ply), form);
  text.focus();
}
