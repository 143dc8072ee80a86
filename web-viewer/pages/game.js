// The replay page: its parts, and how they work together.

import { token } from '../base/api.js';
import { byId } from '../base/dom.js';
import { isUnsaved } from '../model/tree.js';
import { gameId, lineOf, plyOf, viewerOf } from '../model/url.js';
import { Replay } from '../replay/replay.js';
import { Exploring } from '../replay/requests/exploring.js';
import { Game } from '../replay/requests/game.js';
import { Lines } from '../replay/requests/lines.js';
import { Playing } from '../replay/requests/playing.js';
import { drawAbout, openVerification } from '../replay/view/about.js';
import { ActPanel } from '../replay/view/act-panel.js';
import { Announcer } from '../replay/view/announcer.js';
import { Board } from '../replay/view/board.js';
import { drawControls, wireControls } from '../replay/view/controls.js';
import { Explorer } from '../replay/view/explorer.js';
import { LineBar } from '../replay/view/line-bar.js';
import { Moves } from '../replay/view/moves.js';
import { drawNotice } from '../replay/view/notice.js';
import { Files, Log, Words, drawTabs, wireTabs } from '../replay/view/panels.js';

const replay = new Replay({ id: gameId(location.pathname), line: lineOf(location.search), viewer: viewerOf(location.search), isSignedIn: Boolean(token()) });
const lines = new Lines(replay);
const game = new Game(replay, lines);
const playing = new Playing(replay, lines);
const exploring = new Exploring(replay);

const actPanel = new ActPanel(replay, playing);
const views = [
  new Board(byId('board')), new Moves(byId('panel-moves'), replay), new LineBar(byId('panel-moves'), replay, lines), actPanel,
  new Explorer(byId('panel-explorer'), replay, exploring, playing), new Words(byId('panel-words')), new Log(byId('panel-log')), new Announcer(replay),
];
new Files(byId('panel-files'), () => replay.now());

let { address } = replay.now();
let timer = 0;
let ticking = 0;

replay.want = () => {
  if (!replay.now().game) return;
  follow();
  tick();
  for (const requests of [lines, playing, exploring, game]) requests.want();
};

replay.draw = (now) => {
  drawAbout(now);
  drawControls(now);
  drawTabs(now);
  for (const view of views) view.draw(now);
  drawNotice(now, { retry: now.error ? start : () => lines.retry(), view: (viewer) => game.view(viewer) });
};

/** The page's address follows the reader; lines that are not saved have none. */
function follow() {
  const now = replay.now();
  if (now.address === address || isUnsaved(now.line)) return;
  address = now.address;
  history.replaceState(null, '', address);
}

/** Steps on while the game is played. */
function tick() {
  const { playing: isPlaying, speedMs } = replay.now();
  const wanted = isPlaying ? speedMs : 0;
  if (wanted === ticking) return;
  clearInterval(timer);
  ticking = wanted;
  timer = wanted && setInterval(() => replay.send('tick'), wanted);
}

function start() {
  game.start(plyOf(location.hash));
}

const send = (...message) => () => replay.send(...message);
wireTabs((tab) => replay.send('set', { tab }));
wireControls({
  step: (by) => replay.send('step', by), go: (ply) => replay.send('go', ply), end: send('end'), toggle: send('toggle'), flip: send('flip'),
  speed: (speedMs) => replay.send('set', { speedMs }), view: (viewer) => game.view(viewer), enter: send('enter'), leave: send('leave'),
  sibling: (by) => replay.send('sibling', by), act: () => actPanel.focus(), clear: send('clear'),
});
byId('badge').addEventListener('click', () => replay.now().game && openVerification(replay.now(), () => game.check()));
globalThis.addEventListener('hashchange', () => replay.send('go', plyOf(location.hash) ?? replay.now().ply));
start();
