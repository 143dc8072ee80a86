// Variations and the choice of actions, without a DOM. `node --test tree.test.mjs`, no install needed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as listing from '../../web-viewer/model/listing.js';
import * as play from '../../web-viewer/model/play.js';
import * as tree from '../../web-viewer/model/tree.js';
import * as walk from '../../web-viewer/model/walk.js';
import { lineOf, placeAddress } from '../../web-viewer/model/url.js';
import { Announcer } from '../../web-viewer/replay/view/announcer.js';

const by = (ply) => `seat:${2 - (ply % 2)}`;
const moves = ['a', 'b', 'c', 'd'].map((action, index) => ({ ply: index + 1, action, by: by(index + 1), glyphs: [] }));
const line = (id, parent, ply, plies, more = {}) => ({ id, name: null, parent, ply, rank: 0, hidden: false, createdAt: '', plies, mayArrange: true, ...more });
const node = (log, ply, action, parent, more = {}) => ({ id: `${log}:${ply}`, parent, ply, action, by: by(ply), key: `${log}${ply}`, ...more });

/**
 * a b c d            the mainline G
 *   x y z            L from ply 1
 *     w              M from L at ply 2
 *   x y              N, the plies of L
 *     c q            O from ply 2: shares c with G
 *         e          P after the end
 *                    E from ply 3: nothing yet
 */
const PAGE = {
  game: 'G',
  lines: [
    line('L', 'G', 1, 4, { name: 'The long one' }), line('M', 'L', 2, 3), line('N', 'G', 1, 3), line('O', 'G', 2, 4),
    line('P', 'G', 4, 5), line('E', 'G', 3, 3), line('H', 'G', 1, 2, { hidden: true }),
  ],
  nodes: [
    ...[0, 1, 2, 3, 4].map((ply) => node('G', ply, moves[ply - 1]?.action ?? null, ply ? `G:${ply - 1}` : null, ply === 3 ? { lines: ['O'] } : {})),
    node('L', 2, 'x', 'G:1', { lines: ['N'] }), node('L', 3, 'y', 'L:2', { lines: ['N'] }), node('L', 4, 'z', 'L:3', { same: 'G:4' }),
    node('M', 3, 'w', 'L:2'), node('O', 4, 'q', 'G:3'), node('P', 5, 'e', 'G:4'), node('H', 2, 'secret', 'G:1'),
  ],
  next: null,
  totalLines: 7,
};
const grown = (pages = [PAGE]) => tree.treeOf('G', pages, moves);
const ids = (nodes) => nodes.map(({ id }) => id).join(' ');
const listed = (options = {}) => listing.variations(grown(), { folds: new Map(), withHidden: false, ...options });
const outline = (blocks = []) => blocks.map(({ line: { id }, items }) => (
  `${id}(${items.map(({ node: { action }, blocks: inner }) => `${action}${inner.length ? outline(inner) : ''}`).join(' ')})`)).join('');

test('a line is followed from the start, through plies shared with others', () => {
  const found = grown();
  assert.equal(ids(tree.pathOf(found, 'G')), 'G:0 G:1 G:2 G:3 G:4');
  assert.equal(ids(tree.pathOf(found, 'L')), 'G:0 G:1 L:2 L:3 L:4');
  assert.equal(ids(tree.pathOf(found, 'M')), 'G:0 G:1 L:2 M:3');
  assert.equal(ids(tree.pathOf(found, 'N')), 'G:0 G:1 L:2 L:3');
  assert.equal(ids(tree.pathOf(found, 'O')), 'G:0 G:1 G:2 G:3 O:4');
  assert.equal(ids(tree.pathOf(found, 'P')), 'G:0 G:1 G:2 G:3 G:4 P:5');
  assert.equal(ids(tree.pathOf(found, 'E')), 'G:0 G:1 G:2 G:3', 'one that has played nothing ends where it leaves');
  assert.deepEqual(tree.pathOf(found, 'unknown'), []);
});

