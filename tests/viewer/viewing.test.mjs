// What the replay says and shows, without a browser: sentences, differences, comparisons, limits.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mock, test } from 'node:test';

import { changes } from '../../web-viewer/model/changes.js';
import { difference, mainline } from '../../web-viewer/model/compare.js';
import { feat, happened, named } from '../../web-viewer/model/happened.js';
import { inWords, shortened } from '../../web-viewer/model/spoken.js';
import { newsOf } from '../../web-viewer/model/history.js';
import { frameFor, shapes } from '../../web-viewer/model/scene.js';
import { follow } from '../../web-viewer/base/live.js';
import { first, update } from '../../web-viewer/replay/update.js';

const SEATS = [{ number: 1, name: 'Ada' }, { number: 2, name: 'Bram' }];
const move = (by, action) => ({ by, action });

// --- sentences

const square = (place, ...things) => ({ shape: 'POLYGON', points: [[0, 0], [1, 0], [1, 1]], class: 'space', place, title: [place, 'plains', ...things].join(', ') });
const board = (...items) => ({ view: [0, 0, 10, 10], items });

test('an action that names no place is told in words', () => {
  for (const [action, told] of [['-', 'stay'], ['-!', 'stay, with a garnet'], ['LUR!', 'left, up, right, with a garnet'], ['+S', 'a small pyramid'], ['nosword', 'no sword'], ['shield:2', 'shield 2'],
    ['?', 'a secret submission'], ['places:1.1=?,4.7=2', 'start cells and letters are drawn'], ['favor:?', 'a favour, in secret'], ['favor:hasten', 'the favour hasten'], ['battle:odd', 'the battle is lost'], ['pass', 'pass'], ['b1-b2', ''], ['c3xc4', ''], ['r:F@n+', ''], ['x:C@f', ''], ['conspire:c3', '']]) {
    assert.equal(inWords(action), told, action);
  }
});

test('a move and a capture are described with names', () => {
  const before = board(square('h4', 'rangers of seat 1'), square('g5', 'lancer of seat 2'));
  const after = board(square('h4'), square('g5', 'rangers of seat 1'));
  assert.equal(happened(before, after, move('seat:1', 'h4xg5'), SEATS), 'Ada moves the rangers from h4 to g5; Bram loses the lancer on g5.');
});

test('what is taken from somebody else and what is rolled is worth a mark; what one gives up is not', () => {
  const [before, after] = [board(square('a1', 'pad of seat 2')), board(square('a1'))];
  assert.deepEqual(feat(before, after, move('seat:1', 'xa1'), SEATS), { kind: 'capture', text: 'Bram loses the pad on a1.' });
  assert.equal(feat(before, after, move('seat:2', '-a1'), SEATS), null);
  assert.equal(feat(after, before, move('seat:2', '+a1'), SEATS), null);
  assert.deepEqual(feat(after, after, move('chance', 'roll:1=6,2=1'), SEATS), { kind: 'dice', text: 'The dice: Ada 6, Bram 1.' });
  assert.equal(feat(before, after, move('chance', 'roll:1=6,2=1'), SEATS)?.kind, 'capture', 'a roll that costs something');
});

test('placements, turns, and actions shown as they are', () => {
  const empty = board(square('a1'));
  assert.equal(happened(empty, board(square('a1', 'pad of seat 2')), move('seat:2', '+a1'), SEATS), 'Bram places a pad on a1.');
  const motion = { groups: ['island:B', 'island:D'], about: [0, 0], degrees: -60 };
  assert.equal(happened(empty, { ...empty, motion }, move('seat:1', 'r:BD'), SEATS), 'Ada turns islands B and D 60° counterclockwise.');
  assert.equal(happened(empty, empty, move('seat:1', 'end'), SEATS), 'Ada: end of the turn.');
  assert.equal(happened(undefined, empty, move('seat:1', 'end'), SEATS), 'Ada: end of the turn.');
  assert.equal(happened(empty, empty, move('chance', 'roll:1=6,2=12+3'), SEATS), 'The dice: Ada 6, Bram 12 + 3 = 15.');
  const piece = { shape: 'POLYGON', points: [[0, 0], [1, 0], [1, 1]], class: 'piece size-s', place: 'a1', title: "number 2 on a1: seat 2's small piece" };
  assert.equal(happened(board(piece), board(), move('chance', 'roll:1=6,2=1'), SEATS), 'The dice: Ada 6, Bram 1. Bram loses the small piece on a1.');
});

