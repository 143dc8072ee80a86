// Two boards side by side: two plies of a game, a line beside the game, or two games, stepping together.

import { common } from '../words/common.js';
import { ltr } from '../words/locale.js';
import { replay as words } from '../words/replay.js';
import { errorWords, token } from '../base/api.js';
import { byId, chip, h, isDialogOpen, marked, setText, settle } from '../base/dom.js';
import { Live, liveUrl } from '../base/live.js';
import { patch, row } from '../base/patch.js';
import { Resting } from '../base/resting.js';
import { loadSettings } from '../base/settings.js';
import { store } from '../base/store.js';
import { BADGE_MARKS, alarm, badge } from '../model/badge.js';
import { differing, firstPace, followed, logIn, partOf, partWords, pliesAt, reach, shared, stepped, steppedAlone } from '../model/beside.js';
import { seatName } from '../model/format.js';
import { happened, named } from '../model/happened.js';
import { term } from '../model/terms.js';
import { actOf, keyOf } from '../model/keys.js';
import { rings } from '../model/play.js';
import { besideAddress, parseBeside, placeAddress } from '../model/url.js';
import { last, mismatchOf } from '../replay/derive.js';
import { loadPositions } from '../replay/requests/logs.js';
import { Positions } from '../replay/requests/positions.js';
import { Side } from '../replay/requests/side.js';
import { Board } from '../replay/view/board.js';
import { Gestures } from '../replay/view/gestures.js';

const ANNOUNCE_MS = 350;
const LISTED_MAX = 60;
const BOARDS = /** @type {const} */ (['a', 'b']);
const settings = loadSettings();
const place = parseBeside(location.pathname, location.search, location.hash);

const { state, update } = store({
  /** @type {{a: any, b: any} | null} the logs on both boards */ logs: null,
  /** @type {import('../model/beside.js').Pace} */ pace: { at: 0, by: 0 },
  /** what is known of their records @type {Record<'a'|'b', import('../replay/requests/side.js').Change>} */ records: { a: {}, b: {} },
  /** @type {import('../base/live.js').LiveState} */ live: 'connecting',
  flipped: false,
  /** so many positions have come */ came: 0,
  /** @type {any} */ error: null,
}, redraw);

const isOne = !place.other || place.other === place.id;
/** The logs; one, if both boards show the same. @type {Record<'a'|'b', Side>} */ const sides = { a: side(isOne ? BOARDS : ['a'], place.id), b: side(['b'], place.other) };
if (isOne) sides.b = sides.a;
/** @type {Record<'a'|'b', Positions>} */ const shelves = { a: shelf('a', place.id), b: shelf('b', place.other || place.id) };
const boards = { a: new Board(frame('a')), b: new Board(frame('b')) };
const telling = new Resting((to) => to !== location.pathname + location.search + location.hash && history.replaceState(null, '', to));
/** What is said and drawn of two positions. @type {{of: any[], found: ReturnType<typeof differing>, rings: any}} */
let compared = { of: [], found: null, rings: { a: [], b: [] } };
const mismatches = { a: last(mismatchOf), b: last(mismatchOf) };
let timer = 0;

/** The positions of the log on a board. */
function shelf(board, id) {
  return new Positions((from, to) => loadPositions(id, from, to, place.viewer), () => {
    const error = BOARDS.map((each) => shelves[each].error(now()?.plies[each] ?? 0)).find(Boolean) ?? null;
    update({ came: state().came + 1, error });
  });
}

/** The log on some boards. */
function side(of, id) {
  return new Side(id, place.viewer, ({ log, stands, ...record }) => {
    const { logs: old, pace, records } = state();
    const told = Object.fromEntries(of.map((board) => [board, { ...records[board], ...record }]));
    if (!log) {
      update({ records: { ...records, ...told } });
      return;
    }
    for (const board of of) shelves[board].dropFrom(stands);
    const logs = { ...old, ...Object.fromEntries(of.map((board) => [board, log])) };
    update({ logs, pace: followed(old, logs, pace) });
  });
}

/** What both boards show, once the logs are there. */
function now() {
  const { logs, pace } = state();
  if (!logs) return null;
  const plies = pliesAt(logs.a, logs.b, pace);
  const [a, b] = BOARDS.map((board) => shelves[board].get(plies[board]));
  return { ...logs, pace, plies, positions: { a, b }, reach: reach(logs.a, logs.b, pace) };
}

