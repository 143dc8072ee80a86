// Draws scenes as SVG elements.

import { s } from './dom.js';
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
  if (flipped) return shapes(scene, true);
  const used = new Set();
  return scene.items.map((item) => {
    const known = SHAPES.get(item) ?? remembered(item);
    const shape = used.has(known) ? { ...known } : known;
    used.add(shape);
    return shape;
  });
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
function element(shape) {
  return s(shape.tag, attributesOf(shape), shape.text, ...shape.title ? [s('title', {}, shape.title)] : []);
}

/** Those that are null are absent. */
function attributesOf({ attributes, place, group }) {
  return { ...attributes, 'data-place': place || null, 'data-group': group || null };
}

/**
 * Makes an element that shows one shape show another with the same tag.
 * @param {SVGElement} drawn
 * @param {Shape} old
 * @param {Shape} shape
 */
function change(drawn, old, shape) {
  const [were, are] = [attributesOf(old), attributesOf(shape)];
  for (const [name, value] of Object.entries(are)) {
    if (value === were[name]) continue;
    if (value === null) drawn.removeAttribute(name);
    else drawn.setAttribute(name, value);
  }
  if (shape.text !== old.text) drawn.firstChild.nodeValue = shape.text;
  if (shape.title === old.title) return;
  if (old.title) drawn.lastChild.remove();
  if (shape.title) drawn.append(s('title', {}, shape.title));
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
    /** @type {Map<Shape, SVGElement>} */ this.elements = new Map();
  }

  /** @param {Shape[]} wanted back to front, each once */
  show(wanted) {
    const old = this.shapes.map((shape) => ({ shape, drawn: this.elements.get(shape), state: FREE }));
    const kept = this.keep(old, wanted);
    let at = 0;
    for (const shape of wanted) {
      const own = kept.get(shape);
      if (own) while (old[at].state !== KEPT) at += 1;
      else while (old[at]?.state === USED) at += 1;
      const index = own ? old.indexOf(own, at) : freeAt(old, at, shape.tag);
      const found = old[index];
      if (!found) {
        this.elements.set(shape, this.layer.insertBefore(element(shape), old[at]?.drawn ?? null));
        continue;
      }
      if (!own) change(found.drawn, found.shape, shape);
      // Others that are kept may come after it now.
      if (own && index > at) this.layer.insertBefore(own.drawn, old[at].drawn);
      else at = index + 1;
      found.state = USED;
      this.elements.set(shape, found.drawn);
    }
    for (const { drawn, state } of old) if (state === FREE) drawn.remove();
    this.shapes = wanted;
  }

  /** Which of the old elements show the same as before, by what they are to show. */
  keep(old, wanted) {
    const are = new Set(wanted);
    const kept = new Map();
    /** @type {Map<string, any[]>} by what they look like */ const alike = new Map();
    for (const each of old) {
      if (are.has(each.shape)) {
        each.state = KEPT;
        kept.set(each.shape, each);
        continue;
      }
      this.elements.delete(each.shape);
      const look = JSON.stringify(each.shape);
      if (alike.has(look)) alike.get(look).push(each);
      else alike.set(look, [each]);
    }
    for (const shape of alike.size > 0 ? wanted : []) {
      if (kept.has(shape)) continue;
      const found = alike.get(JSON.stringify(shape))?.shift();
      if (!found) continue;
      found.state = KEPT;
      kept.set(shape, found);
    }
    return kept;
  }
}

/** What becomes of an old element. */
const [FREE, KEPT, USED] = [0, 1, 2];

/** The index of an element that is free, before the next one that is kept; -1 if there is none. */
function freeAt(old, at, tag) {
  for (let index = at; old[index] && old[index].state !== KEPT; index += 1) {
    if (old[index].state === FREE && old[index].shape.tag === tag) return index;
  }
  return -1;
}