test('an entirely different position is not described piece by piece', () => {
  const ghost = { ...square('a1'), class: 'piece ghost', title: "seat 2's small piece was lost" };
  assert.equal(happened(board(), board(ghost), move('seat:1', 'end'), SEATS), 'Ada: end of the turn.');
  const many = board(...[...'abcdef'].map((place) => square(place, 'pad of seat 1')));
  assert.equal(happened(board(), many, move('seat:1', 'setup:x'), SEATS), 'Ada: the set-up.');
  assert.equal(shortened('x'.repeat(90)).length, 40);
  const setUp = { by: 'seat:1', action: `setup:${'p'.repeat(60)}` };
  assert.equal(happened(undefined, { view: [0, 0, 1, 1], items: [] }, setUp, [{ number: 1, name: 'Ada' }]), 'Ada: the set-up.', 'nobody has to hear all of it');
});

test('seats get their names in any text', () => {
  assert.equal(named('Seat 2 to act: seat 1 waits.', SEATS), 'Bram to act: Ada waits.');
  assert.equal(named('To submit: seats 1, 2.', SEATS), 'To submit: Ada and Bram.');
  assert.equal(named('Seats 1 and 2 play on', SEATS), 'Ada and Bram play on');
  assert.equal(named('Seat 7 and 12 seats', SEATS), 'Seat 7 and 12 seats');
});

test('followers of a game hear of events that are not actions', () => {
  assert.equal(newsOf({ type: 'acted', by: 'seat:1', body: { action: 'x' } }, SEATS), '');
  assert.match(newsOf({ type: 'resigned', by: 'seat:2', body: {} }, SEATS), /^Bram resigned/);
  assert.match(newsOf({ type: 'draw_offered', by: 'seat:1', body: {} }, SEATS), /^Ada offered a draw/);
  assert.match(newsOf({ type: 'ended', by: 'seat:2', body: { outcome: { winners: [1], reason: 'resignation' } } }, SEATS), /Ada won: resignation/);
  assert.match(newsOf({ type: 'taken_back', by: 'arbiter', body: { to_ply: 3, reason: 'a slip' } }, SEATS), /Taken back to ply 3. Arbiter: a slip/);
});

// --- comparing the page with the log

const log = (...events) => [
  { type: 'created', by: 'service', body: { kind: 'k', seats: [{ name: 'Ada' }, { name: 'Bram' }] } }, ...events,
].map((event, seq) => ({ seq, ...event }));
const acted = (by, action) => ({ type: 'acted', by, body: { action } });
const GAME = { kind: 'k', status: 'RUNNING', seats: SEATS, outcome: null };
const listed = (events) => mainline(events).map(({ seq, ply, by, action }) => ({ seq, ply, by, action: action ?? '?' }));

test('the page is compared with the log, ply by ply', () => {
  const events = log(acted('seat:1', 'a1-a2'), acted('seat:2', 'b1-b2'), { type: 'taken_back', by: 'arbiter', body: { to_ply: 1 } }, acted('seat:2', 'b1-b3'));
  const moves = listed(events);
  assert.deepEqual(moves.map(({ action }) => action), ['a1-a2', 'b1-b3']);
  assert.equal(difference(events, moves, GAME, false), '');
  const changed = (index, change) => difference(events, moves.with(index, { ...moves[index], ...change }), GAME, false);
  assert.equal(changed(1, { action: 'b1-b2' }), 'Ply 2 is shown as b1-b2 by Bram; the record has b1-b3 by Bram.');
  assert.match(changed(0, { by: 'seat:2' }), /^Ply 1 is shown as a1-a2 by Bram/);
  assert.match(difference(events, moves.slice(0, 1), GAME, false), /^The record goes on to ply 2/);
  const more = [...moves, { seq: 9, ply: 3, by: 'seat:1', action: 'x' }];
  assert.equal(difference(events, more, GAME, false), '', 'a ply that was recorded meanwhile is not a difference');
  assert.match(difference(events, more, { ...GAME, status: 'FINISHED' }, false), /lists ply 3/);
  assert.match(difference(events, moves, { ...GAME, kind: 'other' }, false), /a game of other/);
});

test('secrets are compared once they are opened, the result with the last that was recorded', () => {
  const sealed = { type: 'sealed', by: 'seat:1', body: { commitment: 'c' } };
  const closed = log(sealed);
  assert.equal(difference(closed, [{ seq: 1, ply: 1, by: 'seat:1', action: 'setup:x' }], GAME, false), '', 'its owner may see it');
  const opened = log(sealed, { type: 'revealed', by: 'service', body: { of: 1, content: 'setup:x' } });
  assert.match(difference(opened, [{ seq: 1, ply: 1, by: 'seat:1', action: 'setup:y' }], GAME, false), /the record has setup:x/);
  assert.equal(difference(opened, [{ seq: 1, ply: 1, by: 'seat:1', action: 'setup:?' }], GAME, true), '', 'as the public sees it');
  const ended = log({ type: 'ended', by: 'service', body: { outcome: { winners: [1], reason: 'mate' } } });
  assert.match(difference(ended, [], { ...GAME, outcome: { winners: [2], reason: 'mate' } }, false), /shows Bram as winning \(mate\); the record has Ada/);
  const corrected = [...ended, { seq: 2, type: 'corrected', by: 'arbiter', body: { outcome: { winners: [], reason: 'ruling' } } }];
  assert.equal(difference(corrected, [], { ...GAME, outcome: { winners: [], reason: 'ruling' } }, false), '');
});

