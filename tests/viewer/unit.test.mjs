// The viewer's modules that need no DOM. `node --test unit.test.mjs`, no install needed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { ACTS, actOf, keyOf, keySign } from '../../web-viewer/model/keys.js';
import { backoff } from '../../web-viewer/base/live.js';
import { contributedFor, rollsOf } from '../../web-viewer/model/fair.js';
import * as format from '../../web-viewer/model/format.js';
import { eventWords, notes, rewrites } from '../../web-viewer/model/history.js';
import { parseMarkdown, parseSpans } from '../../web-viewer/model/markdown.js';
import { Positions } from '../../web-viewer/replay/requests/positions.js';
import { learn, pictured } from '../../web-viewer/model/pictures.js';
import * as scene from '../../web-viewer/model/scene.js';
import { exchanged } from '../../web-viewer/model/set-up.js';
import * as filters from '../../web-viewer/model/filter-url.js';
import * as url from '../../web-viewer/model/url.js';

const GAME = '0192f0c1-2a3b-7c4d-8e5f-60718293a4b5';
const ZERO = '0'.repeat(64);
const SEATS = [{ number: 1, name: 'Ada' }, { number: 2, name: 'Bram' }, { number: 3, name: 'Chiara' }];

const created = (more = {}) => ({
  type: 'created', by: 'service', body: { kind: 'triangulate', rules: 'v1', seats: [{ name: 'Ada' }, { name: 'Brám "B" \\' }], setup: {}, ...more },
});
const acted = (action, by = 'seat:1') => ({ type: 'acted', by, body: { action } });
test('what a log says of its dice', () => {
  const roll = { type: 'acted', by: 'chance', body: { action: 'roll:1=2', fair: true } };
  const log = [created(), { type: 'entropy_added', by: 'seat:2', body: { entropy: ZERO } }, acted('roll:1=2', 'chance'), roll, roll];
  assert.deepEqual(rollsOf(log), { count: 2, seats: 1, isPublic: false });
  assert.deepEqual(rollsOf([...log, { type: 'voided', by: 'arbiter', body: { seed: { seed: ZERO, salt: ZERO } } }]), { count: 2, seats: 1, isPublic: true });
});

test('a token contributes for the seats of its player, and a table for all', () => {
  const seats = [1, 2, 3].map((number) => ({ number, player: number < 3 ? { id: `p${number}` } : null }));
  const game = { id: GAME, seats, entropyAwaitedFrom: [2, 3] };
  const me = { role: 'player', seat: null, player: null, game: null };
  assert.deepEqual(contributedFor({ ...me, player: { id: 'p2' } }, game), [2]);
  assert.deepEqual(contributedFor({ ...me, player: { id: 'p1' } }, game), [], 'it has contributed');
  assert.deepEqual(contributedFor({ ...me, seat: 3, game: { id: GAME } }, game), [3]);
  assert.deepEqual(contributedFor({ ...me, seat: 3, game: { id: 'another' } }, game), []);
  assert.deepEqual(contributedFor(me, game), [], 'nobody sits anywhere');
  assert.deepEqual(contributedFor({ ...me, role: 'table', game: { id: GAME } }, game), [2, 3]);
  assert.deepEqual(contributedFor({ ...me, role: 'arbiter', player: { id: 'p2' } }, game), [], 'who rules on a game does not play');
});

const SCENE = {
  view: [-100, -100, 1200, 1000],
  items: [
    { shape: 'POLYGON', points: [[0, 0], [100, 0], [100, 50]], class: 'space', title: 'a1 <&>' },
    { shape: 'CIRCLE', at: [10, 20], r: 5, class: 'piece seat-1', group: 'island:D' },
    { shape: 'LINE', points: [[0, 0], [1, 1]], class: 'grid' },
    { shape: 'TEXT', at: [10, 20], size: 30, text: 'X', class: 'glyph seat-1' },
    { shape: 'TEXT', at: [40, 20], size: 30, text: 'O', class: 'glyph seat-2' },
  ],
};

