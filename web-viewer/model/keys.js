// The keys of the replay page, and which of them the reader has changed.

import { common } from '../words/common.js';
import { keys as words } from '../words/replay-keys.js';

/**
 * @typedef {{name: string, keys: string[], what: string}} Act
 * @typedef {Readonly<Record<string, string>>} Chosen the reader's own keys by act
 */

/** What keys do, with the usual keys, the first of which is the main one. @type {Act[]} */
export const ACTS = [
  { name: 'prev', keys: ['ArrowLeft'], what: words.prev },
  { name: 'next', keys: ['ArrowRight'], what: words.next },
  { name: 'turnBack', keys: ['ArrowUp'], what: words.turnBack },
  { name: 'turnOn', keys: ['ArrowDown'], what: words.turnOn },
  { name: 'first', keys: ['Home'], what: words.first },
  { name: 'last', keys: ['End'], what: words.last },
  { name: 'mineBack', keys: ['['], what: words.mineBack },
  { name: 'mineOn', keys: [']'], what: words.mineOn },
  { name: 'since', keys: ['s'], what: words.since },
  { name: 'beside', keys: ['d'], what: words.beside },
  { name: 'markBack', keys: [','], what: words.markBack },
  { name: 'markOn', keys: ['.'], what: words.markOn },
  { name: 'goTo', keys: ['g'], what: common.goTo },
  { name: 'play', keys: [' '], what: words.play },
  { name: 'flip', keys: ['f'], what: words.flip },
  { name: 'act', keys: ['b'], what: words.act },
  { name: 'note', keys: ['n'], what: words.note },
  { name: 'explorer', keys: ['e'], what: words.explorer },
  { name: 'analysis', keys: ['a'], what: words.analysis },
  { name: 'engine', keys: ['E'], what: words.engine },
  { name: 'words', keys: ['w'], what: words.words },
  { name: 'enter', keys: ['Shift+ArrowRight'], what: words.enter },
  { name: 'leave', keys: ['Shift+ArrowLeft'], what: words.leave },
  { name: 'siblingBack', keys: ['Shift+ArrowUp'], what: words.siblingBack },
  { name: 'siblingOn', keys: ['Shift+ArrowDown'], what: words.siblingOn },
];

/** Keys that always do the same. */
const FIXED = { Escape: 'clear', '?': 'help' };

/**
 * The name of the key that was pressed; `Shift` is named only with keys that write nothing.
 * @param {{key: string, shiftKey: boolean}} event
 */
export function keyOf({ key, shiftKey }) {
  return shiftKey && key.length > 1 ? `Shift+${key}` : key;
}

/**
 * The keys of an act: the reader's own, or the usual ones that no other act has been given.
 * @param {Chosen} chosen
 * @param {Act} act
 * @returns {string[]}
 */
export function keysOf(chosen, { name, keys }) {
  return chosen[name] ? [chosen[name]] : keys.filter((key) => !Object.values(chosen).includes(key));
}

/**
 * What a key does: the name of an act; empty if nothing.
 * @param {Chosen} chosen
 * @param {string} key
 */
export function actOf(chosen, key) {
  return FIXED[key] ?? ACTS.find((act) => keysOf(chosen, act).includes(key))?.name ?? '';
}

/**
 * Why a key cannot be chosen; empty if it can.
 * @param {string} key
 */
export function keyProblem(key) {
  if (key in FIXED) return words.fixed;
  if (/^[0-9]$/.test(key)) return words.digits;
  return /^(Shift\+)?(Tab|Enter|Shift|Control|Alt|Meta|AltGraph|CapsLock|Dead|Process|Unidentified)$/.test(key) ? words.browser : '';
}

/**
 * The reader's keys with one changed. An act that had the key gets its usual one back, or loses it.
 * @param {Chosen} chosen
 * @param {string} name of the act
 * @param {string} key
 * @returns {Chosen}
 */
export function rebound(chosen, name, key) {
  const others = Object.entries(chosen).filter(([other, its]) => other !== name && its !== key);
  const isUsual = ACTS.find((act) => act.name === name)?.keys[0] === key;
  return Object.fromEntries(isUsual ? others : [...others, [name, key]]);
}

const SIGNS = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', ' ': words.space };

/** A key as people write it. @param {string} key */
export function keySign(key) {
  const [, shift = '', name] = /^(Shift\+)?([^]+)$/.exec(key) ?? [];
  return shift + (SIGNS[name] ?? name);
}
