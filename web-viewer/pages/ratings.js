// The players of a kind of game by their ratings.

import { common } from '../words/common.js';
import { players as words } from '../words/players.js';
import { day, number } from '../words/locale.js';
import { addressed, failure, turnPage, within } from '../base/addressed.js';
import { request } from '../base/api.js';
import { byId, h, setText } from '../base/dom.js';
import { patch } from '../base/patch.js';
import { PlayerField } from '../base/player-field.js';
import { KINDS, RATINGS } from '../model/list-queries.js';
import { parseRatings, ratingsSearch } from '../model/filter-url.js';

const PAGE = 50;

const page = addressed({ parse: parseRatings, search: ratingsSearch, load }, {
  /** @type {{kind: string, title: string}[]} */ kinds: [],
  /** @type {any} */ found: null,
}, redraw);
const { state } = page;

new PlayerField(byId('filters').elements.namedItem('player'), byId('player-hint'), (id) => id && location.assign(`/players/${encodeURIComponent(id)}#ratings`));

async function load({ after, kind, provisional }) {
  const kinds = state().kinds.length > 0 ? state().kinds : (await request(KINDS)).rules;
  const { ratings } = await request(RATINGS, { kind: kind || kinds[0].kind, provisional, first: PAGE, after: after || null });
  return { kinds, found: ratings };
}

/** Shows another list from its start. */
function go(change) {
  page.go({ after: '', from: 1, ...change });
}

function redraw() {
  const { error, found, kinds, loading, url } = state();
  const kind = url.kind || kinds[0]?.kind;
  patch(byId('kinds'), kinds.map((each) => within(`/ratings${ratingsSearch({ ...url, kind: each.kind, after: '', from: 1 })}`, () => go({ kind: each.kind }), { 'aria-current': each.kind === kind && 'page' }, each.title)));
  byId('filters').elements.namedItem('provisional').checked = url.provisional;
  byId('ratings').setAttribute('aria-busy', String(loading));
  if (found && !loading && !error) setText(byId('total'), common.playerCount(found.totalCount));
  patch(byId('ratings'), [content()]);
  const more = Boolean(found?.pageInfo.hasNextPage) && !error;
  byId('pages').hidden = !more && !url.after;
  byId('first').hidden = !url.after;
  byId('next').hidden = !more;
  const turn = (id, change) => turnPage(id, `/ratings${ratingsSearch({ ...url, after: '', from: 1, ...change })}`, () => go(change), byId('ratings'));
  turn('first', {});
  if (more) turn('next', { after: found.pageInfo.endCursor, from: url.from + found.nodes.length });
}

function content() {
  const { error, found, url } = state();
  if (error) return failure(error, page.load);
  if (!found) return h('p', { class: 'empty' }, words.ratingsLoading);
  if (found.nodes.length === 0) {
    return h('div', { class: 'empty' }, h('p', {}, url.provisional ? words.ratingsNone : words.noneSure),
      !url.provisional && h('button', { type: 'button', onclick: () => { go({ provisional: true }); byId('filters').elements.namedItem('provisional').focus(); } }, words.showProvisional));
  }
  const heads = [[common.rank, 'number'], [common.player, ''], [common.rating, 'number'], ['±', 'number'], [common.games, 'number'], [words.lastGame, 'number last']];
  return h('div', { class: 'card figure' }, h('div', { class: 'scrolls tall-as-needed', tabindex: '0', role: 'group', 'aria-label': words.ratings }, h('table', { class: 'bars ratings' },
    h('thead', {}, h('tr', {}, ...heads.map(([text, style]) => h('th', { scope: 'col', class: style }, text)))),
    h('tbody', {}, ...found.nodes.map((rating, index) => h('tr', {},
      h('td', { class: 'number soft' }, String(url.from + index)),
      h('th', { scope: 'row' }, rating.player ? h('a', { href: `/players/${encodeURIComponent(rating.player.id)}#ratings` }, rating.player.name) : '–',
        h('span', { class: 'soft club' }, [rating.player?.club, rating.player?.country].filter(Boolean).map((text) => ` · ${text}`).join(''))),
      h('td', { class: 'number' }, h('strong', {}, String(Math.round(rating.value))), rating.provisional && h('span', { class: 'soft', title: words.ratingsProvisional }, '?')),
      h('td', { class: 'number soft' }, String(Math.round(rating.deviation))),
      h('td', { class: 'number' }, number(rating.games)),
      h('td', { class: 'number soft last' }, rating.lastGameAt ? day(rating.lastGameAt) : '')))))),
  h('p', { class: 'hint' }, words.about));
}

byId('filters').addEventListener('submit', (event) => event.preventDefault());
byId('filters').elements.namedItem('provisional').addEventListener('change', ({ target }) => go({ provisional: target.checked }));
page.load();
