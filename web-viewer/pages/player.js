// The page of one player: ratings, figures by game, opponents, recent games.

import { ApiError, errorWords, request } from '../base/api.js';
import { deviceKey } from '../base/device-key.js';
import { byId, h, setText } from '../base/dom.js';
import { registerKey, removeKey } from '../base/key-dialog.js';
import { patch } from '../base/patch.js';
import { store } from '../base/store.js';
import { bar, card, chart, figure, resultsBar } from '../figures/figures.js';
import { curve } from '../figures/curve.js';
import { counted, day, moment } from '../model/format.js';
import { gameLinks } from '../figures/game-links.js';
import { AGAINST, KEY_KEEPER, KINDS, PLAYER_GAMES, PLAYER_KIND, RATING_HISTORY, REPERTOIRE, REPERTOIRE_START } from '../model/queries.js';
import { opponents, percent } from '../figures/results.js';
import { repertoireCard } from '../figures/repertoire.js';
import { seatsOf } from '../model/repertoire.js';
import { parseRepertoire, playerId, repertoireAddress } from '../model/url.js';

const OPPONENTS_MAX = 12;
const RECENT_MAX = 10;
/** So many of the most frequent actions are followed at first, to show two plies. */
const FOLLOWED = 3;

const { state, update } = store({
  id: playerId(location.pathname),
  /** @type {any} */ player: null,
  /** @type {any[]} kinds that the player played, with figures */ kinds: [],
  /** @type {any[]} the curves of the player's ratings */ curves: [],
  /** @type {any[]} the most frequent opponents of the last hundred games, with results */ rivals: [],
  /** whether the reader may change the keys */ mayChangeKeys: false,
  /** the public key of this device; empty if it has none */ publicKey: '',
  /** why a key was not added or removed */ refusal: '',
  /** the repertoire that is shown; no kind: the figures */ shown: parseRepertoire(location.search),
  /** what was played, by the key of the position, empty for the start @type {Map<string, import('../figures/repertoire.js').Found>} */ found: new Map(),
  /** @type {Set<string>} positions whose actions are listed */ opened: new Set(),
  loading: true,
  /** @type {any} */ error: null,
}, redraw);

async function load() {
  const { id } = state();
  update({ loading: true, error: null });
  try {
    const [{ player }, { rules }] = await Promise.all([request(PLAYER_GAMES, { id }), request(KINDS)]);
    if (!player) throw new ApiError('there is no player with this address', 'NOT_FOUND');
    const met = opponents(player.games.nodes, id).slice(0, OPPONENTS_MAX);
    const [figures, curves, against] = await Promise.all([
      Promise.all(rules.map(({ kind }) => request(PLAYER_KIND, { id, kind }))),
      Promise.all(player.ratings.map(({ kind }) => request(RATING_HISTORY, { id, kind }))),
      Promise.all(met.map((other) => request(AGAINST, { player: id, opponent: other.id }))),
    ]);
    const kinds = rules.map((rule, index) => ({ ...rule, won: figures[index].won.totalCount, ...figures[index].player.statistics }));
    const rivals = met.map((other, index) => ({ ...other, results: against[index].player.against }));
    update({ player, kinds: kinds.filter(({ games }) => games > 0), curves: curves.map((found) => found.player.ratingHistory), rivals, loading: false });
    if (state().shown.kind) showRepertoire();
  } catch (error) {
    update({ error, loading: false });
  }
}

// --- the repertoire

function usualSeats() {
  const { id, player, shown } = state();
  const seats = seatsOf(player.games.nodes, shown.kind, id);
  return seats.length > 0 ? seats : [1];
}

/** Loads what was played from the start, and after the most frequent actions. */
async function showRepertoire() {
  const { kind, seat } = state().shown;
  const shown = { kind, seat: seat || usualSeats()[0] };
  update({ shown, found: new Map(), opened: new Set() });
  const root = await explored('');
  if (state().shown !== shown || !root) return;
  const first = root.own.actions.slice(0, FOLLOWED).map(({ positionKey }) => positionKey);
  update({ opened: new Set(first) });
  for (const key of first) await explored(key);
}

/** @returns {Promise<any>} what was played from a position; null if it could not be loaded, or is no longer asked for */
async function explored(key) {
  const { id, shown } = state();
  const learned = (found) => state().shown === shown && update({ found: new Map(state().found).set(key, found) });
  learned('loading');
  try {
    const filter = { player: id, seat: shown.seat };
    const found = await (key ? request(REPERTOIRE, { kind: shown.kind, key, filter }) : request(REPERTOIRE_START, { kind: shown.kind, filter }));
    learned(found);
    return found;
  } catch (error) {
    learned({ error: error.code === 'BAD_SETUP' ? 'Games of this kind begin from set-ups of their own, so there is no common start.' : errorWords(error) });
    return null;
  }
}

