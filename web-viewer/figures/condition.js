// Conditions as rows beside the board: what is to be there is chosen, places are clicked, and the text says the same.

import { common } from '../words/common.js';
import { statistics as words } from '../words/statistics.js';
import { h, s } from '../base/dom.js';
import { drawing, placesAt, sceneClass } from '../base/drawing.js';
import { patch } from '../base/patch.js';
import { COMPARISONS, WORD_COMPARISONS, rowsOf, textOf } from '../model/condition.js';
import { middles } from '../model/play.js';

/** @typedef {{name: string, description: string, argument: string, words: string[]}} Fact */

/** Keeps rows and a text field the same. */
export class Condition {
  /**
   * @param {HTMLElement} element
   * @param {HTMLTextAreaElement} field
   */
  constructor(element, field) {
    [this.element, this.field] = [element, field];
    /** @type {Fact[]} */ this.facts = [];
    /** @type {import('../model/scene.js').Scene | null} the board; null if there is none to show */ this.scene = null;
    /** the fact that a click asks for, and what is to be there */ this.chosen = { name: '', value: '' };
    /** the fact that the button adds */ this.other = '';
    this.rings = s('g', { class: 'marks' });
    this.board = h('div', { class: 'condition-board', onclick: (event) => this.click(event) });
    this.tools = h('div', { class: 'row' });
    this.rows = h('ul', { class: 'condition-rows' });
    element.append(this.board, this.tools, this.rows);
    field.addEventListener('input', () => this.draw());
  }

  /**
   * Offers the facts of a kind.
   * @param {Fact[]} facts
   * @param {import('../model/scene.js').Scene | null} scene the board
   */
  offer(facts, scene) {
    [this.facts, this.scene] = [facts, scene];
    this.board.hidden = !scene || this.placed().length === 0;
    this.board.replaceChildren(...scene ? [s('svg', { class: sceneClass(scene), viewBox: scene.view.join(' '), role: 'img', 'aria-label': common.board }, ...drawing(scene), this.rings)] : []);
    this.choose(this.placed()[0]?.name ?? '');
  }

  /** A fact of a place is asked for by the next click, another one gets a row. @param {string} name */
  choose(name) {
    const fact = this.fact(name);
    if (fact && fact.argument !== 'PLACE') {
      const row = { name, of: fact.argument === 'SEAT' ? '1' : '', compare: fact.words.length > 0 ? '=' : '>=', value: fact.words[0] ?? '1' };
      this.write([...this.read() ?? [], row]);
      return;
    }
    // The first word is that for nothing.
    this.chosen = { name, value: fact && fact.words.length > 0 ? fact.words[Math.min(1, fact.words.length - 1)] : '1' };
    this.draw();
  }

  fact(name) {
    return this.facts.find((each) => each.name === name);
  }

  placed() {
    return this.facts.filter(({ argument }) => argument === 'PLACE');
  }

  read() {
    return rowsOf(this.field.value, this.facts);
  }

  write(rows) {
    this.field.value = textOf(rows, this.facts);
    this.draw();
  }

  remove(rows, index) {
    this.write(rows.filter((_, at) => at !== index));
    (this.rows.querySelectorAll('.icon')[Math.min(index, rows.length - 2)] ?? this.field).focus();
  }

  /** A place gets a row, or loses it. */
  click(event) {
    const [of] = placesAt(event, this.board);
    const rows = this.read();
    if (!of || !rows) return;
    const { name, value } = this.chosen;
    const others = rows.filter((row) => row.name !== name || row.of !== of);
    this.write(others.length < rows.length ? others : [...rows, { name, of, compare: '=', value }]);
  }

  draw() {
    const rows = this.read();
    this.element.hidden = this.facts.length === 0;
    patch(this.tools, this.toolbar());
    patch(this.rows, rows ? rows.map((row, index) => this.row(rows, row, index)) : [h('li', { class: 'hint' }, words.byHand)]);
    const known = this.scene ? middles(this.scene) : new Map();
    this.rings.replaceChildren(...(rows ?? []).flatMap(({ of }) => {
      const found = known.get(of);
      return found ? [s('circle', { class: 'mark-picked', cx: found.at[0], cy: found.at[1], r: Math.round(found.room * 0.8) })] : [];
    }));
  }

  toolbar() {
    const fact = this.fact(this.chosen.name);
    const others = this.facts.filter(({ argument }) => ['NOTHING', 'SEAT'].includes(argument)).map(({ name }) => name);
    const other = others.includes(this.other) ? this.other : others[0];
    return [
      this.placed().length > 1 && this.select('fact', words.whatToAsk, this.placed().map(({ name }) => name), this.chosen.name, (name) => this.choose(name)),
      fact && fact.words.length > 0 && this.select('word', words.whatIsThere, fact.words, this.chosen.value, (value) => { this.chosen = { ...this.chosen, value }; this.draw(); }),
      this.placed().length > 0 && this.scene && h('span', { class: 'hint', id: 'condition-hint' }, words.clickPlaces),
      // Arrow keys change a choice on their way to another, so it takes a button to add one.
      other && this.select('other', words.addRow, others, other, (name) => { this.other = name; this.draw(); }),
      other && h('button', { type: 'button', id: 'condition-add', onclick: () => this.choose(other) }, words.addRow),
    ];
  }

  select(name, label, options, chosen, onchange) {
    return h('select', { id: `condition-${name}`, 'aria-label': label, onchange: ({ target }) => onchange(target.value) },
      ...options.map((value) => h('option', { value, selected: value === chosen }, value || label)));
  }

  row(rows, row, index) {
    const { compare, name, of, value } = row;
    const options = this.fact(name)?.words ?? [];
    const change = (part) => this.write(rows.map((each, at) => (at === index ? { ...each, ...part } : each)));
    const told = `${name}${of && `(${of})`}`;
    return h('li', { id: `condition-row-${index}` },
      h('code', {}, told),
      compare && this.select(`compare-${index}`, `${told}: ${words.comparison}`, options.length > 0 ? WORD_COMPARISONS : COMPARISONS, compare, (to) => change({ compare: to })),
      compare && (options.length > 0
        ? this.select(`value-${index}`, `${told}: ${words.whatIsThere}`, options, value, (to) => change({ value: to }))
        : h('input', { id: `condition-value-${index}`, type: 'number', step: '1', value, 'aria-label': `${told}: ${words.number}`, oninput: ({ target }) => target.value && change({ value: target.value }) })),
      h('button', { type: 'button', class: 'quiet icon', id: `condition-remove-${index}`, 'aria-label': words.removeRow(told), onclick: () => this.remove(rows, index) }, '✕'));
  }
}
