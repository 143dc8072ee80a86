// Parts shared by several views of a tournament.

import { common } from '../words/common.js';
import { failure as lost, within } from '../base/addressed.js';
import { h } from '../base/dom.js';
import { stagesOf } from '../model/bracket.js';
import { byeName, placeAt, points } from '../model/tournament.js';
import { tournament as words } from '../words/tournament.js';

/** Shown instead of something that could not be loaded. */
export function failure(error, again) {
  return lost(error, again, h('a', { href: '/tournaments' }, words.allTournaments));
}

/** @param {...any} content what to say when there is nothing to show */
export function empty(...content) {
  return h('div', { class: 'empty' }, ...content.map((part) => (typeof part === 'string' ? h('p', {}, part) : part)));
}

/**
 * A table with a caption for screen readers and paper.
 * @param {{caption: string, columns: (string | {text: string, class?: string, title?: string})[], class?: string}} about
 * @param {any[]} rows
 */
export function sheet({ caption, columns, class: name = '' }, rows) {
  return h('div', { class: 'sheet', tabindex: '0', role: 'region', 'aria-label': caption },
    h('table', { class: `rows ${name}`.trim() },
      h('caption', {}, caption),
      h('thead', {}, h('tr', {}, ...columns.map((column) => (typeof column === 'string'
        ? h('th', { scope: 'col' }, column)
        : h('th', { scope: 'col', class: column.class, title: column.title }, column.text))))),
      h('tbody', {}, ...rows)));
}

/** The state of a round or tournament, as a small label. */
export function label(text, state) {
  return h('span', { class: `label ${state}` }, text);
}

/**
 * An entrant's name, leading to the card.
 * @param {any} entrant
 * @param {(entrant: any) => {href: string, go: () => void}} link
 */
export function name(entrant, link) {
  const { href, go } = link(entrant);
  return within(href, go, { class: 'name', dir: 'auto' }, entrant.name);
}

/** Rating and club, as far as known. */
export function detail({ rating, club, country }) {
  return [rating, club, country].filter(Boolean).join(' · ');
}

/**
 * A round with its stage, in a knock-out.
 * @param {any} bracket
 * @param {number} round
 */
export function roundTitle(bracket, round) {
  const stage = stagesOf(bracket, round);
  return stage ? words.roundWithStage(round, stage) : common.round(round);
}

/** The text in the column for results. */
export function resultText(table) {
  if (table.source === 'FORFEIT') return table.seats.map(({ forfeited }) => (forfeited ? '−' : '+')).join(' ');
  if (table.result) return table.result;
  if (table.status === 'ADJOURNED') return common.adjourned;
  return table.status === 'PLAYING' ? '…' : '';
}

/**
 * The text beside a name at a table of more than two: the place, `−` after a forfeit.
 * @param {any} table
 * @param {number} seat
 */
export function placeText(table, seat) {
  if (table.seats.find(({ number }) => number === seat)?.forfeited) return '−';
  const place = placeAt(table.ranking, seat);
  return place ? `${place}.` : '';
}

/** @param {any} bye @param {{number: number, format: string}} round */
export function byeText(bye, { number, format }) {
  const kind = byeName(bye, number, format);
  return bye.points ? words.bye(kind, bye.points, points(bye.points)) : kind;
}
