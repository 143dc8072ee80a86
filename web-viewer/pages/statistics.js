// The page with the statistics of one kind: one state, one way to change it, one redraw.

import { ApiError, errorWords, request } from '../base/api.js';
import { byId, download, h, setText } from '../base/dom.js';
import { counted, reasonWords } from '../model/format.js';
import { heatCard } from '../figures/heat-card.js';
import { openingsCard } from '../figures/openings.js';
import { PlayerField } from '../base/player-field.js';
import { AGAINST, EXPLORE, HEAT, KINDS, LUCK, STATISTICS } from '../model/queries.js';
import { report, reportCsv } from '../figures/report.js';
import { cards } from '../figures/statistics-cards.js';
import { isNarrowed, parseStatistics, statisticsFilter, statisticsSearch } from '../model/url.js';

const WHAT = 'visits';

const state = {
  url: parseStatistics(location.search),
  /** @type {{kind: string, title: string, minSeats: number}[]} */ kinds: [],
  /** @type {any} */ statistics: null,
  /** @type {any} */ heat: null,
  /** @type {any} */ heatError: null,
  /** @type {any} what was played from the position in the address */ explored: null,
  /** @type {any} */ exploreError: null,
  /** @type {any} */ against: null,
  numbers: false,
  loading: true,
  /** @type {any} */ error: null,
  /** @type {Set<string>} reasons to choose from */ reasons: new Set(),
  names: { player: '', opponent: '' },
};

const fields = byId('filters').elements;
const player = new PlayerField(fields.namedItem('player'), byId('player-hint'), (id) => go({ player: id, ...(id ? {} : { opponent: '' }) }));
const opponent = new PlayerField(fields.namedItem('opponent'), byId('opponent-hint'), (id) => go(state.url.player ? { opponent: id } : { player: id }));
const acts = {
  what: (what) => { go({ what }, ['heat']); },
  numbers: () => update({ numbers: !state.numbers }),
};
let asked = 0;
/** @type {Record<string, {from: any[], node: HTMLElement | null}>} what is drawn, and what it was drawn from */ const drawn = {};

function update(change) {
  Object.assign(state, change);
  redraw();
}

/** Shows other statistics, with their own address. */
function go(change, parts = undefined) {
  state.url = { ...state.url, ...(parts ? {} : { at: '', line: '' }), ...change };
  history.pushState(null, '', location.pathname + statisticsSearch(state.url));
  load(state.loading ? undefined : parts);
}

/** @param {string[]} [parts] what is to be asked anew; by default everything */
async function load(parts = ['statistics', 'heat', 'explore', 'against']) {
  const ask = ++asked;
  showNames();
  const all = parts.includes('statistics');
  update({ loading: true, ...(all ? { error: null } : {}) });
  try {
    const kind = await kindOf();
    const variables = { kind, filter: statisticsFilter(state.url) };
    const jobs = { statistics: loadStatistics, heat: loadHeat, explore: loadExplored, against: loadAgainst };
    const changes = await Promise.all(parts.map((part) => jobs[part](variables)));
    if (ask === asked) update(Object.assign({ loading: false }, ...changes));
  } catch (error) {
    if (ask === asked) update({ error, loading: false });
  }
}

/** The kind in the address, or the first there is. */
async function kindOf() {
  if (state.kinds.length === 0) state.kinds = (await request(KINDS)).rules;
  const { kind } = state.url;
  if (!kind) state.url = { ...state.url, kind: state.kinds[0].kind };
  else if (!state.kinds.some((each) => each.kind === kind)) throw new ApiError('there is no such game', 'NOT_FOUND');
  return state.url.kind;
}