async function load() {
  update({ error: null });
  try {
    const a = await sides.a.load();
    const b = isOne ? a : await sides.b.load();
    update({ logs: { a, b }, pace: firstPace(a, b, place.plies) });
    const live = new Live({ url: liveUrl(), token: token(), state: (now) => update({ live: now }) });
    for (const each of new Set(Object.values(sides))) {
      each.check();
      live.add(each.id, each.following());
    }
  } catch (error) {
    update({ error });
  }
}

// --- what is drawn

/** The parts of a board's half of the page, made once. */
function frame(board) {
  const letter = board.toUpperCase();
  const alone = (by, sign, what) => h('button', { type: 'button', id: `${by < 0 ? 'back' : 'on'}-${board}`, 'aria-label': what, title: what, onclick: () => stepAlone(board, by) }, sign);
  const drawn = h('div', { class: 'board' });
  byId(`one-${board}`).append(
    h('h2', {}, h('span', { class: 'letter' }, letter), h('a', { id: `name-${board}`, dir: 'auto', title: words.fromHere }, '…'),
      h('span', { class: 'alone' }, alone(-1, '‹', words.back(letter)), h('span', { id: `ply-${board}` }), alone(1, '›', words.on(letter)))),
    h('div', {}, h('p', { class: 'badge', id: `badge-${board}`, 'data-state': 'checking' }, h('span', { 'aria-hidden': 'true', class: 'mark' }), h('span', { class: 'text' }), h('span', { class: 'live', id: `live-${board}`, hidden: true }, common.live.live))),
    drawn,
    h('p', { class: 'caption' }, h('span', { class: 'told', id: `told-${board}` }), ' ', h('span', { class: 'status', id: `status-${board}`, dir: 'auto' })));
  byId(`figures-${board}`).append(
    h('div', { class: 'figures', tabindex: '0', role: 'region', 'aria-label': words.figures(letter) }, h('table', { class: 'seats', id: `seats-${board}` }, h('caption', {}, h('span', { class: 'letter' }, letter), h('span', { class: 'hint' }, words.underlined)), h('thead', {}), h('tbody', {}))));
  return drawn;
}

function redraw() {
  const { error, flipped } = state();
  byId('notice').hidden = !error;
  if (error) byId('notice').replaceChildren(...marked(errorWords(error)), h('button', { type: 'button', onclick: retry }, common.again));
  const at = now();
  if (!at) return;
  const isBusy = !at.positions.a || !at.positions.b;
  byId('beside').setAttribute('aria-busy', String(isBusy));
  if (!isBusy) settle(byId('beside'));
  for (const board of BOARDS) {
    shelves[board].want(at.plies[board], at[board].ply);
    shelves[board].ahead(at.plies[board], at[board].ply);
  }
  compare(at);
  for (const board of BOARDS) drawBoard(board, at, flipped);
  drawRecords(at);
  byId('beside').style.setProperty('--ratio', ratio(at));
  drawControls(at, flipped);
  drawDifferences();
  if (at.positions.a && at.positions.b) telling.later(besideAddress({ ...place, plies: at.plies }));
  clearTimeout(timer);
  timer = setTimeout(announce, ANNOUNCE_MS);
}

/** Finds what is different, once for each pair of positions. */
function compare({ a, b, plies, positions }) {
  if (positions.a === compared.of[0] && positions.b === compared.of[1]) return;
  const found = differing(a, b, plies, positions.a, positions.b);
  const around = (board) => (positions[board] && found ? rings(positions[board].scene, [...new Set(found.map((each) => each[board]).filter(Boolean))]) : []);
  compared = { of: [positions.a, positions.b], found, rings: { a: around('a'), b: around('b') } };
}

/** The width of the wider board by its height: both get the same space. */
function ratio({ positions }) {
  const ratios = BOARDS.filter((board) => positions[board]).map((board) => boards[board].ratio);
  return String(Math.min(...ratios, 3).toFixed(3));
}

