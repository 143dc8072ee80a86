// The replay page: one state, one way to change it, one redraw.

import { ActPanel, newAct } from '../replay/view/act-panel.js';
import { drawAbout, drawBadge, openRules, openVerification } from '../replay/view/about.js';
import { ApiError, errorWords, request, token } from '../base/api.js';
import { Board } from '../replay/view/board.js';
import { drawControls, wireControls } from '../replay/view/controls.js';
import { byId, h, setText } from '../base/dom.js';
import { Explorer } from '../replay/view/explorer.js';
import { announcement } from '../model/format.js';
import { notes, rewrites } from '../model/history.js';
import { LineBar } from '../replay/view/line-bar.js';
import { Lines, isUnsaved } from '../replay/requests/lines.js';
import { follow } from '../replay/requests/live.js';
import { Moves } from '../replay/view/moves.js';
import { Files, Log, Words, drawTabs, wireTabs } from '../replay/view/panels.js';
import { FOLLOW, GAME, MOVES, RULES } from '../model/queries.js';
import { Playing } from '../replay/requests/playing.js';
import { Record } from '../replay/requests/record.js';
import { seatGlyphs } from '../model/scene.js';
import { gameId, lineOf, placeAddress, plyOf, viewerOf } from '../model/url.js';

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
  /** the log that is walked along: the game, or a line */ line: lineOf(location.search) || gameId(location.pathname),
  /** @type {any[]} of the tree, as loaded */ pages: [],
  treeLoading: false,
  /** @type {any} */ treeError: null,
  /** @type {import('../model/tree.js').Tree | null} made of `pages` and `moves` */ tree: null,
  /** @type {any} the nodes of `line` by ply */ path: null,
  /** @type {any[]} the plies of `path` as moves */ walk: [],
  /** the last ply of `line` */ last: 0,
  /** @type {import('../model/tree.js').Node | undefined} the place */ node: undefined,
  /** @type {Map<number, import('../model/listing.js').Variation[]>} by ply of the mainline */ variations: new Map(),
  /** @type {Map<string, boolean>} variations that were folded or opened, by their first node */ folds: new Map(),
  /** @type {Map<string, number>} how many variations of a place are listed */ more: new Map(),
  withHidden: false,
  /** a line that the address names and the tree does not */ missing: '',
  act: newAct(Boolean(token())),
  /** @type {any} the one at `ply`, once loaded */ position: undefined,
  /** @type {Map<number, string>} letters that stand for seats on this board */ glyphs: new Map(),
  viewer: viewerOf(location.search),
  flipped: false,
  playing: false,
  speedMs: 1000,
  tab: 'moves',
  live: 'connecting',
  /** @type {import('../model/verify.js').LogEvent[]} the verified events */ events: [],
  /** @type {import('../model/verify.js').Finding | null} */ finding: null,
  /** @type {any} */ checkError: null,
  checked: 0,
  /** @type {{derived: number, others: number, waiting: number} | null} the service's dice */ rolls: null,
  /** @type {import('../model/history.js').Note[]} */ notes: [],
  /** @type {any} why there is nothing to show */ error: null,
  openRules: () => openRules(state),
};

const board = new Board(byId('board'));
const lines = new Lines(() => state, update, say);
const moves = new Moves(byId('panel-moves'), {
  visit,
  fold: (first, isFolded) => update({ folds: new Map(state.folds).set(first, isFolded) }),
  more: (key, count) => update({ more: new Map(state.more).set(key, count) }),
});
const lineBar = new LineBar(byId('panel-moves'), lines, update);
const actPanel = new ActPanel(() => state, update, lines, new Playing(lines), say);
const explorer = new Explorer(byId('panel-explorer'), go, (word) => actPanel.playWord(word));
const words = new Words(byId('panel-words'));
const log = new Log(byId('panel-log'));
new Files(byId('panel-files'), () => state);
const record = new Record(state.id, (change) => {
  update(change);
  if (!change.finding) return;
  tell();
});

let movesCursor = null;
let loadingMoves = 0;
let rewritten = false;
let seqSeen = -1;
let arrived = [];
let refreshTimer = 0;
let playTimer = 0;
let announceTimer = 0;
let redrawing = false;
let announced = '';
let saying = '';

// --- the one way to change the state, and what follows from it