test('a scene becomes SVG elements, and when flipped, things on it stay upright', () => {
  const [polygon, circle, line, text] = scene.shapes(SCENE);
  assert.deepEqual([polygon.tag, polygon.attributes.points], ['polygon', '0,0 100,0 100,50']);
  assert.deepEqual(circle.attributes, { class: 'piece seat-1', cx: '10', cy: '20', r: '5' });
  assert.equal(line.tag, 'polyline');
  assert.deepEqual([text.tag, text.text, text.attributes['font-size']], ['text', 'X', '30']);
  const flipped = scene.shapes(SCENE, true);
  const [x, y] = [990, 780];
  const alone = scene.shapes({ ...SCENE, items: [SCENE.items[1]] }, true)[0];
  assert.deepEqual([alone.attributes.cx, alone.attributes.cy], [x, y].map(String), 'what stands alone turns about the middle');
  assert.equal(flipped[0].attributes.points, '1000,800 900,800 900,750', 'a space turns');
  // Things on a space move with its centre, here (67, 17), and are not turned themselves.
  assert.deepEqual([flipped[1].attributes.cx, flipped[1].attributes.cy], ['876', '786']);
});

test('a turn is animated between neighbouring plies only, and reversed when stepping back', () => {
  const motion = { groups: ['island:D'], about: [100, 200], degrees: 60 };
  const before = { ply: 4, scene: SCENE };
  const after = { ply: 5, scene: { ...SCENE, motion } };
  assert.deepEqual(scene.turn(before, after), { groups: ['island:D'], about: [100, 200], degrees: -60 });
  assert.deepEqual(scene.turn(after, before)?.degrees, 60);
  assert.deepEqual(scene.turn(before, after, true)?.about, [900, 600]);
  assert.equal(scene.turn({ ply: 3, scene: SCENE }, after), null);
  assert.equal(scene.turn(after, { ply: 6, scene: SCENE }), null);
});

test('letters stand for seats only if they distinguish them', () => {
  assert.deepEqual([...scene.seatGlyphs(SCENE)], [[1, 'X'], [2, 'O']]);
  const king = { shape: 'TEXT', at: [0, 0], size: 1, text: 'K', class: 'glyph seat-1' };
  assert.equal(scene.seatGlyphs({ ...SCENE, items: [...SCENE.items, king] }).size, 0);
});

test('the state of the list round-trips through the address', () => {
  const search = '?kind=tri&status=FINISHED&player=p1&since=2026-01-02&order=PLY_DESC&after=c%3D1';
  const state = filters.parseList(search);
  assert.equal(state.after, 'c=1');
  assert.deepEqual(filters.parseList(filters.listSearch(state)), state);
  assert.equal(filters.listSearch(filters.parseList('')), '');
  assert.equal(filters.isFiltered(filters.parseList('?order=PLY_ASC')), false);
  const odd = filters.parseList('?status=HACKED&since=yesterday&order=x&after=a&before=b&until=2026-13-45');
  assert.deepEqual([odd.status, odd.since, odd.order, odd.before, odd.until], ['', '', 'CREATED_DESC', '', '']);
});

test('the variables of a list', () => {
  const plain = filters.listVariables(filters.parseList(''));
  assert.deepEqual(plain, { filter: { origin: 'RECORDED' }, orderBy: 'CREATED_DESC', first: 25 });
  const back = filters.listVariables(filters.parseList('?before=c9&kind=tri&since=2026-01-02&until=2026-01-02'));
  assert.deepEqual([back.last, back.before, back.first, back.filter.kind], [25, 'c9', undefined, 'tri']);
  assert.equal(Date.parse(back.filter.until) - Date.parse(back.filter.since), 24 * 3600 * 1000 - 1);
});

test('game, ply and viewer in an address', () => {
  assert.deepEqual(['/games/abc', '/tournaments/x/organise', '/games/%zz', '/'].map(url.idIn), ['abc', 'x', '', '']);
  assert.deepEqual(['#0', '#12', '', '#x', '#1e3', '#-1'].map(url.plyOf), [0, 12, null, null, null, null]);
  assert.equal(url.sharedAddress(url.placeAddress({ id: 'a', line: 'b', ply: 12 })), '/games/a?line=b&ply=12');
  assert.deepEqual(['?ply=0', '?line=x&ply=12', '', '?ply=x', '?ply=-1', '?ply=99999999'].map(url.plyIn), [0, 12, null, null, null, null]);
  assert.deepEqual(['?viewer=all', '?viewer=13', '?viewer=14', '?viewer=0', ''].map(url.viewerOf), ['all', '13', '', '', '']);
});

