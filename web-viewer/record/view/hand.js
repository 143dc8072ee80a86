// The phone goes from hand to hand: what one seat knows is shown to nobody else.

import { common } from '../../words/common.js';
import { h } from '../../base/dom.js';
import { seatName } from '../../model/format.js';
import { record as words } from '../../words/record.js';

/**
 * What covers the screen while the phone is handed on.
 * @param {import('../derive.js').Now} now
 * @param {import('../recording.js').Recording} recording
 */
export function handover({ game, hand, next, queue, refused }, recording) {
  if (!hand || !game) return [];
  const name = seatName(game.seats, hand.seat);
  const back = h('button', { type: 'button', id: 'hand-back', onclick: () => recording.send('handBack') }, hand.stage === 'done' ? common.goOn : words.back);
  if (hand.stage === 'open') return [h('div', { class: 'hand-bar', id: 'hand' }, h('p', { role: 'status' }, words.onlyThis(name)), hand.problem && h('p', { class: 'hint' }, hand.problem), h('button', { type: 'button', id: 'hide', onclick: () => recording.send('cover') }, words.hide))];
  if (hand.stage === 'covered') {
    return [h('div', { class: 'hand', id: 'hand' }, refused && h('p', { class: 'bad', role: 'alert' }, refused.code === 'ILLEGAL_ACTION' ? words.illegal : words.failed),
      h('p', { role: 'status' }, words.handOver(name)),
      h('button', { type: 'button', id: 'uncover', class: 'primary', onclick: () => recording.uncover() }, words.show(name)), back)];
  }
  const isSent = !queue.entries.some(({ isSecret, seat }) => isSecret && seat === hand.seat);
  return [h('div', { class: 'hand', id: 'hand' }, h('p', { role: 'status' }, isSent ? words.sent(name) : words.sending(name)),
    next > 0 && h('button', { type: 'button', id: 'hand-next', class: 'primary', onclick: () => recording.send('handTo', next) }, common.handOver(seatName(game.seats, next))), back)];
}
