// The keys of the replay page, and which of them the reader has changed.

/**
 * @typedef {{name: string, keys: string[], what: string}} Act
 * @typedef {Readonly<Record<string, string>>} Chosen the reader's own keys by act
 */

/** What keys do, with the usual keys, the first of which is the main one. @type {Act[]} */
export const ACTS = [
  { name: 'prev', keys: ['ArrowLeft'], what: 'Previous ply' },
  { name: 'next', keys: ['ArrowRight'], what: 'Next ply' },
  { name: 'turnBack', keys: ['ArrowUp'], what: 'Back to where somebody else acts; in the list of moves: up' },
  { name: 'turnOn', keys: ['ArrowDown'], what: 'On to where somebody else acts; in the list of moves: down' },
  { name: 'first', keys: ['Home'], what: 'First position' },
  { name: 'last', keys: ['End'], what: 'Last position' },
  { name: 'mineBack', keys: ['['], what: 'Previous turn of the same seat' },
  { name: 'mineOn', keys: [']'], what: 'Next turn of the same seat' },
  { name: 'since', keys: ['s'], what: 'What has changed since the last turn of the same seat; again: hide it' },
  { name: 'beside', keys: ['d'], what: 'Two boards side by side: this position, and the one after the last turn of the same seat' },
  { name: 'markBack', keys: [','], what: 'Previous mark of the slider' },
  { name: 'markOn', keys: ['.'], what: 'Next mark of the slider' },
  { name: 'goTo', keys: ['g'], what: 'Go to a ply' },
  { name: 'play', keys: [' '], what: 'Play, pause' },
  { name: 'flip', keys: ['f'], what: 'Flip the board' },
  { name: 'act', keys: ['b'], what: 'Play from here: a line' },
  { name: 'explorer', keys: ['e'], what: 'Explorer, or back to the moves' },
  { name: 'analysis', keys: ['a'], what: 'Analysis, or back to the moves' },
  { name: 'engine', keys: ['E'], what: 'The engine beside any position, on or off' },
  { name: 'words', keys: ['w'], what: 'Announce the position in words' },
  { name: 'enter', keys: ['Shift+ArrowRight'], what: 'Into the variation that leaves here' },
  { name: 'leave', keys: ['Shift+ArrowLeft'], what: 'Out of it, to the line it leaves' },
  { name: 'siblingBack', keys: ['Shift+ArrowUp'], what: 'Previous variation of this ply' },
  { name: 'siblingOn', keys: ['Shift+ArrowDown'], what: 'Next variation of this ply' },
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
  if (key in FIXED) return 'This key always does the same.';
  if (/^[0-9]$/.test(key)) return 'Digits show the game as a seat sees it.';
  return /^(Shift\+)?(Tab|Enter|Shift|Control|Alt|Meta|AltGraph|CapsLock|Dead|Process|Unidentified)$/.test(key) ? 'The browser needs this key.' : '';
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

const SIGNS = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', ' ': 'Space' };

/** A key as people write it. @param {string} key */
export function keySign(key) {
  const [, shift = '', name] = /^(Shift\+)?([^]+)$/.exec(key) ?? [];
  return shift + (SIGNS[name] ?? name);
}
