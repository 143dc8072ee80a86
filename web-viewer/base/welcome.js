// What the service is, the games it has, and what to do next: the page about it, and a list without games.

import { common } from '../words/common.js';
import { lists as words } from '../words/lists.js';
import { EXAMPLE } from '../model/list-queries.js';
import { term, termOnly } from '../model/terms.js';
import { request } from './api.js';
import { h, s } from './dom.js';
import { drawing, sceneClass } from './drawing.js';
import { creditOf } from './credit.js';

/**
 * @param {{kind: string, title: string, summary: string, designer: string, source: string, minSeats: number, maxSeats: number}[]} rules
 * @param {boolean} [isEmpty] whether nothing is recorded yet: then most readers have just installed the service
 */
export function welcome(rules, isEmpty = false) {
  const link = (href, text) => h('a', { href }, text);
  const code = (text) => h('code', {}, text);
  const own = h('div', {}, h('h2', {}, words.own),
    h('ol', {},
      h('li', {}, ...words.token(code('admin-token'), code(words.createToken))),
      h('li', {}, ...words.create(link('/games/new', words.aGame), link('/tournaments/new', words.aTournament))),
      h('li', {}, ...words.bring(code(words.import), code('--demo')))));
  return h('section', { class: 'welcome' },
    h('p', {}, words.lead),
    isEmpty && own,
    h('h2', {}, words.games),
    kindCards(rules),
    h('h2', {}, words.look),
    h('p', {}, ...words.lookAt(link('/', common.someGames), link('/tournaments', words.someTournaments), link('/search', words.welcomeSearching))),
    !isEmpty && own);
}

/**
 * A card for each kind.
 * @param {any[]} rules
 * @param {(kind: string) => void} [choose] what a click on a kind does; without it, cards have links
 */
export function kindCards(rules, choose = undefined) {
  return h('ul', { class: 'kind-cards' }, ...rules.map((each) => card(each, choose)));
}

function card({ kind, title, summary, designer, source, minSeats, maxSeats }, choose) {
  const board = h('div', {}, s('svg', { class: 'scene', 'aria-hidden': 'true' }));
  exampleOf(kind).then((picture) => board.replaceChildren(picture), () => {});
  const of = encodeURIComponent(kind);
  const name = h('bdi', {}, title);
  return h('li', { class: 'card' }, board, h(choose ? 'h2' : 'h3', {}, choose ? h('button', { type: 'button', class: 'link', onclick: () => choose(kind) }, name) : name),
    h('div', {}, h('p', { dir: 'auto', lang: termOnly(summary) ? null : 'en' }, term(summary)), h('p', { class: 'hint' }, words.seats(minSeats, maxSeats)), creditOf({ designer, source })),
    !choose && h('p', { class: 'row' }, h('a', { href: `/rules/${of}` }, common.rules), h('a', { href: `/?kind=${of}` }, common.games), h('a', { href: `/statistics?kind=${of}` }, common.statistics)));
}

/** A board of a kind, after some plies. @param {string} kind */
export async function exampleOf(kind) {
  const { ruleSet: { example: { scene } } } = await request(EXAMPLE, { kind });
  return s('svg', { class: sceneClass(scene), 'aria-hidden': 'true', viewBox: scene.view.join(' ') }, ...drawing(scene));
}
