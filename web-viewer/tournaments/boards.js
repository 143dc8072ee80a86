// Small live boards of the games in play.

import { common } from '../words/common.js';
import { chip, h, marked, s } from '../base/dom.js';
import { drawing, sceneClass } from '../base/drawing.js';
import { row } from '../base/patch.js';
import { outcomeWords, seatOf } from '../model/format.js';
import { tournament as words } from '../words/tournament.js';

/** The most boards shown, and followed, at once. */
export const BOARDS_MAX = 12;
/** The most names under a board. */
const NAMES_MAX = 6;

/**
 * The tables whose boards are shown: those with a game in play, in order.
 * @param {any} round
 * @param {number} page
 */
export function boardTables(round, page = 0) {
  return playing(round).slice(page * BOARDS_MAX, (page + 1) * BOARDS_MAX);
}

/** @param {any} round */
export function playing(round) {
  return (round?.tables ?? []).filter(({ game, status }) => status === 'PLAYING' && game?.status === 'RUNNING');
}

/**
 * @param {any[]} tables
 * @param {Record<string, any>} games in their present state, by id
 */
export function boardRows(tables, games) {
  return tables.map((table) => row(`board-${table.game.id}`, [table.number, games[table.game.id]], () => board(table, games[table.game.id])));
}

function board(table, game) {
  const toAct = new Set((game?.position.toAct ?? []).map(seatOf));
  const named = table.seats.length > NAMES_MAX ? table.seats.slice(0, NAMES_MAX - 1) : table.seats;
  const said = game ? (game.status === 'RUNNING' ? common.ply(game.ply) : outcomeWords(game)) : '';
  return h('article', { class: 'mini', 'aria-label': common.table(table.number) },
    h('a', { href: `/games/${table.game.id}` },
      h('span', { class: 'mini-head' }, h('strong', {}, common.table(table.number)), h('span', { class: 'soft' }, ...marked(said))),
      h('span', { class: 'mini-board', dir: 'ltr' }, game ? picture(game) : h('span', { class: 'waiting' }, '…')),
      ...named.map(({ number, entrant }) => h('span', { class: toAct.has(number) ? 'mini-seat acting' : 'mini-seat' },
        chip(number), h('bdi', { class: 'mini-name' }, entrant.name), toAct.has(number) && h('span', { class: 'hidden' }, ' ', words.toAct))),
      named.length < table.seats.length && h('span', { class: 'mini-seat soft' }, words.more(table.seats.length - named.length))));
}

function picture({ ply, position }) {
  return s('svg', { class: sceneClass(position.scene), role: 'img', 'aria-label': common.boardAfter(ply), viewBox: position.scene.view.join(' ') }, ...drawing(position.scene));
}
