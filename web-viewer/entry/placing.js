// A set-up put together from trays (`form` of a position). What is on the board so far is the text of the
// action itself, complete or not, so that tapping and typing never disagree.

import { term } from '../model/terms.js';
import { playing as words } from '../words/playing.js';

/**
 * @typedef {{place: string, at: [number, number], before: string, after: string}} Slot
 * @typedef {{letter: string, name: string, most: number, least: number, barred: string[], items: import('../model/scene.js').Item[]}} Piece
 * @typedef {{title: string, before: string, blank: string, total: number, slots: Slot[], pieces: Piece[]}} Tray
 * @typedef {ReadonlyMap<string, string>} On the letter of the piece on each place, of one tray
 * @typedef {{tray: number, letter: string, place: string}} Held what the next tap puts somewhere: a piece of a tray, or the one
 *   on a place, or where a path starts; both are empty if nothing is held
 */

/** @type {Held} */
export const NOTHING_HELD = Object.freeze({ tray: -1, letter: '', place: '' });

/** What is held once a tap is undone: no piece, but where a path starts. @param {Held} held */
export const letGo = (held) => (held.tray < 0 ? held : NOTHING_HELD);

/**
 * What a text puts on the slots of each tray; null if it is no text that trays write. Slots may be named in any order where
 * empty ones are not written.
 * @param {Tray[]} trays
 * @param {string} text
 * @returns {On[] | null}
 */
export function placedBy(trays, text) {
  let rest = text.trim();
  if (rest === '') return trays.map(() => new Map());
  const placed = [];
  for (const [index, tray] of trays.entries()) {
    if (!rest.startsWith(tray.before)) return null;
    const part = tray.blank ? inOrder(tray, rest.slice(tray.before.length)) : inAnyOrder(tray, rest.slice(tray.before.length), trays[index + 1]?.before ?? '');
    if (!part) return null;
    placed.push(part.on);
    ({ rest } = part);
  }
  return rest === '' ? placed : null;
}

function inOrder(tray, text) {
  const on = new Map();
  let rest = text;
  for (const { place, before, after } of tray.slots) {
    const letter = rest[before.length];
    if (!letter || !rest.startsWith(before) || !rest.startsWith(after, before.length + 1)) return null;
    if (letter !== tray.blank && !knows(tray, letter)) return null;
    if (letter !== tray.blank) on.set(place, letter);
    rest = rest.slice(before.length + 1 + after.length);
  }
  return { on, rest };
}

function inAnyOrder(tray, text, end) {
  const on = new Map();
  let rest = text;
  while (rest !== '' && !(end && rest.startsWith(end))) {
    const fits = tray.slots.filter(({ before, after }) => rest.startsWith(before) && knows(tray, rest[before.length]) && rest.startsWith(after, before.length + 1));
    const slot = fits.reduce((best, one) => (best && best.after.length >= one.after.length ? best : one), /** @type {Slot | null} */ (null));
    if (!slot || on.has(slot.place)) return null;
    on.set(slot.place, rest[slot.before.length]);
    rest = rest.slice(slot.before.length + 1 + slot.after.length);
  }
  return { on, rest };
}

function knows(tray, letter) {
  return tray.pieces.some((piece) => piece.letter === letter);
}

/**
 * The text of what is on the slots; empty while there is nothing.
 * @param {Tray[]} trays
 * @param {On[]} placed
 */
export function placedText(trays, placed) {
  if (placed.every(({ size }) => size === 0)) return '';
  return trays.map((tray, index) => {
    const slots = tray.slots.map(({ place, before, after }) => [before, placed[index].get(place) ?? tray.blank, after]);
    return tray.before + slots.filter(([, letter]) => letter).map((parts) => parts.join('')).join('');
  }).join('');
}

/**
 * How many pieces of a sort are still in the tray.
 * @param {Piece} piece
 * @param {On} on
 */
export function left({ letter, most }, on) {
  return most - [...on.values()].filter((other) => other === letter).length;
}

/**
 * The names of what is laid on a place.
 * @param {{trays: Tray[], placed: On[]}} laying
 * @param {string} place
 */
export function laidOn({ placed, trays }, place) {
  return trays.flatMap(({ pieces }, index) => pieces.filter(({ letter }) => letter === placed[index].get(place)).map(({ name }) => term(name)));
}

