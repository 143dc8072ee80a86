// The pairings of a round with their results, by table or by name.

import { chip, h, openDialog } from '../base/dom.js';
import { matchAt } from '../model/bracket.js';
import { byName, hasWon, points } from '../model/tournament.js';
import { byeText, detail, name, placeText, resultText, sheet } from './parts.js';

/**
 * @typedef {{link: (entrant: any) => {href: string, go: () => void}, explain?: (table: any) => void, match?: (round: number, table: number) => ReturnType<typeof matchAt>}} Acts
 *   match: the match of a knock-out that a table belongs to
 *
 * @param {any} round
 * @param {number} seats per table
 * @param {Acts} acts
 */
export function pairingsByTable(round, seats, acts) {
  return h('div', { class: 'pairings' }, ...tables(round, seats, acts), round.unpaired.length > 0 && byes(round, acts));
}

function tables(round, seats, acts) {
  if (round.tables.length === 0) return [];
  const caption = `Pairings of round ${round.number}`;
  if (seats === 2) {
    const columns = [{ text: 'Table', class: 'number' }, 'First', { text: 'Result', class: 'middle' }, 'Second', { text: 'Record', class: 'end' }];
    return [sheet({ caption, columns, class: 'duel' }, round.tables.map((table) => duel(table, acts, acts.match?.(round.number, table.number) ?? null)))];
  }
  return [sheet({ caption, columns: [{ text: 'Table', class: 'number' }, 'Seats and places', { text: 'Record', class: 'end' }], class: 'many' }, round.tables.map((table) => many(table, acts)))];
}

function duel(table, acts, match) {
  const [first, second] = table.seats;
  return h('tr', { class: rowClass(table) },
    h('th', { scope: 'row', class: 'number' }, String(table.number)),
    h('td', { class: 'first' }, person(table, first, acts)),
    h('td', { class: 'result middle' }, resultText(table), match && h('span', { class: 'detail' }, matchWords(match, table))),
    h('td', { class: 'second' }, person(table, second, acts)),
    h('td', { class: 'end' }, ...links(table, acts)));
}

/**
 * The stage, and the game of the match; at the last game, also the score of the match in the order of the seats.
 * @param {NonNullable<ReturnType<typeof matchAt>>} found
 * @param {any} table
 */
export function matchWords({ stage, game, match }, { seats }) {
  const score = seats.map(({ entrant }) => points(match.sides.find((side) => side.entrant?.number === entrant.number)?.score)).join(' : ');
  return match.tables.length > 1 ? `${stage}, game ${game}${game === match.tables.length ? `; ${score}` : ''}` : stage;
}

function many(table, acts) {
  return h('tr', { class: rowClass(table) },
    h('th', { scope: 'row', class: 'number' }, String(table.number)),
    h('td', {}, h('ol', { class: 'seating' }, ...table.seats.map((seat) => h('li', {}, chip(seat.number), ' ', person(table, seat, acts), ' ', h('strong', {}, placeText(table, seat.number)))))),
    h('td', { class: 'end' }, !table.result && h('span', { class: 'soft' }, resultText(table)), ' ', ...links(table, acts)));
}

function rowClass(table) {
  return `table-${table.status.toLowerCase()}`;
}

/** A player at a table, with the score before the round. */
function person(table, seat, { link }) {
  if (!seat) return '';
  return h('span', { class: hasWon(table, seat.number) ? 'person won' : 'person' },
    name(seat.entrant, link),
    h('span', { class: 'score', title: 'Points before this round' }, ` (${points(seat.scoreBefore)})`),
    h('span', { class: 'detail' }, detail(seat.entrant)));
}

function links(table, { explain }) {
  const { game } = table;
  const isEmpty = game?.status === 'VOID' && game.ply === 0;
  return [
    game && !isEmpty && h('a', { href: `/games/${game.id}`, class: 'record', 'aria-label': `${game.status === 'RUNNING' ? 'Watch' : 'Replay'} table ${table.number}` }, game.status === 'RUNNING' ? 'Watch' : 'Replay'),
    explain && h('button', { type: 'button', class: 'quiet icon why', 'aria-label': `Why these at table ${table.number}`, title: 'Why these?', onclick: () => explain(table) }, '?'),
  ].filter(Boolean);
}

function byes(round, { link }) {
  return h('div', { class: 'byes' },
    h('p', { class: 'byes-title' }, 'Not playing in this round'),
    h('ul', {}, ...round.unpaired.map((bye) => h('li', {}, name(bye.entrant, link), h('span', { class: 'soft', title: bye.explanation.join(' ') }, ` – ${byeText(bye)}`)))));
}

/**
 * Everybody in the order of names, with table, seat and opponents: the list to hang at the door.
 * @param {any} round
 * @param {Acts} acts
 */
export function pairingsByName(round, { link }) {
  const rows = byName(round).map(({ entrant, table, seat, others, bye }) => h('tr', { class: table ? rowClass(table) : '' },
    h('th', { scope: 'row' }, name(entrant, link)),
    h('td', { class: 'number' }, table ? String(table.number) : ''),
    h('td', {}, table ? h('span', { class: 'seat-of' }, chip(seat), h('span', { class: 'hidden' }, `Seat ${seat}`)) : ''),
    h('td', {}, bye ? byeText(bye) : others.map((other) => other.name).join(', ')),
    h('td', { class: 'result' }, !table ? '' : table.seats.length === 2 ? resultText(table) : placeText(table, seat) || resultText(table))));
  const columns = ['Name', { text: 'Table', class: 'number' }, 'Seat', 'Against', 'Result'];
  return sheet({ caption: `Pairings of round ${round.number} by name`, columns, class: 'by-name' }, rows);
}

/** Explains the pairing of a table. */
export function openExplanation(table, { explanation }) {
  openDialog(`Table ${table.number}: ${table.seats.map(({ entrant }) => entrant.name).join(' – ')}`,
    explanation.length ? h('ul', {}, ...explanation.map((text) => h('li', {}, text))) : h('p', {}, 'No reasons are recorded for this pairing.'));
}

/** How a pairing was made, below the pairings. */
export function pairingNote({ pairing }) {
  if (!pairing) return null;
  const how = pairing.engine === 'hand' ? 'Paired by hand.' : `Paired by ${pairing.engine}${pairing.version ? ` ${pairing.version}` : ''}${pairing.changedByHand ? ', changed by hand' : ''}.`;
  return h('p', { class: 'hint no-print' }, how, pairing.breaks.length > 0 && ` Accepted: ${pairing.breaks.join('; ')}.`);
}
