// The page with the list of games: one state, one way to change it, one redraw.

import { errorWords, request } from '../base/api.js';
import { byId, chip, h, setText } from '../base/dom.js';
import { counted, day, moment, outcomeWords } from '../model/format.js';
import { PlayerField } from '../base/player-field.js';
import { COUNT, GAMES, KINDS } from '../model/queries.js';
import { isFiltered, listSearch, listVariables, parseList } from '../model/url.js';

const POLL_MS = 15_000;

const state = {
  url: parseList(location.search),
  /** @type {any} */ games: null,
  loading: true,
  /** @type {any} */ error: null,
  /** @type {{kind: string, title: string}[]} */ kinds: [],
  fresh: 0,
};

const player = new PlayerField(byId('filters').elements.namedItem('player'), byId('player-hint'), (id) => go({ player: id }));
let asked = 0;

function update(change) {
  Object.assign(state, change);
  redraw();
}

async function load() {
  const ask = ++asked;
  player.show(state.url.player);
  update({ loading: true, error: null, fresh: 0 });
  try {
    const { games } = await request(GAMES, listVariables(state.url));
    if (ask === asked) update({ games, loading: false });
  } catch (error) {
    if (ask === asked) update({ error, loading: false });
  }
}

/** Shows another list, with its own address. */
function go(change) {
  state.url = { ...state.url, after: '', before: '', ...change };
  history.pushState(null, '', location.pathname + listSearch(state.url));
  load();
}

function redraw() {
  drawFilters();
  drawTotal();
  byId('games').setAttribute('aria-busy', String(state.loading));
  byId('games').replaceChildren(...content());
  byId('fresh').hidden = state.fresh === 0;
  setText(byId('fresh'), `${counted(state.fresh, 'new game')} · show`);
  drawPages();
}

function drawFilters() {
  const { elements } = byId('filters');
  const kinds = elements.namedItem('kind');
  if (kinds.options.length !== state.kinds.length + 1) {
    const options = state.kinds.map(({ kind, title }) => h('option', { value: kind }, title));
    kinds.replaceChildren(h('option', { value: '' }, 'All games'), ...options);
  }
  for (const name of ['kind', 'status', 'since', 'until', 'order']) elements.namedItem(name).value = state.url[name];
  byId('clear').hidden = !isFiltered(state.url);
}

function drawTotal() {
  const count = state.games?.totalCount;
  if (state.loading || count == null || state.error) return;
  setText(byId('total'), isFiltered(state.url) ? `${counted(count, 'game')} found` : counted(count, 'game'));
}

function content() {
  if (state.error) return [failure()];
  if (!state.games) return [h('p', { class: 'empty' }, 'Loading games…')];
  if (state.games.nodes.length === 0) return [nothing()];
  return [table(state.games.nodes)];
}

function failure() {
  return h('div', { class: 'empty', role: 'alert' },
    h('p', {}, errorWords(state.error)),
    h('button', { type: 'button', class: 'primary', onclick: load }, 'Try again'));
}

function nothing() {
  const filtered = isFiltered(state.url);
  return h('div', { class: 'empty' },
    h('p', {}, filtered ? 'No game matches these filters.' : 'No games are recorded yet.'),
    filtered && h('button', { type: 'button', onclick: clear }, 'Show all games'));
}

function table(games) {
  const columns = ['Players', 'Game', 'Outcome', 'Plies', 'Date'];
  return h('table', { class: state.loading ? 'games stale' : 'games' },
    h('thead', {}, h('tr', {}, ...columns.map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, ...games.map(row)));
}

function row(game) {
  const title = state.kinds.find(({ kind }) => kind === game.kind)?.title ?? game.kind;
  return h('tr', {},
    h('td', { class: 'players' }, h('a', { href: `/games/${game.id}` }, ...game.seats.map(seat))),
    h('td', { class: 'kind' }, title),
    h('td', { class: 'result' }, h('span', { class: `status ${game.status.toLowerCase()}` }, outcomeWords(game))),
    h('td', { class: 'plies' }, h('span', {}, String(game.ply)), h('span', { class: 'unit' }, game.ply === 1 ? ' ply' : ' plies')),
    h('td', { class: 'date' }, h('time', { datetime: game.createdAt, title: moment(game.createdAt) }, day(game.createdAt))));
}

function seat({ number, name, result }) {
  return h('span', { class: result === 'WIN' ? 'seat won' : 'seat' }, chip(number), name || `Seat ${number}`, result === 'WIN' && h('span', { class: 'hidden' }, ' (won)'));
}

function drawPages() {
  const info = state.games?.pageInfo;
  byId('pages').hidden = !info || Boolean(state.error) || !(info.hasNextPage || info.hasPreviousPage);
  drawPage('previous', info?.hasPreviousPage, { after: '', before: info?.startCursor ?? '' });
  drawPage('next', info?.hasNextPage, { before: '', after: info?.endCursor ?? '' });
}

function drawPage(id, there, change) {
  const link = byId(id);
  if (there) link.href = location.pathname + listSearch({ ...state.url, ...change });
  else link.removeAttribute('href');
  link.setAttribute('aria-disabled', String(!there));
}

function clear() {
  go({ kind: '', status: '', player: '', since: '', until: '' });
}

function wire() {
  const form = byId('filters');
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', (event) => { event.preventDefault(); clear(); });
  form.addEventListener('change', ({ target }) => {
    if (target.name !== 'player' && target.checkValidity()) go({ [target.name]: target.value });
  });
  byId('fresh').addEventListener('click', () => go({}));
  byId('pages').addEventListener('click', turnPage);
  globalThis.addEventListener('popstate', () => {
    state.url = parseList(location.search);
    load();
  });
}

function turnPage(event) {
  const link = event.target.closest('a');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (!link.href) return;
  const { after, before } = parseList(new URL(link.href).search);
  go({ after, before });
  byId('games').focus({ preventScroll: true });
  scrollTo({ top: 0 });
}

async function poll() {
  if (document.hidden || state.loading || state.error) return;
  const { filter } = listVariables(state.url);
  const answer = await request(COUNT, { filter }).catch(() => null);
  if (answer) update({ fresh: Math.max(0, answer.games.totalCount - state.games.totalCount) });
}

wire();
load();
request(KINDS).then(({ rules }) => update({ kinds: rules }), () => {});
setInterval(poll, POLL_MS);