/** Whether a piece may stand on a place. */
function mayStand(tray, letter, place) {
  return tray.slots.some((slot) => slot.place === place) && !tray.pieces.find((piece) => piece.letter === letter)?.barred.includes(place);
}

/**
 * What each tray still needs, in words; empty if nothing is missing.
 * @param {Tray[]} trays
 * @param {On[]} placed
 * @returns {string[]}
 */
export function missing(trays, placed) {
  return trays.flatMap((tray, index) => {
    const lacks = tray.pieces.map((piece) => ({ name: piece.name, count: piece.least - (piece.most - left(piece, placed[index])) })).filter(({ count }) => count > 0);
    const rest = tray.total - placed[index].size - lacks.reduce((sum, { count }) => sum + count, 0);
    const pieces = [...lacks.map(({ name, count }) => words.pieces(count, term(name))), ...rest > 0 ? [words.togetherMore(rest)] : []];
    return pieces.length > 0 ? [words.lacks(term(tray.title), pieces)] : [];
  });
}

/**
 * What a tap on the board does, with what is held: puts it there, and what stood there goes back to the tray, or to where
 * the held piece came from; without anything in hand, picks up what is there.
 * @param {Tray[]} trays
 * @param {On[]} placed
 * @param {number} active the tray that is being laid
 * @param {Held} held
 * @param {string[]} tapped places, topmost first
 * @returns {{placed: On[], held: Held, none?: string}} none: why nothing happened
 */
export function tapPlace(trays, placed, active, held, tapped) {
  const tray = trays[active];
  const place = tapped.find((one) => tray.slots.some((slot) => slot.place === one));
  if (!place) return { placed, held, none: words.notForTray(term(tray.title), tapped[0]) };
  const on = placed[active];
  const isHeld = held.tray === active && Boolean(held.letter || held.place);
  if (!isHeld) return on.has(place) ? { placed, held: { tray: active, letter: '', place } } : { placed, held, none: words.chooseFirst(place) };
  if (held.place === place) return { placed, held: NOTHING_HELD };
  const letter = held.letter || on.get(held.place) || '';
  const other = on.get(place);
  const bars = [[letter, place], ...held.place && other ? [[other, held.place]] : []].find(([what, where]) => !mayStand(tray, what, where));
  if (bars) return { placed, held, none: words.notForPiece(nameOf(tray, bars[0]), bars[1]) };
  const next = new Map(on).set(place, letter);
  if (held.place && other) next.set(held.place, other);
  else if (held.place) next.delete(held.place);
  const isUsedUp = held.place !== '' || left(/** @type {Piece} */ (tray.pieces.find((piece) => piece.letter === letter)), next) <= 0;
  return { placed: placed.map((one, index) => (index === active ? next : one)), held: isUsedUp ? NOTHING_HELD : held };
}

function nameOf(tray, letter) {
  const name = term(tray.pieces.find((piece) => piece.letter === letter)?.name ?? letter);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/**
 * The places that what is held may go to.
 * @param {Tray[]} trays
 * @param {On[]} placed
 * @param {Held} held
 * @returns {string[]}
 */
export function openTo(trays, placed, held) {
  const tray = trays[held.tray];
  if (!tray) return [];
  const letter = held.letter || placed[held.tray].get(held.place) || '';
  return tray.slots.map(({ place }) => place).filter((place) => place !== held.place && placed[held.tray].get(place) !== letter && mayStand(tray, letter, place));
}

/**
 * What is laid, without one piece, or without everything of a tray.
 * @param {On[]} placed
 * @param {number} active
 * @param {string} [place]
 * @returns {On[]}
 */
export function takenOff(placed, active, place) {
  return placed.map((on, index) => (index !== active ? on : place ? new Map([...on].filter(([one]) => one !== place)) : new Map()));
}

/**
 * The tray to lay next: the first that lacks something, or else the last.
 * @param {Tray[]} trays
 * @param {On[]} placed
 */
export function nextTray(trays, placed) {
  const open = trays.findIndex((tray, index) => missing([tray], [placed[index]]).length > 0);
  return open < 0 ? trays.length - 1 : open;
}
