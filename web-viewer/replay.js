// The replay page: one state, one way to change it, one redraw.

import { drawAbout, drawBadge, openRules, openVerification } from './about.js';
import { ApiError, errorWords, request, token } from './api.js';
import { Board } from './board.js';
import { drawControls, wireControls } from './controls.js';
import { byId, h, setText } from './dom.js';
import { Explorer } from './explorer.js';
import { announcement } from './format.js';
import { notes, rewrites } from './history.js';
import { follow } from './live.js';
import { Moves } from './moves.js';
import { Files, Log, Words, drawTabs, wireTabs } from './panels.js';
import { Positions } from './positions.js';
import { FOLLOW, GAME, MOVES, POSITIONS, RULES } from './queries.js';
import { Record } from './record.js';
import { seatGlyphs } from './scene.js';
import { wireSignIn } from './sign-in.js';
import { gameId, plyOf, viewerOf } from './url.js';

const MOVES_PAGE = 100;
const REFRESH_MS = 60;
const ANNOUNCE_MS = 350;

const state = {
  id: gameId(location.pathname),
  /** @type {any} */ game: null,
  /** @type {any} */ rules: null,
  /** @type {any[]} the mainline, as far as loaded */ moves: [],
  movesDone: false,
  /** @type {any} */ movesError: null,
  ply: 0,
  /** @type {any} the one at `ply`, once loaded */ position: undefined,
  /** @type {Map<number, string>} letters that stand for seats on this board */ glyphs: new Map(),
  viewer: viewerOf(location.search),
  flipped: false,
  playing: false,
  speedMs: 1000,
  tab: 'moves',
  live: 'connecting',
  /** @type {import('./verify.js').LogEvent[]} the verified events */ events: [],
  /** @type {import('./verify.js').Finding | null} */ finding: null,
  /** @type {any} */ checkError: null,
  checked: 0,
  /** @type {{derived: number, others: number, waiting: number} | null} the service's dice */ rolls: null,
  /** @type {import('./history.js').Note[]} */ notes: [],
  /** @type {any} why there is nothing to show */ error: null,
  openRules: () => openRules(state),
};

const board = new Board(byId('board'));
const moves = new Moves(byId('panel-moves'), go);
const explorer = new Explorer(byId('panel-explorer'), go);
const words = new Words(byId('panel-words'));
const log = new Log(byId('panel-log'));
new Files(byId('panel-files'), () => state);
const record = new Record(state.id, (change) => {
  update(change);
  if (!change.finding) return;
  tell();
});

let positions = newPositions();
let movesCursor = null;
let loadingMoves = 0;
let rewritten = false;
let seqSeen = -1;
let arrived = [];
let refreshTimer = 0;
let playTimer = 0;
let announceTimer = 0;
let redrawing = false;
let announced = -1;

// --- the one way to change the state, and what follows from it

function update(change) {
  const ply = state.ply;
  Object.assign(state, change);
  if (!state.game) return schedule();
  state.ply = Math.max(0, Math.min(state.ply, state.game.ply));
  if (state.ply !== ply) history.replaceState(null, '', `${location.pathname}${location.search}#${state.ply}`);
  positions.want(state.ply, state.game.ply);
  state.position = positions.get(state.ply);
  if (state.glyphs.size === 0 && state.position) state.glyphs = seatGlyphs(state.position.scene);
  return schedule();
}

function schedule() {
  if (redrawing) return;
  redrawing = true;
  queueMicrotask(() => {
    redrawing = false;
    redraw();
  });
}

function redraw() {
  drawAbout(state);
  drawBadge(state);
  drawControls(state);
  drawTabs(state);
  board.draw(state.position, state.flipped);
  moves.draw(state);
  explorer.draw(state);
  words.draw(state);
  log.draw(state);
  drawNotice();
  if (state.position && state.ply !== announced) announce();
}

function drawNotice() {
  const why = state.error ?? positions.error(state.ply);
  const notice = byId('notice');
  notice.hidden = !why;
  if (!why) return notice.replaceChildren();
  if (notice.dataset.why === String(why) && notice.childNodes.length) return undefined;
  notice.dataset.why = String(why);
  return notice.replaceChildren(...noticeContent(why));
}

function noticeContent(why) {
  const button = (text, onclick) => h('button', { type: 'button', onclick }, text);
  if (why.code === 'NOT_FOUND') {
    setText(byId('title'), 'No such game');
    return ['There is no game with this address. ', h('a', { href: '/' }, 'All games')];
  }
  if (why.code === 'FORBIDDEN' && state.viewer) {
    return ['What this viewer sees is not open to you while the game runs. ', button('Show what I may see', () => view(''))];
  }
  return [`${errorWords(why)} `, button('Try again', state.error ? start : () => positions.retry())];
}

function announce() {
  announced = state.ply;
  clearTimeout(announceTimer);
  announceTimer = setTimeout(() => {
    const { position, ply, playing } = state;
    if (!position || position.ply !== ply) return;
    const said = playing ? { ply, text: '' } : position;
    setText(byId('announce'), announcement(said, state.moves[ply - 1]));
  }, ANNOUNCE_MS);
}