async function loadStatistics(variables) {
  const { player: one } = state.url;
  const [{ statistics }, own] = await Promise.all([request(STATISTICS, variables), one ? request(LUCK, { ...variables, player: one }) : null]);
  // What chance gave a player is told of that player's seats only.
  if (own) statistics.luck = own.player?.statistics.luck ?? null;
  const same = variables.kind === state.statistics?.kind;
  const reasons = new Set([...(same ? state.reasons : []), ...statistics.reasons.map(({ key }) => key)]);
  if (state.url.reason) reasons.add(state.url.reason);
  return { statistics: { ...statistics, kind: variables.kind }, reasons };
}

async function loadHeat(variables) {
  try {
    const { statistics } = await request(HEAT, { ...variables, what: state.url.what || WHAT });
    return { heat: statistics.heat, heatError: null };
  } catch (heatError) {
    return { heat: null, heatError };
  }
}

async function loadExplored(variables) {
  const { at } = state.url;
  if (!at) return { explored: null, exploreError: null };
  try {
    const { explore } = await request(EXPLORE, { ...variables, key: at });
    return { explored: { ...explore, key: at }, exploreError: null };
  } catch (exploreError) {
    return { explored: null, exploreError };
  }
}

async function loadAgainst({ kind }) {
  const { player: one, opponent: other } = state.url;
  if (!other) return { against: null };
  const answer = await request(AGAINST, { player: one, opponent: other, kind });
  return { against: answer.player?.against ?? null };
}

async function showNames() {
  const { url } = state;
  const [one, other] = await Promise.all([player.show(url.player), opponent.show(url.opponent)]);
  if (url.player === state.url.player && url.opponent === state.url.opponent) update({ names: { player: one, opponent: other } });
}

// --- drawing

function redraw() {
  const { error, loading, statistics } = state;
  drawKinds();
  drawFilters();
  const figures = byId('figures');
  figures.setAttribute('aria-busy', String(loading));
  figures.classList.toggle('stale', loading && Boolean(statistics));
  for (const id of ['csv', 'json']) byId(id).setAttribute('aria-disabled', String(!isReady()));
  if (statistics && !loading && !error) setText(byId('total'), totalWords(statistics));
  if (error) return show(figures, [failure()]);
  if (!statistics) return show(figures, [h('p', { class: 'empty' }, 'Loading figures…')]);
  if (statistics.games === 0) return show(figures, [nothing()]);
  return show(figures, sections());
}

/** Each card is made anew only where what it shows has changed. */
function sections() {
  const { against, explored, exploreError, heat, heatError, names, numbers, statistics, url } = state;
  const seats = state.kinds.find(({ kind }) => kind === url.kind)?.minSeats;
  const plain = cards(statistics, { seats, rivals: against && { results: against, names }, luckOf: url.player && names.player });
  return [
    ...kept('figures', [statistics, against, against && names.player + names.opponent], () => h('div', { class: 'cards' }, ...plain.before())),
    ...kept('openings', [statistics, explored, exploreError, url.at, url.line], () => openingsCard({ statistics, explored, error: exploreError, url }, linkTo)),
    ...kept('heat', [heat, heatError, numbers], () => heatCard({ heat, error: heatError, numbers }, acts)),
    ...kept('measures', [statistics, url.player && names.player], () => h('div', { class: 'cards' }, ...plain.after())),
  ];
}

/** A link to what comes after some actions; it is followed without leaving the page. */
function linkTo(at, line) {
  const onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go({ at, line }, ['explore']);
  };
  return { href: location.pathname + statisticsSearch({ ...state.url, at, line }), onclick };
}

function kept(name, from, make) {
  const old = drawn[name];
  if (old && from.every((each, index) => each === old.from[index])) return old.node ? [old.node] : [];
  const node = make();
  drawn[name] = { from, node };
  return node ? [node] : [];
}

/** Replaces only where something differs, so that focus and scroll stay. */
function show(place, nodes) {
  const same = nodes.length === place.childNodes.length && nodes.every((node, index) => node === place.childNodes[index]);
  if (same) return;
  const kept = new Set(nodes);
  for (const node of [...place.childNodes]) if (!kept.has(node)) node.remove();
  nodes.forEach((node, index) => {
    if (place.childNodes[index] !== node) place.insertBefore(node, place.childNodes[index] ?? null);
  });
}

