// The fields of a setup. Their titles and hints come from the schema.

import { h } from '../base/dom.js';
import { spanOf } from '../base/spans.js';
import { parseSpans } from '../model/markdown.js';
import { fieldsOf } from '../model/setup-form.js';
import { termOnly } from '../model/terms.js';
import { newGame as words } from '../words/new-game.js';

/**
 * The fields of one way to write a setup: variants, and everything else.
 * @param {any} schema
 * @param {Record<string, string>} values
 * @param {Record<string, string>} problems
 * @param {Map<string, string>} rulings by number
 * @param {(name: string, value: string) => void} change
 */
export function setupFields(schema, values, problems, rulings, change) {
  const all = fieldsOf(schema);
  const chosen = all.filter(({ control }) => control === 'ticks').flatMap(({ name, initial }) => (values[name] ?? initial).split(', '));
  const draw = (field) => drawn(field, values[field.name] ?? field.initial, problems[field.name] ?? '', rulings, (value) => change(field.name, value));
  const isVariant = ({ control }) => control === 'ticks';
  return {
    variants: all.filter(isVariant).map(draw),
    others: all.filter((field) => !isVariant(field) && (!field.only || chosen.includes(field.only))).map(draw),
  };
}

/** @param {import('../model/setup-form.js').Field} field */
function drawn(field, value, problem, rulings, change) {
  const id = `setup-${field.name}`;
  const reasons = rulings.get(field.ruling);
  const said = [h('p', { class: 'hint', id: `${id}-hint` }, hint(field)),
    reasons && h('details', { class: 'hint', id: `${id}-why` }, h('summary', {}, words.why), h('p', { lang: 'en', dir: 'auto' }, ...parseSpans(reasons).map(spanOf))),
    problem && h('p', { class: 'bad', id: `${id}-bad`, role: 'alert' }, problem)];
  const common = { id, 'aria-describedby': `${id}-hint${problem ? ` ${id}-bad` : ''}`, 'aria-invalid': problem ? 'true' : null, placeholder: field.usual || null, autocomplete: 'off' };
  if (field.control === 'ticks') return ticks(field, value, said, change);
  if (field.control === 'tick') {
    return h('div', { class: 'field', id: `${id}-field` }, h('label', { class: 'tick' }, h('input', { type: 'checkbox', ...common, placeholder: null, checked: value === 'on', onchange: ({ target }) => change(target.checked ? 'on' : '') }), field.title), ...said);
  }
  const typed = { ...common, oninput: ({ target }) => change(target.value) };
  const control = {
    choice: () => h('select', { ...common, placeholder: null, onchange: ({ target }) => change(target.value) }, ...field.options.map((option) => h('option', { value: String(option.value), selected: String(option.value) === value }, option.title))),
    number: () => h('input', { ...typed, inputmode: 'numeric', value }),
  }[field.control] ?? (() => h('input', { ...typed, value, spellcheck: 'false' }));
  return h('div', { class: 'field', id: `${id}-field` }, h('label', { for: id }, field.title), control(), ...said);
}

/** Descriptions in a schema quote names as Markdown does. */
function hint({ hint: text }) {
  const own = termOnly(text);
  return h('bdi', own ? {} : { lang: 'en' }, ...parseSpans(own || text).map(spanOf));
}

function ticks({ name, options, title }, value, said, change) {
  const chosen = value.split(', ').filter(Boolean);
  const toggle = (option, isOn) => change(options.map((each) => String(each.value)).filter((each) => (each === option ? isOn : chosen.includes(each))).join(', '));
  return h('fieldset', { class: 'field ticks', id: `setup-${name}-field` }, h('legend', {}, title), ...said,
    ...options.map((option) => h('label', { class: 'tick card' },
      h('input', { type: 'checkbox', checked: chosen.includes(String(option.value)), onchange: ({ target }) => toggle(String(option.value), target.checked) }),
      h('span', {}, option.title, option.hint && h('small', {}, hint(option))))));
}
