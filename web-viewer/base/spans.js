// Draws the spans of a Markdown text.

import { h } from './dom.js';

/**
 * A span; see `model/markdown.js`.
 * @param {{kind: string, text: string, href?: string}} span
 */
export function spanOf({ kind, text, href }) {
  if (kind === 'text') return document.createTextNode(text);
  if (kind === 'link') return h('a', { href, rel: 'noreferrer' }, text);
  return h(kind, {}, text);
}
