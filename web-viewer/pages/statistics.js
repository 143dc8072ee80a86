// The statistics page of one kind.

import { common } from '../words/common.js';
import { statistics as words } from '../words/statistics.js';
import { lists as games } from '../words/lists.js';
import { addressed, failure, within } from '../base/addressed.js';
import { ApiError, request } from '../base/api.js';
import { byId, h, setText } from '../base/dom.js';
import { patch, row } from '../base/patch.js';
import { reasonWords } from '../model/format.js';
import { heatCard } from '../figures/heat-card.js';
import { openingsCard } from '../figures/openings.js';
import { PlayerField } from '../base/player-field.js';
import { TournamentChip } from '../base/tournament-chip.js';
import { EXPLORE, HEAT, OWN, STATISTICS } from '../model/figure-queries.js';
import { AGAINST, KINDS } from '../model/list-queries.js';
import { cards } from '../figures/statistics-cards.js';
import { isNarrowed, parseSearch, parseStatistics, searchOf, statisticsFilter } from '../model/filter-url.js';

const WHAT = 'visits';

const page = addressed({ parse: parseStatistics, search: searchOf, load }, {
  /** @type {{kind: string, title: string, minSeats: number}[]} */ kinds: [],
  /** @type {any} */ statistics: null,
  /** @type {any} */ heat: null,
  /** @type {any} */ heatError: null,
  /** @type {any} what was played from the position in the address */ explored: null,
  /** @type {any} */ exploreError: null,
  /** @type {any} */ against: null,
  numbers: false,
  /** @type {Set<string>} reasons to choose from */ reasons: new Set(),
  names: { player: '', opponent: '' },
}, redraw);
const { state, update } = page;

const fields = byId('filters').elements;
const player = new PlayerField(fields.namedItem('player'), byId('player-hint'), (id) => go({ player: id, ...(id ? {} : { opponent: '' }) }));
const opponent = new PlayerField(fields.namedItem('opponent'), byId('opponent-hint'), (id) => go(state().url.player ? { opponent: id } : { player: id }));
const tournament = new TournamentChip(byId('tournament'), () => go({ tournament: '' }));
const acts = {
  what: (what) => { go({ what }, ['heat']); },
  numbers: () => update({ numbers: !state().numbers }),
};

/** Shows other statistics. */
function go(change, parts = undefined) {
  page.go({ ...(parts ? {} : { at: '', line: '' }), ...change }, state().loading ? undefined : parts);
}

/** @param {string[]} [parts] what to load again; by default everything */
async function load(url, parts = ['statistics', 'heat', 'explore', 'against']) {
  showNames();
  tournament.show(url.tournament);
  const kind = await kindOf();
  const variables = { kind, filter: statisticsFilter(url) };
  const jobs = { statistics: loadStatistics, heat: loadHeat, explore: loadExplored, against: loadAgainst };
  return Object.assign({}, ...await Promise.all(parts.map((part) => jobs[part](variables))));
}

/** The kind in the address, or the first one. */
async function kindOf() {
  if (state().kinds.length === 0) update({ kinds: (await request(KINDS)).rules });
  const { kinds, url } = state();
  if (!url.kind) update({ url: { ...url, kind: kinds[0].kind } });
  else if (!kinds.some(({ kind }) => kind === url.kind)) throw new ApiError(words.noSuchGame, 'NOT_FOUND');
  return state().url.kind;
}

async function loadStatistics(variables) {
  const { reasons: old, statistics: before, url: { player: one, reason } } = state();
  const [{ statistics }, own] = await Promise.all([request(STATISTICS, variables), one ? request(OWN, { ...variables, player: one }) : null]);
  // A player's luck and play are those of that player's own seats.
  if (own) Object.assign(statistics, own.player?.statistics ?? { luck: [], analysis: null });
  const reasons = new Set([...(variables.kind === before?.kind ? old : []), ...statistics.reasons.map(({ key }) => key)]);
  if (reason) reasons.add(reason);
  return { statistics: { ...statistics, kind: variables.kind }, reasons };
}

async function loadHeat(variables) {
  try {
    const { statistics } = await request(HEAT, { ...variables, what: state().url.what || WHAT });
    const { heat } = statistics;
    return { heat: { ...heat, places: Object.fromEntries(heat.places.map(({ key, count }) => [key, count])) }, heatError: null };
  } catch (heatError) {
    return { heat: null, heatError };
  }
}

