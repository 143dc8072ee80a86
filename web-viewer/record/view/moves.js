// What was recorded so far, newest first.

import { chip, h } from '../../base/dom.js';
import { row } from '../../base/patch.js';
import { actorName, clockText, seatOf } from '../../model/format.js';

/**
 * @param {import('../derive.js').Now} now
 */
export function moves({ game, hand }) {
  if (!game || hand) return [];
  const { nodes, totalCount } = game.moves;
  if (totalCount === 0) return [h('p', { class: 'hint' }, 'Nothing is recorded yet.')];
  return [
    h('ol', { class: 'moves', reversed: true, start: String(totalCount), id: 'moves' }, ...nodes.toReversed().map((move) => line(move, game.seats))),
    totalCount > nodes.length && h('p', { class: 'hint' }, h('a', { href: `/games/${encodeURIComponent(game.id)}` }, `The ${totalCount - nodes.length} plies before are in the replay.`)),
  ].filter(Boolean);
}

function line({ action, by, clockMs, comment, ply, text }, seats) {
  return h('li', { id: `ply-${ply}`, value: String(ply) }, chip(seatOf(by)), h('span', {}, h('span', { class: 'hidden' }, `${actorName(by, seats)}: `), text || action, clockMs != null && h('small', { class: 'clock' }, `Clock ${clockText(clockMs)}`), comment && h('small', {}, comment)));
}
