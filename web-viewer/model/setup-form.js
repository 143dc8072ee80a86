// The form for a setup, made from the JSON Schema of a kind of game (`ruleSet.setupSchema`).

import { newGame } from '../words/new-game.js';
import { capital, nameWords } from './format.js';
import { term } from './terms.js';

/** The member that says how many seats there are; it follows from the seats. */
const SEATS = 'players';

/**
 * control: how it is entered. `choice`: one of the options; `ticks`: any of them; `tick`: yes or no; `list`: values
 * separated by commas. What cannot be entered in any of these ways is left to the API. initial: what counts as untouched. words:
 * values that stand for a list; isOneForAll: whether one number stands for a list of equal ones. only: the option without which it
 * does nothing; ruling: the number of the ruling that gives its reasons.
 * @typedef {{name: string, title: string, hint: string, only: string, ruling: string, control: 'choice'|'ticks'|'tick'|'number'|'list'|'text'|'',
 *   options: {value: any, title: string, hint: string}[], min?: number, max?: number, initial: string, usual: string, isOfNumbers: boolean, words: string[], isOneForAll: boolean}} Field
 */

/** What a description says first and last: that it depends on an option, and the ruling with its reasons. */
const HINT = /^(?:With ([a-z-]+) only: )?(.*?)(?: \((R\d+)\))?$/s;

/**
 * The ways to write a setup that the form has; usually one.
 * @param {any} schema
 * @returns {{title: string, schema: any}[]}
 */
export function waysOf(schema) {
  const ways = (schema?.oneOf ?? [schema ?? {}]).filter(({ properties, required = [] }) => required.every((name) => controlOf(properties[name])));
  return ways.map((way, index) => ({ title: way.title ? term(way.title) : newGame.way(index + 1), schema: way }));
}

/**
 * The fields of one way to write it.
 * @param {any} schema
 * @returns {Field[]}
 */
export function fieldsOf(schema) {
  return Object.entries(schema.properties ?? {}).filter(([name]) => name !== SEATS).map(([name, member]) => fieldOf(name, member)).filter(({ control }) => control);
}

/** A list that can be left to a word or to one number is entered as a list; the schema says so by `anyOf`. */
function listOf(member) {
  const ways = member.anyOf ?? [];
  const list = ways.find(({ type }) => type === 'array');
  if (!list) return { member, words: [], isOneForAll: false };
  const words = ways.flatMap((way) => way.enum ?? []);
  return { member: { ...list, description: member.description, default: member.default }, words, isOneForAll: ways.some(({ type }) => type === 'integer') };
}

function fieldOf(name, given) {
  const { member, words, isOneForAll } = listOf(given);
  const control = controlOf(member);
  const initial = member.default === undefined ? '' : written(member.default, control);
  const [, only = '', hint, ruling = ''] = HINT.exec(member.description ?? '') ?? [];
  const isShown = ['choice', 'ticks', 'tick'].includes(control);
  return {
    name, title: nameWords(name), hint: capital(hint ?? ''), only, ruling, control, options: optionsOf(member), min: member.minimum, max: member.maximum,
    initial: isShown ? initial : '', usual: isShown ? '' : initial, isOfNumbers: member.items?.type === 'integer' || member.type === 'integer', words, isOneForAll,
  };
}

function controlOf({ type, enum: values, items = {}, uniqueItems, minItems }) {
  if (values) return 'choice';
  if (type === 'boolean') return 'tick';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string') return 'text';
  if (type !== 'array') return '';
  if (uniqueItems && !minItems && (items.enum || items.oneOf)) return 'ticks';
  return ['integer', 'string'].includes(items.type) || items.enum ? 'list' : '';
}

function optionsOf({ enum: values, items = {} }) {
  const plain = (value) => ({ value, title: capital(term(String(value))), hint: '' });
  if (values ?? items.enum) return (values ?? items.enum).map(plain);
  return (items.oneOf ?? []).map((option) => ({ value: option.const, title: nameWords(String(option.const)), hint: option.description ?? '' }));
}

function written(value, control) {
  if (control === 'tick') return value ? 'on' : '';
  if (control === 'list' || control === 'ticks') return [value].flat().join(', ');
  return String(value);
}

