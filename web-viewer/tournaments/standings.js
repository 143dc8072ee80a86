// Standings, the crosstable and the list of players.

import { common } from '../words/common.js';
import { h } from '../base/dom.js';
import { cellText, points, square, tieBreakText } from '../model/tournament.js';
import { tournament as words } from '../words/tournament.js';
import { detail, name, sheet } from './parts.js';

/** @typedef {import('./pairings.js').Acts} Acts */

const heads = words.standingsColumns;
/** The names of tie-breaks in the language of the page; those of others are in English. */
const TIE_BREAKS = words.tieBreakNames;

/**
 * @param {any[]} rows
 * @param {number} round after which they stand
 * @param {Acts} acts
 * @param {string} [caption]
 */
export function standingsTable(rows, round, { link }, caption = round ? words.standingsAfter(round) : words.starting) {
  const breaks = rows[0]?.tieBreaks ?? [];
  const isKnockOut = rows.some(({ reached }) => reached);
  const columns = [
    { text: heads.rank, class: 'number' }, heads.name, isKnockOut && heads.reached, { text: heads.points, class: 'number' },
    ...breaks.map(({ name: code, title }) => ({ text: code, class: 'number', title })),
    ...[['+', heads.won], ['=', heads.drawn], ['−', heads.lost]].map(([text, title]) => ({ text, class: 'number more', title })),
  ].filter(Boolean);
  return sheet({ caption, columns, class: 'standings' }, rows.map((row) => h('tr', { class: row.struck ? 'gone' : gone(row.entrant) },
    h('td', { class: 'number' }, String(row.rank)),
    h('th', { scope: 'row' }, name(row.entrant, link), h('span', { class: 'detail' }, detail(row.entrant))),
    isKnockOut && h('td', { lang: 'en' }, row.reached ?? ''),
    h('td', { class: 'number points' }, points(row.score)),
    ...row.tieBreaks.map(({ text }) => h('td', { class: 'number' }, tieBreakText(text))),
    ...[row.wins, row.draws, row.losses].map((count) => h('td', { class: 'number more' }, String(count))))));
}

/**
 * The meaning of the codes of the tie-breaks.
 * @param {any[]} rows
 */
export function tieBreakKey(rows) {
  const breaks = rows[0]?.tieBreaks ?? [];
  if (breaks.length === 0) return null;
  // Codes are Latin in every language.
  const told = [...breaks.map(({ name: code, title }) => [h('bdi', {}, code), `: ${TIE_BREAKS[code] ?? title}`]), ...breaks.some(({ name: code }) => code === 'DE') ? [[words.encounter]] : []];
  return h('p', { class: 'hint' }, ...told.flatMap((parts, index) => [index > 0 && ' · ', ...parts]));
}

function gone({ status }) {
  return status === 'WITHDRAWN' ? 'gone' : '';
}

/**
 * The rounds of each entrant: the result, the rank of the opponents, and the seat.
 * @param {any[]} rows
 * @param {number} round
 * @param {Acts} acts
 */
export function progressTable(rows, round, { link }) {
  const rounds = Math.max(0, ...rows.flatMap(({ cells }) => cells.map((cell) => cell.round)));
  const numbers = Array.from({ length: rounds }, (_, index) => index + 1);
  const columns = [{ text: heads.number, class: 'number' }, heads.name, ...numbers.map((number) => ({ text: String(number), class: 'middle' })), { text: heads.points, class: 'number' }];
  // Opponents are identified by their place in this table: ranks may be shared.
  const places = new Map(rows.map(({ entrant }, index) => [entrant.number, index + 1]));
  return sheet({ caption: words.crosstable(round), columns, class: 'cross' }, rows.map((row, index) => h('tr', { class: gone(row.entrant) },
    h('td', { class: 'number' }, String(index + 1)),
    h('th', { scope: 'row' }, name(row.entrant, link)),
    ...numbers.map((number) => progressCell(row.cells.find((cell) => cell.round === number), places)),
    h('td', { class: 'number points' }, points(row.score)))));
}

function progressCell(cell, places) {
  if (!cell) return h('td', { class: 'middle' }, '');
  const result = cellText(cell);
  if (!cell.table) return h('td', { class: 'middle bye' }, result);
  const others = cell.opponents.map(({ number }) => places.get(number) ?? '?').join('·');
  const what = words.met(cell.opponents.map((other) => other.name).join(', '), cell.seat);
  return h('td', { class: `middle ${cell.result.toLowerCase()}`, title: what },
    h('span', { class: 'took' }, result), ' ', h('span', { class: 'against' }, others), h('sub', { class: `sat sat-${cell.seat}` }, String(cell.seat)));
}

/**
 * The points that each entrant took from each other one, for tournaments in which everybody meets.
 * @param {any[]} rows
 * @param {number} round
 * @param {Acts} acts
 */
export function squareTable(rows, round, { link }) {
  const cells = square(rows);
  const columns = [{ text: heads.number, class: 'number' }, heads.name, ...rows.map((_, index) => ({ text: String(index + 1), class: 'middle' })), { text: heads.points, class: 'number' }];
  return sheet({ caption: words.crosstable(round), columns, class: 'cross' }, rows.map((row, index) => h('tr', { class: gone(row.entrant) },
    h('td', { class: 'number' }, String(index + 1)),
    h('th', { scope: 'row' }, name(row.entrant, link)),
    ...cells[index].map((met, other) => (other === index ? h('td', { class: 'middle self' }, h('span', { class: 'hidden' }, words.self)) : h('td', { class: 'middle' }, met.join(' ')))),
    h('td', { class: 'number points' }, points(row.score)))));
}

/**
 * @param {any[]} entrants
 * @param {Acts} acts
 */
export function playersTable(entrants, { link }) {
  const rows = [...entrants].filter(({ status }) => status !== 'REMOVED').sort((one, other) => one.rank - other.rank);
  const has = (what) => rows.some((entrant) => entrant[what]);
  const extra = [['rating', heads.rating, 'number'], ['club', heads.club, ''], ['country', heads.country, '']].filter(([what]) => has(what));
  const columns = [{ text: heads.number, class: 'number' }, heads.name, ...extra.map(([, text, style]) => ({ text, class: style })), { text: heads.note, class: 'more' }];
  return sheet({ caption: words.standingsPlayers, columns, class: 'players' }, rows.map((entrant) => h('tr', { class: gone(entrant) },
    h('td', { class: 'number' }, String(entrant.rank)),
    h('th', { scope: 'row' }, name(entrant, link)),
    ...extra.map(([what, , style]) => h('td', { class: style }, entrant[what] == null ? '' : String(entrant[what]))),
    h('td', { class: 'soft more' }, note(entrant)))));
}

/** Notes on an entry. @param {any} entrant */
export function note({ status, withdrawnFrom, fromRound }) {
  if (status === 'WITHDRAWN') return withdrawnFrom > 1 ? words.withdrawnFrom(withdrawnFrom) : words.withdrawn;
  return fromRound > 1 ? common.fromRound(fromRound) : '';
}
