// The rules of the game, in a dialog.

import { replay as words } from '../../words/replay.js';
import { errorWords } from '../../base/api.js';
import { h, marked, openDialog } from '../../base/dom.js';
import { blocksOf } from '../../base/spans.js';
import { creditOf } from '../../base/credit.js';

/**
 * What the game is, and its rules once they have come.
 * @param {import('../derive.js').Now} now
 * @param {Promise<string>} document as Markdown
 */
export function openRules({ rules }, document) {
  const text = h('div', {}, h('p', { role: 'status' }, words.loading));
  openDialog(words.rulesOf(rules.title), creditOf(rules), text);
  document.then((markdown) => text.replaceChildren(h('div', { lang: 'en', dir: 'ltr' }, ...blocksOf(markdown, 2))), (why) => text.replaceChildren(h('p', { role: 'alert' }, ...marked(errorWords(why)))));
}
