// A condition on a place of the board: the place is clicked or typed, what is to be there is chosen, and the text follows.

import { boards as words } from '../words/boards.js';
import { h, s, setText } from '../base/dom.js';
import { drawing, placesAt, sceneClass } from '../base/drawing.js';
import { patch } from '../base/patch.js';
import { COMPARISONS, WORD_COMPARISONS, conditionOf, joiner } from '../model/condition.js';
import { middles } from '../model/play.js';

/** Writes a condition into a text field as it is put together. */
export class Condition {
  /**
   * @param {HTMLElement} element
   * @param {HTMLTextAreaElement} field
   */
  constructor(element, field) {
    this.field = field;
    const changed = () => this.write();
    this.about = h('p', { class: 'hint' });
    this.board = h('div', { class: 'condition-board', onclick: (event) => this.click(event) });
    this.places = h('datalist', { id: 'condition-places' });
    this.place = /** @type {HTMLInputElement} */ (h('input', { id: 'condition-place', list: 'condition-places', size: '6', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', oninput: changed }));
    this.compare = /** @type {HTMLSelectElement} */ (h('select', { 'aria-label': words.comparison, onchange: changed }));
    this.word = /** @type {HTMLSelectElement} */ (h('select', { 'aria-label': words.whatIsThere, onchange: changed }));
    this.number = /** @type {HTMLInputElement} */ (h('input', { type: 'number', value: '1', step: '1', 'aria-label': words.number, oninput: changed }));
    this.title = h('h2');
    this.said = h('p', { class: 'condition-said', role: 'status' });
    element.append(this.title, this.about, this.board,
      h('p', { class: 'row' }, h('label', { for: 'condition-place' }, words.aPlace), this.place, this.places, this.compare, this.word, this.number,
        h('button', { type: 'button', class: 'quiet', onclick: () => this.close() }, words.close)),
      this.said);
    this.element = element;
    /** @type {{name: string, description: string, words: string[]} | null} */ this.fact = null;
    /** @type {import('../model/scene.js').Scene | null} */ this.scene = null;
    /** what was written last, and where */ this.written = { text: '', at: 0 };
    this.ring = s('circle', { class: 'mark-picked' });
  }

  /**
   * Begins a condition.
   * @param {{name: string, description: string, words: string[]}} fact of a place
   * @param {import('../model/scene.js').Scene | null} scene the board; null if there is none to show
   */
  open(fact, scene) {
    [this.fact, this.scene, this.written] = [fact, scene, { text: '', at: 0 }];
    setText(this.title, `${fact.name}(…)`);
    setText(this.about, `${fact.description} ${scene ? words.clickPlace : words.typePlace}`);
    setText(this.said, '');
    const isWord = fact.words.length > 0;
    patch(this.compare, (isWord ? WORD_COMPARISONS : COMPARISONS).map((each) => h('option', { value: each, selected: each === '=' }, each)));
    // The first word is that for nothing.
    patch(this.word, fact.words.map((each, index) => h('option', { value: each, selected: index === Math.min(1, fact.words.length - 1) }, each)));
    [this.word.hidden, this.number.hidden] = [!isWord, isWord];
    [this.place.value, this.number.value] = ['', '1'];
    patch(this.places, scene ? [...middles(scene).keys()].map((each) => h('option', { value: each })) : []);
    this.board.hidden = !scene;
    this.board.replaceChildren(...scene ? [s('svg', { class: sceneClass(scene), viewBox: scene.view.join(' '), role: 'img', 'aria-label': words.board }, ...drawing(scene), s('g', { class: 'marks' }, this.ring))] : []);
    this.mark();
    this.element.hidden = false;
  }

  close() {
    if (!this.element.hidden && this.element.contains(document.activeElement)) this.field.focus();
    this.element.hidden = true;
    this.fact = null;
  }

  click(event) {
    const [place] = placesAt(event, this.board);
    if (!place) return;
    this.place.value = place;
    this.write();
  }

  /** Puts the condition where it was, or after what is there. */
  write() {
    this.mark();
    const place = this.place.value.trim();
    const value = this.fact.words.length > 0 ? this.word.value : this.number.value;
    if (!place || !value) return;
    const { field, written } = this;
    const text = conditionOf(this.fact, place, this.compare.value, value);
    if (written.text && field.value.startsWith(written.text, written.at)) field.setRangeText(text, written.at, written.at + written.text.length, 'end');
    else {
      const joined = joiner(field.value.slice(0, field.selectionEnd));
      written.at = field.selectionEnd + joined.length;
      field.setRangeText(joined + text, field.selectionEnd, field.selectionEnd, 'end');
    }
    written.text = text;
    setText(this.said, text);
  }

  /** Rings the place. */
  mark() {
    const found = this.scene && middles(this.scene).get(this.place.value.trim());
    this.ring.setAttribute('r', found ? String(Math.round(found.room * 0.8)) : '0');
    if (!found) return;
    this.ring.setAttribute('cx', String(found.at[0]));
    this.ring.setAttribute('cy', String(found.at[1]));
  }
}
