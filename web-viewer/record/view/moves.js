// What was recorded so far, newest first.

import { chip, h } from '../../base/dom.js';
import { actorName, clockText, seatOf } from '../../model/format.js';
import { wordsOf } from '../../model/own.js';
import { shortened } from '../../model/spoken.js';
import { record as words } from '../../words/record.js';

/**
 * @param {import('../derive.js').Now} now
 */
export function moves({ game, hand }) {
  if (!game || hand) return [];
  const { nodes, totalCount } = game.moves;
  if (totalCount === 0) return [h('p', { class: 'hint' }, words.nothing)];
  return [
    h('ol', { class: 'moves', reversed: true, start: String(totalCount), id: 'moves' }, ...nodes.toReversed().map((move) => line(move, game.seats))),
    totalCount > nodes.length && h('p', { class: 'hint' }, h('a', { href: `/games/${encodeURIComponent(game.id)}` }, words.earlier(totalCount - nodes.length))),
  ].filter(Boolean);
}

function line({ action, by, clockMs, comment, ply }, seats) {
  return h('li', { id: `ply-${ply}`, value: String(ply) }, chip(seatOf(by)), h('span', {}, h('span', { class: 'hidden' }, words.by(actorName(by, seats))), h('bdi', { title: action }, shortened(action)), clockMs != null && h('small', { class: 'clock' }, words.clock(clockText(clockMs))), comment && h('small', { dir: 'auto' }, wordsOf(comment))));
}
