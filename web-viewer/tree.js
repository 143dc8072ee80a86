// The tree of variations: a game's mainline and the lines that leave it. No DOM here.

/** The most variations of one place that are listed before the reader asks for more. */
export const SHOWN_FIRST = 8;
/** Variations of more plies than this, and those deeper than that, are folded at first. */
const LONG = 60;
const DEEP = 3;

/**
 * A line as the service tells it.
 * @typedef {{id: string, name: string | null, parent: string, ply: number, rank?: number | null, hidden: boolean,
 *   createdAt: string, plies: number, mayArrange: boolean, last?: string}} Line
 *
 * A ply of the tree. `log` is the line that it was first played on; of the mainline, the game or line that the
 * tree is of, whose own ancestors may have played it.
 * @typedef {{id: string, parent: string | null, ply: number, action: string | null, by: string | null, key?: string,
 *   comment?: string | null, glyphs?: string[], same?: string, lines?: string[], log: string, children: Node[]}} Node
 *
 * A variation as it is listed: the plies that one log adds, each followed by what else was tried in its stead.
 * @typedef {{id: string, line: Line, from: number, items: Item[], size: number, isFolded: boolean}} Variation
 * @typedef {{node: Node, blocks: Variation[]}} Item
 *
 * @typedef {{game: string, lines: Map<string, Line>, nodes: Map<string, Node>, tips: Map<string, Node>, trunk: Set<string>,
 *   next: string | null, totalLines: number}} Tree
 */

/** @param {string} log @param {number} ply @returns {string} the id of a node */
export function nodeId(log, ply) {
  return `${log}:${ply}`;
}

/**
 * The tree of the pages that were loaded, in their order. What a later page says of a node or a line
 * stands; the mainline is as long as the moves that are known.
 * @param {string} game
 * @param {any[]} pages
 * @param {{ply: number, action: string, by: string, game?: string, comment?: string | null, glyphs?: string[]}[]} moves of the mainline
 * @returns {Tree}
 */
