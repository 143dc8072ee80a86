// The replay page: its parts, and how they work together.

import { replay as words } from '../words/replay.js';
import { SIGNED_OUT, errorWords, isEmbedded, token } from '../base/api.js';
import { boardKeys } from '../base/board-keys.js';
import { afterFrame } from '../base/after-frame.js';
import { byId } from '../base/dom.js';
import { placesAt } from '../base/drawing.js';
import { Resting } from '../base/resting.js';
import { save, saved } from '../base/saved.js';
import { keepSettings, loadSettings } from '../base/settings.js';
import { standalone } from '../base/standalone.js';
import { steadyTaps } from '../base/steady.js';
import { contents, told } from '../model/happened.js';
import { toggled } from '../model/own.js';
import { isUnsaved } from '../model/tree.js';
import { besideAddress, embedAddress, headOf, idIn, lineOf, plyIn, plyOf, sharedAddress, standaloneAddress, standaloneSearch, viewerOf } from '../model/url.js';
import { Replay } from '../replay/replay.js';
import { lastTurn } from '../replay/update.js';
import { Feats } from '../replay/requests/feats.js';
import { Game } from '../replay/requests/game.js';
import { Judging } from '../replay/requests/judging.js';
import { Lines } from '../replay/requests/lines.js';
import { Playing } from '../replay/requests/playing.js';
import { drawAbout, openVerification } from '../replay/view/about.js';
import { ActPanel } from '../replay/view/act-panel.js';
import { Announcer } from '../replay/view/announcer.js';
import { Board } from '../replay/view/board.js';
import { drawControls, wireControls } from '../replay/view/controls.js';
import { LineBar } from '../replay/view/line-bar.js';
import { Moves } from '../replay/view/moves.js';
import { Gestures } from '../replay/view/gestures.js';
import { Drawn } from '../replay/view/own.js';
import { drawNotice } from '../replay/view/notice.js';
import { Files, Log, Words, drawTabs, wireTabs } from '../replay/view/panels.js';
import { seenOn } from '../replay/view/sheet.js';
import { Sounds } from '../replay/view/sounds.js';
import { drawTables } from '../replay/view/tables.js';

let isComplete = false;
let isAsking = false;

const search = () => (standalone() ? standaloneSearch(location.hash) : location.search);

const id = standalone()?.id ?? idIn(location.pathname);
const ownName = `plybook.own.${id}`;
const replay = new Replay({ id, line: lineOf(search()), viewer: viewerOf(search()), head: headOf(location.hash), isSignedIn: Boolean(token()), settings: isEmbedded() ? { ...loadSettings(), wheel: false } : loadSettings(), kept: saved(ownName) ?? {} });
const lines = new Lines(replay);
const feats = new Feats(replay);
const game = new Game(replay, lines);
const playing = new Playing(replay, lines, location.hash);
const judging = new Judging(replay, game);
lines.judging = judging;

/** In a frame of another site, there is the board, and what moves it. */
const isWhole = !isEmbedded();
const list = isWhole ? new Moves(byId('panel-moves'), replay) : null;
const lineBar = isWhole ? new LineBar(byId('panel-moves'), replay, lines, playing) : null;
const actPanel = isWhole ? new ActPanel(replay, playing) : null;
const board = new Board(byId('board'));
const panels = isWhole ? [
  list, lineBar, actPanel,
  new Words(byId('panel-words')), new Log(byId('panel-log')), new Files(byId('panel-files'), () => replay.now()),
] : [];
if (isWhole) {
  steadyTaps(byId('act-card'));
  new Drawn(byId('board'), replay);
  boardKeys(byId('board'), {
    scene: () => replay.now().position?.scene, svg: () => seenOn(byId('board')),
    told: (place) => replay.send('say', told(replay.now().position.scene, place, replay.now().game.seats)),
    marked: (place) => replay.send('own', { marks: toggled(replay.now().own.marks, place, place) }),
  });
}
const views = [...panels, new Announcer(replay), new Sounds()];
const requesting = [playing, judging, feats];

