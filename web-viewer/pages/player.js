// The page of one player: ratings, figures by game, opponents, recent games.

import { common } from '../words/common.js';
import { players as words } from '../words/players.js';
import { lists } from '../words/lists.js';
import { statistics as figuresOf } from '../words/statistics.js';
import { day, moment, number } from '../words/locale.js';
import { failure } from '../base/addressed.js';
import { ApiError, errorWords, request } from '../base/api.js';
import { deviceKey } from '../base/device-key.js';
import { byId, h, marked, setText } from '../base/dom.js';
import { registerKey, removeKey } from '../base/key-dialog.js';
import { patch } from '../base/patch.js';
import { store } from '../base/store.js';
import { bar, card, chart, figure, resultsBar } from '../figures/figures.js';
import { curve } from '../figures/curve.js';
import { gameLinks } from '../figures/game-links.js';
import { AGAINST, KEY_KEEPER, KINDS, PLAYER_GAMES, PLAYER_KIND, RATING_HISTORY } from '../model/list-queries.js';
import { opponents, percent } from '../figures/results.js';
import { datesWords, statusWords } from '../model/tournament.js';
import { idIn } from '../model/url.js';

const OPPONENTS_MAX = 12;
const RECENT_MAX = 10;

const { state, update } = store({
  id: idIn(location.pathname),
  /** @type {any} */ player: null,
  /** @type {any[]} the newest that the player is entered in */ tournaments: [],
  /** @type {any[]} all kinds, with figures */ kinds: [],
  /** @type {any[]} the curves of the player's ratings */ curves: [],
  /** @type {any[]} the most frequent opponents of the last hundred games, with results */ rivals: [],
  /** whether the reader may change the keys */ mayChangeKeys: false,
  /** the public key of this device; empty if it has none */ publicKey: '',
  /** why a key was not added or removed */ refusal: '',
  loading: true,
  /** @type {any} */ error: null,
}, redraw);

async function load() {
  const { id } = state();
  update({ loading: true, error: null });
  try {
    const [{ player, tournaments }, { rules }] = await Promise.all([request(PLAYER_GAMES, { id }), request(KINDS)]);
    if (!player) throw new ApiError(words.none, 'NOT_FOUND');
    const met = opponents(player.games.nodes, id).slice(0, OPPONENTS_MAX);
    const [figures, curves, against] = await Promise.all([
      Promise.all(rules.map(({ kind }) => request(PLAYER_KIND, { id, kind }))),
      Promise.all(player.ratings.map(({ kind }) => request(RATING_HISTORY, { id, kind }))),
      Promise.all(met.map((other) => request(AGAINST, { player: id, opponent: other.id }))),
    ]);
    const kinds = rules.map((rule, index) => ({ ...rule, won: figures[index].won.totalCount, ...figures[index].player.statistics }));
    const rivals = met.map((other, index) => ({ ...other, results: against[index].player.against }));
    update({ player, tournaments: tournaments.nodes, kinds, curves: curves.map((found) => found.player.ratingHistory), rivals, loading: false });
  } catch (error) {
    update({ error, loading: false });
  }
}

function redraw() {
  const { error, loading, player } = state();
  byId('figures').setAttribute('aria-busy', String(loading));
  if (player) {
    document.title = `${player.name} · Plybook`;
    setText(byId('name'), player.name);
    setText(byId('total'), lists.count(player.games.totalCount));
  }
  patch(byId('figures'), content(error, player));
}

function content(error, player) {
  if (error) return [failure(error, load)];
  if (!player) return [h('p', { class: 'empty' }, figuresOf.loading)];
  if (player.games.totalCount === 0) return [h('p', { class: 'empty' }, lists.none), tournamentsCard(), keysCard(player)].filter(Boolean);
  return [kindsCard(), h('div', { class: 'cards', id: 'ratings' }, ...ratingCards(player)), h('div', { class: 'cards' }, rivalsCard(), recentCard(player)), tournamentsCard(), keysCard(player)].filter(Boolean);
}

