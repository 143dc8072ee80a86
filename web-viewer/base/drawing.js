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
    const known = SHAPES.get(item) ?? shapes({ ...scene, items: [item] })[0];
    SHAPES.set(item, known);
    const shape = used.has(known) ? { ...known } : known;
    used.add(shape);
    return shape;
  });
}

/**
 * The class of the `svg` that a scene is drawn in.
 * @param {import('../model/scene.js').Scene} scene
 */
export function sceneClass({ kind = '' }) {
  return `scene ${kind}`.trim();
}

/** @param {import('../model/scene.js').Shape} shape */
function element({ tag, attributes, text, title, place, group }) {
  return s(tag, { ...attributes, 'data-place': place || null, 'data-group': group || null }, text, ...title ? [s('title', {}, title)] : []);
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

/** A group of elements that shows one scene after another: what both have in common stays as it is. */
export class Drawing {
  constructor() {
    this.layer = s('g');
    /** @type {import('../model/scene.js').Shape[]} what is shown */ this.shapes = [];
    /** @type {Map<import('../model/scene.js').Shape, SVGElement>} */ this.elements = new Map();
  }

  /** @param {import('../model/scene.js').Shape[]} wanted back to front, each once */
  show(wanted) {
    const kept = new Set(wanted);
    /** @type {Map<string, SVGElement[]>} elements that are free, by what they look like */ const free = new Map();
    for (const [shape, drawn] of this.elements) {
      if (kept.has(shape)) continue;
      const look = JSON.stringify(shape);
      const alike = free.get(look);
      if (alike) alike.push(drawn);
      else free.set(look, [drawn]);
    }
    const elements = new Map(wanted.map((shape) => [shape, this.elements.get(shape) ?? free.get(JSON.stringify(shape))?.shift() ?? element(shape)]));
    for (const rest of free.values()) for (const gone of rest) gone.remove();
    let at = this.layer.firstChild;
    for (const node of elements.values()) {
      if (node === at) at = at.nextSibling;
      else this.layer.insertBefore(node, at);
    }
    [this.shapes, this.elements] = [wanted, elements];
  }
}