/** The address of the place. */
let address = location.hash ? `${location.pathname}${location.search}${location.hash}` : replay.now().address;
/** The browser is told later: that takes longer than drawing most positions, and may be done 100 times in 30 s at most (Safari). */
const telling = new Resting((to) => history.replaceState(null, '', standalone() ? standaloneAddress(to) : isEmbedded() ? embedAddress(to) : to));
let timer = 0;
let ticking = '';
let { kept, settings } = replay.now();

replay.want = () => {
  if (!replay.now().game) return;
  follow();
  tick();
  lines.want();
};

replay.wantRest = () => {
  if (!replay.now().game) return;
  lines.ahead();
  for (const requests of requesting) requests.want();
};

replay.draw = (now) => {
  if (board.draw(now)) around.later();
  else around.soon();
};

/** Everything but the board: after a step, the reader sees the position first. */
const around = afterFrame(() => {
  const now = replay.now();
  drawAbout(now);
  if (isWhole) {
    drawTables(now);
    drawTabs(now);
  }
  drawControls(now);
  for (const view of views) view.draw(now);
  board.name(now.position);
  board.open(now.act);
  // The board and the figures are still those of another ply.
  byId('replay').classList.toggle('behind', Boolean(now.shown.error));
  drawNotice(now, { retry: now.error ? start : () => lines.retry(), view: (viewer) => game.view(viewer) });
  if (now.shown.position || now.shown.error) complete();
  else if (now.error) ask();
  replay.wantRest();
  board.prepare(lines.neighbours());
});

/** The page's address follows the reader. */
function follow() {
  const now = replay.now();
  if (now.address === address || playing.tried) return;
  address = now.address;
  telling.later(address);
}

const REAL_LEAST_MS = 200;
const REAL_MOST_MS = 10_000;

/** Keeps stepping while playing; each ply may take a different time. */
function tick() {
  const now = replay.now();
  if (now.settings !== settings && !isEmbedded()) keepSettings(now.settings);
  if (now.kept !== kept) save(ownName, Object.keys(now.kept).length > 0 ? now.kept : null);
  ({ kept, settings } = now);
  const wanted = now.playing ? `${now.place} ${settings.speed}` : '';
  if (wanted === ticking) return;
  clearTimeout(timer);
  ticking = wanted;
  timer = wanted ? setTimeout(step, pace(now)) : 0;
}

function step() {
  const { position } = replay.now();
  // Wait for positions that are not loaded yet.
  if (!position) timer = setTimeout(step, REAL_LEAST_MS);
  else replay.send('tick');
}

/** How long a position is shown, in milliseconds. */
function pace({ settings: { speed }, walk, ply }) {
  if (speed !== 'real') return Number(speed);
  return Math.min(REAL_MOST_MS, Math.max(REAL_LEAST_MS, walk[ply]?.elapsedMs ?? REAL_LEAST_MS * 5));
}

function start() {
  game.start(plyOf(location.hash) ?? plyIn(location.search));
}

/** The rest comes once the board is drawn: a click that came first is kept in the state. */
function complete() {
  if (isComplete) return;
  isComplete = true;
  setTimeout(() => {
    // The verification is in the same script; alone, if that does not come.
    if (standalone()) game.check();
    else ask().then(() => game.check());
  });
}

/** What only a service can answer. */
async function ask() {
  if (isAsking || standalone()) return;
  isAsking = true;
  try {
    const { asking } = await import('../replay/asking.js');
    if (isWhole) join(asking.served(replay, playing));
  } catch (why) {
    replay.send('say', errorWords(why));
  }
}

function join({ requests, views: more }) {
  views.push(...more);
  requesting.push(...requests);
  replay.draw(replay.now());
}

