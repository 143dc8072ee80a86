// Creates elements from plain data. Text is inserted as text, never as markup.

import { common } from '../words/common.js';

const SVG = 'http://www.w3.org/2000/svg';

/** The listeners that elements created here may have. */
export const LISTENERS = ['onchange', 'onclick', 'oninput', 'onkeydown', 'onsubmit'];

/**
 * An HTML element. `onclick` and the like are listeners, other properties attributes: `true` is an empty one;
 * `false`, `null` and `undefined` are left out.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElement}
 */
export function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/**
 * An SVG element; see `h`.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function s(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

/**
 * The element with an id that is known to exist on the page.
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * A text with the English in it marked as such; see model/english.js.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function marked(text) {
  return text.split(/\u2068([^\u2069]*)\u2069/).map((part, index) => (index % 2 ? h('bdi', { lang: 'en' }, part) : part)).filter(Boolean);
}

/** Sets a text only if it differs, so that nothing is announced or laid out twice. */
export function setText(node, text) {
  if (node.textContent === text) return;
  const { firstChild } = node;
  // Browsers lay out a text that changes sooner than one that takes the place of another.
  if (text && firstChild?.nodeType === Node.TEXT_NODE && firstChild === node.lastChild) firstChild.nodeValue = text;
  else node.textContent = text;
}

/** Sets an attribute only if it differs: browsers work out styles again even for the same value. */
export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Hides an element or shows it, if that changes something; see `setAttribute`. */
export function setHidden(element, isHidden) {
  if (element.hidden !== isHidden) element.hidden = isHidden;
}

/**
 * Shows what a page hides until what comes before it has its size. Removing a class writes it, even if it is not there.
 * @param {HTMLElement} main
 */
export function settle(main) {
  if (main.classList.contains('settling')) main.classList.remove('settling');
}

/** Whether a dialog is open; see `openDialog`. Looking through a long page takes longer. */
export function isDialogOpen() {
  return [...document.body.children].some((element) => element instanceof HTMLDialogElement && element.open);
}

/**
 * A seat's chip in its colour, with its glyph or number.
 * @param {number} seat 0 for chance and the people around the table
 * @param {string} [label]
 */
export function chip(seat, label) {
  return h('span', { class: seat ? `chip seat-${seat}` : 'chip', 'aria-hidden': 'true' }, label ?? (seat ? String(seat) : '·'));
}

/**
 * Offers a text as a file.
 * @param {string} name
 * @param {string} type
 * @param {string} text
 */
export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * A dialog with a title and a close button, shown at once and gone when closed.
 * @param {string} title
 * @param {...Node} content
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, ...content) {
  const heading = h('h2', { id: 'dialog-title' }, title);
  const close = h('button', { type: 'button', class: 'quiet icon', 'aria-label': common.close, onclick: () => dialog.close() }, '✕');
  const body = h('div', { class: 'dialog-body', tabindex: '0', role: 'region', 'aria-labelledby': 'dialog-title' }, ...content);
  const dialog = /** @type {HTMLDialogElement} */ (
    h('dialog', { 'aria-labelledby': 'dialog-title' }, h('header', {}, heading, close), body)
  );
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (LISTENERS.includes(name)) element[name] = value;
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null && child !== false));
  return element;
}
