// The public page of a tournament.

import { common } from '../words/common.js';
import { addressed, within } from '../base/addressed.js';
import { request } from '../base/api.js';
import { byId, h, setText } from '../base/dom.js';
import { patch } from '../base/patch.js';
import { publicAddress } from '../base/public-address.js';
import { save, saved } from '../base/saved.js';
import { against, datesWords, formatWords, foundIn, roundShown, roundWords, statusWords, timeWords } from '../model/tournament.js';
import { EXPLANATION, FOLLOW_GAME, PAGE_QR } from '../model/tournament-queries.js';
import { parseTournament, tournamentAddress, tournamentSearch } from '../model/tournament-url.js';
import { idIn } from '../model/url.js';
import { hasBracket, matchAt } from '../model/bracket.js';
import { moment, soon } from '../words/locale.js';
import { tournament as words } from '../words/tournament.js';
import { about } from '../tournaments/about.js';
import { linked } from '../tournaments/linked.js';
import { starting } from '../tournaments/starting.js';
import { boardRows, boardTables, playing, BOARDS_MAX } from '../tournaments/boards.js';
import { bracketView, groupsView } from '../tournaments/bracket.js';
import { card } from '../tournaments/card.js';
import { followTournament, loadCard, loadEntrants, loadGroups, loadProgress, loadRound, loadStandings, loadTournament } from '../tournaments/load.js';
import { openExplanation, pairingNote, pairingsByName, pairingsByTable } from '../tournaments/pairings.js';
import { byeText, empty, failure, resultText, roundTitle } from '../tournaments/parts.js';
import { Projector } from '../tournaments/projector.js';
import { playersTable, progressTable, squareTable, standingsTable, tieBreakKey } from '../tournaments/standings.js';

const TOP = 10;
/** Where the name that somebody looked for is kept, for the next round. */
const FOUND = 'plybook.find';
/** The most people shown who match it. */
const FOUND_MAX = 5;

const id = idIn(location.pathname);
const page = addressed({ parse: parseTournament, search: tournamentSearch, load }, {
  /** @type {any} */ tournament: null,
  /** @type {any} the data shown, with its view and round */ shown: null,
  /** @type {Record<string, any>} games whose boards are shown */ games: {},
  boards: 0,
  find: saved(FOUND) ?? '',
  live: 'connecting',
}, redraw);
const { state, update } = page;
const projector = new Projector(byId('projector'), { again: () => page.load(), leave: () => go({ projector: false }) });
/** @type {import('../base/live.js').Live | null} */
let live = null;

// --- loading

async function load() {
  try {
    const tournament = await loadTournament(id);
    const shown = await loadView(tournament);
    live ??= followTournament(id, { changed: () => page.load(), state: (now) => update({ live: now }) });
    return { tournament, shown };
  } catch (error) {
    // What is shown stays while the service is unreachable.
    if (state().shown && error.code === 'OFFLINE') return {};
    throw error;
  }
}

async function loadView(tournament) {
  const { url } = state();
  const view = viewOf(url, tournament);
  const round = roundShown(tournament.rounds, url.round);
  const of = { view, round, player: url.player };
  if (url.projector) return { ...of, ...await loadProjector(round, tournament) };
  if (url.player) return { ...of, entrant: await loadCard(id, url.player) };
  switch (view) {
    case 'now': return { ...of, round, ...await loadNow(round) };
    case 'pairings': return { ...of, pairings: round ? await loadRound(id, round) : null };
    case 'standings': return { ...of, standings: await loadStandings(id, url.round || null) };
    case 'groups': return { ...of, groups: await loadGroups(id, url.round || null) };
    case 'crosstable': return { ...of, progress: await loadProgress(id, url.round || null) };
    case 'players': return { ...of, entrants: await loadEntrants(id) };
    case 'about': return { ...of, qr: await loadQr() };
    case 'all': return { ...of, ...await loadAll(tournament) };
    default: return of;
  }
}

async function loadNow(round) {
  const [pairings, standings] = await Promise.all([round ? loadRound(id, round) : null, loadStandings(id, null)]);
  return { pairings, standings };
}

async function loadProjector(round, { status }) {
  const { url } = state();
  const pairings = round && (status !== 'FINISHED' || url.view === 'pairings') && url.view !== 'standings' ? await loadRound(id, round) : null;
  const standings = url.view === 'pairings' ? null : await loadStandings(id, null);
  return { pairings, standings, qr: await loadQr() };
}

/** The code of this page, for phones. */
async function loadQr() {
  const { tournament } = await request(PAGE_QR, { id, base: publicAddress() });
  return tournament.qr;
}

