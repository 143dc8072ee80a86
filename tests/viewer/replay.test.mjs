// The state of the replay page: what changes it, and what is derived from it. `node --test replay.test.mjs`, no install needed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { store } from '../../web-viewer/base/store.js';
import { derive } from '../../web-viewer/replay/derive.js';
import { first, update } from '../../web-viewer/replay/update.js';

const by = (ply) => `seat:${2 - (ply % 2)}`;
const MOVES = ['a1-b1', 'c1-d1', 'a2-b2', 'c2-d2'].map((action, index) => ({ ply: index + 1, seq: index + 1, action, by: by(index + 1), text: action, glyphs: [] }));
const GAME = { id: 'G', status: 'RUNNING', ply: 4, seats: [{ number: 1, name: 'Ada' }, { number: 2, name: 'Bram' }], head: { seq: 4 } };
const line = (id, ply, plies, more = {}) => ({ id, name: null, parent: 'G', ply, hidden: false, createdAt: '', plies, mayArrange: true, ...more });
const node = (log, ply, action, parent) => ({ id: `${log}:${ply}`, parent, ply, action, by: by(ply) });
/** L forks from the game after ply 1 and has two plies. */
const PAGE = {
  game: 'G', lines: [line('L', 1, 3)], next: null, totalLines: 1,
  nodes: [...[0, 1, 2, 3, 4].map((ply) => node('G', ply, MOVES[ply - 1]?.action ?? null, ply ? `G:${ply - 1}` : null)), node('L', 2, 'x', 'G:1'), node('L', 3, 'y', 'L:2')],
};
const SCENE = { view: [0, 0, 2000, 1000], items: ['a1', 'b1'].map((place, index) => ({ shape: 'CIRCLE', at: [1000 * index, 500], r: 400, class: 'space', place })) };
const LEGAL = { toAct: ['seat:1'], actions: ['a1-b1', 'a1-b2', 'b1-a1'], prompt: null, seq: 4, unknown: [] };

