// The chances of the seats, as a list with bars.

import { common } from '../../words/common.js';
import { chip, h } from '../../base/dom.js';
import { percentWords } from '../../model/analysis.js';
import { seatName } from '../../model/format.js';

/**
 * @param {{chances: number[], draw: number}} evaluation
 * @param {import('../../model/format.js').Seat[]} seats
 */
export function chanceList({ chances, draw }, seats) {
  const own = chances.map((share, index) => ({ seat: index + 1, name: seatName(seats, index + 1), share }));
  const all = draw > 0 ? [...own, { seat: 0, name: common.draw, share: draw }] : own;
  return h('ul', { class: 'chance-list' }, ...all.map(({ seat, name, share }) => h('li', {},
    chip(seat, seat ? undefined : '='), h('span', { class: 'name' }, name),
    h('span', { class: seat ? `chance-bar seat-${seat}` : 'chance-bar drawn', 'data-share': share, 'aria-hidden': 'true' }), h('span', { class: 'share' }, percentWords(share)))));
}
