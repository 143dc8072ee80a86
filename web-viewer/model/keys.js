// The keys of the replay page.

import { common } from '../words/common.js';
import { replay as words } from '../words/replay.js';

/** What keys do. @type {{name: string, key: string, what: string}[]} */
export const ACTS = [
  { name: 'prev', key: 'ArrowLeft', what: words.prev },
  { name: 'next', key: 'ArrowRight', what: words.next },
  { name: 'turnBack', key: 'ArrowUp', what: words.turnBack },
  { name: 'turnOn', key: 'ArrowDown', what: words.turnOn },
  { name: 'first', key: 'Home', what: words.first },
  { name: 'last', key: 'End', what: words.last },
  { name: 'mineBack', key: '[', what: words.mineBack },
  { name: 'mineOn', key: ']', what: words.mineOn },
  { name: 'since', key: 's', what: words.keysSince },
  { name: 'beside', key: 'd', what: words.beside },
  { name: 'markBack', key: ',', what: words.markBack },
  { name: 'markOn', key: '.', what: words.markOn },
  { name: 'goTo', key: 'g', what: common.goTo },
  { name: 'play', key: ' ', what: words.keysPlay },
  { name: 'flip', key: 'f', what: words.flip },
  { name: 'act', key: 'b', what: words.act },
  { name: 'note', key: 'n', what: words.note },
  { name: 'explorer', key: 'e', what: words.explorer },
  { name: 'analysis', key: 'a', what: words.analysis },
  { name: 'engine', key: 'E', what: words.engine },
  { name: 'words', key: 'w', what: words.words },
  { name: 'enter', key: 'Shift+ArrowRight', what: words.enter },
  { name: 'leave', key: 'Shift+ArrowLeft', what: words.leave },
  { name: 'siblingBack', key: 'Shift+ArrowUp', what: words.siblingBack },
  { name: 'siblingOn', key: 'Shift+ArrowDown', what: words.siblingOn },
];

/** Keys of what is not listed. */
const FIXED = { Escape: 'clear', '?': 'help' };

/**
 * The name of the key that was pressed; `Shift` is named only with keys that write nothing.
 * @param {{key: string, shiftKey: boolean}} event
 */
export function keyOf({ key, shiftKey }) {
  return shiftKey && key.length > 1 ? `Shift+${key}` : key;
}

/**
 * What a key does: the name of an act; empty if nothing.
 * @param {string} pressed
 * @param {{letters: boolean}} settings whether keys that write something are shortcuts
 */
export function actOf(pressed, { letters }) {
  if (pressed.length === 1 && pressed !== ' ' && !letters) return '';
  return FIXED[pressed] ?? ACTS.find(({ key }) => key === pressed)?.name ?? '';
}

const SIGNS = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', ' ': words.space };

/** A key as people write it. @param {string} key */
export function keySign(key) {
  const [, shift = '', name] = /^(Shift\+)?([^]+)$/.exec(key) ?? [];
  return shift + (SIGNS[name] ?? name);
}
