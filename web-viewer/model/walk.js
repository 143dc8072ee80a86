// Navigation in the variation tree: to siblings of a ply, into a variation, and out of it.

import { playing as words } from '../words/playing.js';
import { goesOn, leaving, lineName, pathOf } from './tree.js';

/**
 * @typedef {import('./tree.js').Tree} Tree
 * @typedef {import('./tree.js').Node} Node
 */

/** The alternatives at a node, itself included, in the order of the list. @returns {Node[]} */
export function siblings(tree, node, withHidden) {
  const parent = tree.nodes.get(node.parent ?? '');
  if (!parent) return [node];
  const main = parent.children.filter((child) => goesOn(parent, child));
  return [...main, ...leaving(tree, parent, withHidden)];
}

/** The sibling `by` places further, wrapping around; undefined if there is no other. @param {Node | undefined} node */
export function beside(tree, node, by, withHidden) {
  if (!node) return undefined;
  const all = siblings(tree, node, withHidden);
  return all.length < 2 ? undefined : all[(all.indexOf(node) + by + all.length) % all.length];
}

/**
 * The first ply of a variation that can be entered from a node: one that leaves the path after it or, if
 * there is none, one that replaces the node itself.
 * @param {Node[]} path being followed
 * @returns {Node | undefined}
 */
export function entrance(tree, path, ply, withHidden) {
  const node = path[ply];
  if (!node) return undefined;
  const next = path[ply + 1];
  const after = [...node.children.filter((child) => goesOn(node, child)), ...leaving(tree, node, withHidden)];
  const other = after.find((child) => child !== next);
  return other ?? siblings(tree, node, withHidden).find((child) => child !== node && child.log !== node.log);
}

/**
 * Where a reader who leaves a line ends up: the node before its first own ply, on the line that contains it.
 * @param {Tree} tree @param {string} log of a line
 * @returns {Node | undefined}
 */
export function exit(tree, log) {
  const path = pathOf(tree, log);
  const first = path.find((node) => node.log === log);
  return first ? tree.nodes.get(first.parent ?? '') : path.at(-1);
}

/** The announcement when a reader moves from one line to another. @param {Node | undefined} node that was reached @param {string} log being followed now */
export function entered(tree, node, log, withHidden) {
  if (log === tree.game) return words.backOnMainline;
  const all = node ? siblings(tree, node, withHidden) : [];
  return all.length > 1 ? words.enteredOne(lineName(tree, log), all.indexOf(node) + 1, all.length) : words.entered(lineName(tree, log));
}