function drawBoard(board, at, flipped) {
  const { [board]: log, plies, positions: { [board]: position } } = at;
  const ply = plies[board];
  const node = { id: `${log.id}:${ply}`, parent: ply > 0 ? `${log.id}:${ply - 1}` : null };
  boards[board].draw({ advice: null, flipped, marks: compared.rings[board], node, position, settings });
  boards[board].name(position);
  setText(byId(`name-${board}`), `${log.seats.map(({ number }) => seatName(log.seats, number)).join(' – ')}${log.name ? `, ${log.name}` : ''}`);
  byId(`name-${board}`).href = placeAddress({ id: log.id, viewer: place.viewer, ply });
  setText(byId(`ply-${board}`), ltr(`${ply} / ${log.ply}`));
  byId(`back-${board}`).setAttribute('aria-disabled', String(ply === 0));
  byId(`on-${board}`).setAttribute('aria-disabled', String(ply === log.ply));
  if (!position) return;
  setText(byId(`told-${board}`), toldOf(board, at));
  setText(byId(`status-${board}`), named(term(position.scene.status ?? ''), log.seats));
  drawSeats(board, log, position, at.a.kind === at.b.kind ? at.positions[board === 'a' ? 'b' : 'a'] : undefined);
}

/** Whether each record is intact, and is what the page shows; a page that shows something else is not to be trusted. */
function drawRecords(at) {
  const { live, records } = state();
  const known = BOARDS.map((board) => {
    const { [board]: log } = at;
    const { finding = null, events = null, ...rest } = records[board];
    return { ...rest, finding, mismatch: mismatches[board](finding?.valid ? events : null, log.moves, log.head.seq, log, place.viewer) };
  });
  for (const [index, board] of BOARDS.entries()) {
    const { name, text } = badge(known[index]);
    const element = byId(`badge-${board}`);
    element.dataset.state = name;
    setText(element.querySelector('.mark'), BADGE_MARKS[name]);
    setText(element.querySelector('.text'), text);
    byId(`live-${board}`).hidden = at[board].status !== 'RUNNING';
    byId(`live-${board}`).dataset.state = live;
    setText(byId(`live-${board}`), common.live[live]);
  }
  const alarms = [...new Set(known.map(alarm))].filter(Boolean);
  byId('alarm').hidden = alarms.length === 0;
  setText(byId('alarm'), alarms.join(' '));
}

/** What led to the position on a board, as a sentence. */
function toldOf(board, { [board]: log, plies, positions: { [board]: position } }) {
  const move = log.moves[plies[board] - 1];
  return move ? happened(shelves[board].get(plies[board] - 1)?.scene, position.scene, move, log.seats) : words.start;
}

/** The seats, who is to act, and their figures. */
function drawSeats(board, { seats }, { scene, toAct }, other) {
  const { columns, rows } = figuresOf(scene);
  const others = other ? figuresOf(other.scene).rows : [];
  const cells = (own) => {
    const beside = others.find(({ seat, name }) => seat === own?.seat && name === own?.name);
    return (own?.cells ?? []).map((text, index) => h('td', { class: beside && beside.cells[index] !== text ? 'differs' : null }, term(text)));
  };
  const { tHead: head, tBodies: [body] } = byId(`seats-${board}`);
  patch(head, columns.some(Boolean) ? [row('head', [columns.join('\n')], () => h('tr', {}, h('td', {}), ...columns.map((name) => (name ? h('th', { scope: 'col' }, term(name)) : h('td', {})))))] : []);
  patch(body, [
    ...seats.map(({ number }) => {
      const own = rows.find(({ seat }) => seat === number);
      const acts = toAct.includes(`seat:${number}`);
      return row(`${board}-${number}`, [own, others, acts], () => h('tr', { class: acts ? 'to-act' : null },
        h('th', { scope: 'row' }, h('span', { class: 'seat' }, chip(number), h('span', {}, h('span', { class: 'name', dir: 'auto' }, seatName(seats, number)), h('span', { class: 'turn' }, words.toAct)))), ...cells(own)));
    }),
    ...rows.filter(({ seat }) => !seat).map((own) => row(`${board}-${own.name}`, [own, others], () => h('tr', { class: 'other' }, h('th', { scope: 'row' }, term(own.name ?? '')), ...cells(own)))),
  ]);
}

/** The table of the seats, which has no title. */
function figuresOf({ tables }) {
  return tables?.find(({ title }) => !title) ?? { columns: [], rows: [] };
}