/** Frozen at all depths. */
function frozen(value) {
  if (value && typeof value === 'object' && !Object.isFrozen(value)) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
/** The state after messages, each applied to a frozen state. */
const after = (state, ...messages) => messages.reduce((old, message) => update(frozen(old), ...message), state);
const opened = (address = {}) => after(first({ id: 'G', isSignedIn: true, ...address }), ['set', { game: GAME, moves: MOVES, movesDone: true }], ['grown', [PAGE]]);
const at = (state, ...messages) => derive(after(state, ...messages));
const position = (state, more = {}) => ['placed', { place: derive(state).place, position: { ply: derive(state).ply, toAct: ['seat:1'], text: 'Ada to act.', scene: SCENE, ...more }, error: null }];

test('deriving is pure: the same for the same state, which it does not change', () => {
  const state = frozen(after(opened(), ['visit', 'L', 2]));
  const [one, two] = [derive(state), derive(state)];
  assert.deepEqual(one, two);
  for (const name of ['tree', 'path', 'walk', 'variations', 'act', 'fitting', 'marks']) assert.equal(one[name], two[name], `${name} is derived once`);
  const other = derive(after(opened(), ['go', 3]));
  assert.equal(other.node.id, 'G:3');
  assert.equal(derive(state).node.id, 'L:2', 'another state in between changes nothing');
});

test('a store returns frozen state, and draws once for simultaneous changes', async () => {
  let drawn = 0;
  const { state, update: change } = store({ count: 1 }, () => { drawn += 1; });
  assert.throws(() => { state().count = 2; }, TypeError);
  change({ count: 2 });
  change({ other: true });
  assert.deepEqual([state(), drawn], [{ count: 2, other: true }, 0]);
  await null;
  assert.equal(drawn, 1);
});

test('a reader stays within the line, even when it grows or is cut', () => {
  assert.equal(at(opened(), ['go', 99]).ply, 4);
  assert.equal(at(opened(), ['go', 1], ['step', -5]).ply, 0);
  const atEnd = after(opened(), ['end']);
  assert.equal(derive(atEnd).ply, 4);
  assert.equal(at(atEnd, ['refreshed', { ...GAME, ply: 5 }]).ply, 5, 'who is at the end sees what comes');
  assert.equal(at(atEnd, ['step', 1], ['step', -1], ['refreshed', { ...GAME, ply: 5 }]).ply, 3, 'steps past the end do not count');
  assert.equal(at(atEnd, ['refreshed', { ...GAME, ply: 2 }]).ply, 2, 'a takeback takes the reader along');
  assert.equal(at(opened(), ['visit', 'L', 9]).ply, 3);
});

test('lines are entered, left and lost', () => {
  const inside = after(opened(), ['go', 1], ['enter']);
  assert.deepEqual([derive(inside).line, derive(inside).place, derive(inside).address], ['L', 'L:2', '/games/G?line=L#2']);
  assert.deepEqual(derive(inside).walk.map(({ action }) => action), ['a1-b1', 'x', 'y']);
  assert.equal(at(inside, ['leave']).address, '/games/G#1');
  assert.equal(at(inside, ['sibling', 1]).place, 'G:2');
  assert.equal(at(opened(), ['leave']).said.text, 'This is the mainline.');
  const lost = at(inside, ['grown', [{ ...PAGE, lines: [], nodes: PAGE.nodes.slice(0, 5) }]]);
  assert.deepEqual([lost.line, lost.missing], ['G', 'L']);
  const folded = at(opened(), ['fold', 'L:2', true], ['visit', 'L', 3]);
  assert.equal(folded.variations.get(2)[0].isFolded, false, 'what holds the place is opened');
});

test('unsaved lines stay when the tree is reloaded', () => {
  const own = { unsaved: true, lines: [line('unsaved-1', 2, 3, { mayArrange: false })], nodes: [node('unsaved-1', 3, 'z', 'G:2')] };
  const state = after(opened({ isSignedIn: false }), ['added', own], ['visit', 'unsaved-1', 3], ['grown', [PAGE]]);
  assert.deepEqual([derive(state).place, derive(state).goesOn], ['unsaved-1:3', true]);
});

test('autoplay runs to the end, and from there starts again', () => {
  const playing = after(opened(), ['go', 4], ['toggle']);
  assert.deepEqual([playing.playing, playing.ply], [true, 0]);
  assert.equal(after(playing, ['tick']).ply, 0, 'what is not loaded yet is waited for');
  const stepped = after(playing, ['go', 3]);
  const last = after(stepped, position(stepped), ['tick']);
  assert.deepEqual([last.ply, last.playing], [4, false]);
  assert.equal(after(playing, ['step', 1]).playing, false);
});

test('a position belongs to its place only, and gives seats their letters once', () => {
  const shown = after(opened(), ['go', 2], position(after(opened(), ['go', 2])));
  assert.equal(derive(shown).position.ply, 2);
  assert.equal(at(shown, ['visit', 'L', 2]).position, undefined, 'the same ply of another line');
  assert.equal(shown.glyphs, opened().glyphs.size === 0 && after(shown, position(shown)).glyphs, 'without letters the same map, for which no list is drawn again');
  const glyph = { shape: 'TEXT', at: [0, 0], size: 1, text: 'X', class: 'glyph seat-1' };
  const lettered = after(shown, position(shown, { scene: { ...SCENE, items: [glyph] } }));
  assert.deepEqual([...lettered.glyphs], [[1, 'X']]);
  assert.deepEqual([...after(lettered, position(lettered)).glyphs], [[1, 'X']]);
});

test('choices and typed text are dropped at another place, and late answers are ignored', () => {
  const state = after(opened(), position(opened()));
  const { act: { of } } = derive(state);
  const chosen = after(state, ['judged', of, { legal: LEGAL }], ['act', { picked: ['a1'], typed: 'b' }]);
  assert.deepEqual(derive(chosen).fitting, ['b1-a1', 'a1-b1', 'a1-b2']);
  assert.deepEqual(derive(chosen).marks.map(({ kind }) => kind), ['picked', 'offered']);
  const gone = after(chosen, ['go', 3]);
  assert.deepEqual([derive(gone).act.picked, derive(gone).act.typed, derive(gone).act.legal], [[], '', null]);
  assert.deepEqual(at(gone, ['go', 0], position(opened())).act.picked, [], 'nor does it come back');
  assert.equal(derive(after(gone, ['judged', of, { legal: LEGAL }])).act.legal, null);
  assert.deepEqual(derive(after(chosen, ['forget', 'a1'])).act.picked, []);
  const options = ['choose', 1, 2];
  assert.deepEqual([derive(after(chosen, options)).act.active, derive(after(chosen, options, options, options)).act.active, derive(after(chosen, ['choose', -1, 2])).act.active], [0, 0, 1]);
});

test('the chosen actor acts, if it is one of those who may', () => {
  const both = after(opened(), position(opened(), { toAct: ['seat:1', 'seat:2'] }));
  assert.equal(derive(both).actor, 'seat:1');
  assert.equal(at(both, ['act', { by: 'seat:2' }]).actor, 'seat:2');
  assert.equal(at(both, ['act', { by: 'seat:3' }]).actor, 'seat:1');
  assert.equal(at(both, position(both, { toAct: [] })).actor, '');
});

test('notes from the log appear beside the moves once both are loaded', () => {
  const events = [{ seq: 0, type: 'created', by: 'service', body: {} }, { seq: 1, type: 'resigned', by: 'seat:2', body: {} }];
  const told = ['set', { events, finding: { valid: true } }];
  assert.deepEqual(at(opened(), told).notes.map(({ text }) => text), ['Bram resigned']);
  assert.deepEqual(at(opened(), ['set', { movesDone: false }], told).notes, []);
});

test('a game with secrets is secret while it runs', () => {
  assert.equal(at(opened(), ['set', { rules: { secrets: true } }]).isSecret, true);
  assert.equal(at(opened(), ['set', { rules: { secrets: true }, game: { ...GAME, status: 'FINISHED' } }]).isSecret, false);
});

test('the explorer is narrowed, widened, and one action is open at a time', () => {
  const narrowed = after(opened(), ['narrow', { player: 'p' }], ['narrow', { day: '2026-01-01' }], ['narrow', { player: '' }]);
  assert.deepEqual(narrowed.filter, { day: '2026-01-01' });
  assert.equal(after(opened(), ['open', 'k'], ['open', 'm']).opened, 'm');
  assert.equal(after(opened(), ['open', 'k'], ['open', 'k']).opened, '');
});

test('how a finished game ended is told once its end is seen, or by a setting; a running one hides nothing', () => {
  const finished = after(first({ id: 'G' }), ['set', { game: { ...GAME, status: 'FINISHED' }, moves: MOVES, movesDone: true, ply: 1 }]);
  assert.equal(derive(finished).isTold, false);
  assert.equal(at(finished, ['step', 1]).isTold, false);
  assert.equal(at(finished, ['end'], ['go', 0]).isTold, true);
  assert.equal(at(finished, ['prefer', { results: true }]).isTold, true);
  assert.equal(at(opened(), ['go', 1]).isTold, true);
  const lined = after(finished, ['grown', [PAGE]], ['visit', 'L', 3]);
  assert.equal(derive(lined).isTold, false, 'the end of a line is not that of the game');
});

test('what was tried has an address, and gives way to the line that it becomes', () => {
  const tried = { lines: [line('unsaved-1', 2, 3, { name: 'Tried' })], nodes: [node('unsaved-1', 3, 'z', 'G:2')], unsaved: true };
  const state = after(opened(), ['added', tried], ['visit', 'unsaved-1', 3]);
  assert.equal(derive(state).address, '/games/G#3&tried=2%201%3Az');
  const dropped = after(state, ['visit', 'G', 2], ['dropped', 'unsaved-1']);
  assert.equal(derive(dropped).tree.lines.has('unsaved-1'), false);
  assert.equal(derive(dropped).tree.lines.has('L'), true);
});