test('a line with a set-up position starts from it, not from the ply of the fork', () => {
  const page = {
    game: 'G', lines: [line('S', 'G', 2, 3)], next: null, totalLines: 1,
    nodes: [...PAGE.nodes.slice(0, 5), { ...node('S', 2, null, 'G:2'), by: null }, node('S', 3, 'v', 'S:2')],
  };
  const found = grown([page]);
  assert.equal(ids(tree.pathOf(found, 'S')), 'G:0 G:1 S:2 S:3');
  assert.equal(tree.lineName(found, 'S'), '2. set up');
  assert.deepEqual(tree.pathOf(found, 'S').map(tree.actionWords), ['start', 'a', 'set up', 'v']);
});

test('a line that is not loaded yet has no path; a later page adds it', () => {
  const first = { ...PAGE, nodes: PAGE.nodes.slice(0, 6), next: 'more' };
  const then = { game: 'G', lines: [], nodes: PAGE.nodes.slice(6), next: null, totalLines: 7 };
  assert.deepEqual(tree.pathOf(grown([first]), 'M'), []);
  assert.equal(grown([first]).next, 'more');
  assert.equal(ids(tree.pathOf(grown([first, then]), 'M')), 'G:0 G:1 L:2 M:3');
  assert.equal(grown([first, then]).next, null);
});

test('the mainline of a line includes the plies of its ancestors', () => {
  const own = [{ ply: 1, action: 'a', by: 'seat:1', game: { id: 'G' } }, { ply: 2, action: 'x', by: 'seat:2', game: { id: 'L' } }];
  const page = {
    game: 'L',
    lines: [line('M', 'L', 2, 3, { last: 'M:3' }), line('N', 'L', 1, 2, { last: 'L:2' })],
    nodes: [node('G', 0, null, null), node('G', 1, 'a', 'G:0'), node('L', 2, 'x', 'G:1', { lines: ['N'] }), node('M', 3, 'w', 'L:2')],
    next: null, totalLines: 2,
  };
  for (const moves of [own, []]) {
    const found = tree.treeOf('L', [page], moves);
    assert.equal(ids(tree.pathOf(found, 'L')), 'G:0 G:1 L:2');
    assert.deepEqual(tree.pathOf(found, 'L').map(({ log }) => log), ['L', 'L', 'L'], 'to the reader they are one mainline');
    assert.equal(ids(tree.pathOf(found, 'N')), 'G:0 G:1 L:2');
    const shown = listing.variations(found, { folds: new Map(), withHidden: false });
    assert.equal(outline(shown.get(2)), 'M(w)N()');
  }
});

test('later pages override earlier ones', () => {
  const later = { lines: [{ id: 'L', plies: 5 }], nodes: [node('L', 5, 'v', 'L:4', { comment: 'new' })] };
  const found = grown([PAGE, later]);
  assert.equal(tree.lineName(found, 'L'), 'The long one');
  assert.equal(ids(tree.pathOf(found, 'L')), 'G:0 G:1 L:2 L:3 L:4 L:5');
  assert.equal(grown([PAGE, later, { nodes: [node('L', 5, 'v', 'L:4', { comment: null })] }]).nodes.get('L:5').comment, null);
});

test('variations are listed after the ply they replace, nested where they fork from each other', () => {
  const found = listed();
  assert.deepEqual([...found.keys()].sort(), [2, 4]);
  assert.equal(outline(found.get(2)), 'L(x yM(w) zN())', 'N has nothing of its own: it stands where it could go on');
  assert.equal(outline(found.get(4)), 'O(q)E()P(e)', 'what goes on after the end stands after the last ply');
});

test('hidden lines, and lines that fork from them, are listed on demand', () => {
  assert.equal(outline(listed({ withHidden: true }).get(2)), 'L(x yM(w) zN())H(secret)');
  const below = { lines: [line('I', 'H', 2, 3)], nodes: [node('I', 3, 'i', 'H:2')] };
  const found = listing.variations(grown([PAGE, below]), { folds: new Map(), withHidden: false });
  assert.equal(outline(found.get(2)), 'L(x yM(w) zN())');
});