/**
 * The rulings in a document of rules, by number.
 * @param {string} markdown
 * @returns {Map<string, string>}
 */
export function rulingsOf(markdown) {
  return new Map([...markdown.matchAll(/^- \*\*(R\d+)\*\* (.*(?:\n(?!- |\n).*)*)/gm)].map(([, number, text]) => [number, text.replace(/\s+/g, ' ')]));
}

/**
 * How many seats a game of this kind may have.
 * @param {{minSeats: number, maxSeats: number, setupSchema: any}} rules
 * @returns {number[]} ascending
 */
export function seatCounts({ minSeats, maxSeats, setupSchema }) {
  const all = Array.from({ length: maxSeats - minSeats + 1 }, (_, index) => minSeats + index);
  const listed = waysOf(setupSchema).map(({ schema }) => schema.properties?.[SEATS]?.enum).find(Boolean);
  return listed ? all.filter((count) => listed.includes(count)) : all;
}

/**
 * The setup that was filled in; what was left as it is stays out, so that the service fills it in or draws it.
 * @param {any} schema of one way to write it
 * @param {Record<string, string>} values by field
 * @param {number} seats
 * @returns {{setup: Record<string, any>, problems: Record<string, string>}}
 */
export function setupOf(schema, values, seats) {
  const setup = {};
  const problems = {};
  for (const field of fieldsOf(schema)) {
    const text = (values[field.name] ?? field.initial).trim();
    if (text === field.initial || (!text && field.control !== 'tick' && field.control !== 'ticks')) continue;
    const value = read(field, text);
    if (value === undefined) problems[field.name] = { number: newGame.wholeNumber, list: newGame.wholeNumbers }[field.control] ?? newGame.notUnderstood;
    else setup[field.name] = value;
  }
  if (schema.properties?.[SEATS]) setup[SEATS] = seats;
  return { setup, problems };
}

/**
 * What the form shows of a setup that was written before; null if the form cannot show all of it.
 * @param {any} schema of one way to write it
 * @param {Record<string, any>} setup
 * @returns {Record<string, string> | null}
 */
export function valuesOf(schema, setup) {
  const fields = new Map(fieldsOf(schema).map((field) => [field.name, field]));
  const values = {};
  for (const [name, value] of Object.entries(setup).filter(([member]) => member !== SEATS)) {
    const field = fields.get(name);
    const text = field && written(value, field.control);
    if (!field || JSON.stringify(read(field, text)) !== JSON.stringify(value)) return null;
    values[name] = text;
  }
  return values;
}

/**
 * The way to write a setup that shows most of one, and what it shows.
 * @param {any} schema with all ways
 * @param {Record<string, any>} setup
 * @returns {{way: number, values: Record<string, string>}}
 */
export function shownOf(schema, setup) {
  const shown = waysOf(schema).map((way, index) => ({ way: index, values: Object.assign({}, ...Object.entries(setup).map(([name, value]) => valuesOf(way.schema, { [name]: value }))) }));
  const count = ({ values }) => Object.keys(values).length;
  return shown.reduce((best, one) => (count(one) > count(best) ? one : best));
}

function read({ control, options, isOfNumbers, words, isOneForAll }, text) {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  const number = (part) => (/^-?\d+$/.test(part) ? Number(part) : undefined);
  switch (control) {
    case 'tick': return text === 'on';
    case 'number': return number(text);
    case 'choice': return options.find(({ value }) => String(value) === text)?.value;
    case 'ticks': return options.map(({ value }) => value).filter((value) => parts.includes(String(value)));
    case 'list': {
      if (words.includes(text)) return text;
      if (isOneForAll && parts.length === 1) return number(text);
      const items = isOfNumbers ? parts.map(number) : parts;
      return items.includes(undefined) ? undefined : items;
    }
    default: return text;
  }
}

/**
 * Tags from lines of `name=value`; a name alone has the value true.
 * @param {string} text
 * @returns {Record<string, any>}
 */
export function tagsOf(text) {
  const pairs = text.split(/[\n,;]+/).map((line) => line.trim()).filter(Boolean).map((line) => {
    const [name, ...value] = line.split('=');
    return [name.trim(), value.length > 0 ? value.join('=').trim() : true];
  });
  return Object.fromEntries(pairs.filter(([name]) => name));
}
