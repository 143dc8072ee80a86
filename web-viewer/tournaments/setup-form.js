// The setup of a tournament's games, by the same form as for a new game; what the form cannot show is written as JSON.

import { h } from '../base/dom.js';
import { setupOf, valuesOf, waysOf } from '../model/setup-form.js';
import { setupFields } from '../record/setup-fields.js';
import { newGame } from '../words/new-game.js';

/** The rulings behind the fields are told where one game is set up. */
const NO_REASONS = new Map();

/** Keeps what is typed, also while it is no setup yet. */
export class SetupForm {
  /** @param {(setup: string) => void} change called with the setup as JSON; `?` while it is none */
  constructor(change) {
    this.change = change;
    this.forget('', '');
  }

  forget(kind, setup) {
    /** @type {Record<string, string> | null} */ this.typed = null;
    /** @type {Record<string, string>} */ this.problems = {};
    this.way = -1;
    this.of = kind;
    this.made = setup;
  }

  /** @param {any} rules of the game @param {string} setup as JSON, empty for the usual one @returns {HTMLElement[]} none if it takes JSON */
  draw(rules, setup) {
    if (!rules?.setupSchema) return [];
    if (this.of !== rules.kind || this.made !== setup) this.forget(rules.kind, setup);
    const ways = waysOf(rules.setupSchema);
    const written = this.typed ? null : parsed(setup);
    const found = written && ways.findIndex(({ schema }) => valuesOf(schema, written));
    const way = this.way >= 0 ? this.way : found ?? -1;
    if (way < 0) return [];
    const { schema } = ways[way];
    const values = this.typed ?? valuesOf(schema, written ?? {}) ?? {};
    const type = (name, value) => this.take(schema, { ...values, [name]: value }, way);
    const choice = ways.length > 1 && h('div', { class: 'field', id: 'way-field' }, h('label', { for: 'way' }, newGame.startFrom),
      h('select', { id: 'way', onchange: ({ target }) => this.take(ways[Number(target.value)].schema, {}, Number(target.value)) }, ...ways.map(({ title }, index) => h('option', { value: String(index), selected: index === way }, title))));
    const { variants, others } = setupFields(schema, values, this.problems, NO_REASONS, type);
    return [choice, ...variants, ...others].filter(Boolean);
  }

  take(schema, values, way) {
    const { setup, problems } = setupOf(schema, values, 0);
    // The number of seats is that of each table.
    delete setup.players;
    this.typed = values;
    this.way = way;
    this.problems = problems;
    this.made = Object.keys(problems).length > 0 ? '?' : Object.keys(setup).length > 0 ? JSON.stringify(setup) : '';
    this.change(this.made);
  }
}

function parsed(text) {
  if (!text.trim()) return {};
  try {
    const value = JSON.parse(text);
    return value && typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