test('outcomes in words', () => {
  const words = (outcome, status = 'FINISHED') => format.outcomeWords({ status, outcome, seats: SEATS });
  assert.equal(words({ winners: [1], reason: 'three-on-a-square' }), 'Ada won: three on a square');
  assert.equal(words({ winners: [1, 2, 3], reason: 'x' }), 'Ada, Bram and Chiara won: x');
  assert.equal(words({ winners: [], reason: 'agreement' }), 'Draw: agreement');
  assert.equal(words(null, 'RUNNING'), 'In play');
  assert.equal(words(null, 'VOID'), 'Void');
  assert.deepEqual(format.rankingWords({ winners: [2], ranking: [[2], [1, 3]], reason: 'x' }, SEATS), ['1. Bram', '2. Ada and Chiara']);
  assert.deepEqual(format.rankingWords({ winners: [2], ranking: [[2], [1]], reason: 'x' }, SEATS.slice(0, 2)), []);
});

test('partners are named', () => {
  const game = { seats: SEATS, teams: [[1, 3], [2]] };
  assert.deepEqual([1, 2, 3].map((seat) => format.partnerNames(game, seat)), [['Chiara'], [], ['Ada']]);
  assert.deepEqual(format.partnerNames({ seats: SEATS }, 1), []);
});

test('actors and turns in words', () => {
  assert.deepEqual(['seat:2', 'seat:9', 'chance', 'arbiter'].map((by) => format.actorName(by, SEATS)), ['Bram', 'Seat 9', 'Chance', 'Arbiter']);
  assert.equal(format.toActWords(['seat:1', 'chance'], SEATS), 'Ada and Chance to act');
  assert.deepEqual([900, 61_000, 7_260_000].map(format.duration), ['0.9 s', '1 min 1 s', '2 h 1 min']);
});

test('takebacks name the removed actions, corrections are shown beside what they correct', () => {
  const events = [
    created(), acted('a'), acted('b', 'seat:2'), acted('c'),
    { type: 'taken_back', by: 'arbiter', body: { to_ply: 1, reason: 'slip' } }, acted('d', 'seat:2'),
    { type: 'resigned', by: 'seat:2', body: {} },
    { type: 'ended', by: 'service', body: { outcome: { winners: [1], reason: 'x' } } },
    { type: 'corrected', by: 'arbiter', body: { outcome: { winners: [], reason: 'ruling' }, reason: 'clock' } },
    { type: 'reopened', by: 'arbiter', body: { reason: 'not resigned' } },
    { type: 'voided', by: 'arbiter', body: { reason: 'wrong set' } },
    { type: 'unvoided', by: 'arbiter', body: { reason: 'right set' } },
  ].map((event, seq) => ({ ...event, seq }));
  const moves = [{ ply: 1, seq: 1 }, { ply: 2, seq: 5 }];
  const found = notes(events, moves, SEATS);
  assert.deepEqual(found.map(({ ply, text, detail }) => [ply, text, detail]), [
    [1, 'Taken back: b, c', 'Arbiter: slip'],
    [2, 'Bram resigned', 'the service submits for the seat'],
    [2, 'Ada won: x', ''],
    [2, 'Outcome corrected: Draw: ruling (clock)', 'Arbiter'],
    [2, 'The end was undone: the game goes on', 'Arbiter: not resigned'],
    [2, 'The game was declared void', 'Arbiter: wrong set'],
    [2, 'The game counts again', 'Arbiter: right set'],
  ]);
  assert.equal(rewrites(events), true);
  assert.equal(rewrites([acted('a')]), false);
  for (const event of events) assert.equal(typeof eventWords(event, SEATS), 'string');
});

