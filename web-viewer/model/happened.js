// What an action did, in words, from what was where before and after it.

import { happened as words } from '../words/happened.js';
import { LANGUAGE } from '../words/language.js';
import { listed, ltr } from '../words/locale.js';
import { actorName, capital, seatName } from './format.js';
import { inWords, shortened, spoken } from './spoken.js';
import { term } from './terms.js';

/** Longer differences are not described: the action's own text is clearer. */
const TOLD_MAX = 4;

/**
 * @typedef {{ply: number, kind: 'capture'|'dice'|'told', text: string}} Feat
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('./format.js').Seat} Seat
 */

/** A text about seats with names instead of numbers. */
export function named(text, seats) {
  const name = (number) => seats.find((seat) => seat.number === Number(number))?.name || (LANGUAGE === 'en' ? undefined : seatName(seats, Number(number)));
  const list = (numbers) => listed(numbers.split(/, | and | /).map((number) => name(number) ?? number));
  return text
    .replaceAll(/\bseats ((?:\d+(?:, | and | )?)+)(?=\D|$)/gi, (whole, numbers) => (/\d$/.test(numbers) ? list(numbers) : `${list(numbers.trim())} `))
    .replaceAll(/\bseat (\d+)\b/gi, (whole, number) => name(number) ?? whole);
}

/**
 * What stands at a place, in words, as the titles of a scene say it.
 * @param {Pick<Scene, 'items'>} scene
 * @param {string} place
 * @param {Seat[]} seats
 */
export function contents({ items }, place, seats) {
  const titles = [...new Set(items.filter((item) => item.place === place && item.title).map(({ title }) => title ?? ''))];
  const part = (text) => {
    const [, what, seat] = /^(.+) of seat (\d+)$/.exec(text) ?? [];
    return what ? words.owned(seatName(seats, Number(seat)), term(what)) : named(term(text), seats);
  };
  return titles.map((title) => `${title.split(', ').map(part).join(', ')}.`).join(' ');
}

/** What is said of a place to somebody who comes to it by keys. Most titles begin with its name. */
export function told(scene, place, seats) {
  const text = contents(scene, place, seats);
  return text.startsWith(place) ? text : [place, text].filter(Boolean).join(': ');
}

/** The scenes that were looked at last: each is compared with those on both sides of it. @type {{scene: object, found: Map<string, string[]>}[]} */
const recent = [];
const RECENT_MAX = 2;

/** What items show; scenes share most of theirs. @type {WeakMap<import('./scene.js').Item, {place: string, isPiece: boolean, parts: string[]} | null>} */
const SHOWN = new WeakMap();

/**
 * The things at each place, in words.
 * @param {Pick<Scene, 'items'>} scene
 * @returns {Map<string, string[]>}
 */
export function standing(scene) {
  const known = recent.find((one) => one.scene === scene);
  if (known) return known.found;
  const found = placed(scene);
  recent.unshift({ scene, found });
  recent.length = Math.min(recent.length, RECENT_MAX);
  return found;
}

function placed(scene) {
  const [spaces, pieces] = [new Map(), new Map()];
  for (const item of scene.items) {
    if (!SHOWN.has(item)) SHOWN.set(item, shownBy(item));
    const shown = SHOWN.get(item);
    if (!shown) continue;
    const found = shown.isPiece ? pieces : spaces;
    const before = found.get(shown.place);
    found.set(shown.place, before ? [...before, ...shown.parts] : shown.parts);
  }
  for (const [place, parts] of pieces) spaces.set(place, parts);
  return spaces;
}

function shownBy({ place, title, class: names }) {
  // A ghost shows something that is no longer there.
  if (!place || !title || names.split(' ').includes('ghost')) return null;
  const isPiece = names.split(' ').includes('piece');
  // Things that belong to nobody, such as the ground, do not move.
  const parts = isPiece ? [title.replace(/^number \d+ on [^:]+: /, '')] : title.split(', ').filter((part) => / of seat \d+/.test(part));
  return { place, isPiece, parts: parts.map((part) => part.replace(/ (below|on top)$/, '')) };
}