// --- what the reader does

function go(ply) {
  update({ ply });
}

function step(by) {
  if (state.playing) toggle();
  go(state.ply + by);
}

function toggle() {
  clearTimeout(playTimer);
  if (state.playing) return update({ playing: false });
  const again = state.ply === state.game?.ply;
  update({ playing: true, ply: again ? 0 : state.ply });
  return tick();
}

function tick() {
  clearTimeout(playTimer);
  playTimer = setTimeout(() => {
    if (state.position) update({ ply: state.ply + 1 });
    if (state.ply < state.game.ply) tick();
    else update({ playing: false });
  }, state.speedMs);
}

function speed(speedMs) {
  update({ speedMs });
  if (state.playing) tick();
}

function view(viewer) {
  const search = viewer ? `?viewer=${viewer}` : '';
  history.replaceState(null, '', `${location.pathname}${search}#${state.ply}`);
  positions = newPositions();
  rewritten = true;
  update({ viewer });
  loadMoves();
}

function newPositions() {
  const load = async (from, to) => {
    const { game } = await request(POSITIONS, { id: state.id, from, to, viewer: state.viewer || null });
    return game.positions;
  };
  return new Positions(load, () => update({}));
}

// --- what the service gives

async function start() {
  update({ error: null });
  try {
    const game = await loadGame();
    seqSeen = game.head.seq;
    const first = plyOf(location.hash) ?? (game.status === 'RUNNING' ? game.ply : 0);
    update({ game, ply: first });
    request(RULES, { kind: game.kind, version: game.rulesVersion }).then(({ ruleSet }) => update({ rules: ruleSet }), () => {});
    loadMoves();
    record.check(game.head);
    listen();
  } catch (error) {
    update({ error });
  }
}

async function loadGame() {
  const { game } = await request(GAME, { id: state.id });
  if (!game) throw new ApiError('there is no such game', 'NOT_FOUND');
  return game;
}

/** Loads the moves that are not there yet, page by page; all anew where the mainline was rewritten. */
async function loadMoves() {
  const turn = ++loadingMoves;
  const anew = rewritten;
  let loaded = anew ? [] : state.moves;
  let after = anew ? null : movesCursor;
  try {
    for (let more = true; more;) {
      const { game } = await request(MOVES, { id: state.id, first: MOVES_PAGE, after, viewer: state.viewer || null });
      if (turn !== loadingMoves) return;
      const { nodes, pageInfo } = game.moves;
      loaded = [...loaded, ...nodes];
      more = pageInfo.hasNextPage;
      after = pageInfo.endCursor ?? after;
      if (!anew || !more) {
        movesCursor = after;
        update({ moves: loaded, movesDone: !more, movesError: null });
      }
    }
    rewritten = false;
    tell();
  } catch (movesError) {
    if (turn === loadingMoves) update({ movesError });
  }
}

/** Says what the log and the moves together tell, once both are there. */
function tell() {
  if (!state.movesDone || !state.finding) return;
  update({ notes: notes(state.events, state.moves, state.game.seats) });
  if (state.finding.valid) record.checkRolls(state.game.ply, state.moves).catch((checkError) => update({ checkError }));
}

function listen() {
  follow({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`,
    token: token(),
    query: FOLLOW,
    variables: () => ({ id: state.id, after: seqSeen }),
    state: (live) => update({ live }),
    next: ({ gameEvents: event }) => {
      seqSeen = event.seq;
      arrived.push(event);
      record.next(event);
      clearTimeout(refreshTimer);
      refreshTimer = setTimeout(refresh, REFRESH_MS);
    },
  });
}

/** Brings the page up to what the events that arrived changed. */
async function refresh() {
  const events = arrived;
  arrived = [];
  try {
    const game = await loadGame();
    for (const event of events) positions.dropFrom(firstChanged(event));
    const atEnd = state.ply === state.game.ply && !state.playing;
    update({ game, ply: atEnd ? game.ply : state.ply });
    rewritten ||= rewrites(events);
    loadMoves();
  } catch {
    arrived = [...events, ...arrived];
    refreshTimer = setTimeout(refresh, 2000);
  }
}

/** The first ply whose position may look different after an event. */
function firstChanged({ type, bytes }) {
  if (['acted', 'annotated', 'draw_offered', 'draw_answered', 'resigned', 'sealed'].includes(type)) return Infinity;
  return type === 'taken_back' ? JSON.parse(bytes).body.to_ply + 1 : 0;
}

wireSignIn();
wireTabs((tab) => update({ tab }));
wireControls({
  step, go, toggle, speed, view, end: () => go(state.game?.ply ?? 0), flip: () => update({ flipped: !state.flipped }),
});
byId('badge').addEventListener('click', () => state.game && openVerification(state, () => record.check(state.game.head)));
globalThis.addEventListener('hashchange', () => go(plyOf(location.hash) ?? state.ply));
start();