test('positions are loaded in windows, the nearer neighbour ahead, the last one extended', async () => {
  const asked = [];
  let fail = false;
  const load = async (from, to) => {
    asked.push([from, to]);
    if (fail) throw new Error('down');
    return Array.from({ length: to - from + 1 }, (_, index) => ({ ply: from + index, scene: { items: [] } }));
  };
  const positions = new Positions(load, () => {});
  const settle = () => new Promise((done) => setTimeout(done));
  positions.want(50, 150);
  assert.deepEqual(asked, [[40, 79]]);
  await settle();
  positions.ahead(50, 150);
  await settle();
  assert.deepEqual(asked, [[40, 79], [0, 39]]);
  positions.ahead(75, 150);
  await settle();
  assert.deepEqual(asked, [[40, 79], [0, 39], [80, 119]]);
  assert.equal(positions.get(99).ply, 99);
  positions.want(150, 150);
  await settle();
  positions.want(151, 151);
  await settle();
  assert.deepEqual(asked.at(-1), [151, 151]);
  assert.equal(positions.get(151).ply, 151);
  positions.dropFrom(120);
  assert.deepEqual([positions.get(87)?.ply, positions.get(120), positions.get(151)], [87, undefined, undefined]);
  fail = true;
  positions.want(151, 151);
  await settle();
  assert.equal(positions.error(151).message, 'down');
  fail = false;
  positions.retry();
  positions.want(151, 151);
  await settle();
  assert.equal(positions.get(151).ply, 151);
});

test('a window has the items of the one beside it where they are the same', async () => {
  const item = (text) => ({ shape: 'TEXT', at: [0, 0], size: 1, class: 'note', text });
  const load = async (from, to) => Array.from({ length: to - from + 1 }, (_, index) => ({ ply: from + index, scene: { items: [item('ground'), item(`${from + index}`)] } }));
  const positions = new Positions(load, () => {});
  const items = (ply) => positions.get(ply).scene.items;
  for (const ply of [40, 80, 0]) {
    positions.want(ply, 150);
    await null;
  }
  assert.equal(items(80)[0], items(79)[0]);
  assert.equal(items(39)[0], items(40)[0]);
  assert.deepEqual([items(79)[1].text, items(80)[1].text], ['79', '80']);
});

test('the number of cached windows is bounded', async () => {
  const positions = new Positions(async (from, to) => Array.from({ length: to - from + 1 }, (_, n) => ({ ply: from + n, scene: { items: [] } })), () => {});
  for (let ply = 0; ply < 9000; ply += 48) {
    positions.want(ply, 9000);
    await null;
  }
  assert.ok(positions.windows.size <= 61, String(positions.windows.size));
});

test('Markdown as data', () => {
  const kinds = parseMarkdown('# T\n\ntext\nmore\n\n- a\n- b\n  c\n\n1. x\n\n    code\n\n|a|b|\n|-|-|\n|1|`2`|\n').map((block) => block.kind);
  assert.deepEqual(kinds, ['heading', 'paragraph', 'list', 'list', 'code', 'table']);
  assert.deepEqual(parseSpans('a **b** `c` [d](javascript:x) [e](https://f)').map(({ kind, text }) => `${kind}:${text}`), [
    'text:a ', 'strong:b', 'text: ', 'code:c', 'text: ', 'text:d', 'text: ', 'link:e',
  ]);
  assert.equal(parseMarkdown('<img src=x>')[0].spans[0].text, '<img src=x>');
});

test('the delay of retries grows, with jitter, up to a bound', () => {
  assert.equal(backoff(0, () => 0), 250);
  assert.equal(backoff(1, () => 1), 1000);
  assert.ok(backoff(50, () => 1) <= 20_000);
});

