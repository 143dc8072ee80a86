// The variation tree: a game's mainline and the lines that fork from it.

import { playing as words } from '../words/playing.js';

/**
 * A line as the service returns it.
 * @typedef {{id: string, name: string | null, parent: string, ply: number, rank?: number | null, hidden: boolean,
 *   createdAt: string, plies: number, mayArrange: boolean, last?: string}} Line
 *
 * A ply of the tree. `log` is the line on which it was first played; on the mainline, the game or line whose
 * tree this is, though one of its ancestors may have played it.
 * @typedef {{id: string, parent: string | null, ply: number, action: string | null, by: string | null, key?: string,
 *   comment?: string | null, glyphs?: string[], same?: string, lines?: string[], log: string, children: Node[]}} Node
 *
 * @typedef {{game: string, lines: Map<string, Line>, nodes: Map<string, Node>, tips: Map<string, Node>, trunk: Set<string>,
 *   next: string | null, totalLines: number}} Tree
 */

/** @param {string} log @param {number} ply @returns {string} the id of a node */
export function nodeId(log, ply) {
  return `${log}:${ply}`;
}

/** Whether a line is kept in this browser only. */
export function isUnsaved(log) {
  return log.startsWith('unsaved-');
}

/**
 * Where the unsaved end of a path begins: the last node that is saved; none if all of it is.
 * @param {Node[]} path
 */
export function savedEnd(path) {
  const first = path.findIndex(({ log }) => isUnsaved(log));
  return first > 0 ? path[first - 1] : undefined;
}

/**
 * The tree built from the loaded pages, in their order. Later pages override earlier ones; the mainline is as long
 * as the known moves.
 * @param {string} game
 * @param {any[]} pages
 * @param {{ply: number, action: string, by: string, game?: {id: string}, comment?: string | null, glyphs?: string[]}[]} moves of the mainline
 * @returns {Tree}
 */
export function treeOf(game, pages, moves = []) {
  const start = { id: pages.flatMap(({ nodes = [] }) => nodes).find(({ parent }) => parent === null)?.id ?? nodeId(game, 0), parent: null };
  const mainline = [{ ...start, ply: 0, action: null, by: null }];
  for (const { ply, action, by, comment, glyphs, game: owner } of moves) {
    mainline.push({ id: nodeId(owner?.id ?? game, ply), parent: mainline[ply - 1].id, ply, action, by, comment, glyphs });
  }
  const trunk = new Set([...mainline.map(({ id }) => id), ...trunkOf(game, pages)]);
  const tree = { game, trunk, lines: new Map(), nodes: new Map(), tips: new Map(), next: null, totalLines: 0 };
  for (const { lines = [], nodes = [] } of [{ nodes: mainline }, ...pages]) {
    for (const line of lines) if (line.id !== game) tree.lines.set(line.id, { ...tree.lines.get(line.id), ...line });
    for (const node of nodes) add(tree, node);
  }
  for (const page of pages) {
    tree.next = page.next === undefined ? tree.next : page.next;
    tree.totalLines = page.totalLines ?? tree.totalLines;
  }
  return tree;
}

/** An action without its actor, which is written in front where several are to act. */
function bare({ by, action }) {
  const who = `${by?.replace(/^seat:/, '')}:`;
  return action?.startsWith(who) ? action.slice(who.length) : action;
}

/** The mainline as far as the pages contain it: the plies before the first line's own. */
function trunkOf(game, pages) {
  const ids = new Set(pages.flatMap(({ lines = [] }) => lines.map(({ id }) => id)));
  const own = (id) => !ids.has(id.slice(0, id.lastIndexOf(':')));
  return pages.filter((page) => page.game === game).flatMap(({ nodes }) => nodes.filter(({ id }) => own(id)).map(({ id }) => id));
}

function add(tree, given) {
  const old = tree.nodes.get(given.id);
  const log = tree.trunk.has(given.id) ? tree.game : given.id.slice(0, given.id.lastIndexOf(':'));
  const node = Object.assign(old ?? { children: [], log }, given, { action: bare(given) });
  if (!old) {
    tree.nodes.set(node.id, node);
    if (node.parent) tree.nodes.get(node.parent)?.children.push(node);
  }
  for (const line of [log, ...node.lines ?? []]) {
    if ((tree.tips.get(line)?.ply ?? -1) <= node.ply) tree.tips.set(line, node);
  }
}

/**
 * The last node of a line; if it has no plies yet, the one at its fork.
 * @param {Tree} tree
 * @param {string} log
 * @returns {Node | undefined} nothing while it is not loaded
 */
export function tipOf(tree, log) {
  const line = tree.lines.get(log);
  const last = tree.nodes.get(line?.last ?? '');
  const tip = tree.tips.get(log);
  if (tip || last || log === tree.game) return (tip?.ply ?? -1) < (last?.ply ?? -1) ? last : tip;
  return line && line.plies <= line.ply ? pathOf(tree, line.parent)[line.ply] : undefined;
}

/**
 * The nodes of a line from the start to its end, by ply; empty while it is not loaded.
 * @param {Tree} tree
 * @param {string} log the game or a line
 * @returns {Node[]}
 */
export function pathOf(tree, log) {
  const path = [];
  // If a line sets up a position, that position replaces the parent's at its ply.
  for (let node = tipOf(tree, log); node; node = tree.nodes.get(node.parent ?? '')) path[node.ply] ??= node;
  return path;
}

/** The child that plays an action. */
export function childOf(node, by, action) {
  return node?.children.find((child) => child.by === by && child.action === action);
}

/** The line to follow after going to a node: the current one, if the node is on it. */
export function lineThrough(node, log) {
  return node.lines?.includes(log) ? log : node.log;
}

/** Whether a node continues another one, in the same log. */
export const goesOn = (node, child) => child.log === node.log;

/** The variations that may be listed beside the continuation of a node. */
export function leaving(tree, node, withHidden) {
  const shown = (log) => withHidden || !isHidden(tree, log);
  return node.children.filter((child) => !goesOn(node, child) && [child.log, ...child.lines ?? []].some(shown));
}

/** Whether a line, or one that it forks from, is hidden. */
export function isHidden(tree, log) {
  for (let line = tree.lines.get(log); line; line = tree.lines.get(line.parent)) if (line.hidden) return true;
  return false;
}

/** The name of a line. */
export function lineName(tree, log) {
  const line = tree.lines.get(log);
  if (!line) return log === tree.game ? words.mainline : words.line;
  if (line.name) return line.name;
  const first = pathOf(tree, log).find((node) => node.log === log);
  return first ? `${first.ply}. ${actionWords(first)}` : words.lineFrom(line.ply);
}

/** What led to a node, in short. */
export function actionWords(node) {
  return node.action ?? (node.parent ? words.setUp : words.begin);
}

/** The line and ply of a node, also of one that is not loaded. */
export function placeOf(tree, id) {
  const [log, ply] = [id.slice(0, id.lastIndexOf(':')), Number(id.slice(id.lastIndexOf(':') + 1))];
  return { log: tree.nodes.get(id)?.log ?? log, ply };
}

/**
 * Where else a position occurs, in words.
 * @param {Tree} tree
 * @param {string} id of a node
 */
export function placeWords(tree, id) {
  const { log, ply } = placeOf(tree, id);
  return log === tree.game ? words.plyOfMainline(ply) : words.linesPlyOf(ply, lineName(tree, log));
}