function update(change) {
  const was = placeAddress(state);
  const node = state.node;
  Object.assign(state, change);
  if (!state.game) return schedule();
  lines.derive();
  if (node && state.node && node.id !== state.node.id && node.parent !== state.node.id && state.node.parent !== node.id) board.leap();
  const address = placeAddress(state);
  if (address !== was && !isUnsaved(state.line)) history.replaceState(null, '', address);
  state.position = lines.want();
  actPanel.follow();
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
  lineBar.draw(state);
  actPanel.draw(state);
  explorer.draw(state);
  words.draw(state);
  log.draw(state);
  drawNotice();
  if (state.position && (placeAddress(state) !== announced || saying)) announce();
}

function drawNotice() {
  const why = state.error ?? (state.game && lines.shelf().error(state.ply));
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
  return [`${errorWords(why)} `, button('Try again', state.error ? start : () => lines.shelf().retry())];
}

function announce() {
  announced = placeAddress(state);
  clearTimeout(announceTimer);
  announceTimer = setTimeout(() => {
    const { position, ply, playing } = state;
    if (!position || position.ply !== ply) return;
    const told = playing ? { ply, text: '' } : position;
    setText(byId('announce'), `${saying} ${announcement(told, state.walk[ply - 1])}`.trim());
    saying = '';
  }, ANNOUNCE_MS);
}

/** Says something at once; again before the position, where the reader goes to another one. */
function say(text, isGoing = false) {
  saying = isGoing ? text : '';
  setText(byId('announce'), text);
}

// --- what the reader does

function go(ply) {
  update({ ply });
}

/** Goes to a ply of the mainline or of a line. */
function visit(line, ply) {
  if (state.playing) toggle();
  lines.visit(line, ply);
}

function step(by) {
  if (state.playing) toggle();
  go(state.ply + by);
}

function toggle() {
  clearTimeout(playTimer);
  if (state.playing) return update({ playing: false });
  const again = state.ply === state.last;
  update({ playing: true, ply: again ? 0 : state.ply });
  return tick();
}

function tick() {
  clearTimeout(playTimer);
  playTimer = setTimeout(() => {
    if (state.position) update({ ply: state.ply + 1 });
    if (state.ply < state.last) tick();
    else update({ playing: false });
  }, state.speedMs);
}

function speed(speedMs) {
  update({ speedMs });
  if (state.playing) tick();
}

function view(viewer) {
  lines.forget();
  rewritten = true;
  update({ viewer });
  loadMoves();
}

// --- what the service gives

async function start() {
  update({ error: null });
  try {
    const game = await loadGame();
    seqSeen = game.head.seq;
    state.game = game;
    const [isLine, asked] = [state.line !== state.id, plyOf(location.hash)];
    if (isLine) await lines.open();
    const first = asked ?? (isLine ? state.tree?.lines.get(state.line)?.ply : null) ?? (game.status === 'RUNNING' ? game.ply : 0);
    update({ game, ply: first });
    if (!isLine) lines.open();
    else if (state.line !== state.id) lines.visit(state.line, first);
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
  // What a line shares with its parent stands in the parent's log.
  const own = state.moves.slice(state.events[0]?.body.fork?.ply ?? 0);
  update({ notes: notes(state.events, own, state.game.seats) });
  if (state.finding.valid) record.checkRolls(state.game.ply, own).catch((checkError) => update({ checkError }));
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
    for (const event of events) lines.forget(firstChanged(event));
    const atEnd = state.line === state.id && state.ply === state.game.ply && !state.playing;
    update({ game, ply: atEnd ? game.ply : state.ply });
    rewritten ||= rewrites(events);
    if (rewritten) lines.open();
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

wireTabs((tab) => update({ tab }));
wireControls({
  step, go, toggle, speed, view, end: () => go(state.last), flip: () => update({ flipped: !state.flipped }),
  enter: () => lines.enter(), leave: () => lines.leave(), sibling: (by) => lines.sibling(by), act: () => actPanel.focus(), clear: () => actPanel.clear(),
});
byId('badge').addEventListener('click', () => state.game && openVerification(state, () => record.check(state.game.head)));
globalThis.addEventListener('hashchange', () => go(plyOf(location.hash) ?? state.ply));
start();