test('long variations are folded, until the reader opens them', () => {
  const nodes = Array.from({ length: 80 }, (_, index) => node('Q', 5 + index, `q${index}`, index ? `Q:${4 + index}` : 'G:4'));
  const found = grown([PAGE, { lines: [line('Q', 'G', 4, 84)], nodes }]);
  const folded = (folds) => listing.variations(found, { folds, withHidden: false }).get(4).find(({ line: { id } }) => id === 'Q');
  assert.deepEqual([folded(new Map()).isFolded, folded(new Map()).size], [true, 80]);
  assert.equal(folded(new Map([['Q:5', false]])).isFolded, false);
  assert.equal(listed().get(2)[0].isFolded, false);
  assert.deepEqual(listing.enclosing(found, found.nodes.get('Q:9')), ['Q:5']);
  assert.deepEqual(listing.enclosing(found, found.nodes.get('M:3')), ['M:3', 'L:2']);
  assert.deepEqual(listing.enclosing(found, undefined), []);
});

test('the variations to open for a variation to be visible', () => {
  const found = listed();
  assert.deepEqual([...listing.needed(found, ['M:3', 'L:2'])], [['2', 1], ['L:3', 1]]);
  assert.deepEqual([...listing.needed(found, ['P:5'])], [['4', 3]]);
  assert.deepEqual([...listing.needed(found, [])], []);
  const closed = listed({ folds: new Map([['L:2', true], ['M:3', true]]) });
  assert.deepEqual([...listing.folded([...closed.values()].flat())], ['L:2', 'M:3']);
});

test('keys go to siblings, into variations and out of them', () => {
  const found = grown();
  const at = (id) => found.nodes.get(id);
  const entrance = (log, ply) => walk.entrance(found, tree.pathOf(found, log), ply, false)?.id;
  assert.equal(walk.beside(found, at('G:2'), 1, false).id, 'L:2');
  assert.equal(walk.beside(found, at('L:2'), 1, false).id, 'G:2', 'round and round');
  assert.equal(walk.beside(found, at('G:2'), -1, true).id, 'H:2');
  assert.equal(walk.beside(found, at('G:1'), 1, false), undefined);
  assert.equal(walk.beside(found, undefined, 1, false), undefined);
  assert.equal(entrance('G', 1), 'L:2', 'the variation that leaves after the ply');
  assert.equal(entrance('L', 1), 'G:2', 'on a variation, the mainline is the other way');
  assert.equal(entrance('G', 2), 'L:2', 'with none after the ply, the one that replaces it');
  assert.equal(entrance('L', 2), 'M:3');
  assert.equal(entrance('G', 4), 'P:5', 'after the end');
  assert.equal(entrance('G', 0), undefined);
  assert.equal(walk.exit(found, 'L').id, 'G:1');
  assert.equal(walk.exit(found, 'M').id, 'L:2');
  assert.equal(walk.exit(found, 'O').id, 'G:3', 'the ply it shares is not its own');
  assert.equal(walk.exit(found, 'E').id, 'G:3');
  assert.equal(tree.lineThrough(at('L:3'), 'N'), 'N', 'the line walked along is kept');
  assert.equal(tree.lineThrough(at('L:3'), 'G'), 'L');
});

test('a played action is found again', () => {
  const found = grown();
  assert.equal(tree.childOf(found.nodes.get('G:1'), 'seat:2', 'x').id, 'L:2');
  assert.equal(tree.childOf(found.nodes.get('G:1'), 'seat:1', 'x'), undefined, 'by another seat it is another action');
});

test('lines and places in words', () => {
  const found = grown();
  assert.equal(tree.lineName(found, 'G'), 'Mainline');
  assert.equal(tree.lineName(found, 'M'), '3. w');
  assert.equal(tree.lineName(found, 'E'), 'Line from ply 3');
  assert.equal(tree.placeWords(found, 'G:4'), 'ply 4 of the mainline');
  assert.equal(tree.placeWords(found, 'L:3'), 'ply 3 of The long one');
  assert.equal(walk.entered(found, found.nodes.get('L:2'), 'L', false), 'Variation The long one, 2 of 2 here.');
  assert.equal(walk.entered(found, found.nodes.get('G:2'), 'G', false), 'Back on the mainline.');
});

// --- choosing an action

const LEGAL = ['a1-a2', 'a1-b1', 'a2-a1', 'a2=a1', 'assault:a1-a2', 'r:DG@Gf-', 'D1-D2', 'spawn:Lc3', 'c3-c4+e5', 'c3-c4+e6', 'end', 'a1-a10'];