function drawKinds() {
  const links = byId('kinds');
  if (links.childElementCount !== state.kinds.length) {
    links.replaceChildren(...state.kinds.map(({ kind, title }) => h('a', { 'data-kind': kind, href: '#' }, title)));
  }
  for (const link of links.children) {
    const here = link.dataset.kind === state.url.kind;
    link.href = location.pathname + statisticsSearch(ofKind(link.dataset.kind));
    if (here) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const title = state.kinds.find(({ kind }) => kind === state.url.kind)?.title;
  document.title = `${title ? `${title} · ` : ''}Statistics · Plybook`;
}

function ofKind(kind) {
  return { ...state.url, kind, reason: '', what: '', at: '', line: '' };
}

function drawFilters() {
  const { reasons, url } = state;
  const select = fields.namedItem('reason');
  if (select.options.length !== reasons.size + 1 || [...select.options].some(({ value }) => value && !reasons.has(value))) {
    select.replaceChildren(h('option', { value: '' }, 'Anything'), ...[...reasons].sort().map((reason) => h('option', { value: reason }, reasonWords(reason))));
  }
  for (const name of ['since', 'until', 'status', 'reason', 'tag']) {
    const field = fields.namedItem(name);
    if (document.activeElement !== field || name !== 'tag') field.value = url[name];
  }
  byId('clear').hidden = !isNarrowed(url);
}

function totalWords({ games, finished, pending }) {
  const waiting = pending > 0 ? `; ${counted(pending, 'event')} not counted yet` : '';
  if (games === 0) return waiting.slice(2);
  return `${counted(games, 'game')}${isNarrowed(state.url) ? ' found' : ''}, ${finished.toLocaleString()} finished${waiting}`;
}

function failure() {
  return h('div', { class: 'empty', role: 'alert' },
    h('p', {}, errorWords(state.error)),
    h('button', { type: 'button', class: 'primary', onclick: () => load() }, 'Try again'));
}

function nothing() {
  const narrowed = isNarrowed(state.url);
  return h('div', { class: 'empty' },
    h('p', {}, narrowed ? 'No game matches these filters.' : 'No games of this kind are recorded yet.'),
    narrowed && h('button', { type: 'button', onclick: clear }, 'Count all games'));
}

// --- what the reader does

function clear() {
  go({ player: '', opponent: '', status: '', since: '', until: '', reason: '', tag: '' });
}

function isReady() {
  return Boolean(state.statistics && !state.loading && !state.error);
}

function save(ending) {
  if (!isReady()) return;
  const { against, heat, names, statistics, url } = state;
  const { kind, pending, ...figures } = statistics;
  const name = `statistics-${kind}`;
  const rivals = against && { players: [names.player, names.opponent], results: against };
  if (ending === 'csv') {
    download(`${name}.csv`, 'text/csv;charset=utf-8', reportCsv(report(figures, { heat, against: rivals })));
    return;
  }
  const { scene, names: ignored, ...board } = heat ?? {};
  const file = { kind, filter: statisticsFilter(url), ...figures, board: heat && board, ...(rivals && { against: rivals }) };
  download(`${name}.json`, 'application/json', `${JSON.stringify(file, null, 2)}\n`);
}

function wire() {
  const form = byId('filters');
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', (event) => { event.preventDefault(); clear(); });
  form.addEventListener('change', ({ target }) => {
    if (['player', 'opponent'].includes(target.name) || !target.checkValidity()) return;
    go({ [target.name]: target.value.trim() });
  });
  byId('kinds').addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.dataset.kind !== state.url.kind) go(ofKind(link.dataset.kind));
  });
  for (const ending of ['csv', 'json']) byId(ending).addEventListener('click', () => save(ending));
  globalThis.addEventListener('popstate', () => {
    state.url = parseStatistics(location.search);
    load();
  });
}

wire();
load();