/** Everything, to be printed at once. */
async function loadAll({ rounds }) {
  const paired = rounds.filter(({ status }) => status !== 'UNPAIRED');
  const [standings, progress, entrants] = await Promise.all([loadStandings(id, null), loadProgress(id, null), loadEntrants(id)]);
  const all = [];
  for (const { number } of paired) all.push(await loadRound(id, number));
  return { standings, progress, entrants, rounds: all };
}

/** The views available for a tournament. */
function viewsOf({ format, status }) {
  const isThere = { now: status !== 'FINISHED', groups: format === 'GROUPS_KNOCKOUT', bracket: hasBracket(format) };
  return Object.entries(words.views).filter(([view]) => isThere[view] ?? true);
}

/** A tournament in play opens with its current games, others with their standings or players. */
function viewOf({ view }, { status, currentRound }) {
  if (view) return view;
  if (status === 'FINISHED') return 'standings';
  return currentRound ? 'now' : 'players';
}

function go(change) {
  update({ boards: 0 });
  page.go(change);
}

/** Follows the games whose boards are shown. */
function followBoards() {
  const { boards, shown, url } = state();
  if (!live) return;
  const tables = shown?.view === 'now' && !url.projector && !url.player ? boardTables(shown.pairings, boards) : [];
  live.keep(new Map([
    ...[...live.subscriptions].filter(([key]) => key === 'tournament'),
    ...tables.map(({ game }) => /** @type {[string, any]} */ ([game.id, {
      query: FOLLOW_GAME,
      variables: () => ({ id: game.id }),
      next: ({ gameUpdated }) => update({ games: { ...state().games, [game.id]: gameUpdated } }),
    }])),
  ]));
}

// --- drawing

const acts = {
  link: ({ number }) => ({ href: tournamentAddress(id, { player: number }), go: () => go({ player: number, view: '', round: 0, by: '' }) }),
  match: (round, table) => matchAt(state().tournament.bracket, round, table),
  explain: async (table) => {
    const { tournament } = await request(EXPLANATION, { id, round: state().shown.round, table: table.number }).catch(() => ({ tournament: null }));
    openExplanation(table, tournament?.round?.table ?? { explanation: [] }, state().shown.pairings);
  },
};

function redraw() {
  const { error, loading, shown, tournament, url } = state();
  byId('content').setAttribute('aria-busy', String(loading));
  document.body.classList.toggle('projecting', url.projector);
  byId('projector').hidden = !url.projector;
  if (tournament) drawHead();
  else setText(byId('facts'), loading ? common.tournamentLoading : '');
  if (url.projector && tournament && shown) projector.draw(tournament, shown);
  else projector.stop();
  patch(byId('content'), error ? [failure(error, page.load)] : shown && tournament ? content() : []);
  byId('tools').hidden = Boolean(error) || !shown;
  if (shown && tournament) patch(byId('tools'), tools());
  followBoards();
}

function drawHead() {
  const { live: now, shown, tournament, url } = state();
  const { kind, mayOrganise, name, place, ruleSet, status, timeControl } = tournament;
  document.title = `${name} · Plybook`;
  setText(byId('name'), name);
  setText(byId('status'), statusWords(tournament));
  byId('status').className = `label ${status.toLowerCase()}`;
  byId('organise').hidden = !mayOrganise;
  byId('organise').href = `/tournaments/${encodeURIComponent(id)}/organise`;
  byId('live').hidden = status === 'FINISHED';
  byId('live').dataset.state = now;
  setText(byId('live'), common.live[now]);
  patch(byId('news'), [tournament.announcement && h('p', { class: 'notice announcement', id: 'announcement', role: 'status' }, ...linked(tournament.announcement)), starting(tournament)].filter(Boolean));
  patch(byId('facts'), [ruleSet?.title ?? kind, formatWords(tournament), datesWords(tournament), place, timeControl].filter(Boolean).map((text) => h('span', {}, h('bdi', {}, text))));
  const current = url.player ? '' : shown?.view ?? viewOf(url, tournament);
  patch(byId('views'), [
    ...viewsOf(tournament).map(([view, title]) => within(tournamentAddress(id, { view }), () => go({ view, player: 0, round: 0, by: '' }), { 'aria-current': view === current && 'page' }, title)),
    h('a', { href: `/statistics?kind=${encodeURIComponent(kind)}&tournament=${encodeURIComponent(id)}` }, common.statistics),
  ]);
  const bar = byId('views');
  const here = /** @type {HTMLElement | null} */ (bar.querySelector('[aria-current]'));
  if (here) reveal(bar, here);
}

/** Scrolls a bar to a link that is not in view. */
function reveal(bar, link) {
  const [outer, inner] = [bar, link].map((each) => each.getBoundingClientRect());
  if (inner.left >= outer.left && inner.right <= outer.right) return;
  bar.scrollLeft += document.dir === 'rtl' ? inner.right - outer.right + 10 : inner.left - outer.left - 10;
}