function toggle(key) {
  const opened = new Set(state().opened);
  if (!opened.delete(key)) opened.add(key);
  update({ opened });
  const known = state().found.get(key);
  if (opened.has(key) && (!known || (known !== 'loading' && 'error' in known))) explored(key);
}

/** Shows the repertoire of a kind, or the figures, with an address of its own. */
function go(shown) {
  history.pushState(null, '', shown.kind ? repertoireAddress(state().id, shown) : location.pathname);
  update({ shown });
  if (shown.kind) showRepertoire();
}

function repertoire({ name }) {
  const { found, id, opened, shown } = state();
  const seats = [...new Set([...usualSeats(), ...(shown.seat ? [shown.seat] : [])])].sort((one, other) => one - other);
  return repertoireCard({ name, title: title(shown.kind), seat: shown.seat || usualSeats()[0], seats, found, opened }, {
    seat: (seat) => go({ kind: shown.kind, seat }), toggle, close: location.pathname,
    games: (at, line) => statistics({ kind: shown.kind, player: id, at, line: line.join(' ') }),
  });
}

function redraw() {
  const { error, loading, player } = state();
  byId('figures').setAttribute('aria-busy', String(loading));
  if (player) {
    document.title = `${player.name} · Plybook`;
    setText(byId('name'), player.name);
    setText(byId('total'), counted(player.games.totalCount, 'game'));
  }
  patch(byId('figures'), content(error, player));
}

function content(error, player) {
  if (error) {
    return [h('div', { class: 'empty', role: 'alert' },
      h('p', {}, errorWords(error)),
      error.code === 'NOT_FOUND' ? h('a', { href: '/' }, 'All games') : h('button', { type: 'button', class: 'primary', onclick: load }, 'Try again'))];
  }
  if (!player) return [h('p', { class: 'empty' }, 'Loading figures…')];
  if (player.games.totalCount === 0) return [h('p', { class: 'empty' }, 'No games are recorded yet.'), keysCard(player)].filter(Boolean);
  if (state().shown.kind) return [repertoire(player)];
  return [kindsCard(), h('div', { class: 'cards', id: 'ratings' }, ...ratingCards(player)), h('div', { class: 'cards' }, rivalsCard(), recentCard(player)), keysCard(player)].filter(Boolean);
}

/** The keys that the player signs with. */
function keysCard({ keys }) {
  const { mayChangeKeys, publicKey, refusal } = state();
  if (keys.length === 0 && !mayChangeKeys) return null;
  const isOwn = (key) => key === publicKey;
  const isRegistered = keys.some(({ key, until }) => isOwn(key) && !until);
  const rows = keys.map(({ key, since, until }) => h('li', { class: until ? 'soft' : '' }, h('code', {}, key), h('span', { class: 'hint' }, ` since ${moment(since)}`, until && ` until ${moment(until)}`, isOwn(key) && ' · the key of this device'),
    mayChangeKeys && !until && h('button', { type: 'button', class: 'quiet', 'data-remove': key, onclick: () => changeKeys(removeKey, key) }, 'Remove')));
  const add = h('form', { class: 'add-key', id: 'add-key', onsubmit: (event) => { event.preventDefault(); changeKeys(registerKey, event.target.elements.namedItem('key').value.trim().toLowerCase()); } },
    h('label', { for: 'key' }, 'Another public key'),
    h('div', { class: 'row' }, h('input', { id: 'key', name: 'key', required: true, pattern: '\\s*[0-9a-fA-F]{64}\\s*', title: '64 hex digits', autocomplete: 'off', spellcheck: 'false' }), h('button', { type: 'submit' }, 'Add')));
  return card({ title: 'Keys', name: 'wide', about: 'What these keys sign in a game is signed by this player. What a key signed stays signed when it is removed.' },
    rows.length > 0 ? h('ul', { class: 'keys', id: 'keys' }, ...rows) : h('p', { class: 'hint' }, 'No key is registered.'),
    ...mayChangeKeys ? [publicKey && !isRegistered && h('button', { type: 'button', id: 'add-own-key', onclick: () => changeKeys(registerKey, publicKey) }, 'Add the key of this device'), add, refusal && h('p', { class: 'bad', role: 'alert' }, refusal)].filter(Boolean) : []);
}

async function changeKeys(change, key) {
  const { id } = state();
  try {
    await change(id, key);
    update({ refusal: '' });
    await load();
  } catch (why) {
    update({ refusal: errorWords(why) });
  }
}

/** Whether the reader may change the keys of this player, and with which key this device signs. */
async function lookAtKeys() {
  const [key, { me }] = await Promise.all([deviceKey(), request(KEY_KEEPER)]);
  const isArbiter = ['arbiter', 'admin'].includes(me.role) && !me.game && !me.tournament;
  update({ publicKey: key?.publicKey ?? '', mayChangeKeys: isArbiter || (me.player?.id === state().id && !me.game) });
}

