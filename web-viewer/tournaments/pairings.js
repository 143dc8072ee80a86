// The pairings of a round with their results, by table or by name.

import { common } from '../words/common.js';
import { chip, h, openDialog } from '../base/dom.js';
import { against, byName, hasWon, points } from '../model/tournament.js';
import { tournament as words } from '../words/tournament.js';
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
  const caption = words.caption(round.number);
  const { first, places, record, result, second, table: tableColumn } = words.columns;
  if (seats === 2) {
    const columns = [{ text: tableColumn, class: 'number' }, first, { text: result, class: 'middle' }, second, { text: record, class: 'end' }];
    return [sheet({ caption, columns, class: 'duel' }, round.tables.map((table) => duel(table, acts, acts.match?.(round.number, table.number) ?? null)))];
  }
  return [sheet({ caption, columns: [{ text: tableColumn, class: 'number' }, places, { text: record, class: 'end' }], class: 'many' }, round.tables.map((table) => many(table, acts)))];
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
  if (match.tables.length === 1) return stage;
  return game === match.tables.length ? words.lastGame(stage, game, score) : words.game(stage, game);
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
    h('span', { class: 'score', title: words.pointsBefore }, ` (${points(seat.scoreBefore)})`),
    h('span', { class: 'detail' }, detail(seat.entrant)));
}

function links(table, { explain }) {
  const { game } = table;
  const isEmpty = game?.status === 'VOID' && game.ply === 0;
  const isRunning = game?.status === 'RUNNING';
  return [
    game && !isEmpty && h('a', { href: `/games/${game.id}`, class: 'record', 'aria-label': isRunning ? words.watchTable(table.number) : words.replayTable(table.number) }, isRunning ? words.watch : words.replay),
    explain && h('button', { type: 'button', class: 'quiet icon why', 'aria-label': words.whyAt(table.number), title: words.why, onclick: () => explain(table) }, '?'),
  ].filter(Boolean);
}

function byes(round, { explain, link }) {
  const why = ({ entrant, explanation }) => explain && explanation.length > 0
    && h('button', { type: 'button', class: 'quiet icon why', 'aria-label': common.whyOut(entrant.name), title: common.whyOut(entrant.name), onclick: () => openReasons(entrant.name, explanation) }, '?');
  return h('div', { class: 'byes' },
    h('p', { class: 'byes-title' }, words.notPlaying),
    h('ul', {}, ...round.unpaired.map((bye) => h('li', {}, name(bye.entrant, link), h('span', { class: 'soft' }, ` – ${byeText(bye, round)}`), why(bye)))));
}

/**
 * Everybody in the order of names, with table, seat and opponents: the list to hang at the door.
 * @param {any} round
 * @param {Acts} acts
 */
export function pairingsByName(round, { link }) {
  const rows = byName(round).map(({ entrant, table, seat, bye, ...met }) => h('tr', { class: table ? rowClass(table) : '' },
    h('th', { scope: 'row' }, name(entrant, link)),
    h('td', { class: 'number' }, table ? String(table.number) : ''),
    h('td', {}, table ? h('span', { class: 'seat-of' }, chip(seat), h('span', { class: 'hidden' }, common.seatNumber(seat))) : ''),
    h('td', {}, bye ? byeText(bye, round) : against(met)),
    h('td', { class: 'result' }, !table ? '' : table.seats.length === 2 ? resultText(table) : placeText(table, seat) || resultText(table))));
  const { against: againstColumn, name: nameColumn, result, seat: seatColumn, table: tableColumn } = words.columns;
  const columns = [nameColumn, { text: tableColumn, class: 'number' }, seatColumn, againstColumn, result];
  return sheet({ caption: words.captionByName(round.number), columns, class: 'by-name' }, rows);
}

/** Explains the pairing of a table. */
export function openExplanation(table, { explanation }, { format, isAccelerated, number, pairing }) {
  const names = table.seats.map(({ entrant }) => entrant.name);
  const isByHand = explanation.length === 0 && pairing?.changedByHand;
  const isHalves = explanation.length > 0 && format === 'SWISS' && number === 1 && names.length === 2 && !isAccelerated;
  const accepted = (pairing?.breaks ?? []).filter((text) => names.some((name) => text.includes(name)));
  openReasons(common.tableOf(table.number, names.join(' – ')), explanation,
    isHalves && h('p', {}, words.halves), isByHand && h('p', {}, words.pairedByHand), accepted.length > 0 && h('p', {}, words.accepted(accepted.join('; '))));
}

function openReasons(title, explanation, ...more) {
  const reasons = explanation.length > 0 && h('ul', { lang: 'en', dir: 'ltr' }, ...explanation.map((text) => h('li', {}, text)));
  const all = [...more, reasons].filter(Boolean);
  openDialog(title, ...all.length > 0 ? all : [h('p', {}, words.noReasons)]);
}

/** How a pairing was made, below the pairings. */
export function pairingNote({ pairing }) {
  if (!pairing) return null;
  const { breaks, changedByHand, engine, version } = pairing;
  const by = [engine, version].filter(Boolean).join(' ');
  const how = engine === 'hand' ? words.byHand : changedByHand ? words.byAndByHand(by) : words.by(by);
  return h('p', { class: 'hint no-print' }, [how, breaks.length > 0 && words.accepted(breaks.join('; '))].filter(Boolean).join(' '));
}
