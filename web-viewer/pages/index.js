// The page that lists games.

import { common } from '../words/common.js';
import { lists as words } from '../words/lists.js';
import { day, moment } from '../words/locale.js';
import { addressed, failure, turnPage } from '../base/addressed.js';
import { request } from '../base/api.js';
import { byId, chip, h, marked, setText } from '../base/dom.js';
import { patch, row } from '../base/patch.js';
import { Thumbnails } from '../base/thumbnails.js';
import { PlayerField } from '../base/player-field.js';
import { welcome } from '../base/welcome.js';
import { TournamentChip } from '../base/tournament-chip.js';
import { outcomeWords } from '../model/format.js';
import { COUNT, GAMES, KINDS } from '../model/list-queries.js';
import { ME, mayCreateGames } from '../model/record-queries.js';
import { isFiltered, listSearch, listVariables, parseList } from '../model/filter-url.js';

const POLL_MS = 15_000;
/** More players than this are counted instead of named. */
const NAMED_MAX = 6;
const PHONE = matchMedia('(width <= 600px)');

const page = addressed({ parse: parseList, search: listSearch, load }, {
  /** @type {any} */ games: null,
  /** @type {any[]} */ kinds: [],
  fresh: 0,
  mayCreate: false,
}, redraw);
const { state, update } = page;
const player = new PlayerField(byId('filters').elements.namedItem('player'), byId('player-hint'), (id) => go({ player: id }));
const tournament = new TournamentChip(byId('tournament'), () => go({ tournament: '' }));
const thumbnails = new Thumbnails();

async function load(url) {
  player.show(url.player);
  tournament.show(url.tournament);
  const { games } = await request(GAMES, listVariables(url));
  return { games, fresh: 0 };
}

/** Shows another list from its start. */
function go(change) {
  page.go({ after: '', before: '', ...change });
}

function redraw() {
  const now = state();
  drawFilters(now);
  drawTotal(now);
  byId('games').setAttribute('aria-busy', String(now.loading));
  patch(byId('games'), [content(now)]);
  thumbnails.show(byId('games'));
  byId('fresh').hidden = now.fresh === 0;
  setText(byId('fresh'), words.fresh(now.fresh));
  drawPages(now);
  byId('new').hidden = !now.mayCreate;
}

function drawFilters({ games, kinds, url }) {
  const { elements } = byId('filters');
  patch(elements.namedItem('kind'), [h('option', { value: '' }, common.allKinds), ...kinds.map(({ kind, title }) => h('option', { value: kind }, title))]);
  for (const name of ['kind', 'status', 'since', 'until', 'order']) elements.namedItem(name).value = url[name];
  byId('clear').hidden = !isFiltered(url);
  byId('narrow').hidden = games?.nodes.length === 0 && !isFiltered(url);
}

function drawTotal({ error, games, loading, url }) {
  const count = games?.totalCount;
  if (loading || count == null || error) return;
  setText(byId('total'), count === 0 && !isFiltered(url) ? '' : isFiltered(url) ? words.found(count) : words.count(count));
}

function content({ error, games, kinds, loading, url }) {
  if (error) return failure(error, page.load);
  if (!games) return h('p', { class: 'empty' }, words.loading);
  if (games.nodes.length > 0) return table(games.nodes, kinds, loading);
  if (isFiltered(url)) return h('div', { class: 'empty' }, h('p', {}, words.noMatch), h('button', { type: 'button', onclick: clear }, words.showAll));
  return row(`welcome-${kinds.length}`, [kinds], () => h('div', {}, h('p', { class: 'none' }, words.none), welcome(kinds, true)));
}

function table(games, kinds, loading) {
  const columns = [h('span', { class: 'hidden' }, common.board), common.players, common.game, words.outcome, words.length, words.date];
  return h('table', { class: loading ? 'games stale' : 'games' },
    h('thead', {}, h('tr', {}, ...columns.map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, ...games.map((game) => line(game, kinds))));
}

function line(game, kinds) {
  const more = game.seats.length - NAMED_MAX;
  const title = kinds.find(({ kind }) => kind === game.kind)?.title ?? game.kind;
  return h('tr', {},
    h('td', { class: 'thumb' }, h('span', { 'data-game': game.id, 'data-ply': String(game.ply) })),
    h('td', { class: 'players' }, h('a', { href: `/games/${game.id}` }, ...game.seats.slice(0, NAMED_MAX).map(seat), more > 0 && h('span', { class: 'seat' }, words.more(more)))),
    h('td', { class: 'kind' }, h('bdi', {}, title), game.tournament && h('a', { class: 'event', href: `/tournaments/${game.tournament.id}?view=pairings&round=${game.round ?? ''}` }, h('bdi', {}, game.tournament.name), game.round ? `, ${common.roundInText(game.round)}` : '')),
    h('td', { class: 'result' }, h('span', { class: `status ${game.status.toLowerCase()}` }, ...marked(outcomeWords(game)))),
    h('td', { class: 'plies' }, h('span', {}, String(game.ply)), h('span', { class: 'unit' }, ` ${words.unit(game.ply)}`)),
    h('td', { class: 'date' }, h('time', { datetime: game.createdAt, title: moment(game.createdAt) }, day(game.createdAt))));
}

function seat({ number, name, result }) {
  return h('span', { class: result === 'WIN' ? 'seat won' : 'seat' }, chip(number), h('bdi', {}, name || common.seatNumber(number)), result === 'WIN' && h('span', { class: 'hidden' }, ` ${words.won}`));
}

function drawPages({ error, games, url }) {
  const info = games?.pageInfo;
  byId('pages').hidden = !info || Boolean(error) || !(info.hasNextPage || info.hasPreviousPage);
  const turn = (id, there, cursor) => turnPage(id, there ? location.pathname + listSearch({ ...url, after: '', before: '', ...cursor }) : '', () => go(cursor), byId('games'));
  turn('previous', info?.hasPreviousPage, { before: info?.startCursor });
  turn('next', info?.hasNextPage, { after: info?.endCursor });
}

function clear() {
  go({ kind: '', status: '', player: '', tournament: '', since: '', until: '' });
}

function wire() {
  const form = byId('filters');
  // On phones, the games come first.
  byId('narrow').open = !PHONE.matches || isFiltered(state().url);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', (event) => { event.preventDefault(); clear(); });
  form.addEventListener('change', ({ target }) => {
    if (target.name !== 'player' && target.checkValidity()) go({ [target.name]: target.value });
  });
  byId('fresh').addEventListener('click', () => go({}));
}

async function poll() {
  const { error, loading, url } = state();
  if (document.hidden || loading || error) return;
  const answer = await request(COUNT, { filter: listVariables(url).filter }).catch(() => null);
  if (answer) update({ fresh: Math.max(0, answer.games.totalCount - state().games.totalCount) });
}

wire();
page.load();
request(ME).then(({ me }) => update({ mayCreate: mayCreateGames(me) }), () => {});
request(KINDS).then(({ rules }) => update({ kinds: rules }), () => {});
setInterval(poll, POLL_MS);