/** The keys that the player signs with. */
function keysCard({ keys }) {
  const { mayChangeKeys, publicKey, refusal } = state();
  if (keys.length === 0 && !mayChangeKeys) return null;
  const isOwn = (key) => key === publicKey;
  const isRegistered = keys.some(({ key, until }) => isOwn(key) && !until);
  const rows = keys.map(({ key, since, until }) => h('li', { class: until ? 'soft' : '' }, h('code', {}, key), h('span', { class: 'hint' }, ` ${until ? words.sinceUntil(moment(since), moment(until)) : words.since(moment(since))}`, isOwn(key) && ` · ${words.ownKey}`),
    mayChangeKeys && !until && h('button', { type: 'button', class: 'quiet', 'data-remove': key, onclick: () => changeKeys(removeKey, key) }, common.remove)));
  const add = h('form', { class: 'add-key', id: 'add-key', onsubmit: (event) => { event.preventDefault(); changeKeys(registerKey, event.target.elements.namedItem('key').value.trim().toLowerCase()); } },
    h('label', { for: 'key' }, words.anotherKey),
    h('div', { class: 'row' }, h('input', { id: 'key', name: 'key', required: true, pattern: '\\s*[0-9a-fA-F]{64}\\s*', title: words.hexDigits, autocomplete: 'off', spellcheck: 'false' }), h('button', { type: 'submit' }, words.add)));
  return card({ title: words.keys, name: 'wide', about: words.keysAbout },
    rows.length > 0 ? h('ul', { class: 'keys', id: 'keys' }, ...rows) : h('p', { class: 'hint' }, words.noKey),
    ...mayChangeKeys ? [publicKey && !isRegistered && h('button', { type: 'button', id: 'add-own-key', onclick: () => changeKeys(registerKey, publicKey) }, words.addOwnKey), add, refusal && h('p', { class: 'bad', role: 'alert' }, ...marked(refusal))].filter(Boolean) : []);
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
  const { id } = state();
  // Results without a record have no figures.
  const kinds = state().kinds.filter(({ games }) => games > 0);
  if (kinds.length === 0) return null;
  const rows = kinds.map(({ kind, title, games, finished, won, results, plies, analysis }) => h('tr', {},
    h('th', { scope: 'row' }, h('a', { href: statistics({ kind, player: id }) }, title)),
    h('td', { class: 'number' }, number(games)),
    h('td', { class: 'number' }, number(won)),
    h('td', { class: 'wide' }, bar(finished ? won / finished : 0)),
    h('td', { class: 'number soft' }, finished ? percent(won / finished) : '–'),
    h('td', { class: 'number' }, number(results.draws)),
    h('td', { class: 'number soft' }, plies.count ? figure(plies.median) : '–'),
    h('td', { class: 'number soft' }, analysis.accuracy == null ? '–' : `${figure(analysis.accuracy)} %`)));
  return card({ title: words.byGame, name: 'wide', about: words.byGameAbout },
    table([common.game, common.games, words.won, '', common.share, common.draws, words.medianPlies, common.accuracy], rows));
}

/** A curve for each kind of game with rated games. */
function ratingCards({ name, ratings }) {
  const { curves } = state();
  return ratings.map(({ kind, value, deviation, provisional, games }, index) => {
    const points = curves[index];
    const now = `${Math.round(value)} ± ${Math.round(deviation)}`;
    const label = words.rated(name, title(kind), now, lists.count(games), Math.round(points[0].value), day(points[0].at));
    const section = { title: words.ratingIn(title(kind)), columns: [{ name: words.gameOver, unit: 'date' }, { name: words.rating, unit: 'number' }, { name: '±', unit: 'number' }], rows: points.map((point) => [point.at, Math.round(point.value), Math.round(point.deviation)]) };
    return card({
      title: words.ratingIn(title(kind)), name: ratings.length > 1 ? 'half' : 'wide', aside: h('strong', {}, now),
      about: [provisional && words.provisional, points.length < games ? words.lastShown(games, points.length) : words.ratedGames(games)].filter(Boolean).join(' '), sections: [section],
    }, chart(label, (width) => curve(points, { width, height: 190, words: day })),
    h('p', {}, h('a', { href: `/ratings?kind=${encodeURIComponent(kind)}${provisional ? '&provisional=1' : ''}` }, words.allRatings(title(kind)))));
  });
}

function rivalsCard() {
  const { id, player, rivals } = state();
  if (rivals.length === 0) return null;
  const rows = rivals.map((other) => {
    const { results: { wins, draws } } = other;
    const label = words.rival(player.name, wins[0], other.name, wins[1], draws);
    return h('tr', {},
      h('th', { scope: 'row' }, h('a', { href: statistics({ kind: other.kind, player: id, opponent: other.id }) }, other.name)),
      h('td', { class: 'number' }, String(wins[0] + wins[1] + draws + other.results.other)),
      h('td', { class: 'wide' }, resultsBar(other.results, false, other.games, label)));
  });
  const about = words.opponentsAbout(player.name);
  return card({ title: words.opponents, name: 'half', about },
    table([common.player, common.games, common.results], rows));
}

function recentCard(player) {
  return card({ title: common.recentGames, name: 'half' },
    gameLinks(player.games.nodes.slice(0, RECENT_MAX), { title }),
    h('p', {}, h('a', { href: `/?player=${encodeURIComponent(player.id)}` }, words.allGames(player.name))));
}

function tournamentsCard() {
  const { tournaments } = state();
  return tournaments.length > 0 && card({ title: words.tournaments, name: 'wide' }, h('ul', { id: 'tournaments' }, ...tournaments.map((tournament) => h('li', {},
    h('a', { href: `/tournaments/${encodeURIComponent(tournament.id)}`, dir: 'auto' }, tournament.name), h('span', { class: 'hint' }, ` ${[datesWords(tournament), statusWords(tournament)].filter(Boolean).join(' · ')}`)))));
}

function table(heads, rows) {
  return h('div', { class: 'scrolls', tabindex: '0', role: 'group', 'aria-label': heads[0] }, h('table', { class: 'bars' },
    h('thead', {}, h('tr', {}, ...heads.map((name) => (name ? h('th', { scope: 'col', class: name === common.results && 'wide' }, name) : h('td', {}))))),
    h('tbody', {}, ...rows)));
}

function statistics(params) {
  return `/statistics?${new URLSearchParams(params)}`;
}

function title(kind) {
  return state().kinds.find((each) => each.kind === kind)?.title ?? kind;
}

load();
lookAtKeys().catch(() => {});
