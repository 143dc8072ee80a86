// Addresses in a text that somebody wrote, as links.

import { h } from '../base/dom.js';

/** @param {string} text @returns {(Node | string)[]} */
export function linked(text) {
  return text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/).map((part, index) => (index % 2 ? h('a', { href: part, rel: 'nofollow noopener' }, part) : part)).filter(Boolean);
}