async function loadExplored(variables) {
  const { at } = state().url;
  if (!at) return { explored: null, exploreError: null };
  try {
    const { explore } = await request(EXPLORE, { ...variables, key: at });
    return { explored: { ...explore, key: at }, exploreError: null };
  } catch (exploreError) {
    return { explored: null, exploreError };
  }
}

async function loadAgainst({ kind }) {
  const { player: one, opponent: other } = state().url;
  if (!other) return { against: null };
  const answer = await request(AGAINST, { player: one, opponent: other, kind });
  return { against: answer.player?.against ?? null };
}

async function showNames() {
  const { url } = state();
  const [one, other] = await Promise.all([player.show(url.player), opponent.show(url.opponent)]);
  const { player: shown, opponent: rival } = state().url;
  if (url.player === shown && url.opponent === rival) update({ names: { player: one, opponent: other } });
}

// --- drawing

function redraw() {
  const now = state();
  const { error, loading, statistics } = now;
  drawKinds(now);
  drawFilters(now);
  const figures = byId('figures');
  figures.setAttribute('aria-busy', String(loading));
  figures.classList.toggle('stale', loading && Boolean(statistics));
  if (statistics && !loading && !error) setText(byId('total'), totalWords(statistics));
  patch(figures, content(now));
}

function content(now) {
  if (now.error) return [failure(now.error, page.load)];
  if (!now.statistics) return [h('p', { class: 'empty' }, words.loading)];
  return now.statistics.games === 0 ? [nothing()] : sections(now);
}

/** Cards are recreated only when their data has changed. */
function sections({ against, explored, exploreError, heat, heatError, kinds, names, numbers, statistics, url }) {
  const seats = kinds.find(({ kind }) => kind === url.kind)?.minSeats;
  const link = (at, line, properties, text) => within(location.pathname + searchOf({ ...url, at, line }), () => go({ at, line }, ['explore']), properties, text);
  const plain = cards(statistics, { seats, rivals: against && { results: against, names }, playerName: url.player && names.player });
  return [
    row('figures', [statistics, against, against && names.player + names.opponent], () => h('div', { class: 'cards' }, ...plain.before())),
    row('openings', [statistics, explored, exploreError, url.at, url.line], () => openingsCard({ statistics, explored, error: exploreError, url }, link)),
    row('heat', [heat, heatError, numbers], () => heatCard({ heat, error: heatError, numbers }, acts)),
    row('measures', [statistics, url.player && names.player], () => h('div', { class: 'cards' }, ...plain.after())),
  ];
}

function drawKinds({ kinds, url }) {
  patch(byId('kinds'), kinds.map(({ kind, title }) => (
    within(location.pathname + searchOf(ofKind(kind)), () => go(ofKind(kind)), { 'data-kind': kind, 'aria-current': kind === url.kind && 'page' }, title))));
  byId('to-search').href = `/search${searchOf(parseSearch(searchOf(url)))}`;
  const title = kinds.find(({ kind }) => kind === url.kind)?.title;
  document.title = title ? words.titleOf(title) : words.title;
}

function ofKind(kind) {
  return { ...state().url, kind, reason: '', what: '', at: '', line: '' };
}

function drawFilters({ reasons, url }) {
  patch(fields.namedItem('reason'), [h('option', { value: '' }, common.anything), ...[...reasons].sort().map((reason) => h('option', { value: reason }, reasonWords(reason)))]);
  for (const name of ['since', 'until', 'status', 'reason', 'tag']) {
    const field = fields.namedItem(name);
    if (document.activeElement !== field || name !== 'tag') field.value = url[name];
  }
  byId('clear').hidden = !isNarrowed(url);
}

function totalWords({ games: count, finished, pending }) {
  const all = isNarrowed(state().url) ? games.found(count) : games.count(count);
  return [count > 0 && words.total(all, finished), pending > 0 && words.waiting(pending)].filter(Boolean).join('; ');
}

function nothing() {
  const narrowed = isNarrowed(state().url);
  return h('div', { class: 'empty' },
    h('p', {}, narrowed ? games.noMatch : words.noneOfKind),
    narrowed && h('button', { type: 'button', onclick: clear }, words.countAll));
}

// --- input

function clear() {
  go({ player: '', opponent: '', status: '', since: '', until: '', reason: '', tag: '', tournament: '' });
}

function wire() {
  const form = byId('filters');
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', (event) => { event.preventDefault(); clear(); });
  form.addEventListener('change', ({ target }) => {
    if (['player', 'opponent'].includes(target.name) || !target.checkValidity()) return;
    go({ [target.name]: target.value.trim() });
  });
}

wire();
page.load();
