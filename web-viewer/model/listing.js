// The layout of variations in the move list: after the ply they replace, nested, with long ones folded.

import { goesOn, isHidden, leaving, nodeId, pathOf, tipOf } from './tree.js';

/** How many variations of one place are listed at first. */
export const SHOWN_FIRST = 8;
/** Variations with more plies than the first, or nested deeper than the second, are folded at first. */
const LONG = 60;
const DEEP = 3;

/**
 * A variation as listed: the plies that one log adds, each followed by its alternatives.
 * @typedef {{id: string, line: Line, from: number, items: Item[], size: number, isFolded: boolean}} Variation
 * @typedef {{node: Node, blocks: Variation[]}} Item
 *
 * @typedef {import('./tree.js').Tree} Tree
 * @typedef {import('./tree.js').Line} Line
 * @typedef {import('./tree.js').Node} Node
 */

/**
 * Lines without plies of their own, by the node they end at: new ones, and those whose plies are all
 * in other lines too.
 * @param {Tree} tree
 * @returns {Map<string, Line[]>}
 */
function bareLines(tree) {
  const own = new Set([...tree.nodes.values()].map(({ log }) => log));
  const bare = new Map();
  for (const line of tree.lines.values()) {
    const tip = own.has(line.id) ? undefined : tipOf(tree, line.id);
    if (tip) bare.set(tip.id, [...bare.get(tip.id) ?? [], line]);
  }
  return bare;
}

/**
 * The variations listed after each ply of the mainline, as alternatives to it. Those that continue after
 * the last ply are listed after it too.
 * @param {Tree} tree
 * @param {{folds: Map<string, boolean>, withHidden: boolean}} options folds: the variations that the reader opened or closed
 * @returns {Map<number, Variation[]>} by ply of the mainline
 */
export function variations(tree, { folds, withHidden }) {
  const bare = bareLines(tree);
  const view = { tree, folds, withHidden, bare };
  const mainline = pathOf(tree, tree.game);
  const found = new Map();
  for (const node of mainline) {
    const blocks = blocksFrom(view, node, 0);
    if (blocks.length === 0) continue;
    const ply = Math.min(node.ply + 1, mainline.length - 1);
    found.set(ply, [...found.get(ply) ?? [], ...blocks]);
  }
  return found;
}

function blocksFrom(view, node, depth) {
  const played = leaving(view.tree, node, view.withHidden).map((child) => variation(view, child, depth));
  const bare = (view.bare.get(node.id) ?? []).filter((line) => view.withHidden || !isHidden(view.tree, line.id));
  return [...played, ...bare.map((line) => bareBlock(line, node))];
}

function bareBlock(line, node) {
  return { id: nodeId(line.id, node.ply), line, from: node.ply, items: [], size: 0, isFolded: false };
}

function variation(view, first, depth) {
  const items = [];
  let size = 0;
  for (let node = first, before; node; before = node, node = node.children.find((child) => goesOn(node, child))) {
    const blocks = before ? blocksFrom(view, before, depth + 1) : [];
    items.push({ node, blocks });
  }
  const last = items.at(-1);
  last.blocks = [...last.blocks, ...blocksFrom(view, last.node, depth + 1)];
  for (const { blocks } of items) size += 1 + blocks.reduce((sum, block) => sum + block.size, 0);
  const isFolded = view.folds.get(first.id) ?? (size > LONG || depth >= DEEP);
  return { id: first.id, line: lineOf(view.tree, first.log), from: first.ply - 1, items, size, isFolded };
}

/** Of a line on a page that is not loaded yet, only the id is known. */
function lineOf(tree, id) {
  const unknown = { id, name: null, parent: tree.game, ply: 0, hidden: false, createdAt: '', plies: 0, mayArrange: false };
  return tree.lines.get(id) ?? unknown;
}

/**
 * The first nodes of the folded variations, nested ones included.
 * @param {Variation[]} blocks
 * @param {Set<string>} [found]
 */
export function folded(blocks, found = new Set()) {
  for (const { id, isFolded, items } of blocks) {
    if (isFolded) found.add(id);
    for (const item of items) folded(item.blocks, found);
  }
  return found;
}

/**
 * How many variations have to be listed at each place for all of `firsts` to be visible.
 * @param {Map<number | string, Variation[]>} places as `variations` gives them
 * @param {string[]} firsts first nodes of the variations that should be visible
 * @param {Map<string, number>} [found]
 */
export function needed(places, firsts, found = new Map()) {
  for (const [place, blocks] of places) {
    const index = blocks.findIndex(({ id }) => firsts.includes(id));
    if (index < 0) continue;
    found.set(String(place), index + 1);
    needed(new Map(blocks[index].items.map((item) => [item.node.id, item.blocks])), firsts, found);
  }
  return found;
}

/**
 * The first nodes of all variations that have to be open for a node to be visible.
 * @param {Tree} tree
 * @param {Node | undefined} node
 * @returns {string[]}
 */
export function enclosing(tree, node) {
  const found = [];
  for (let at = node; at?.parent; at = tree.nodes.get(at.parent)) {
    const before = tree.nodes.get(at.parent);
    if (before && !goesOn(before, at)) found.push(at.id);
  }
  return found;
}
