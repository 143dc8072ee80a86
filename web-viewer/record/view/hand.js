// The phone goes from hand to hand: what one seat knows is shown to nobody else.

import { h } from '../../base/dom.js';
import { seatName } from '../../model/format.js';

/**
 * What covers the screen while the phone is handed on.
 * @param {import('../derive.js').Now} now
 * @param {import('../recording.js').Recording} recording
 */
export function handover({ game, hand, queue, refused }, recording) {
  if (!hand || !game) return [];
  const name = seatName(game.seats, hand.seat);
  const back = h('button', { type: 'button', id: 'hand-back', onclick: () => recording.send('handBack') }, hand.stage === 'done' ? 'Go on' : 'Back to the table');
  if (hand.stage === 'open') return [h('div', { class: 'hand-bar', id: 'hand' }, h('p', { role: 'status' }, `Only ${name} may look now.`), hand.problem && h('p', { class: 'hint' }, hand.problem), h('button', { type: 'button', id: 'hide', onclick: () => recording.send('cover') }, 'Hide'))];
  if (hand.stage === 'covered') {
    return [h('div', { class: 'hand', id: 'hand' }, refused && h('p', { class: 'bad', role: 'alert' }, refused.code === 'ILLEGAL_ACTION' ? 'What was entered is not legal here. Nothing is recorded.' : 'Nothing is recorded. Try again.'),
      h('p', { role: 'status' }, `Hand the phone to ${name}. Nobody else looks.`),
      h('button', { type: 'button', id: 'uncover', class: 'primary', onclick: () => recording.uncover() }, `I am ${name}: show what I may see`), back)];
  }
  const isSent = !queue.entries.some(({ isSecret, seat }) => isSecret && seat === hand.seat);
  return [h('div', { class: 'hand', id: 'hand' }, h('p', { role: 'status' }, isSent ? `${name} has acted. Nothing of it is shown here any more: hand the phone back.` : `${name} has acted. It is being sent: keep this page open.`), back)];
}