/**
 * What happened between two positions, one ply apart, as a sentence.
 * @param {Pick<Scene, 'items'> | undefined} before
 * @param {Pick<Scene, 'items'|'motion'>} after
 * @param {{by: string, action: string}} move the ply between them
 * @param {Seat[]} seats
 * @returns {string} with the action's own text if the two positions do not show it
 */
export function happened(before, after, move, seats) {
  const plain = `${played(move, seats)}.`;
  if (!before) return plain;
  if (after.motion) return turnedWords(actorName(move.by, seats), after.motion);
  const changes = differences(standing(before), standing(after));
  if (changes.length > TOLD_MAX) return plain;
  const told = changes.map((change) => changeWords(change, move.by, seats));
  if (told.length === 0) return plain;
  return move.by === 'chance' ? `${plain} ${capital(told.join('; '))}.` : `${capital(told.join('; '))}.`;
}

/**
 * An action by itself, in words.
 * @param {{by: string, action: string}} move
 * @param {Seat[]} seats
 */
export function played({ by, action }, seats) {
  return by === 'chance' ? rollWords(action, seats) : `${actorName(by, seats)}: ${inWords(action) || ltr(shortened(action))}`;
}

/**
 * A ply worth a mark, from the positions around it: something was taken from a seat that did not act, or dice were rolled.
 * @param {Pick<Scene, 'items'|'motion'>} before
 * @param {Pick<Scene, 'items'|'motion'>} after
 * @param {{by: string, action: string}} move
 * @param {Seat[]} seats
 * @returns {Omit<Feat, 'ply'> | null}
 */
export function feat(before, after, move, seats) {
  const text = () => happened(before, after, move, seats);
  if (isCapture(before, after, move.by)) return { kind: 'capture', text: text() };
  return move.by === 'chance' ? { kind: 'dice', text: text() } : null;
}

/**
 * The plies worth a mark among consecutive ones.
 * @param {number} from the first of them
 * @param {{items: Scene['items'], frames: {items: [number, number][], motion: Scene['motion']}[]}} scenes as `Game.scenes` gives them
 * @param {Pick<Scene, 'items'|'motion'> | null} before what stood where a ply earlier
 * @param {{by: string, action: string}[]} moves of the mainline
 * @param {Seat[]} seats
 * @param {boolean} [isAll] whether each of the other plies is an entry too, in words
 * @returns {{feats: Feat[], last: Pick<Scene, 'items'|'motion'> | null}} last: what stands where after the last of them
 */
export function featsIn(from, { items, frames }, before, moves, seats, isAll = false) {
  const feats = [];
  let last = before;
  frames.forEach((frame, index) => {
    const [ply, scene] = [from + index, { items: frame.items.flatMap(([first, end]) => items.slice(first, end)), motion: frame.motion }];
    const told = ply > 0 && last ? feat(last, scene, moves[ply - 1], seats) : null;
    if (told) feats.push({ ply, ...told });
    else if (isAll && ply > 0 && last) feats.push({ ply, kind: 'told', text: happened(last, scene, moves[ply - 1], seats) });
    last = scene;
  });
  return { feats, last };
}

/**
 * What is different between any two positions of a game.
 * @param {Scene} before
 * @param {Scene} after
 * @param {Seat[]} seats
 * @returns {{words: string, from: string, to: string, places: string[]}[]} from, to: empty off the board
 */
export function comparison(before, after, seats) {
  return differences(standing(before), standing(after)).map((change) => ({
    words: `${capital(changedWords(change, seats))}.`, from: change.from, to: change.to, places: [change.from, change.to].filter(Boolean) }));
}

/**
 * What is different between the positions on two boards, A and B, which may be of different games.
 * @param {Scene} a
 * @param {Scene} b
 * @param {(seat: number) => string} nameOf of a seat, on both boards
 * @returns {{words: string, a: string, b: string}[]} a, b: the places on each board; empty where the thing is on the other board only
 */