test('an action names the places in its text, and no others', () => {
  const named = (place) => LEGAL.filter((action) => play.mentions(action, place));
  assert.deepEqual(named('a2'), ['a1-a2', 'a2-a1', 'a2=a1', 'assault:a1-a2']);
  assert.deepEqual(named('D'), ['r:DG@Gf-'], 'D1 is another place than D');
  assert.deepEqual(named('G'), ['r:DG@Gf-']);
  assert.deepEqual(named('c3'), ['spawn:Lc3', 'c3-c4+e5', 'c3-c4+e6']);
  assert.deepEqual(named('a10'), ['a1-a10']);
  assert.deepEqual(named('n'), [], 'a letter within a word is no place');
});

test('actions in the order of the clicks come first', () => {
  assert.deepEqual(play.naming(LEGAL, ['a1', 'a2']), ['a1-a2', 'assault:a1-a2']);
  assert.deepEqual(play.naming(LEGAL, ['a2', 'a1']), ['a2-a1', 'a2=a1']);
  assert.deepEqual(play.naming(LEGAL, ['b1', 'a1']), ['a1-b1'], 'the other order serves where there is none in this one');
  assert.deepEqual(play.naming(LEGAL, []), LEGAL);
});

test('numeric places are the first numbers of an action, never part of a number or an amount', () => {
  const heaps = ['take:2:1', 'take:3:1', 'take:3:2', 'take:12:2', 'take:2:12', 'move:2>3', 'move:3>2', 'D2:1', 'x2', 'pass'];
  assert.deepEqual(play.naming(heaps, ['2']), ['take:2:1', 'take:2:12', 'move:2>3']);
  assert.deepEqual(play.naming(heaps, ['12']), ['take:12:2']);
  assert.deepEqual(play.naming(heaps, ['2', '3']), ['move:2>3'], 'not take:3:2, which takes two');
  assert.deepEqual(play.naming(heaps, ['3', '2']), ['take:3:2', 'move:3>2']);
  assert.deepEqual(play.click(['take:2:1', 'take:3:1', 'take:3:2'], ['2'], ['3']), { picked: ['3'] }, 'another heap begins anew');
  assert.deepEqual(play.click(heaps, ['2'], ['3']), { picked: [], play: 'move:2>3' });
  const letters = ['take:h2:1', 'take:h3:1', 'take:h3:2', 'take:h12:2'];
  assert.deepEqual(play.naming(letters, ['h3']), ['take:h3:1', 'take:h3:2']);
  assert.deepEqual(play.click(letters, ['h2'], ['h3']), { picked: ['h3'] });
  assert.equal(play.mentions('take:h12:2', 'h1'), false);
});

test('clicks narrow the actions, play the only one left, and start over', () => {
  const click = (picked, ...clicked) => play.click(LEGAL, picked, clicked);
  assert.deepEqual(click([], 'a1'), { picked: ['a1'] });
  assert.deepEqual(click(['a1'], 'b1'), { picked: [], play: 'a1-b1' });
  assert.deepEqual(click(['a1'], 'a2'), { picked: ['a1', 'a2'] }, 'two are left');
  assert.deepEqual(click(['c3'], 'c4'), { picked: ['c3', 'c4'] });
  assert.deepEqual(click(['c3', 'c4'], 'e6'), { picked: [], play: 'c3-c4+e6' });
  assert.deepEqual(click(['a1'], 'a1'), { picked: [] }, 'a second click on a place forgets it');
  assert.deepEqual(click([], 'G'), { picked: ['G'] }, 'one click never plays');
  assert.deepEqual(click(['G'], 'G'), { picked: [], play: 'r:DG@Gf-' }, 'unless one action is left');
  assert.deepEqual(click(['a1'], 'c3'), { picked: ['c3'] }, 'what cannot follow begins anew');
  assert.deepEqual(click([], 'D7', 'D'), { picked: ['D'] }, 'what a place is part of counts where the place does not');
  assert.deepEqual(click(['a1'], 'h8'), { picked: [], none: 'h8' });
});

