// The page behind the link on a table's slip: the result of this table, and the record of its game.

import { common } from '../words/common.js';
import { errorWords, request } from '../base/api.js';
import { byId, chip, h, marked } from '../base/dom.js';
import { openKeyDialog } from '../base/key-dialog.js';
import { Live, backoff, liveUrl } from '../base/live.js';
import { keepForOffline } from '../base/offline.js';
import { patch } from '../base/patch.js';
import { newKey } from '../base/random-key.js';
import { requestSigned } from '../base/signing.js';
import { steadyTaps } from '../base/steady.js';
import { store } from '../base/store.js';
import { entryOf } from '../model/entries.js';
import { Outbox } from '../model/outbox.js';
import { NEEDS_KEY, deedOf } from '../model/signing.js';
import { hasWon, quickResults, rankingText } from '../model/tournament.js';
import { AGREE, OFFER, RESIGN, decision } from '../model/tournament-mutations.js';
import { AT_TABLE, FOLLOW_TOURNAMENT, OFFERED, PLAYED, TABLE_OF } from '../model/tournament-queries.js';
import { recordPath } from '../model/url.js';
import { listed } from '../words/locale.js';
import { tournament as words } from '../words/tournament.js';
import { resultText } from '../tournaments/parts.js';
import { RankingField } from '../tournaments/ranking-field.js';
import { keepSeen, keepWaiting, seenOf, tokenOf, waitingOf } from '../tournaments/table-keeping.js';

const { state, update } = store({
  token: tokenOf(),
  /** @type {any} the table that the token is for */ me: null,
  /** @type {any} */ tournament: null,
  /** @type {any} */ game: null,
  /** @type {number[][] | null} a result to be confirmed */ chosen: null,
  changing: false,
  busy: false,
  /** @type {any} */ error: null,
  /** @type {any} */ refused: null,
  loading: true,
  live: 'connecting',
  /** @type {number[][] | null} a result that waits for a connection */ waiting: null,
}, redraw);
const outbox = new Outbox({
  post: sendResult, kept: waitingOf(state().token),
  keep: (waiting) => {
    keepWaiting(state().token, waiting);
    update({ waiting: waiting?.ranking ?? null });
  },
});
let failures = 0;
let timer = 0;
let asked = 0;
/** @type {Live | null} */
let live = null;
/** @type {RankingField | null} */
let ranking = null;

/** Loads the table; of several loads at once, the last one counts. */
async function load() {
  const ask = ++asked;
  const { token } = state();
  if (!token) {
    update({ loading: false });
    return;
  }
  try {
    const { me } = await request(TABLE_OF, {}, token);
    if (me.role !== 'table') throw Object.assign(new Error(words.notOfATable), { code: 'BAD_INPUT' });
    const { tournament } = await request(AT_TABLE, { id: me.tournament.id, round: me.round, table: me.table }, token);
    if (ask !== asked) return;
    failures = 0;
    update({ me, tournament, error: null, loading: false });
    follow(me);
    if (outbox.waiting && !state().busy) await send();
  } catch (error) {
    if (ask !== asked) return;
    if (error.code !== 'OFFLINE') update({ error, loading: false });
    else away(error);
  }
}

/** Without a connection, the table is shown as it was last seen; the page comes back by itself. */
function away(error) {
  const { token, tournament } = state();
  const seen = tournament ? {} : seenOf(token);
  update(seen ? { ...seen, error: null, loading: false, live: 'offline' } : { error, loading: false });
  clearTimeout(timer);
  timer = setTimeout(load, backoff(failures++));
}

function follow(me) {
  live ??= new Live({ url: liveUrl(), token: state().token, state: (now) => { update({ live: now }); if (now === 'live' && outbox.waiting) send(); } });
  const wanted = new Map([['tournament', { query: FOLLOW_TOURNAMENT, variables: () => ({ id: me.tournament.id }), next: load }]]);
  if (me.game) wanted.set(me.game.id, { query: PLAYED, variables: () => ({ id: me.game.id }), next: ({ gameUpdated }) => update({ game: gameUpdated }) });
  live.keep(wanted);
}

/** Enters a result, at once or as soon as there is a connection. */
async function enter(chosen) {
  if (state().busy) return;
  outbox.put({ key: newKey(), ranking: chosen });
  update({ chosen: null, changing: false });
  await send();
}