function drawControls(at, flipped) {
  const { a, b, pace, plies } = at;
  setText(byId('title'), a.id === b.id ? words.titleOne : common.beside);
  document.title = words.pageTitle(a.seats.map(({ number }) => seatName(a.seats, number)).join(' – '));
  setText(byId('part'), partWords(a, b, plies));
  const slider = byId('slider');
  [slider.min, slider.max, slider.value] = [at.reach.first, at.reach.last, pace.at].map(String);
  slider.style.setProperty('--done', `${(100 * (pace.at - at.reach.first)) / Math.max(1, at.reach.last - at.reach.first)}%`);
  slider.setAttribute('aria-valuetext', words.plies(plies.a, a.ply, plies.b, b.ply));
  setText(byId('plies'), `A ${plies.a} · B ${plies.b}`);
  for (const name of ['first', 'prev']) byId(name).setAttribute('aria-disabled', String(pace.at <= at.reach.first));
  for (const name of ['next', 'last']) byId(name).setAttribute('aria-disabled', String(pace.at >= at.reach.last));
  byId('parting').hidden = a.id === b.id || shared(a, b) < 0;
  byId('flip').setAttribute('aria-pressed', String(flipped));
}

function drawDifferences() {
  const { found } = compared;
  if (!found) return;
  setText(byId('differences-said'), differencesWords());
  patch(byId('differences'), found.slice(0, LISTED_MAX).map(({ words: told }) => h('li', {}, told)));
}

function differencesWords() {
  const { found } = compared;
  if (!found) return '';
  if (found.length === 0) return words.nothing;
  return found.length > LISTED_MAX ? words.manyDifferences(found.length, LISTED_MAX) : words.differences(found.length);
}

function announce() {
  const at = now();
  if (!at?.positions.a || !at.positions.b) return;
  const told = BOARDS.map((board) => words.announced(board.toUpperCase(), at.plies[board], toldOf(board, at)));
  setText(byId('announce'), [...told, differencesWords()].join(' '));
}

// --- what the reader does

/** Steps both boards to a place. */
function go(to) {
  const { logs, pace } = state();
  if (logs) update({ pace: stepped(logs.a, logs.b, pace, to) });
}

const step = (by) => go(state().pace.at + by);

function stepAlone(board, by) {
  const { logs, pace } = state();
  if (logs) update({ pace: steppedAlone(logs.a, logs.b, pace, board, by) });
}

/** Both to the first ply at which they differ. */
function part() {
  const { logs } = state();
  if (logs && logs.a.id !== logs.b.id) update({ pace: { at: partOf(logs.a, logs.b), by: 0 } });
}

const flip = () => update({ flipped: !state().flipped });

function retry() {
  if (!state().logs) load();
  else for (const board of BOARDS) shelves[board].retry();
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isDialogOpen()) return;
  if (event.target.matches('input:not([type=range]), select, textarea')) return;
  const at = now();
  // A held key waits for each position to load, so that all of them are seen.
  if (!at || (event.repeat && !(at.positions.a && at.positions.b))) return;
  const act = {
    prev: () => step(-1), next: () => step(1), first: () => go(at.reach.first), last: () => go(at.reach.last), flip,
    enter: () => stepAlone('b', 1), leave: () => stepAlone('b', -1), p: part,
  }[actOf(keyOf(event), settings) || (settings.letters && event.key)];
  if (!act) return;
  event.preventDefault();
  act();
}

function compareWith(event) {
  event.preventDefault();
  const { value } = byId('other').elements.namedItem('other');
  const other = logIn(value);
  setText(byId('other-said'), other ? '' : words.besideNoGame);
  if (other) location.assign(besideAddress({ ...place, other, plies: null }));
}

for (const [id, act] of Object.entries({ first: () => go(now()?.reach.first ?? 0), prev: () => step(-1), next: () => step(1), last: () => go(now()?.reach.last ?? 0), parting: part, flip })) {
  byId(id).addEventListener('click', act);
}
byId('slider').addEventListener('input', ({ target }) => go(Number(target.value)));
byId('other').addEventListener('submit', compareWith);
document.addEventListener('keydown', key);
new Gestures(byId('pair'), { step, now: () => {
  const at = now();
  return { settings, ply: at ? at.pace.at - at.reach.first : 0, last: at ? at.reach.last - at.reach.first : 0, position: at?.positions.a && at.positions.b };
} });
globalThis.addEventListener('hashchange', () => {
  const { plies } = parseBeside(location.pathname, location.search, location.hash);
  const { logs } = state();
  if (logs && plies) update({ pace: firstPace(logs.a, logs.b, plies) });
});
load();
