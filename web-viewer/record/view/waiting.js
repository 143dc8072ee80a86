// Entries that the service does not have yet, and what stands in their way.

import { common } from '../../words/common.js';
import { h, marked } from '../../base/dom.js';
import { newKey } from '../../base/random-key.js';
import { CAN_ENCRYPT } from '../keeping.js';
import { entryWords, overtakenWords } from '../../model/entries.js';
import { refusalWords } from '../../model/play.js';
import { record as words } from '../../words/record.js';

/**
 * @param {import('../derive.js').Now} now
 * @param {import('../recording.js').Recording} recording
 */
export function waiting({ game, isOffline, isSending, queue, unsigned }, recording) {
  const { entries, after } = queue;
  if (!game || entries.length === 0) return isOffline ? [h('p', { class: 'notice', role: 'status' }, words.noConnection)] : [];
  const [first] = entries;
  const hasSecret = entries.some(({ isSecret }) => isSecret);
  return [h('section', { class: `waiting card ${first.state}`, id: 'waiting', 'aria-label': words.section },
    h('h2', {}, heading(first.state, entries.length, isOffline, isSending, unsigned)),
    h('ol', {}, ...entries.map((entry) => h('li', { id: `entry-${entry.key}` }, entryWords(entry, game.seats)))),
    ...explained(first, game, after),
    first.state === 'waiting' && isOffline && h('p', { class: 'hint' }, !hasSecret ? words.keptOnDevice : CAN_ENCRYPT ? words.keptEncrypted : words.keptInPage),
    h('div', { class: 'row' },
      first.state === 'overtaken' && h('button', { type: 'button', id: 'anew', class: 'primary', onclick: () => recording.change('anew', newKey) }, entries.length > 1 ? words.enterAll : words.enter),
      (first.state !== 'waiting' || isOffline) && h('button', { type: 'button', id: 'discard', onclick: () => recording.change('discard', first.key) }, entries.length > 1 ? words.discardAll(entries.length) : words.discard),
      entries.length > 1 && (first.state !== 'waiting' || isOffline) && h('button', { type: 'button', id: 'discard-last', onclick: () => recording.change('discard', entries.at(-1).key) }, words.discardLast)))];
}

function heading(state, count, isOffline, isSending, unsigned) {
  if (state === 'refused') return words.refused;
  if (state === 'overtaken') return words.overtaken;
  if (unsigned && !isOffline) return words.toSign(count);
  return isOffline ? words.offline(count) : isSending ? common.sending : words.toSend(count);
}

function explained(entry, game, after) {
  if (entry.state === 'refused') return [h('p', { class: 'bad', role: 'alert' }, ...marked(entry.isSecret ? words.secretRefused : refusalWords({ ...entry.error, details: { ...entry.error?.details, action: entry.action } })))];
  return entry.state === 'overtaken' ? [h('p', { role: 'alert' }, overtakenWords(entry, game, after), ' ', words.compare)] : [];
}