/** The share sheet of the device with the address of the position; without one, all that can be shared. */
async function share() {
  const url = new URL(sharedAddress(replay.now().address), location.href).href;
  if (navigator.share && !standalone()) {
    await navigator.share({ title: document.title, url }).catch(() => {});
    return;
  }
  replay.send('set', { tab: 'files' });
  byId('tab-files').focus();
  byId('tab-files').scrollIntoView({ block: 'nearest' });
}

/** Opens the position beside the one after the last turn of the same seat. */
function beside() {
  const now = replay.now();
  const address = besideAddress({ id: now.line, viewer: now.viewer, plies: { a: now.since.ply >= 0 ? now.since.ply : lastTurn(now).at, b: now.ply } });
  if (standalone()) replay.send('say', words.besideNeedsService);
  else if (isUnsaved(now.line)) replay.send('say', words.noAddress);
  // No other page of ours may be shown in a frame.
  else if (isEmbedded()) open(address, '_blank', 'noopener');
  else location.assign(address);
}

function engine() {
  if (standalone()) replay.send('say', words.engineNeedsService);
  else replay.send('engine');
}

async function rules() {
  try {
    const { openRules } = await import('../replay/view/rules.js');
    openRules(replay.now(), game.document());
  } catch (why) {
    replay.send('say', errorWords(why));
  }
}

const send = (...message) => () => replay.send(...message);
wireTabs((tab) => replay.send('set', { tab }));
const acts = {
  step: (by) => replay.send('step', by), go: (ply) => replay.send('go', ply), end: send('end'), toggle: send('toggle'), flip: send('flip'),
  turn: (by) => replay.send('turn', by), mine: (by) => replay.send('mine', by), since: send('since'), beside, mark: (by) => replay.send('mark', by), prefer: (change) => replay.send('prefer', change),
  view: (viewer) => game.view(viewer), enter: send('enter'), leave: send('leave'), sibling: (by) => replay.send('sibling', by),
  note: () => replay.now().position && lineBar?.open('note', replay), act: () => actPanel?.focus(), clear: send('clear'), engine, words: () => replay.send('say', ...replay.now().position ? [replay.now().position.text, 'en'] : [words.notLoaded]),
  tab: (tab) => { replay.send('set', { tab }); byId(`tab-${tab}`).focus(); }, now: () => replay.now(),
};
wireControls(acts);
new Gestures(byId('board'), acts);
byId('facts').addEventListener('click', ({ target }) => /** @type {Element} */ (target).id === 'rules' && rules());
byId('outcome').addEventListener('click', ({ target }) => /** @type {Element} */ (target).id === 'show-result' && (replay.send('set', { hasSeenEnd: true }), byId('outcome').focus()));
// What stands at a place, where a click plays nothing.
byId('board').addEventListener('click', (event) => {
  const { act: { legal }, game: { seats } = { seats: [] }, position } = replay.now();
  const [place] = legal?.actions?.length || legal?.form || !position ? [] : placesAt(event, byId('board'));
  if (place) replay.send('news', [contents(position.scene, place, seats)].filter(Boolean));
});
byId('share').addEventListener('click', share);
byId('badge').addEventListener('click', () => replay.now().game && openVerification(replay.now(), { again: () => game.check(), judge: () => game.record?.want() }));
globalThis.addEventListener('hashchange', ({ newURL }) => {
  // Meanwhile the address may already be another.
  const { hash } = new URL(newURL);
  telling.forget();
  address = `${location.pathname}${location.search}${location.hash}`;
  replay.send('set', { head: headOf(hash), ply: plyOf(hash) ?? replay.now().ply });
});
globalThis.addEventListener(SIGNED_OUT, () => replay.send('set', { isSignedIn: false }));
start();

if (isEmbedded()) import('../replay/view/embedded.js').then(({ Embedded }) => join({ views: [new Embedded(byId('board'))], requests: [] }));
