// Updates the DOM in place: unchanged elements stay, with their focus and scroll position.

import { LISTENERS, h } from './dom.js';

/** Browsers paint whole chunks at the edges of what is in view. */
const CHUNK = 20;
/** They look at every chunk in every frame, except at those within a chunk that is out of view. */
const CHUNKS = 10;

/**
 * A child that is created again only when the data it is made from changes.
 * @typedef {{key: string, from: any[], make: () => Element | null}} Row
 * @typedef {Node | Row | string | null | undefined | false} Child
 */

/** @type {WeakMap<Node, Row>} the row that an element was made for */
const made = new WeakMap();

/**
 * A row of a list; see `Row`.
 * @param {string} key distinguishes it from its siblings
 * @param {any[]} from compared by identity
 * @param {() => Element | null} make
 * @returns {Row}
 */
export function row(key, from, make) {
  return { key, from, make };
}

/**
 * Makes `children` the children of `parent`. An old child becomes the new one with the same key or id; children
 * without either are matched in order.
 * @param {Element} parent
 * @param {Child[]} children
 */
export function patch(parent, children) {
  const old = new Map();
  const loose = [];
  for (const node of parent.childNodes) {
    const key = keyOf(node);
    if (key) old.set(key, node);
    else loose.push(node);
  }
  const claim = (fresh, key) => {
    const index = key ? -1 : loose.findIndex(({ nodeName }) => nodeName === fresh.nodeName);
    const found = key ? old.get(key) : loose.splice(0, index + 1).at(-1);
    return found?.nodeName === fresh.nodeName ? morph(found, fresh) : fresh;
  };
  const nodes = children.filter(Boolean).map((child) => {
    if (typeof child === 'string') return claim(document.createTextNode(child), '');
    if (child instanceof Node) return child.parentNode === parent ? child : claim(child, keyOf(child));
    const known = old.get(child.key);
    if (known && isSame(made.get(known)?.from, child.from)) return known;
    const fresh = child.make();
    const node = fresh && claim(fresh, child.key);
    if (node) made.set(node, child);
    return node;
  }).filter(Boolean);
  const kept = new Set(nodes);
  for (const node of [...parent.childNodes]) if (!kept.has(node)) node.remove();
  nodes.forEach((node, index) => {
    const at = parent.childNodes[index] ?? null;
    if (at === node) return;
    // An element that is moved loses the focus.
    const focused = node.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
    parent.insertBefore(node, at);
    focused?.focus({ preventScroll: true });
  });
}

/** Shows a long list as chunks of chunks, of which browsers lay out those in view (`content-visibility` in the style sheet). */
export function patchChunks(list, rows) {
  split(list, rows, 'div', CHUNKS * CHUNK, (part, own) => split(part, own, 'ol', CHUNK, patch));
}

/** Makes each child of a list show so many of its rows. */
function split(list, rows, tag, size, show) {
  const count = Math.ceil(rows.length / size);
  while (list.childElementCount > count) list.lastElementChild.remove();
  while (list.childElementCount < count) list.append(h(tag, { class: 'chunk' }));
  [...list.children].forEach((chunk, index) => {
    const part = rows.slice(index * size, (index + 1) * size);
    /** @type {HTMLElement} */ (chunk).style.setProperty('--rows', String(part.length));
    show(chunk, part);
  });
}

/**
 * The row of a list that is shown in chunks.
 * @param {Element} list
 * @param {number} index
 * @returns {Element | undefined}
 */
export function chunked(list, index) {
  const chunk = Math.floor(index / CHUNK);
  return list.children[Math.floor(chunk / CHUNKS)]?.children[chunk % CHUNKS]?.children[index % CHUNK];
}

function isSame(old, from) {
  return old?.length === from.length && old.every((part, index) => part === from[index]);
}

function keyOf(node) {
  return made.get(node)?.key ?? node.id ?? '';
}

/** Makes an old node look and act like a new one. */
function morph(old, fresh) {
  if (!(old instanceof Element)) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return old;
  }
  // The reader's choice is kept if nothing else is selected.
  const chosen = ['checked', 'selected'].filter((name) => name in fresh && (old.hasAttribute(name) || fresh.hasAttribute(name)));
  const isKept = (name) => name === 'open' && old.nodeName === 'DETAILS';
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !isKept(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) === value) continue;
    // As an attribute, a style is refused by the page's security policy.
    if (name === 'style') /** @type {HTMLElement} */ (old).style.cssText = value;
    else old.setAttribute(name, value);
  }
  for (const name of [...LISTENERS, ...chosen]) old[name] = fresh[name];
  if (old.firstChild || fresh.firstChild) patch(old, [...fresh.childNodes]);
  return old;
}