test('white text is legible on the colour of every seat', () => {
  const css = readFileSync(new URL('../../web-viewer/base/scene.css', import.meta.url), 'utf8');
  const colours = new Map([...css.matchAll(/--seat-(\d+): (#[0-9a-f]{6})/g)].map(([, seat, colour]) => [Number(seat), colour]));
  assert.equal(colours.size, 13);
  for (const [seat, colour] of colours) {
    const [r, g, b] = colour.match(/[0-9a-f]{2}/g).map((pair) => parseInt(pair, 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    const contrast = 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
    assert.ok(contrast >= 4.5, `seat ${seat}: ${contrast.toFixed(2)}`);
  }
});

test('no key does two things, and letters are keys only where the reader wants it', () => {
  const all = ACTS.map(({ key }) => key);
  assert.equal(new Set(all).size, all.length);
  const act = (key) => actOf(key, { letters: true });
  assert.deepEqual(['ArrowLeft', 'a', 'b', '?', 'z'].map(act), ['prev', 'analysis', 'act', 'help', '']);
  assert.deepEqual(['ArrowLeft', 'Escape', ' ', 'a', '[', '?'].map((key) => actOf(key, { letters: false })), ['prev', 'clear', 'play', '', '', '']);
  assert.deepEqual(['ArrowUp', 'Shift+ArrowLeft', ' ', 'g'].map(keySign), ['↑', 'Shift+←', 'Space', 'g']);
  assert.equal(keyOf({ key: 'ArrowUp', shiftKey: true }), 'Shift+ArrowUp');
  assert.equal(keyOf({ key: '?', shiftKey: true }), '?');
});

test('what a reader tried is in the address, whatever it is written with, and nothing else is taken for it', () => {
  for (const words of [['1:b1-b2', '2:h7-h6'], ['chance:roll:1=6,2=12+3'], ['1:r:F@n+', '13:-!'], ['2:x:A1%&=#']]) {
    const address = url.placeAddress({ id: 'g', line: 'l', ply: 9, tried: { ply: 7, words } });
    const { hash, search } = new URL(address, 'plybook:/');
    assert.deepEqual([url.plyOf(hash), url.triedOf(hash), url.lineOf(search)], [9, { ply: 7, words }, 'l']);
    assert.equal(url.sharedAddress(address), address, 'what is behind # stays there');
  }
  for (const hash of ['', '#9', '#9&tried=', '#9&tried=7', '#9&tried=x%201:a', '#9&tried=7%20a', '#9&tried=7%201:', '#9&tried=%', `#9&tried=7${'%201:a'.repeat(201)}`]) assert.equal(url.triedOf(hash), null, hash);
});

test('two places of a position exchange what stands on them, and nothing else of it changes', () => {
  const places = ['a1', 'a2', 'b4', 'c5'];
  assert.deepEqual(exchanged({ board: { a2: { frogs: [2] }, b4: { frogs: [1] } }, supply: [32, 32], passed: false }, places, 'a2', 'b4'), { board: { b4: { frogs: [2] }, a2: { frogs: [1] } }, supply: [32, 32], passed: false });
  assert.deepEqual(exchanged({ pieces: { a2: 1 }, keys: ['A'] }, places, 'c5', 'a2'), { pieces: { c5: 1 }, keys: ['A'] });
  assert.deepEqual(exchanged({ pawns: ['a1', 'c5'], stacks: {} }, places, 'c5', 'b4'), { pawns: ['a1', 'b4'], stacks: {} });
  // A list of places beside a map of them says something else: where a seat is at home.
  assert.deepEqual(exchanged({ home: ['a1', null], pieces: { a1: 'K1' } }, places, 'a1', 'a2'), { home: ['a1', null], pieces: { a2: 'K1' } });
});

test('what a piece looks like is learned from one that has just moved, too', () => {
  const place = 'g4';
  learn({ view: [0, 0, 9, 9], items: [
    { place, title: 'g4, plains, catapult of seat 2, moved', points: [[0, 0], [1, 0], [1, 1]], class: 'space' },
    { place, title: '', points: [[0, 0], [1, 0], [1, 1]], class: 'piece seat-2' },
  ] });
  assert.deepEqual(pictured('2 catapult', 1)?.map(({ items: [item] }) => item.class), ['piece seat-1', 'piece seat-1']);
  assert.equal(pictured('catapult, wyvern', 1), null);
});

test('a file is named after the players, the kind and the day', () => {
  const seats = [{ number: 1, name: 'Zoë “Z” Quist' }, { number: 2, name: '' }];
  assert.equal(format.fileName({ kind: 'triforce-building', createdAt: '2026-11-28T10:00:00Z', seats }), 'Zoë-Z-Quist-Seat-2-triforce-building-2026-11-28');
});