// --- what moved

test('the changes of a step: what moved, appeared and disappeared', () => {
  const piece = (seat, x, y) => ({ shape: 'CIRCLE', at: [x, y], r: 3, class: `piece seat-${seat}` });
  const ground = { shape: 'POLYGON', points: [[0, 0], [9, 0], [9, 9]], class: 'space last' };
  const before = shapes(board(ground, piece(1, 1, 1), piece(1, 5, 5), piece(2, 7, 7)));
  const after = shapes(board({ ...ground, class: 'space' }, { ...piece(1, 7, 7), class: 'piece seat-1 last' }, piece(1, 5, 5), piece(3, 2, 2)));
  const found = changes(before, after);
  assert.deepEqual([...found.moved].map(([shape, by]) => [shape.attributes.cx, by]), [['7', [-6, -6]]]);
  assert.deepEqual(found.come.map(({ attributes }) => attributes.class), ['piece seat-3']);
  assert.deepEqual(found.gone.map(({ attributes }) => attributes.class), ['piece seat-2']);
  const crowd = shapes(board(...Array.from({ length: 100 }, (_, index) => piece(2, index, 0))));
  assert.equal(changes(before, crowd), null);
});

test('on a flipped board, a picture keeps its shape, and its parts stay together', () => {
  const space = { shape: 'POLYGON', points: [[0, 0], [4, 0], [4, 4], [0, 4]], class: 'space', place: 'a1' };
  const peak = { shape: 'POLYGON', points: [[1, 3], [2, 1], [3, 3]], class: 'mark peak' };
  const flag = { shape: 'LINE', points: [[2, 2], [2, 3]], class: 'outline', flat: true };
  const pawn = [{ shape: 'CIRCLE', at: [8, 6], r: 1, class: 'piece', group: 'pawn:1' }, { shape: 'TEXT', at: [8, 8], size: 1, text: '1', class: 'glyph', group: 'pawn:1' }];
  const [turned, mountain, line, head, number] = shapes(board(space, peak, flag, ...pawn), true);
  assert.equal(turned.attributes.points, '10,10 6,10 6,6 10,6');
  assert.equal(mountain.attributes.points, '7,9 8,7 9,9');
  assert.equal(line.attributes.points, '8,8 8,7', 'what is flat turns');
  assert.ok(Number(head.attributes.cy) < Number(number.attributes.y), 'the head stays above the number');
});

test('the frame of a board stays as it is, moves or grows with what is shown, and is left where it is much too large', () => {
  const frame = [0, 0, 100, 80];
  assert.deepEqual(frameFor([0, 0, 0, 0], [-5, 3, 40, 30]), [-5, 3, 40, 30], 'the first one');
  assert.deepEqual(frameFor(frame, [10, 10, 80, 60]), frame, 'it stays');
  assert.deepEqual(frameFor(frame, [-10, 30, 80, 60]), [-10, 10, 100, 80], 'it moves no further than it has to');
  assert.deepEqual(frameFor(frame, [10, 0, 120, 80]), [10, 0, 120, 80], 'it grows');
  assert.deepEqual(frameFor(frame, [10, 10, 80, 100]), [0, 10, 100, 100], 'it grows one way only');
  assert.deepEqual(frameFor(frame, [10, 10, 80, 55]), [10, 10, 80, 55], 'too high');
  assert.deepEqual(frameFor(frame, [10, 10, 60, 90]), [10, 10, 60, 90], 'too wide');
});

