// The rules of the game, in a dialog.

import { about as words } from '../../words/replay-about.js';
import { replay as page } from '../../words/replay-page.js';
import { errorWords } from '../../base/api.js';
import { h, marked, openDialog } from '../../base/dom.js';
import { spanOf } from '../../base/spans.js';
import { parseMarkdown } from '../../model/markdown.js';

/**
 * What the game is, and its rules once they have come.
 * @param {import('../derive.js').Now} now
 * @param {Promise<string>} document as Markdown
 */
export function openRules({ rules }, document) {
  const source = /^https?:/.test(rules.source) ? h('a', { href: rules.source, rel: 'noreferrer' }, words.rulesSource) : rules.source;
  const text = h('div', {}, h('p', { role: 'status' }, page.loading));
  openDialog(words.rulesOf(rules.title), h('p', { class: 'hint' }, `${rules.designer} · `, source), text);
  document.then((markdown) => text.replaceChildren(h('div', { lang: 'en', dir: 'ltr' }, ...parseMarkdown(markdown).map(block))), (why) => text.replaceChildren(h('p', { role: 'alert' }, ...marked(errorWords(why)))));
}

function block(part) {
  switch (part.kind) {
    case 'heading': return h(`h${Math.min(6, part.level + 2)}`, {}, ...part.spans.map(spanOf));
    case 'code': return h('pre', { tabindex: '0' }, part.text);
    case 'list': return h(part.ordered ? 'ol' : 'ul', { start: part.ordered && part.start }, ...part.items.map((item) => h('li', {}, ...item.map(spanOf))));
    case 'table': return h('table', {}, ...part.rows.map((cells, index) => h('tr', {}, ...cells.map((cell) => {
      const isHead = index === 0 && cell.some(({ text }) => text.trim());
      return h(isHead ? 'th' : 'td', { scope: isHead && 'col' }, ...cell.map(spanOf));
    }))));
    default: return h('p', {}, ...part.spans.map(spanOf));
  }
}
