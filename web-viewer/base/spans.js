// Draws Markdown, as `model/markdown.js` parses it.

import { parseMarkdown } from '../model/markdown.js';
import { h } from './dom.js';

/**
 * A span.
 * @param {{kind: string, text: string, href?: string}} span
 */
export function spanOf({ kind, text, href }) {
  if (kind === 'text') return document.createTextNode(text);
  if (kind === 'link') return h('a', { href, rel: 'noreferrer' }, text);
  return h(kind, {}, text);
}

/**
 * A document.
 * @param {string} markdown
 * @param {number} below the level of the heading that it stands under
 */
export function blocksOf(markdown, below) {
  return parseMarkdown(markdown).map((part) => block(part, below));
}

function block(part, below) {
  switch (part.kind) {
    case 'heading': return h(`h${Math.min(6, part.level + below)}`, {}, ...part.spans.map(spanOf));
    case 'code': return h('pre', { tabindex: '0' }, part.text);
    case 'list': return h(part.ordered ? 'ol' : 'ul', { start: part.ordered && part.start }, ...part.items.map((item) => h('li', {}, ...item.map(spanOf))));
    case 'table': return h('div', { class: 'scroll', tabindex: '0' }, h('table', {}, ...part.rows.map((cells, index) => h('tr', {}, ...cells.map((cell) => {
      const isHead = index === 0 && cell.some(({ text }) => text.trim());
      return h(isHead ? 'th' : 'td', { scope: isHead && 'col' }, ...cell.map(spanOf));
    })))));
    default: return h('p', {}, ...part.spans.map(spanOf));
  }
}