async function send() {
  const { busy, token } = state();
  if (busy) return;
  const wanted = outbox.waiting?.ranking;
  update({ busy: true, refused: null });
  let refused = null;
  const isSent = await outbox.send().catch((why) => {
    refused = why;
    return true;
  });
  update({ busy: false });
  if (!isSent) {
    clearTimeout(timer);
    timer = setTimeout(load, backoff(failures++));
    return;
  }
  await load();
  // The answer to an earlier attempt may have been lost.
  if (refused && JSON.stringify(state().tournament?.round?.table?.ranking) !== JSON.stringify(wanted)) update({ refused });
  if (refused?.code === 'NO_KEY') openKeyDialog({ as: token, why: NEEDS_KEY });
}

/** If the record of the game has begun, the game ends with the result: somebody resigns, or both agree. */
async function sendResult({ key, ranking: chosen }) {
  const { me, token } = state();
  const seats = chosen.flat();
  if (!isRecorded()) await request(decision('enterResult'), { tournament: me.tournament.id, round: me.round, table: me.table, ranking: chosen, expectedSeq: null, key }, token);
  else if (seats.length > 2) throw Object.assign(new Error(words.fromTheRecord), { code: 'BAD_INPUT' });
  else if (chosen.length > 1) await record(RESIGN, { type: 'resign', seat: chosen[1][0] });
  else {
    // An offer that stands is answered: somebody made it while the game was recorded, or the answer to it was lost.
    const { game } = await request(OFFERED, { id: state().game.id }, token);
    const by = game.drawOfferedBy ?? seats[0];
    if (game.drawOfferedBy == null) await record(OFFER, { type: 'offer', seat: by });
    await record(AGREE, { type: 'answer', seat: seats.find((seat) => seat !== by) ?? by, accept: true });
  }
}

/** Records in the game what a seat does, signed if it has to be. */
function record(mutation, entry) {
  const { game, token } = state();
  const deedIn = ({ position, seats }) => deedOf(entryOf(entry, ''), { ...position, seats, ownSeat: 0, sealed: [] });
  return requestSigned(mutation, { game: game.id, seat: entry.seat }, game.id, deedIn, token);
}

/** Whether the result has to come from the record: it has begun, or everything in the game is signed. */
function isRecorded() {
  const { game } = state();
  return game?.status === 'RUNNING' && (game.ply > 0 || game.signatures === 'REQUIRED');
}

// --- drawing

function redraw() {
  const { error, loading, token, tournament } = state();
  if (tournament) keepSeen(token, state());
  byId('table').setAttribute('aria-busy', String(loading));
  const hadFocus = byId('table').contains(document.activeElement);
  patch(byId('table'), error ? [h('h1', {}, words.tableTitle), over(error)] : !tournament ? [h('h1', {}, words.tableTitle), h('p', { class: 'empty' }, loading ? words.tableLoading : words.howTo)] : content());
  // The button that was pressed is gone.
  if (hadFocus && document.activeElement === document.body) byId('table').focus({ preventScroll: true });
}

function over(error) {
  const isEnded = ['UNAUTHENTICATED', 'FORBIDDEN'].includes(error.code);
  return h('div', { class: 'empty', role: 'alert' },
    h('p', {}, ...marked(isEnded ? words.over : errorWords(error))),
    !isEnded && h('button', { type: 'button', class: 'primary', onclick: load }, common.again));
}

function content() {
  const { game, live: now, me, refused, token, tournament } = state();
  const { round } = tournament;
  const table = round?.table;
  if (!table) return [h('p', { class: 'empty' }, words.noSuchTable)];
  document.title = `${words.pageTitle(me.table, me.round)} · ${tournament.name}`;
  return [
    h('p', { class: 'event-name' }, h('a', { href: `/tournaments/${encodeURIComponent(me.tournament.id)}` }, tournament.name), h('span', { class: 'live', 'data-state': now }, common.live[now])),
    h('h1', {}, common.table(me.table), h('span', { class: 'soft' }, ' · ', common.round(me.round))),
    h('ol', { class: 'table-names' }, ...table.seats.map(({ number, entrant }) => h('li', { class: hasWon(table, number) ? 'won' : '' }, chip(number), h('bdi', {}, entrant.name)))),
    refused && h('p', { class: 'notice bad', role: 'alert' }, ...marked(errorWords(refused))),
    ...result(table, round),
    game && isWorthIt(game) && round.status === 'OPEN' && h('a', { class: 'button big toggle', id: 'record', href: game.status === 'RUNNING' ? recordPath(game.id, token) : `/games/${encodeURIComponent(game.id)}` }, recordText(game)),
  ].filter(Boolean);
}