function kindsCard() {
  const { id, kinds } = state();
  const rows = kinds.map(({ kind, title, games, finished, won, results, plies, analysis }) => h('tr', {},
    h('th', { scope: 'row' }, h('a', { href: statistics({ kind, player: id }) }, title)),
    h('td', { class: 'number' }, games.toLocaleString()),
    h('td', { class: 'number' }, won.toLocaleString()),
    h('td', { class: 'wide' }, bar(finished ? won / finished : 0)),
    h('td', { class: 'number soft' }, finished ? percent(won / finished) : '–'),
    h('td', { class: 'number' }, results.draws.toLocaleString()),
    h('td', { class: 'number soft' }, plies.count ? figure(plies.median) : '–'),
    h('td', { class: 'number soft' }, analysis.accuracy == null ? '–' : `${figure(analysis.accuracy)} %`),
    h('td', {}, h('a', { href: repertoireAddress(id, { kind }), 'aria-label': `Repertoire in ${title}`, onclick: (event) => follow(event, kind) }, 'Repertoire'))));
  return card({ title: 'By game', name: 'wide', about: 'Share of finished games that were won, alone or with others; accuracy in those that are analysed. Each name leads to all figures.' },
    table(['Game', 'Games', 'Won', '', 'Share', 'Draws', 'Median plies', 'Accuracy', ''], rows));
}

/** A curve for each kind of game with rated games. */
function ratingCards({ name, ratings }) {
  const { curves } = state();
  return ratings.map(({ kind, value, deviation, provisional, games }, index) => {
    const points = curves[index];
    const now = `${Math.round(value)} ± ${Math.round(deviation)}`;
    const label = `${name}, ${title(kind)}: rated ${now} after ${counted(games, 'game')}, from ${Math.round(points[0].value)} on ${day(points[0].at)}`;
    const section = { id: `rating-${kind}`, title: `Rating in ${title(kind)}`, columns: [{ name: 'game over', unit: 'date' }, { name: 'rating', unit: 'number' }, { name: '±', unit: 'number' }], rows: points.map((point) => [point.at, Math.round(point.value), Math.round(point.deviation)]) };
    return card({
      title: `Rating in ${title(kind)}`, name: ratings.length > 1 ? 'half' : 'wide', aside: h('strong', {}, now),
      about: `${provisional ? 'Provisional: still too uncertain.  ' : ''}${counted(games, 'rated game')}${points.length < games ? `, the last ${points.length} shown` : ''}.`, sections: [section],
    }, chart(label, (width) => curve(points, { width, height: 190, words: day })),
    h('p', {}, h('a', { href: `/ratings?kind=${encodeURIComponent(kind)}${provisional ? '&provisional=1' : ''}` }, `All ratings in ${title(kind)}`)));
  });
}

function rivalsCard() {
  const { id, player, rivals } = state();
  if (rivals.length === 0) return null;
  const rows = rivals.map((other) => {
    const { results: { wins, draws } } = other;
    const label = `${player.name} won ${wins[0]}, ${other.name} won ${wins[1]}, ${draws} drawn`;
    return h('tr', {},
      h('th', { scope: 'row' }, h('a', { href: statistics({ kind: other.kind, player: id, opponent: other.id }) }, other.name)),
      h('td', { class: 'number' }, String(wins[0] + wins[1] + draws + other.results.other)),
      h('td', { class: 'wide' }, resultsBar(other.results, false, other.games, label)));
  });
  const about = `Those met most often of late, over all games: won by ${player.name}, then lost, drawn, and without a result or won by others.`;
  return card({ title: 'Opponents', name: 'half', about },
    table(['Player', 'Games', 'Results'], rows));
}

function recentCard(player) {
  return card({ title: 'Recent games', name: 'half' },
    gameLinks(player.games.nodes.slice(0, RECENT_MAX), { title }),
    h('p', {}, h('a', { href: `/?player=${encodeURIComponent(player.id)}` }, `All games of ${player.name}`)));
}

function table(heads, rows) {
  return h('div', { class: 'scrolls', tabindex: '0', role: 'group', 'aria-label': heads[0] }, h('table', { class: 'bars' },
    h('thead', {}, h('tr', {}, ...heads.map((name) => (name ? h('th', { scope: 'col', class: name === 'Results' && 'wide' }, name) : h('td', {}))))),
    h('tbody', {}, ...rows)));
}

function follow(event, kind) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go({ kind, seat: 0 });
  byId('figures').focus();
}

function statistics(params) {
  return `/statistics?${new URLSearchParams(params)}`;
}

function title(kind) {
  return state().kinds.find((each) => each.kind === kind)?.title ?? kind;
}

globalThis.addEventListener('popstate', () => {
  update({ shown: parseRepertoire(location.search) });
  if (state().player && state().shown.kind) showRepertoire();
});
load();

lookAtKeys().catch(() => {});