test('a connection that died silently is noticed and replaced', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const sockets = [];
  class Socket {
    constructor() { this.readyState = 1; this.sent = []; sockets.push(this); }
    send(text) { this.sent.push(JSON.parse(text)); }
    close() { this.readyState = 2; }
    answer(message) { this.onmessage({ data: JSON.stringify(message) }); }
  }
  Object.assign(Socket, { OPEN: 1, CLOSED: 3 });
  const old = { WebSocket: globalThis.WebSocket, document: globalThis.document, addEventListener: globalThis.addEventListener, removeEventListener: globalThis.removeEventListener };
  const listeners = { addEventListener() {}, removeEventListener() {} };
  Object.assign(globalThis, { WebSocket: Socket, document: { ...listeners, visibilityState: 'visible' }, ...listeners });
  const states = [];
  const stop = follow({ url: 'ws://x', token: '', query: 'q', variables: () => ({}), next() {}, state: (state) => states.push(state) });
  const [socket] = sockets;
  socket.onopen();
  socket.answer({ type: 'connection_ack' });
  mock.timers.tick(20_000);
  assert.equal(socket.sent.at(-1).type, 'ping');
  socket.answer({ type: 'pong' });
  mock.timers.tick(20_000);
  assert.deepEqual([states.at(-1), socket.sent.filter(({ type }) => type === 'ping').length], ['live', 2], 'one that answers lives on');
  mock.timers.tick(8000);
  assert.equal(states.at(-1), 'offline');
  mock.timers.tick(20_000);
  assert.equal(sockets.length, 2);
  stop();
  mock.timers.reset();
  Object.assign(globalThis, old);
});

// --- where keys lead

test('keys step by turns, and by the turns of one seat', () => {
  const moves = ['seat:1', 'seat:1', 'seat:2', 'chance', 'seat:1', 'seat:2'].map((by, index) => ({ ply: index + 1, seq: index + 1, game: 'G', by, action: `${index}`, glyphs: [] }));
  let state = { ...first({ id: 'G' }), game: { id: 'G', ply: 6, status: 'FINISHED', seats: SEATS, head: { seq: 6 } }, moves, movesDone: true };
  const press = (...message) => { state = update(state, ...message); return state.ply; };
  assert.deepEqual([1, 1, 1, 1].map((by) => press('turn', by)), [1, 3, 4, 5]);
  assert.deepEqual([-1, -1, -1].map((by) => press('turn', by)), [4, 3, 1]);
  assert.equal(press('go', 3), 3);
  assert.deepEqual([1, -1, -1].map((by) => press('mine', by)), [6, 3, 3], 'of the seat that acted last');
  assert.match(state.said.text, /No earlier turn/);
  state = { ...state, viewer: '1' };
  assert.equal(press('mine', 1), 5, 'of the seat that is looked with');
});

test('autoplay stops at marks if wanted, and plies that arrive in the meantime are counted', () => {
  const moves = [1, 2, 3].map((ply) => ({ ply, seq: ply, game: 'G', by: 'seat:1', action: 'x', glyphs: ply === 2 ? ['??'] : [] }));
  let state = { ...first({ id: 'G' }), game: { id: 'G', ply: 3, status: 'RUNNING', seats: SEATS, head: { seq: 3 } }, moves, movesDone: true };
  const send = (...message) => { state = update(state, ...message); };
  const tick = () => { send('placed', { place: `G:${state.ply}`, position: { ply: state.ply, toAct: [], text: '', scene: board() }, error: null }); send('tick'); };
  send('prefer', { stops: true });
  send('toggle');
  tick();
  assert.deepEqual([state.ply, state.playing], [1, true]);
  tick();
  assert.deepEqual([state.ply, state.playing], [2, false]);
  send('refreshed', { ...state.game, ply: 5 });
  assert.equal(state.fresh, 2);
  send('end');
  assert.equal(state.fresh, 0);
});

// --- styles

test('styles of one kind do not affect another', () => {
  const sheet = readFileSync(new URL('../../web-viewer/base/scene.css', import.meta.url), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');
  const rust = readFileSync(new URL('../../rules/src/scene.rs', import.meta.url), 'utf8');
  const shared = new Set([...rust.matchAll(/Class::new\("([^"]+)"/g)].map(([, name]) => name));
  assert.ok(shared.has('path') && shared.size > 20);
  const kinds = ['tri', 'triforce', 'triforce-building', 'thrones'];
  const general = sheet.split('}').map((rule) => rule.split('{')[0].trim()).filter((selector) => selector && !selector.startsWith('@') && !kinds.some((kind) => selector.includes(`.scene.${kind} `) || selector === `.scene.${kind}`));
  const own = new Set(['scene', 'palette', 'marks', 'mark-picked', 'mark-offered', 'pad', 'rib', 'neutral', 'fading']);
  for (const selector of general) {
    for (const [, name] of selector.matchAll(/\.([a-z][a-z0-9-]*)/g)) assert.ok(shared.has(name) || own.has(name), `${selector}: .${name} belongs to one game`);
  }
  for (const rule of sheet.split('}')) {
    const selectors = rule.split('{')[0].split(',').map((one) => one.trim());
    const scoped = selectors.filter((one) => /\.scene\.[a-z]/.test(one));
    assert.ok(scoped.length === 0 || scoped.length === selectors.length, `${rule.split('{')[0].trim()}: one of several selectors reaches every game`);
  }
});
