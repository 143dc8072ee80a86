// Heat maps of the board. No DOM here; the colours of the steps are in charts.css.

import { compact } from './charts.js';

export const STEPS = 7;
const UNEVEN = 8; // the largest is so many times the middle one: steps grow instead of being equal
const GROUND = ['board', 'border'];
const LETTERS_MAX = 320; // their size, in board units
const WIDTHS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8]; // times a power of ten
const FRAME = 0.5; // of a space, around all of them

/**
 * @typedef {import('../model/scene.js').Item} Item
 * @typedef {import('../model/scene.js').Scene} Scene
 * @typedef {{from: number, to: number | null}} Step both are in it; the last has no end
 */

/**
 * The ranges of the colours, from least to most, for counts above 0: of equal width, or, where few
 * places have nearly all, growing by 1, 2, 5, 10, …
 * @param {number[]} values
 * @returns {Step[]}
 */
export function steps(values) {
  const positive = values.filter((value) => value > 0).sort((a, b) => a - b);
  if (positive.length === 0) return [];
  const max = positive.at(-1);
  const middle = positive[Math.floor(positive.length / 2)];
  const starts = max / middle >= UNEVEN && max > STEPS ? growing(max) : even(max);
  return starts.map((from, index) => ({ from, to: index + 1 < starts.length ? starts[index + 1] - 1 : null }));
}

/**
 * The colour of a count: 0 for none, then 1 to 7.
 * @param {number} value
 * @param {Step[]} ranges
 */
export function stepOf(value, ranges) {
  if (!(value > 0)) return 0;
  const index = ranges.findLastIndex(({ from }) => value >= from);
  return spread(Math.max(0, index), ranges.length);
}

/**
 * The colours of the legend, in order, each with its range in words.
 * @param {Step[]} ranges
 * @returns {{step: number, text: string}[]}
 */
export function legend(ranges) {
  const words = ({ from, to }) => (to == null ? `${compact(from, 3)}+` : from === to ? compact(from, 3) : `${compact(from, 3)}–${compact(to, 3)}`);
  return [{ step: 0, text: '0' }, ...ranges.map((range, index) => ({ step: spread(index, ranges.length), text: words(range) }))];
}

/**
 * The empty board, each place in the colour of its number, in view as far as
 * places go.
 * @param {Scene} scene
 * @param {Record<string, number>} places
 * @param {{words: (place: string, value: number) => string, numbers: boolean}} options
 * @returns {Scene & {unseen: string[]}} `unseen`: places with a number that the board does not show
 */
export function heatScene(scene, places, { words, numbers }) {
  const ranges = steps(Object.values(places));
  const fields = fieldsOf(scene, places);
  const items = [];
  for (const item of scene.items) {
    if (fields.get(item.place ?? '') === item) items.push(field(item, places[item.place] ?? 0, ranges, words));
    else if (isGround(item)) items.push({ ...item, class: item.class.replaceAll(/ (waiting|last)\b/g, ''), title: undefined });
  }
  const all = [...fields.values()].map(bounds);
  const margin = edge(all);
  const coordinates = scene.items.filter((item) => isCoordinate(item, all, margin));
  items.push(...coordinates);
  // A board without coordinates gets the names of its places.
  if (numbers || coordinates.length === 0) {
    const text = (place) => (numbers ? compact(places[place] ?? 0) : place);
    for (const [place, item] of fields) items.push(written(item, text(place), numbers ? 'number' : 'number name', stepOf(places[place] ?? 0, ranges)));
  }
  return { kind: scene.kind, view: frame(all, margin, scene.view), items, unseen: Object.keys(places).filter((place) => !fields.has(place) && places[place] > 0) };
}

/** What lies around and between the places. */
function isGround({ shape, place, class: name }) {
  return !place && shape !== 'TEXT' && GROUND.some((each) => name.split(' ').includes(each));
}

/** For each place that has a number or is a space, the item that is coloured: the hindmost. */
function fieldsOf(scene, places) {
  const fields = new Map();
  for (const item of scene.items) {
    if (!item.place || item.shape === 'TEXT' || item.shape === 'LINE' || fields.has(item.place)) continue;
    if (item.class.split(' ').includes('space') || Object.hasOwn(places, item.place)) fields.set(item.place, item);
  }
  return fields;
}

function field(item, value, ranges, words) {
  return { ...item, class: `field heat-${stepOf(value, ranges)}`, title: words(item.place, value), group: undefined };
}

function written(item, text, name, step) {
  const { middle, width, height } = bounds(item);
  const size = Math.round(Math.min(LETTERS_MAX, height * 0.34, (width * 1.1) / Math.max(2, text.length)));
  return { shape: 'TEXT', at: middle, size, text, class: `${name} ink-${step}` };
}

/** A short text beside the places, such as a row's or column's name. */
function isCoordinate({ shape, place, class: name, text, at }, fields, margin) {
  if (shape !== 'TEXT' || place || name !== 'label' || (text ?? '').length > 2) return false;
  const within = (around) => fields.some(({ left, top, width, height }) => (
    at[0] > left - around && at[0] < left + width + around && at[1] > top - around && at[1] < top + height + around));
  return within(margin) && !within(0);
}

/** The bounds of what is visible around the places. */
function edge(fields) {
  const sides = fields.map(({ width, height }) => Math.min(width, height)).sort((a, b) => a - b);
  return Math.round(FRAME * (sides[Math.floor(sides.length / 2)] ?? 0)) + 100;
}

function frame(fields, margin, view) {
  if (fields.length === 0) return view;
  const [left, top] = [Math.min(...fields.map((each) => each.left)) - margin, Math.min(...fields.map((each) => each.top)) - margin];
  const right = Math.max(...fields.map((each) => each.left + each.width)) + margin;
  const bottom = Math.max(...fields.map((each) => each.top + each.height)) + margin;
  return [left, top, right - left, bottom - top];
}

function bounds(item) {
  const points = item.points ?? [[item.at[0] - item.r, item.at[1] - item.r], [item.at[0] + item.r, item.at[1] + item.r]];
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const mean = (values) => Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top, middle: /** @type {[number, number]} */ ([mean(xs), mean(ys)]) };
}

function even(max) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, max / STEPS)));
  const width = Math.max(1, Math.round((WIDTHS.find((digit) => digit * power * STEPS >= max) ?? 10) * power));
  return Array.from({ length: Math.ceil(max / width) }, (_, index) => index * width + 1).slice(0, STEPS);
}

function growing(max) {
  const starts = [];
  for (let power = 1; power <= max; power *= 10) for (const digit of [1, 2, 5]) if (digit * power <= max) starts.push(digit * power);
  return starts.slice(-STEPS).map((start, index) => (index === 0 ? 1 : start));
}

/** Few ranges use colours that are far apart. */
function spread(index, count) {
  return count < 2 ? STEPS : 1 + Math.round((index * (STEPS - 1)) / (count - 1));
}
