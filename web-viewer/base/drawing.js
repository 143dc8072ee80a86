// Draws scenes as SVG elements.

import { s } from './dom.js';
import { shapes } from '../model/scene.js';

/**
 * The elements of a scene, back to front, for an `svg` of one's own.
 * @param {import('../model/scene.js').Scene} scene
 * @param {boolean} [flipped]
 * @returns {SVGElement[]}
 */
export function drawing(scene, flipped = false) {
  return shapes(scene, flipped).map(({ tag, attributes, text, title, place, group }) => (
    s(tag, { ...attributes, 'data-place': place || null, 'data-group': group || null }, text, ...title ? [s('title', {}, title)] : [])));
}