export function treeOf(game, pages, moves = []) {
  const start = { id: pages.flatMap(({ nodes = [] }) => nodes).find(({ parent }) => parent === null)?.id ?? nodeId(game, 0), parent: null };
  const mainline = [{ ...start, ply: 0, action: null, by: null }];
  for (const { ply, action, by, comment, glyphs, game: owner } of moves) {
    mainline.push({ id: nodeId(owner ?? game, ply), parent: mainline[ply - 1].id, ply, action, by, comment, glyphs });
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

/** An action without who acts, which is written before it where several are to act. */
function bare({ by, action }) {
  const who = `${by?.replace(/^seat:/, '')}:`;
  return action?.startsWith(who) ? action.slice(who.length) : action;
}

/** The mainline as far as the pages tell it: what stands before the first line's own plies. */
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
 * The last node of a line; of one that has played nothing yet, the ply it leaves.
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
  for (let node = tipOf(tree, log); node; node = tree.nodes.get(node.parent ?? '')) path[node.ply] = node;
  return path;
}

/**
 * The child that plays an action.
 * @param {Node | undefined} node
 * @param {string} by
 * @param {string} action
 */
export function childOf(node, by, action) {
  return node?.children.find((child) => child.by === by && child.action === action);
}

/**
 * The line to walk along after going to a node: the one that was walked along, if it leads through it.
 * @param {Node} node
 * @param {string} log
 */
export function lineThrough(node, log) {
  return node.lines?.includes(log) ? log : node.log;
}

/** Whether a node goes on where another ended, in the same log. */
const goesOn = (node, child) => child.log === node.log;

/**
 * The variations that may be listed beside the continuation of a node.
 * @param {Tree} tree
 * @param {Node} node
 * @param {boolean} withHidden
 */
function leaving(tree, node, withHidden) {
  const shown = (log) => withHidden || !isHidden(tree, log);
  return node.children.filter((child) => !goesOn(node, child) && [child.log, ...child.lines ?? []].some(shown));
}

/**
 * Whether a line, or one that it leaves, is hidden.
 * @param {Tree} tree
 * @param {string} log
 */
export function isHidden(tree, log) {
  for (let line = tree.lines.get(log); line; line = tree.lines.get(line.parent)) if (line.hidden) return true;
  return false;
}

/**
 * Lines that added nothing of their own, by the node they end at: new ones, and those whose plies are all
 * in other lines too.
 * @param {Tree} tree
 * @returns {Map<string, Line[]>}
 */
export function bareLines(tree) {
  const own = new Set([...tree.nodes.values()].map(({ log }) => log));
  const bare = new Map();
  for (const line of tree.lines.values()) {
    const tip = own.has(line.id) ? undefined : tipOf(tree, line.id);
    if (tip) bare.set(tip.id, [...bare.get(tip.id) ?? [], line]);
  }
  return bare;
}

/**
 * What is listed after each ply of the mainline: the variations that could have been played in its stead.
 * Those that go on after the last ply stand after it too.
 * @param {Tree} tree
 * @param {{folds: Map<string, boolean>, withHidden: boolean}} options folds: what the reader opened or closed
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

/** A line that stands on a page still to come is known by its id only. */
function lineOf(tree, id) {
  const unknown = { id, name: null, parent: tree.game, ply: 0, hidden: false, createdAt: '', plies: 0, mayArrange: false };
  return tree.lines.get(id) ?? unknown;
}

/**
 * The first nodes of the variations that are folded, those within others too.
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
 * How many variations have to be listed beside each other for some of them to be seen, by the place they
 * are listed at.
 * @param {Map<number | string, Variation[]>} places as `variations` gives them
 * @param {string[]} firsts first nodes of the variations to be seen
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
 * The first nodes of all variations that have to be open for a node to be seen.
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

/**
 * What can be played in the stead of a node, itself included, in the order of the list.
 * @param {Tree} tree
 * @param {Node} node
 * @param {boolean} withHidden
 * @returns {Node[]}
 */
export function siblings(tree, node, withHidden) {
  const parent = tree.nodes.get(node.parent ?? '');
  if (!parent) return [node];
  const main = parent.children.filter((child) => goesOn(parent, child));
  return [...main, ...leaving(tree, parent, withHidden)];
}

/**
 * The sibling so many places further, round and round.
 * @param {Tree} tree @param {Node | undefined} node @param {number} by @param {boolean} withHidden
 * @returns {Node | undefined} nothing where there is no other
 */
export function beside(tree, node, by, withHidden) {
  if (!node) return undefined;
  const all = siblings(tree, node, withHidden);
  return all.length < 2 ? undefined : all[(all.indexOf(node) + by + all.length) % all.length];
}

/**
 * The first ply of a variation that can be entered from a node: one that leaves the path after it, or,
 * where none does, one that stands in the node's own stead.
 * @param {Tree} tree @param {Node[]} path walked along @param {number} ply @param {boolean} withHidden
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
 * Where a reader who leaves a line stands: the node before its first own ply, on the line that holds it.
 * @param {Tree} tree @param {string} log of a line
 * @returns {Node | undefined}
 */
export function exit(tree, log) {
  const path = pathOf(tree, log);
  const first = path.find((node) => node.log === log);
  return first ? tree.nodes.get(first.parent ?? '') : path.at(-1);
}

/**
 * What a line is called.
 * @param {Tree} tree
 * @param {string} log
 */
export function lineName(tree, log) {
  const line = tree.lines.get(log);
  if (!line) return log === tree.game ? 'Mainline' : 'Line';
  if (line.name) return line.name;
  const first = pathOf(tree, log).find((node) => node.log === log);
  return first ? `${first.ply}. ${first.action}` : `Line from ply ${line.ply}`;
}

/**
 * The line and ply of a node, also of one that is not loaded.
 * @param {Tree} tree
 * @param {string} id
 */
export function placeOf(tree, id) {
  const [log, ply] = [id.slice(0, id.lastIndexOf(':')), Number(id.slice(id.lastIndexOf(':') + 1))];
  return { log: tree.nodes.get(id)?.log ?? log, ply };
}

/**
 * Where else a position stands, in words.
 * @param {Tree} tree
 * @param {string} id of a node
 */
export function placeWords(tree, id) {
  const { log, ply } = placeOf(tree, id);
  return `ply ${ply} of ${log === tree.game ? 'the mainline' : lineName(tree, log)}`;
}

/**
 * What is said when a reader comes from one line to another.
 * @param {Tree} tree @param {Node | undefined} node that was reached @param {string} log walked along now @param {boolean} withHidden
 */
export function entered(tree, node, log, withHidden) {
  if (log === tree.game) return 'Back on the mainline.';
  const all = node ? siblings(tree, node, withHidden) : [];
  const which = all.length > 1 ? `, ${all.indexOf(node) + 1} of ${all.length} here` : '';
  return `Variation ${lineName(tree, log)}${which}.`;
}
