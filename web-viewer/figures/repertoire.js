// A player's repertoire as a tree: what they play from the start, how it fares, and where they leave what others play.

import { common } from '../words/common.js';
import { openings as words } from '../words/openings.js';
import { games as lists } from '../words/games.js';
import { listed } from '../words/locale.js';
import { h, marked } from '../base/dom.js';
import { actorName } from '../model/format.js';
import { shortened } from '../model/spoken.js';
import { choices } from '../model/repertoire.js';
import { card } from './figures.js';
import { percent } from './results.js';

/** So many actions of a position are listed. */
const LISTED_MAX = 8;

/**
 * A position of the tree: what was played there, once it is known.
 * @typedef {{own: import('../model/repertoire.js').Explored, all: import('../model/repertoire.js').Explored} | {error: string} | 'loading'} Found
 */

/**
 * @param {{name: string, title: string, seat: number, seats: number[], found: Map<string, Found>, opened: Set<string>}} repertoire found: by
 *   the key of the position, empty for the start
 * @param {{seat: (number: number) => void, toggle: (key: string) => void, close: string, games: (key: string, line: string[]) => string}} acts close: the address
 *   without the repertoire; games: that of the games with a position, by its key and the actions that lead there
 */
export function repertoireCard({ name, title, seat, seats, found, opened }, acts) {
  const select = h('label', {}, common.seat, ' ', h('select', { id: 'repertoire-seat', onchange: ({ target }) => acts.seat(Number(target.value)) },
    ...seats.map((number) => h('option', { value: String(number), selected: number === seat }, String(number)))));
  return card({
    title: words.repertoireIn(title), name: 'wide repertoire', aside: select,
    about: words.repertoireAbout(seat, name),
  }, start(found.get(''), { name, seat, found, opened }, acts), h('p', {}, h('a', { href: acts.close }, words.allFigures(name))));
}

function start(root, tree, acts) {
  if (!root || root === 'loading') return h('p', { class: 'none', role: 'status' }, words.loading);
  if ('error' in root) return h('p', { class: 'none', role: 'alert' }, ...marked(root.error));
  if (root.own.games === 0) return h('p', { class: 'none' }, words.noStart(tree.name, tree.seat));
  return h('div', { class: 'scrolls', tabindex: '0', role: 'group', 'aria-label': words.repertoire },
    h('p', { class: 'tree-heads', 'aria-hidden': 'true' }, h('span', {}, lists.count(root.own.games)), h('span', {}, common.games), h('span', {}, common.share), h('span', {}, words.others), h('span', {}, words.score)),
    branch(root, tree, acts, []));
}

/** The actions from a position; `line`: those that lead there, as lines can lead back to a position. */
function branch({ own, all }, tree, acts, line) {
  const { name, seat, found, opened } = tree;
  const known = choices(own, all, seat);
  const isOwn = own.position.toAct.includes(`seat:${seat}`);
  const who = isOwn ? name : listed(own.position.toAct.map((by) => actorName(by, [])));
  if (known.length === 0) return h('p', { class: 'hint' }, words.notOn);
  return h('ul', { class: isOwn ? 'tree own' : 'tree', 'aria-label': words.toPlay(who) },
    ...known.slice(0, LISTED_MAX).map((choice) => {
      const below = found.get(choice.key);
      const mayOpen = choice.games > 0 && !line.some(({ key }) => key === choice.key);
      const actions = [...line, choice].map(({ action }) => action);
      const isOpen = mayOpen && opened.has(choice.key);
      return h('li', {},
        h('p', { class: choice.differs ? `choice ${choice.differs}` : 'choice' },
          mayOpen ? h('button', { type: 'button', class: 'quiet', 'aria-expanded': String(isOpen), onclick: () => acts.toggle(choice.key) }, h('span', { 'aria-hidden': 'true' }, isOpen ? '▾ ' : '▸ '), shortened(choice.action)) : h('span', { class: 'leaf' }, shortened(choice.action)),
          number(common.games, choice.games > 0 ? h('a', { href: acts.games(choice.key, actions), 'aria-label': words.gamesWith(lists.count(choice.games), actions.join(' ')) }, String(choice.games)) : '0'), number(common.share, percent(choice.share)), number(words.others, choice.others === null ? '–' : percent(choice.others), marks(choice.differs)),
          number(words.score, choice.score === null ? '–' : percent(choice.score))),
        isOpen && (!below || below === 'loading' ? h('p', { class: 'hint' }, words.loading)
          : 'error' in below ? h('p', { class: 'hint', role: 'alert' }, ...marked(below.error)) : branch(below, tree, acts, [...line, choice])));
    }),
    known.length > LISTED_MAX && h('li', { class: 'hint' }, words.moreActions(known.length - LISTED_MAX)));
}

function marks(differs) {
  if (!differs) return null;
  return h('span', {}, h('span', { 'aria-hidden': 'true' }, differs === 'more' ? ' ▲' : ' ▼'), h('span', { class: 'hidden' }, differs === 'more' ? words.muchMore : words.muchLess));
}

/** A figure of an action, with what it is for whoever does not see the heads. */
function number(what, text, more = null) {
  return h('span', { class: 'number' }, h('span', { class: 'hidden' }, words.figure(what)), text, more);
}
