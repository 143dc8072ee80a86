// The recorder's page of a game.

import { common } from '../words/common.js';
import { errorWords, token } from '../base/api.js';
import { countdown } from '../base/countdown.js';
import { makeKey, obstacle } from '../base/device-key.js';
import { byId, chip, h, marked, setText } from '../base/dom.js';
import { openKeyDialog } from '../base/key-dialog.js';
import { keepForOffline } from '../base/offline.js';
import { patch } from '../base/patch.js';
import { steadyTaps } from '../base/steady.js';
import { opening } from '../model/deadline.js';
import { outcomeWords, seatName, toActWords } from '../model/format.js';
import { named, played } from '../model/happened.js';
import { term } from '../model/terms.js';
import { idIn } from '../model/url.js';
import { keepAwake } from '../record/awake.js';
import { forgetToken } from '../record/keeping.js';
import { Recording } from '../record/recording.js';
import { RecordBoard } from '../record/view/board.js';
import { entryPanel } from '../record/view/entry.js';
import { handover } from '../record/view/hand.js';
import { moves } from '../record/view/moves.js';
import { tools } from '../record/view/tools.js';
import { waiting } from '../record/view/waiting.js';
import { record as words } from '../words/record.js';

const recording = new Recording(idIn(location.pathname));
const board = new RecordBoard(byId('board'), recording);

recording.draw = (now) => {
  const { about, error, game, hand, isRunning } = now;
  byId('record').setAttribute('aria-busy', String(!game && !error));
  patch(byId('notice'), notices(now));
  byId('record').hidden = Boolean(error) || !game;
  byId('record').classList.toggle('left-handed', now.settings.leftHanded);
  if (error || !game) return;
  const part = /** @type {HTMLElement | null | undefined} */ (document.activeElement?.closest('#hand-place, .below-board > *'));
  const opener = /** @type {HTMLElement | null | undefined} */ (part?.querySelector('[aria-expanded=true]'));
  document.title = words.tab(about.title, game.seats.map(({ number }) => seatName(game.seats, number)));
  setText(byId('title'), words.title(about.title));
  patch(byId('status'), status(now));
  patch(byId('hand-place'), handover(now, recording));
  board.draw(now);
  patch(byId('entry'), entryPanel(now, recording));
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById('action'));
  if (field && field.value !== now.typed) field.value = now.typed;
  const clock = /** @type {HTMLInputElement | null} */ (document.getElementById('clock'));
  if (clock && clock.value !== now.clock) clock.value = now.clock;
  patch(byId('waiting-place'), waiting(now, recording));
  patch(byId('tools-place'), tools(now, recording));
  patch(byId('moves-place'), moves(now));
  // Where the button that was pressed is gone, its part of the page has the focus.
  if (part && document.activeElement === document.body) {
    const place = hand && hand.stage !== 'open' ? 'hand-place' : part.id === 'tools-place' ? part.id : 'entry';
    (opener?.isConnected ? opener : byId(place)).focus({ preventScroll: true });
  }
  keepAwake(isRunning);
};

function notices({ error, game, id, isOffline, me, ...now }) {
  if (error) {
    const isEnded = ['UNAUTHENTICATED', 'FORBIDDEN'].includes(error.code);
    return [h('div', { class: 'empty', role: 'alert' }, h('p', {}, ...marked(isEnded ? words.linkEnded : errorWords(error))),
      isEnded && now.token ? h('button', { type: 'button', onclick: () => { forgetToken(id); location.reload(); } }, words.withoutLink) : h('button', { type: 'button', class: 'primary', onclick: () => location.reload() }, common.again))];
  }
  if (!game) return [h('p', { class: 'empty' }, isOffline ? words.loadedLater : words.loading)];
  if (me.role === 'spectator') {
    return [h('p', { class: 'notice' }, ...words.onlyWatching(!token() && h('button', { type: 'button', class: 'link', onclick: () => byId('sign-in').click() }, common.signIn)))];
  }
  const { queue, unsigned } = now;
  return unsigned && (game.status === 'RUNNING' || queue.entries.length > 0) ? [unsignedNotice({ me, unsigned })] : [];
}

/** What to do so that this device can sign. */
function unsignedNotice({ me, unsigned }) {
  const open = () => openKeyDialog({ as: recording.as(), changed: () => recording.load() });
  if (obstacle()) return h('p', { class: 'notice', id: 'unsigned' }, words.cannotSign(obstacle()));
  if (unsigned === 'KEY_NOT_REGISTERED') {
    return h('p', { class: 'notice', id: 'unsigned' }, ...words.notRegistered(me.player.name, h('button', { type: 'button', id: 'open-key-here', onclick: open }, words.register)));
  }
  return h('p', { class: 'notice', id: 'unsigned' }, ...words.noKey(h('button', { type: 'button', class: 'primary', id: 'make-key-here', onclick: () => makeHere(me, open) }, words.makeKey)));
}

/** Makes a key; a player has to register it too. */
async function makeHere(me, open) {
  if (me.player) return open();
  try {
    await makeKey();
    await recording.load();
  } catch (why) {
    recording.send('set', { said: errorWords(why) });
  }
  return undefined;
}

function status({ about, game, hand, isOver, live, me, position, said, toAct }) {
  const last = game.moves.nodes.at(-1);
  // What a seat has, such as its priority, is in what its own position says.
  const standing = named(term(position.scene.status ?? ''), game.seats);
  const isOwn = standing && toAct.length > 1 && (hand || me.role === 'player');
  const next = (toAct.length < 2 || toAct.length > 3) && standing || (toAct.length > 3 ? words.toAct(toAct.length) : toActWords(toAct, game.seats));
  const turn = hand && hand.stage !== 'open' ? '' : isOver ? outcomeWords(game) : isOwn ? standing : last && next ? words.turn(played(last, game.seats), next) : last ? played(last, game.seats) : next;
  return [
    h('p', { class: 'head' }, me.role === 'table' ? h('a', { href: '/table' }, common.table(about.table)) : h('a', { href: `/games/${encodeURIComponent(game.id)}` }, words.replay),
      h('span', { class: 'players' }, ...game.seats.map(({ number }) => h('span', {}, chip(number), h('bdi', {}, seatName(game.seats, number))))), h('span', { class: 'live', 'data-state': live }, common.live[live])),
    h('p', { class: 'turn', role: 'status', id: 'turn' }, ...marked(turn)),
    !isOver && game.deadline?.due && h('p', { class: 'deadline', id: 'deadline' }, countdown(opening(game.deadline, toAct))),
    said && h('p', { class: 'hint', role: 'status', id: 'said' }, ...marked(said)),
  ].filter(Boolean);
}

keepForOffline();
steadyTaps(byId('record'));
recording.load();
recording.foresight.ready.then(keepForOffline);