test('typing narrows the actions, those that begin with the text first', () => {
  assert.deepEqual(play.fitting(LEGAL, [], 'A2'), ['a2-a1', 'a2=a1', 'a1-a2', 'assault:a1-a2']);
  assert.deepEqual(play.fitting(LEGAL, [], 'a1 a2'), ['a1-a2', 'a2-a1', 'a2=a1', 'assault:a1-a2'].sort((a, b) => rank(a) - rank(b)));
  assert.deepEqual(play.fitting(LEGAL, [], 'end'), ['end']);
  assert.deepEqual(play.fitting(['a1-a10', 'a1-a1'], [], 'a1-a1'), ['a1-a1', 'a1-a10'], 'the very action is the first');
  assert.deepEqual(play.fitting(LEGAL, ['c3'], 'e6'), ['c3-c4+e6']);
  assert.deepEqual(play.fitting(LEGAL, [], 'zzz'), []);
});
const rank = (action) => (action.startsWith('a1') ? 0 : 1);

test('marks are at the centres of places that a click can name', () => {
  const square = (place, x) => ({ shape: 'POLYGON', class: 'space', place, points: [[x, 0], [x + 1000, 0], [x + 1000, 1000], [x, 1000]] });
  const scene = { view: [0, 0, 3000, 1000], items: [square('a1', 0), square('a2', 1000), square('b7', 2000), { shape: 'CIRCLE', class: 'piece', place: 'a1', at: [9, 9], r: 5 }] };
  assert.deepEqual(play.marks(scene, LEGAL, []), []);
  assert.deepEqual(play.marks(scene, LEGAL, ['a1']).map(({ at, kind }) => [at, kind]), [[[500, 500], 'picked'], [[1500, 500], 'offered']]);
});

test('actions are written with their actor; prompts and refusals in words', () => {
  assert.equal(play.written('seat:3', 'LUR'), '3:LUR');
  assert.equal(play.written('chance', 'roll:1=7'), 'chance:roll:1=7');
  assert.equal(play.promptWords({ kind: 'roll', dice: { 1: ['d20'], 2: ['d12', 'd12'] } }), 'Dice to roll: seat 1: d20; seat 2: d12, d12.');
  assert.equal(play.promptWords({ kind: 'setup', description: 'The set-up.', dice: {} }), 'The set-up.');
  assert.equal(play.promptWords(null), '');
  const illegal = { code: 'ILLEGAL_ACTION', message: 'x', details: { action: 'a1-a9', why: 'a9 is not on the board', near: [] } };
  assert.equal(play.refusalWords(illegal), 'a1-a9 is not legal: a9 is not on the board.');
  assert.match(play.refusalWords({ code: 'LOG_CONFLICT', message: 'x' }), /Your action was not recorded/);
  assert.match(play.refusalWords({ code: 'FORBIDDEN', message: 'seat 1 is not yours' }), /^Your token does not allow this: seat 1 is not yours\.$/);
});

test('the address names the line', () => {
  assert.equal(placeAddress({ id: 'G', ply: 3 }), '/games/G#3');
  assert.equal(placeAddress({ id: 'G', line: 'G', ply: 3 }), '/games/G#3');
  assert.equal(placeAddress({ id: 'G', line: 'L', viewer: 'public', ply: 3 }), '/games/G?viewer=public&line=L#3');
  assert.equal(lineOf('?viewer=public&line=L'), 'L');
  assert.equal(lineOf(''), '');
});

test('a change of lines is announced even if the place before has not been announced yet', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const element = { textContent: '', removeAttribute() {} };
  Object.assign(globalThis, { document: { getElementById: () => element }, Node: { TEXT_NODE: 3 } });
  context.after(() => ['document', 'Node'].forEach((name) => delete globalThis[name]));
  const at = (line, ply, position) => ({ address: `${line}#${ply}`, game: {}, line, ply, position, said: '', told: `told at ${ply}`, tree: { game: 'G' }, walk: [] });
  let now = at('L', 3, { ply: 3 });
  const announcer = new Announcer({ now: () => now });
  announcer.draw(now);
  context.mock.timers.tick(300);
  now = at('G', 2);
  announcer.draw(now);
  assert.equal(element.textContent, 'Back on the mainline.');
  // Its position is there, but not drawn yet.
  now = at('G', 2, { ply: 2 });
  context.mock.timers.tick(100);
  announcer.draw(now);
  context.mock.timers.tick(400);
  assert.equal(element.textContent, 'Back on the mainline. Ply 2. told at 2');
});