/** The choice of rounds, and actions on the view. */
function tools() {
  const { shown, tournament, url } = state();
  const rounds = tournament.rounds.filter(({ status }) => status !== 'UNPAIRED');
  const isRounds = !url.player && ['pairings', 'standings', 'groups', 'crosstable'].includes(shown.view) && rounds.length > 0;
  const chosen = shown.view === 'pairings' ? shown.round : url.round;
  return [
    url.player > 0 && within(tournamentAddress(id, { view: 'players' }), () => go({ view: 'players', player: 0 }), { class: 'button' }, words.allPlayers),
    isRounds && h('div', { class: 'rounds', role: 'group', 'aria-label': shown.view === 'pairings' ? common.roundLabel : words.afterRound },
      ...rounds.map(({ number, status }) => within(tournamentAddress(id, { ...url, view: shown.view, round: number }), () => go({ view: shown.view, round: number }),
        { 'aria-current': number === chosen && 'true', title: roundWords(status), 'aria-label': common.roundState(number, roundWords(status)), class: status === 'OPEN' ? 'open' : '' }, String(number))),
      shown.view !== 'pairings' && within(tournamentAddress(id, { view: shown.view }), () => go({ view: shown.view, round: 0 }), { 'aria-current': !url.round && 'true' }, words.now)),
    shown.view === 'pairings' && shown.round > 0 && h('div', { class: 'rounds', role: 'group', 'aria-label': words.order },
      within(tournamentAddress(id, { ...url, by: '' }), () => go({ by: '' }), { 'aria-current': !url.by && 'true' }, words.byTable),
      within(tournamentAddress(id, { ...url, by: 'name' }), () => go({ by: 'name' }), { 'aria-current': url.by === 'name' && 'true' }, words.byName)),
    !url.player && ['now', 'pairings'].includes(shown.view) && shown.round > 0 && h('input', { type: 'search', id: 'find', 'aria-label': words.find, placeholder: words.find, autocomplete: 'off', value: state().find, oninput: ({ target }) => find(target.value) }),
    h('span', { class: 'space' }),
    shown.view !== 'all' && within(tournamentAddress(id, { view: 'all' }), () => go({ view: 'all', player: 0, round: 0, by: '' }), { class: 'button quiet hall' }, words.everything),
    h('button', { type: 'button', class: 'quiet', onclick: () => print() }, common.print),
    within(tournamentAddress(id, { ...url, player: 0, projector: true }), () => go({ projector: true, player: 0 }), { class: 'button quiet hall', title: words.forTheHall }, words.projector),
  ];
}

function content() {
  const { shown, tournament } = state();
  if (shown.entrant) return [card(shown.entrant, tournament, acts)];
  switch (shown.view) {
    case 'now': return now();
    case 'pairings': return pairings();
    case 'standings': return [standingsTitle(), ...standings(shown.standings)];
    case 'groups': return groups();
    case 'bracket': return [heading(words.views.bracket), tournament.bracket ? bracketView(tournament.bracket, acts) : empty(tournament.format === 'KNOCKOUT' ? words.drawnFirst : words.drawnAfterGroups)];
    case 'crosstable': return crosstable();
    case 'players': return [tournament.status === 'PLANNED' && tournament.description && h('p', { class: 'description' }, ...linked(tournament.description)), ...shown.entrants?.length ? [heading(words.views.players), playersTable(shown.entrants, acts)] : [empty(common.noEntrants)]].filter(Boolean);
    case 'all': return everything();
    default: return [heading(words.views.about), about(tournament, shown.qr, publicAddress())];
  }
}

/** A heading that matters more on paper than on screen. */
function heading(text) {
  return h('h2', { class: 'view-title' }, text);
}

function standingsTitle() {
  const { tournament, url } = state();
  const after = url.round || lastRound(tournament);
  return heading(after ? words.standingsAfter(after) : words.views.standings);
}

/** Every list on a sheet of its own. */
function everything() {
  const { shown, tournament } = state();
  const { entrants, progress, rounds, standings: rows } = shown;
  const cross = tournament.format === 'ROUND_ROBIN' && tournament.seats === 2 ? squareTable : progressTable;
  const sheets = [
    [standingsTitle(), ...standings(rows)],
    tournament.bracket && [heading(words.views.bracket), bracketView(tournament.bracket, acts)],
    progress.length > 0 && rounds.length > 0 && [heading(words.views.crosstable), cross(progress, lastRound(tournament) || rounds.at(-1).number, acts)],
    ...rounds.map((round) => [roundHeading(round), pairingsByTable(round, tournament.seats, acts)]),
    entrants.length > 0 && [heading(words.views.players), playersTable(entrants, acts)],
  ];
  return sheets.filter(Boolean).map((content) => h('section', { class: 'paper' }, ...content));
}

