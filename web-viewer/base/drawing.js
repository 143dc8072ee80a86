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
    /** @type {Map<string, SVGElement[]>} the elements by what they look like */ this.known = new Map();
  }

  /** @param {import('../model/scene.js').Shape[]} wanted back to front */
  show(wanted) {
    const elements = new Map();
    const known = new Map();
    for (const shape of wanted) {
      const look = JSON.stringify(shape);
      const drawn = this.known.get(look)?.shift() ?? element(shape);
      elements.set(shape, drawn);
      const alike = known.get(look);
      if (alike) alike.push(drawn);
      else known.set(look, [drawn]);
    }
    for (const rest of this.known.values()) for (const gone of rest) gone.remove();
    let at = this.layer.firstChild;
    for (const node of elements.values()) {
      if (node === at) at = at.nextSibling;
      else this.layer.insertBefore(node, at);
    }
    [this.shapes, this.elements, this.known] = [wanted, elements, known];
  }
}
