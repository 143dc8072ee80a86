// Entries that the service does not have yet, and what stands in their way.

import { h } from '../../base/dom.js';
import { newKey } from '../../base/random-key.js';
import { entryWords, overtakenWords } from '../../model/entries.js';
import { counted } from '../../model/format.js';
import { refusalWords } from '../../model/play.js';

/**
 * @param {import('../derive.js').Now} now
 * @param {import('../recording.js').Recording} recording
 */
export function waiting({ game, isOffline, isSending, queue, unsigned }, recording) {
  const { entries, after } = queue;
  if (!game || entries.length === 0) return isOffline ? [h('p', { class: 'notice', role: 'status' }, 'There is no connection. What is entered is kept on this device and sent later.')] : [];
  const [first] = entries;
  const hasSecret = entries.some(({ isSecret }) => isSecret);
  return [h('section', { class: `waiting card ${first.state}`, id: 'waiting', 'aria-label': 'Not recorded yet' },
    h('h2', {}, heading(first.state, entries.length, isOffline, isSending, unsigned)),
    h('ol', {}, ...entries.map((entry) => h('li', { id: `entry-${entry.key}` }, entryWords(entry, game.seats)))),
    ...explained(first, game, after),
    first.state === 'waiting' && isOffline && h('p', { class: 'hint' }, hasSecret
      ? 'Secret entries are kept in this page only, not on the device: do not close it until they are sent.'
      : 'They are kept on this device, even if the page is closed, and sent when the connection is back.'),
    h('div', { class: 'row' },
      first.state === 'overtaken' && h('button', { type: 'button', id: 'anew', class: 'primary', onclick: () => recording.change('anew', newKey) }, entries.length > 1 ? 'Enter them after that' : 'Enter it after that'),
      (first.state !== 'waiting' || isOffline) && h('button', { type: 'button', id: 'discard', onclick: () => recording.change('discard', first.key) }, entries.length > 1 ? `Discard all ${entries.length}` : 'Discard it'),
      entries.length > 1 && (first.state !== 'waiting' || isOffline) && h('button', { type: 'button', id: 'discard-last', onclick: () => recording.change('discard', entries.at(-1).key) }, 'Discard the last')))];
}

function heading(state, count, isOffline, isSending, unsigned) {
  if (state === 'refused') return 'Not recorded';
  if (state === 'overtaken') return 'Somebody else has gone on';
  if (unsigned && !isOffline) return `${counted(count, 'entry waits', 'entries wait')} to be signed`;
  return isOffline ? `${counted(count, 'entry waits', 'entries wait')} for the connection` : isSending ? 'Sending…' : `${counted(count, 'entry', 'entries')} to send`;
}

function explained(entry, game, after) {
  if (entry.state === 'refused') return [h('p', { class: 'bad', role: 'alert' }, entry.isSecret ? 'What was submitted is not legal.' : refusalWords({ ...entry.error, details: { ...entry.error?.details, action: entry.action } }))];
  return entry.state === 'overtaken' ? [h('p', { role: 'alert' }, overtakenWords(entry, game, after), ' Yours is not recorded. Compare it with the board above, then decide.')] : [];
}