/** A round with its stage, and when it starts. */
function roundHeading({ number }) {
  const { tournament } = state();
  const { bracket, roundsAt } = tournament;
  return heading([roundTitle(bracket, number), roundsAt[number - 1] && timeWords(soon, roundsAt[number - 1], tournament)].filter(Boolean).join(' · '));
}

function find(text) {
  update({ find: text });
  save(FOUND, text);
}

/** Where those play whom the reader looks for. */
function found(round) {
  const rows = round ? foundIn(round, state().find).slice(0, FOUND_MAX) : [];
  if (rows.length === 0) return round && state().find.trim() ? h('p', { class: 'hint', id: 'found' }, common.noPlayer) : null;
  return h('ul', { class: 'found card', id: 'found', 'aria-label': words.found }, ...rows.map(({ bye, entrant, seat, table, ...met }) => h('li', {},
    h('strong', { dir: 'auto' }, entrant.name), ' ', bye ? byeText(bye, round) : words.playsAt(table.number, seat, against(met)), ' ', table && resultText(table))));
}

function now() {
  const { boards, games, shown } = state();
  const { pairings: round, standings: rows } = shown;
  const all = playing(round);
  // A start position says nothing: many tables enter results only.
  const plies = (table) => games[table.game.id]?.ply ?? table.game.ply;
  const tables = boardTables(round, boards).filter((table) => plies(table) > 0);
  const isPlayed = all.some((table) => plies(table) > 0);
  const pages = Math.ceil(all.length / BOARDS_MAX);
  return [
    found(round),
    isPlayed && heading(words.nowPlaying),
    tables.length > 0 && grid(boardRows(tables, games)),
    isPlayed && pages > 1 && h('nav', { class: 'board-pages', 'aria-label': words.boards }, ...Array.from({ length: pages }, (_, page) => h('button', {
      type: 'button', 'aria-current': page === boards && 'true', onclick: () => update({ boards: page }),
    }, `${page * BOARDS_MAX + 1}–${Math.min(all.length, (page + 1) * BOARDS_MAX)}`))),
    h('div', { class: 'two' },
      h('section', { 'aria-label': words.views.pairings }, round && roundHeading(round), round ? pairingsByTable(round, state().tournament.seats, acts) : empty(words.nothingPaired)),
      h('section', { 'aria-label': words.views.standings }, heading(words.views.standings), ...standings(rows.slice(0, TOP)),
        rows.length > TOP && h('p', {}, within(tournamentAddress(id, { view: 'standings' }), () => go({ view: 'standings', round: 0 }), {}, words.all(rows.length))))),
  ];
}

/** Boards keep their elements while other boards change. */
function grid(rows) {
  const found = document.getElementById('boards') ?? h('div', { class: 'boards', id: 'boards' });
  patch(found, rows);
  return found;
}

function pairings() {
  const { shown: { pairings: round }, tournament, url } = state();
  if (!round || round.status === 'UNPAIRED') return [empty(round ? words.notPaired(round.number) : words.nothingPaired, tournament.startsAt ? words.starts(timeWords(moment, tournament.startsAt, tournament)) : '')];
  return [
    found(round),
    roundHeading(round),
    url.by === 'name' ? pairingsByName(round, acts) : pairingsByTable(round, tournament.seats, acts),
    pairingNote(round),
  ].filter(Boolean);
}

/** The round after which standings are shown by default: the last that is over or has a result. */
function lastRound({ rounds }) {
  const hasResult = ({ adjourned, missing, tablesCount }) => missing.length + adjourned.length < tablesCount;
  return rounds.filter((round) => round.status === 'CLOSED' || (round.status === 'OPEN' && hasResult(round))).at(-1)?.number || 0;
}

function standings(rows) {
  const { tournament, url } = state();
  if (rows.length === 0) return [empty(common.noEntrants)];
  const after = url.round || lastRound(tournament);
  return [standingsTable(rows, after, acts), tieBreakKey(rows)].filter(Boolean);
}

function groups() {
  const { shown: { groups: all }, tournament, url } = state();
  const after = url.round || lastRound(tournament);
  if (!all?.length) return [empty(words.noGroups)];
  return [heading(after ? words.groupsAfter(after) : words.views.groups), ...groupsView(all, after, acts), tieBreakKey(all[0].standings)].filter(Boolean);
}

function crosstable() {
  const { shown: { progress }, tournament, url } = state();
  const after = url.round || lastRound(tournament) || tournament.currentRound?.number || 0;
  if (!progress?.length || !after) return [empty(words.nothingPaired)];
  const draw = tournament.format === 'ROUND_ROBIN' && tournament.seats === 2 ? squareTable : progressTable;
  return [heading(words.views.crosstable), draw(progress, after, acts)];
}

globalThis.addEventListener('beforeprint', () => setText(byId('printed'), words.printed(moment(new Date().toISOString()))));
page.load();