export function contrast(a, b, nameOf) {
  return differences(standing(a), standing(b)).map(({ thing, from, to }) => {
    const [owner, what] = ownerOf(thing);
    const it = capital(owner ? words.owned(nameOf(Number(owner)), what) : words.unowned(what));
    return { words: from && to ? words.onBoth(it, from, to) : from ? words.onlyA(it, from) : words.onlyB(it, to), a: from, b: to };
  });
}

/**
 * Whether a ply took something away from a seat other than the one that acted.
 * @param {Pick<Scene, 'items'>} before
 * @param {Pick<Scene, 'items'>} after
 * @param {string} by who acted
 */
export function isCapture(before, after, by) {
  return differences(standing(before), standing(after)).some(({ thing, to }) => {
    const [seat] = ownerOf(thing);
    return !to && seat !== '' && by !== `seat:${seat}`;
  });
}

/** Which things moved, and from where to where; the place is empty if it is off the board. */
function differences(before, after) {
  const gone = [];
  const come = [];
  for (const place of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(place) ?? [], after.get(place) ?? []];
    // At most places, nothing happens.
    if (was.length === is.length && was.every((thing, index) => thing === is[index])) continue;
    const [old, now] = [[...was], [...is]];
    for (const thing of [...old]) {
      const index = now.indexOf(thing);
      if (index < 0) continue;
      now.splice(index, 1);
      old.splice(old.indexOf(thing), 1);
    }
    gone.push(...old.map((thing) => ({ thing, place })));
    come.push(...now.map((thing) => ({ thing, place })));
  }
  const moved = come.map(({ thing, place }) => {
    const index = gone.findIndex((other) => other.thing === thing);
    const [from] = index < 0 ? [] : gone.splice(index, 1);
    return { thing, from: from?.place ?? '', to: place };
  });
  return [...moved, ...gone.map(({ thing, place }) => ({ thing, from: place, to: '' }))].filter(({ from, to }) => from !== to);
}

function changeWords({ thing, from, to }, by, seats) {
  const [owner, what] = ownerOf(thing);
  if (!owner) return from && to ? words.goes(what, from, to) : to ? words.comes(what, to) : words.leaves(what, from);
  const name = actorName(`seat:${owner}`, seats);
  const isOwn = by === `seat:${owner}`;
  if (from && to) return (isOwn ? words.moves : words.goesOf)(name, what, from, to);
  return to ? (isOwn ? words.places : words.gets)(name, what, to) : words.loses(name, what, from);
}

function changedWords({ thing, from, to }, seats) {
  const [owner, what] = ownerOf(thing);
  const it = owner ? words.owned(actorName(`seat:${owner}`, seats), what) : words.unowned(what);
  return from && to ? words.went(it, from, to) : to ? words.came(it, to) : words.gone(it, from);
}

/** The seat that a thing belongs to, empty if to none, and what it is. */
function ownerOf(thing) {
  const [, first, before, after, second] = /^seat (\d+)'s (.+)$|^(.+) of seat (\d+)$/.exec(thing) ?? [];
  return [first ?? second ?? '', term((before ?? after ?? thing).replace(/^the /, ''))];
}

function turnedWords(name, { groups, degrees }) {
  const names = groups.map((group) => group.replace(/^[^:]*:/, ''));
  return (degrees > 0 ? words.clockwise : words.counterclockwise)(name, term(groups[0]?.split(':')[0] ?? ''), names, Math.abs(degrees));
}

/** `roll:1=6,2=12+3` as `The dice: Greta 6, Hugo 12+3`. */
function rollWords(action, seats) {
  const [, dice] = /^roll:(.+)$/.exec(action) ?? [];
  if (!dice) return words.chance(spoken(action));
  const each = dice.split(',').map((part) => part.split('='));
  if (each.some((pair) => pair.length !== 2)) return words.chance(spoken(action));
  return words.dice(each.map(([seat, shown]) => `${actorName(`seat:${seat}`, seats)} ${summed(shown)}`));
}

/** `12+3` as `12 + 3 = 15`. */
function summed(shown) {
  const numbers = shown.split('+');
  return numbers.length > 1 ? `${numbers.join(' + ')} = ${numbers.reduce((sum, number) => sum + Number(number), 0)}` : shown;
}