function recordText({ ply, status }) {
  if (status !== 'RUNNING') return words.lookAtRecord;
  return ply > 0 ? words.recordOn(ply) : words.record;
}

/** A game that is over before anything was recorded is not shown. */
function isWorthIt({ ply, status }) {
  return status === 'RUNNING' || ply > 0;
}

/** How a table ended, in words. */
function endWords({ ranking, seats, source }, name) {
  if (source !== 'FORFEIT') return ranking ? rankingText(ranking, name) : '';
  const gone = seats.filter(({ forfeited }) => forfeited).map(({ number }) => name(number));
  return gone.length === seats.length ? (seats.length === 2 ? common.neitherCame : common.nobodyCame) : words.didNotCome(listed(gone));
}

/** The result: chosen, then confirmed; it can be changed as long as the round is open. */
function result(table, round) {
  const { busy, changing, chosen } = state();
  const name = (seat) => table.seats.find(({ number }) => number === seat)?.entrant.name ?? common.seatNumber(seat);
  if (round.status !== 'OPEN') return [table.result && h('p', { class: 'final' }, endWords(table, name), h('strong', {}, resultText(table))), h('p', { class: 'hint' }, words.closed)];
  if (chosen) {
    return [h('div', { class: 'ask', role: 'group', 'aria-label': words.confirm },
      h('p', { class: 'asked', role: 'status' }, words.asked(rankingText(chosen, name))),
      isRecorded() && chosen.flat().length === 2 && h('p', { class: 'hint' }, chosen.length > 1 ? words.willResign(name(chosen[1][0])) : words.willAgree),
      h('button', { type: 'button', class: 'big primary', id: 'confirm', 'aria-disabled': String(busy), onclick: () => enter(chosen) }, busy ? common.sending : words.yes),
      h('button', { type: 'button', class: 'big', onclick: () => update({ chosen: null }) }, words.no))];
  }
  const { waiting } = state();
  if (waiting) {
    return [
      h('p', { class: 'asked', role: 'status' }, rankingText(waiting, name)),
      h('p', { class: 'notice' }, busy ? common.sending : words.waits),
      h('button', { type: 'button', class: 'big', onclick: () => outbox.put(null) }, words.change),
    ];
  }
  if (table.result && !changing) {
    return [
      h('p', { class: 'final', role: 'status' }, endWords(table, name), h('strong', {}, resultText(table))),
      table.disputed
        ? h('p', { class: 'notice bad', role: 'alert', id: 'disputed' }, words.disputed(rankingText(table.disputed, name)))
        : h('p', { class: 'hint' }, words.sources[table.source] ?? words.sources.TABLE),
      table.source === 'TABLE' && h('button', { type: 'button', class: 'big', onclick: () => update({ changing: true }) }, words.change),
    ];
  }
  return [
    table.status === 'ADJOURNED' && h('p', { class: 'notice', role: 'status' }, table.adjournedUntil ? words.adjournedUntil(table.adjournedUntil) : words.tableAdjourned),
    h('h2', {}, words.how), ...choices(table, name), changing && h('button', { type: 'button', class: 'link', onclick: () => update({ changing: false }) }, words.tableLeave)];
}

function choices(table, name) {
  const choose = (each) => {
    update({ chosen: each });
    setTimeout(() => document.getElementById('confirm')?.focus());
  };
  const quick = quickResults(table.seats.length);
  if (quick.length > 0) return [h('div', { class: 'choices' }, ...quick.map(({ ranking: each, text }) => h('button', { type: 'button', class: 'big', onclick: () => choose(each) }, each.length > 1 && chip(each[0][0]), h('span', {}, rankingText(each, name)), h('strong', {}, text))))];
  const sitters = table.seats.map(({ number, partners, entrant }) => ({ number, partners, name: entrant.name }));
  // Others may sit here by now.
  if (JSON.stringify(ranking?.seats) !== JSON.stringify(sitters)) ranking = new RankingField(sitters);
  ranking.changed = () => redraw();
  return [ranking.place, ranking.isComplete() && h('button', { type: 'button', class: 'big primary', onclick: () => choose(ranking.ranking) }, words.enterRanking)];
}

globalThis.addEventListener('online', () => load());
if (outbox.waiting) update({ waiting: outbox.waiting.ranking });
keepForOffline();
steadyTaps(byId('table'));
load();
