// Draws scenes as SVG elements.

import { s } from './dom.js';
import { increasing } from '../model/increasing.js';
import { shapes } from '../model/scene.js';

/**
 * The elements of a scene, back to front, for any `svg`.
 * @param {import('../model/scene.js').Scene} scene
 * @param {boolean} [flipped]
 * @returns {SVGElement[]}
 */
export function drawing(scene, flipped = false) {
  return shapes(scene, flipped).map(element);
}

/** @type {WeakMap<import('../model/scene.js').Item, import('../model/scene.js').Shape>} */
const SHAPES = new WeakMap();

/**
 * The shapes of a scene, back to front. Items that scenes share have the same shapes, so that a step costs what it changes.
 * @param {import('../model/scene.js').Scene} scene
 * @param {boolean} [flipped]
 * @returns {import('../model/scene.js').Shape[]}
 */
export function shapesOf(scene, flipped = false) {
  // On a flipped board, where an item stands depends on the spaces around it.
  return flipped ? shapes(scene, true) : scene.items.map((item) => SHAPES.get(item) ?? remembered(item));
}

function remembered(item) {
  const [shape] = shapes({ view: [0, 0, 0, 0], items: [item] });
  SHAPES.set(item, shape);
  return shape;
}

/**
 * The class of the `svg` that a scene is drawn in.
 * @param {import('../model/scene.js').Scene} scene
 */
export function sceneClass({ kind = '' }) {
  return `scene ${kind}`.trim();
}

/** @typedef {import('../model/scene.js').Shape} Shape */

/** @param {Shape} shape */
function element({ tag, attributes, place, group, text, title }) {
  const made = s(tag, { ...attributes, 'data-place': place || null, 'data-group': group || null }, tag === 'text' && text, ...title ? [s('title', {}, title)] : []);
  if (tag === 'text') size(made, attributes);
  return made;
}

/** What style sheets need to know to leave out a text that is too small to be read. */
function size(drawn, attributes) {
  drawn.style.setProperty('--size', attributes['font-size']);
}

/**
 * Makes an element that shows one shape show another with the same tag.
 * @param {SVGElement} drawn
 * @param {Shape} old
 * @param {Shape} shape
 */
function change(drawn, old, shape) {
  for (const name of Object.keys(shape.attributes)) put(drawn, name, old.attributes[name], shape.attributes[name]);
  put(drawn, 'data-place', old.place, shape.place);
  put(drawn, 'data-group', old.group, shape.group);
  if (shape.tag === 'text' && shape.attributes['font-size'] !== old.attributes['font-size']) size(drawn, shape.attributes);
  if (shape.text !== old.text) drawn.firstChild.nodeValue = shape.text;
  if (shape.title === old.title) return;
  if (old.title && shape.title) drawn.lastChild.firstChild.nodeValue = shape.title;
  else if (old.title) drawn.lastChild.remove();
  else drawn.append(s('title', {}, shape.title));
}

const LEGIBLE_PX = 9;

/** What is drawn in an element from now on leaves out texts that are too small to be read there. @param {HTMLElement} place */
export function keepLegible(place) {
  new ResizeObserver(() => fitTexts(place)).observe(place);
}

/** The same once, after another part of the plane is shown. @param {HTMLElement} place */
export function fitTexts(place) {
  const svg = place.querySelector('svg');
  const [, , width, height] = (svg?.getAttribute('viewBox') ?? '').split(' ').map(Number);
  if (!svg || !width || !place.clientWidth) return;
  const { width: wide, height: high } = svg.getBoundingClientRect();
  const least = Math.ceil(LEGIBLE_PX * Math.max(width / wide, height / high));
  if (place.style.getPropertyValue('--least') !== String(least)) place.style.setProperty('--least', String(least));
}

/** Sets an attribute that had another value; an empty one is absent. */
function put(drawn, name, was, is) {
  if (is === was) return;
  if (is) drawn.setAttribute(name, is);
  else drawn.removeAttribute(name);
}

/**
 * The places under the pointer, topmost first; then the groups that these are part of.
 * @param {{clientX: number, clientY: number}} event
 * @param {Element} board what holds the drawing
 * @returns {string[]}
 */
export function placesAt({ clientX, clientY }, board) {
  const found = document.elementsFromPoint(clientX, clientY).filter((element) => board.contains(element));
  const places = found.map((element) => element.getAttribute('data-place') ?? '');
  const groups = found.map((element) => (element.getAttribute('data-group') ?? '').replace(/^[^:]*:/, ''));
  return [...new Set([...places, ...groups])].filter(Boolean);
}

/**
 * A group of elements that shows one scene after another. What both have in common stays as it is, and what takes the place of something
 * is drawn with its element: browsers lay out and put together far more for an element that comes or goes.
 */
export class Drawing {
  constructor() {
    this.layer = s('g');
    /** @type {Shape[]} what is shown, back to front */ this.shapes = [];
    /** @type {SVGElement[]} what shows each of them */ this.elements = [];
  }

  /** @param {Shape[]} wanted back to front */
  show(wanted) {
    const were = this.shapes;
    // A flipped board has shapes of its own in every scene.
    const are = wanted.some((shape) => were.includes(shape)) ? wanted : alike(were, wanted);
    const most = Math.min(were.length, are.length);
    let from = 0;
    while (from < most && were[from] === are[from]) from += 1;
    let rest = 0;
    while (rest < most - from && were[were.length - 1 - rest] === are[are.length - 1 - rest]) rest += 1;
    this.replace(from, were.slice(from, were.length - rest), are.slice(from, are.length - rest));
    this.shapes = wanted;
  }

  /** Makes the elements of some shapes, from an index on, show others instead. */
  replace(from, were, are) {
    const old = this.elements.slice(from, from + were.length);
    const next = this.elements[from + were.length] ?? null;
    const kept = common(were, are);
    const used = new Set(kept);
    let at = 0;
    const elements = are.map((shape, index) => {
      const isKept = kept[index] >= 0;
      const to = isKept ? kept[index] : freeAt(were, used, at, shape.tag);
      if (to < 0) return this.layer.insertBefore(element(shape), old[at] ?? next);
      while (at < to) old[at++].remove();
      at += 1;
      if (!isKept) change(old[to], were[to], shape);
      return old[to];
    });
    while (at < old.length) old[at++].remove();
    this.elements.splice(from, old.length, ...elements);
  }
}

/** Shapes to be shown; one that looks like one that is shown gives way to that. */
function alike(shown, wanted) {
  const known = new Map(shown.map((shape) => [JSON.stringify(shape), shape]));
  return wanted.map((shape) => known.get(JSON.stringify(shape)) ?? shape);
}

/** Where each shape was; -1 for those that are new, or stood in another order. */
function common(were, are) {
  const at = new Map(were.map((shape, index) => [shape, index]));
  const places = are.map((shape) => at.get(shape) ?? -1);
  const kept = increasing(places);
  return places.map((place, index) => (kept.has(index) ? place : -1));
}

/** The index of the next shape with a tag that is not shown any more, before one that is; -1 if there is none. */
function freeAt(were, used, from, tag) {
  for (let index = from; index < were.length && !used.has(index); index += 1) if (were[index].tag === tag) return index;
  return -1;
}
