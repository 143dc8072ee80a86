// A pairing that is being changed by hand.

/**
 * `tables[t][s]`: the entrant in seat s+1 of table t+1, 0 for an empty seat; `out`: the entrants who do not play, and why.
 * @typedef {{tables: number[][], out: {entrant: number, kind: string}[]}} Draft
 * @typedef {{table: number, seat: number} | {out: number}} Place a seat, counted from 0, or an entrant who is out
 */

/**
 * The draft of a round's present pairing. Entrants who could play but are not in it are out, without points.
 * @param {{tables: {seats: {number: number, entrant: {number: number}}[]}[], unpaired: {entrant: {number: number}, kind: string}[]}} round
 * @param {{number: number, bye?: string}[]} active entrants who take part in this round, with the byes that they announced
 * @returns {Draft}
 */
export function draftOf({ tables, unpaired }, active) {
  const seated = tables.map(({ seats }) => seats.map(({ entrant }) => entrant.number));
  const out = unpaired.map(({ entrant, kind }) => ({ entrant: entrant.number, kind }));
  const known = new Set([...seated.flat(), ...out.map(({ entrant }) => entrant)]);
  return { tables: seated, out: [...out, ...active.filter(({ number }) => !known.has(number)).map(({ number, bye }) => ({ entrant: number, kind: bye ?? 'ZERO' }))] };
}

/**
 * A round's pairing, in the form in which it is sent.
 * @param {{tables: {seats: {entrant: {number: number}}[]}[], unpaired: {entrant: {number: number}, kind: string}[]}} round
 */
export function pairingOf({ tables, unpaired }) {
  return { tables: tables.map(({ seats }) => seats.map(({ entrant }) => entrant.number)), byes: unpaired.map(({ entrant, kind }) => ({ entrant: entrant.number, kind })) };
}

/**
 * A round with nobody in their seats yet, for pairing by hand. Who announced a bye has it.
 * @param {{number: number, bye?: string}[]} active
 * @param {number} seats per table
 * @returns {Draft}
 */
export function emptyDraft(active, seats) {
  const playing = active.filter(({ bye }) => !bye);
  const tables = Array.from({ length: Math.floor(playing.length / seats) }, () => Array(seats).fill(0));
  return { tables, out: active.map(({ number, bye }) => ({ entrant: number, kind: bye ?? 'ZERO' })) };
}

/**
 * The draft with two places exchanged. An entrant whose seat nobody takes is out.
 * @param {Draft} draft
 * @param {Place} one @param {Place} other
 * @returns {Draft}
 */
export function exchanged(draft, one, other) {
  const [a, b] = [entrantAt(draft, one), entrantAt(draft, other)];
  if (a === b) return draft;
  const tables = draft.tables.map((seats) => seats.map((entrant) => (entrant && entrant === a ? b : entrant && entrant === b ? a : entrant)));
  for (const [place, entrant] of [[one, b], [other, a]]) if ('table' in place) tables[place.table][place.seat] = entrant;
  const seated = new Set(tables.flat());
  const kinds = new Map(draft.out.map(({ entrant, kind }) => [entrant, kind]));
  // The entrant who goes out gets the bye of the one who comes in.
  const kindOf = (entrant) => kinds.get(entrant) ?? kinds.get(entrant === a ? b : a) ?? 'ZERO';
  const everybody = [...draft.tables.flat(), ...kinds.keys()].filter(Boolean);
  const order = draft.out.map(({ entrant }) => (entrant === a ? b : entrant === b ? a : entrant));
  const out = everybody.filter((entrant) => !seated.has(entrant)).sort((x, y) => rank(order, x) - rank(order, y));
  return { tables, out: out.map((entrant) => ({ entrant, kind: kindOf(entrant) })) };
}

function rank(order, entrant) {
  const at = order.indexOf(entrant);
  return at < 0 ? order.length : at;
}

/** @param {Draft} draft @param {Place} place @returns {number} the entrant, 0 for an empty seat */
export function entrantAt(draft, place) {
  return 'table' in place ? draft.tables[place.table]?.[place.seat] ?? 0 : place.out;
}

/**
 * The draft with an entrant taken out of its seat.
 * @param {Draft} draft @param {Place} place @param {string} kind of bye
 * @returns {Draft}
 */
export function takenOut(draft, place, kind) {
  const entrant = entrantAt(draft, place);
  if (!entrant) return draft;
  const tables = draft.tables.map((seats) => seats.map((other) => (other === entrant ? 0 : other)));
  return { tables, out: [...draft.out.filter((other) => other.entrant !== entrant), { entrant, kind }] };
}

/** @param {Draft} draft @param {number} seats @returns {Draft} with one more table, empty */
export function withTable(draft, seats) {
  return { ...draft, tables: [...draft.tables, Array(seats).fill(0)] };
}

/**
 * The pairing to be sent, without empty tables and seats.
 * @param {Draft} draft @param {number} [least] how many play at least at a table
 * @returns {{tables: number[][], byes: {entrant: number, kind: string}[], gaps: number[]}} gaps: tables at which too few sit
 */
export function sent({ tables, out }, least = 2) {
  const seated = tables.map((seats) => seats.filter(Boolean));
  const gaps = seated.flatMap(({ length }, index) => (length > 0 && length < least ? [index + 1] : []));
  return { tables: seated.filter(({ length }) => length > 0), byes: out, gaps };
}

/** @param {Draft} one @param {Draft} other */
export function isSameDraft(one, other) {
  const key = ({ tables, out }) => JSON.stringify([tables, [...out].sort((a, b) => a.entrant - b.entrant)]);
  return key(one) === key(other);
}
