// What a game may begin from: a record, the actions of one, or a position, as people paste them.

import { mainline } from './compare.js';
import { written } from './play.js';

/**
 * format: that of a record, as `importRecord` takes it; empty for a position, and for actions without a header. kind: empty if the text
 * does not say.
 * @typedef {{format: 'JSON'|'NDJSON'|'TEXT'|'', kind: string, setup: any, position: any, actions: string[], names: string[]}} Pasted
 */

/**
 * @param {string} text
 * @returns {Pasted | null} null if there is nothing
 * @throws {SyntaxError} it begins like JSON or a header, and is none
 */
export function pastedFrom(text) {
  const given = text.trim();
  if (!given) return null;
  if (given.startsWith('{"at":')) return ofLog(given.split('\n').map((line) => JSON.parse(line)));
  if (given.startsWith('{')) {
    const { format = '', kind = '', setup = null, position = null, actions = [], seats = [] } = JSON.parse(given);
    return format ? { format: 'JSON', kind, setup, position, actions, names: seats.map(({ name }) => name) } : { format: '', kind: '', setup: null, position: JSON.parse(given), actions: [], names: [] };
  }
  const headers = new Map([...given.matchAll(/^\[(\w+) (".*")\]$/gm)].map(([, name, value]) => [name.toLowerCase(), JSON.parse(value)]));
  const body = given.replaceAll(/^\[.*\]$/gm, '').replaceAll(/\{[^}]*\}|\$\S+/g, ' ');
  const json = (name) => (headers.has(name) ? JSON.parse(headers.get(name)) : null);
  return {
    format: headers.has('kind') ? 'TEXT' : '', kind: headers.get('kind') ?? '', setup: json('setup'), position: json('position'), actions: wordsIn(body),
    names: [...headers].filter(([name]) => name.startsWith('seat')).map(([, value]) => value),
  };
}

function ofLog(events) {
  const { kind, setup, position = null, seats } = events[0].body;
  const actions = mainline(events).filter(({ action }) => action !== null).map(({ by, action }) => written(by, action));
  return { format: 'NDJSON', kind, setup, position, actions, names: seats.map(({ name }) => name) };
}

/** Words outside of parentheses that are no numbers of plies. */
function wordsIn(body) {
  let depth = 0;
  return body.replaceAll(/[()]/g, ' $& ').split(/\s+/).filter((word) => {
    if (word === '(') depth += 1;
    if (word === ')') depth -= 1;
    return word && depth === 0 && word !== ')' && !/^\d+\.+$/.test(word);
  });
}

/** Actions as a text record. @param {string} kind @param {any} setup @param {string[]} names @param {string[]} actions */
export function textRecord(kind, setup, names, actions) {
  const header = (name, value) => `[${name} ${JSON.stringify(value)}]`;
  return [header('Kind', kind), header('Setup', JSON.stringify(setup)), ...names.map((name, index) => header(`Seat${index + 1}`, name)), '', actions.join(' '), ''].join('\n');
}
