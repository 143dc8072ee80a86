// The rules of a kind of game: what it is, who designed it, what it looks like, and how it is played.

import { common } from '../words/common.js';
import { lists as words } from '../words/lists.js';
import { replay as about } from '../words/replay.js';
import { errorWords, request } from '../base/api.js';
import { byId, h, marked, setText } from '../base/dom.js';
import { creditOf } from '../base/credit.js';
import { blocksOf } from '../base/spans.js';
import { exampleOf } from '../base/welcome.js';
import { RULES_PAGE } from '../model/list-queries.js';
import { term, termOnly } from '../model/terms.js';
import { idIn } from '../model/url.js';

const kind = idIn(location.pathname);

async function load() {
  const { ruleSet } = await request(RULES_PAGE, { kind });
  if (!ruleSet) {
    setText(byId('title'), words.kindUnknown);
    return;
  }
  const { title, version, summary, minSeats, maxSeats, document: text } = ruleSet;
  setText(byId('title'), about.rulesOf(title));
  document.title = `${about.rulesOf(title)} · Plybook`;
  const board = h('div', { class: 'kind-cards' });
  const of = encodeURIComponent(kind);
  byId('rules').replaceChildren(
    h('p', { dir: 'auto', lang: termOnly(summary) ? null : 'en' }, term(summary)),
    h('p', { class: 'hint' }, `${words.seats(minSeats, maxSeats)} · ${about.rules(version)}`),
    creditOf(ruleSet),
    h('p', { class: 'row' }, h('a', { href: `/?kind=${of}` }, common.games), h('a', { href: `/statistics?kind=${of}` }, common.statistics)),
    board,
    h('div', { class: 'rules', lang: 'en', dir: 'ltr' }, ...blocksOf(text, 0).slice(1)));
  exampleOf(kind).then((picture) => board.replaceChildren(picture), () => {});
}

load().catch((why) => byId('rules').replaceChildren(h('p', { role: 'alert' }, ...marked(errorWords(why)))))
  .then(() => byId('main').setAttribute('aria-busy', 'false'));
