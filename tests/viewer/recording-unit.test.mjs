// What is entered at a table and how a setup's form is made, without a page. `node --test recording-unit.test.mjs`, no
// install needed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { enteredRoll, handsOf } from '../../web-viewer/model/dice.js';
import { EMPTY, added, anew, due, entryOf, entryWords, isUnchanged, joined, kept, overtakenWords, recorded, refused, unechoed, variablesOf, without } from '../../web-viewer/model/entries.js';
import { clockMs, clockText } from '../../web-viewer/model/format.js';
import { fieldsOf, rulingsOf, seatCounts, setupOf, tagsOf, waysOf } from '../../web-viewer/model/setup-form.js';
import { derive } from '../../web-viewer/record/derive.js';
import { first, update } from '../../web-viewer/record/update.js';

const SEATS = [{ number: 1, name: 'Ada' }, { number: 2, name: '' }];
const keys = () => { let count = 0; return () => `key-${++count}`; };
const gameAt = (seq, moves) => ({ id: 'g', status: 'RUNNING', head: { seq }, seats: SEATS, position: { ply: moves.length, toAct: ['seat:1'], legalActions: ['a1-a2', 'pass'], scene: { view: [0, 0, 1, 1], items: [] } }, moves: { totalCount: moves.length, nodes: moves.map((at, index) => ({ seq: at, ply: index + 1, text: `text of ${at}` })) } });
const queued = (...actions) => actions.reduce((queue, action) => added(queue, entryOf({ action }, `key-of-${action}`), 7), EMPTY);

test('entries follow the event that was last when the first of them was made', () => {
  const queue = queued('a', 'b');
  assert.equal(queue.after, 7);
  assert.equal(due(queue).action, 'a');
  const next = recorded(queue, 'key-of-a', gameAt(8, [8]));
  assert.deepEqual([next.after, due(next).action, next.entries.length], [8, 'b', 1]);
  assert.deepEqual(recorded(next, 'key-of-b', gameAt(9, [8, 9])), { entries: [], after: 9 });
  assert.deepEqual(recorded(next, 'unknown', gameAt(9, [8, 9])), next);
});

test('if somebody else has recorded too, what follows is not sent', () => {
  const next = recorded(queued('a', 'b', 'c'), 'key-of-a', gameAt(9, [8, 9]));
  assert.deepEqual(next.entries.map(({ state }) => state), ['overtaken', 'overtaken']);
  assert.equal(due(next), null);
  const taken = recorded(queued('a', 'b'), 'key-of-a', gameAt(9, []));
  assert.equal(due(taken), null, 'it was taken back by somebody else');
  const again = anew(next, 9, keys());
  assert.deepEqual([again.after, due(again).key, again.entries.map(({ state }) => state)], [9, 'key-1', ['waiting', 'waiting']]);
  assert.equal(overtakenWords(next.entries[0], gameAt(9, [8, 9]), 7), 'Somebody else has recorded ply 1: text of 8 and ply 2: text of 9.');
});

test('where several act at once, what others do is no obstacle', () => {
  const queue = [{ action: 'a', atOnce: true, ply: 3 }, { action: 'b', atOnce: true, ply: 3 }].reduce((all, what) => added(all, entryOf(what, what.action), 7), EMPTY);
  assert.equal(variablesOf(queue.entries[0]).expectedPly, 3);
  assert.equal(due(recorded(queue, 'a', gameAt(9, [8, 9]))).action, 'b');
  // The service refuses what comes too late for this ply.
  assert.deepEqual(refused(queue, 'a', { code: 'LOG_CONFLICT', message: 'm' }).entries.map(({ state }) => state), ['overtaken', 'waiting']);
});

test('a conflict concerns all entries, a refusal the first', () => {
  const conflict = refused(queued('a', 'b'), 'key-of-a', { code: 'LOG_CONFLICT', message: 'm' });
  assert.deepEqual(conflict.entries.map(({ state }) => state), ['overtaken', 'overtaken']);
  const illegal = refused(queued('a', 'b'), 'key-of-a', { code: 'ILLEGAL_ACTION', message: 'm', details: { why: 'w' } });
  assert.deepEqual(illegal.entries.map(({ state }) => state), ['refused', 'waiting']);
  assert.equal(due(illegal), null, 'it holds up the next');
  assert.deepEqual(without(illegal, 'key-of-a').entries, []);
  assert.deepEqual(without(queued('a', 'b'), 'key-of-b').entries.map(({ action }) => action), ['a']);
});

test('what two recorders write down alike is recorded once', () => {
  const played = (...actions) => ({ moves: { nodes: actions.map((action, index) => ({ ply: index + 1, seq: index + 1, by: `seat:${index % 2 + 1}`, action })) } });
  const mine = (...actions) => actions.reduce((queue, action) => added(queue, entryOf({ action, ply: 2, seat: 0 }, action), 2), EMPTY);
  const left = (queue, game) => { const { entries, after } = unechoed(queue, game); return [entries.map(({ action }) => action), after]; };
  assert.deepEqual(left(mine('c'), played('a', 'b', 'c')), [[], 3]);
  assert.deepEqual(left(mine('c', 'd', 'e'), played('a', 'b', 'c', 'd')), [['e'], 4], 'and what follows goes on from there');
  assert.deepEqual(left(mine('c', 'x', 'e'), played('a', 'b', 'c', 'd')), [['x', 'e'], 3], 'as far as it is alike');
  assert.deepEqual(left(mine('c'), played('a', 'b', 'd')), [['c'], 2]);
  assert.deepEqual(left(mine('c'), { moves: { nodes: [{ ply: 2, seq: 5, by: 'seat:2', action: 'c' }] } }), [['c'], 2], 'not where something was taken back');
  const [entry] = mine('c').entries;
  assert.deepEqual(left({ entries: [{ ...entry, seat: 2 }], after: 2 }, played('a', 'b', 'c')), [['c'], 2], 'nor of another seat');
  assert.deepEqual(left({ entries: [{ ...entry, isSecret: true }], after: 2 }, played('a', 'b', 'c')), [['c'], 2]);
});

test('what is secret is kept apart, and what follows it', () => {
  const queue = [{ action: 'a' }, { action: 's', isSecret: true }, { action: 'b' }].reduce((all, what) => added(all, entryOf(what, what.action), 3), EMPTY);
  const { open, secret } = kept(queue);
  assert.deepEqual([open, secret].map(({ entries }) => entries.map(({ action }) => action)), [['a'], ['s', 'b']]);
  assert.deepEqual([joined(open, secret), joined(EMPTY, secret), joined(queue, secret)], [queue, secret, queue], 'and put together again');
  assert.equal(entryWords(entryOf({ seat: 1, action: 's', isSecret: true }, 'k'), SEATS), 'Ada submits');
  assert.equal(entryWords(entryOf({ seat: 2, action: 'x' }, 'k'), SEATS), 'Seat 2: x');
});

test('dice make a roll once every face is tapped', () => {
  const hands = handsOf({ kind: 'roll', dice: { 1: ['d12'], 3: ['d12', 'd12'], 4: ['d20'] } });
  assert.deepEqual(hands, [{ seat: 1, dice: [12] }, { seat: 3, dice: [12, 12] }, { seat: 4, dice: [20] }]);
  assert.equal(enteredRoll(hands, { '1:0': 7, '3:0': 4, '4:0': 20 }), '');
  assert.equal(enteredRoll(hands, { '1:0': 7, '3:0': 4, '3:1': 11, '4:0': 20 }), 'roll:1=7,3=4+11,4=20');
  assert.equal(enteredRoll([], {}), '');
});

test('what one seat knows leaves the state as soon as the phone goes on', () => {
  const hidden = { ply: 0, toAct: ['seat:2'], legalActions: ['SECRET'], scene: { view: [0, 0, 1, 1], items: [], status: 'SECRET' } };
  let state = update(first({ id: 'g' }), 'known', { role: 'arbiter' }, { hasSecrets: true, sealed: [''], seats: SEATS });
  state = update(state, 'stands', { ...gameAt(0, []), position: { ...hidden, legalActions: null, scene: { view: [0, 0, 1, 1], items: [] } } });
  assert.ok(derive(state).isHidden);
  state = update(update(state, 'handTo', 2), 'uncover', 2, hidden);
  assert.deepEqual(derive(state).actions, ['SECRET']);
  assert.ok(!JSON.stringify(update(state, 'cover')).includes('SECRET'));
  assert.ok(!JSON.stringify(update(state, 'handBack')).includes('SECRET'));
  const entered = update(update(state, 'set', { typed: 'SECRET' }), 'enter', { type: 'act', seat: 2, action: 'mine', isSecret: true }, 'k');
  assert.ok(!JSON.stringify(entered).includes('SECRET'));
  const late = update(update(update(state, 'handBack'), 'handTo', 1), 'uncover', 2, hidden);
  assert.ok(!JSON.stringify(late).includes('SECRET'), 'an answer for another seat comes too late');
  const back = update(entered, 'refused', 'k', { code: 'ILLEGAL_ACTION', message: 'm' });
  assert.deepEqual([back.hand.stage, back.typed, back.queue.entries.length], ['covered', '', 0]);
});

test('only what is sealed is entered on a covered screen', () => {
  const AWAITED = { prompts: [], scene: { view: [0, 0, 1, 1], items: [] } };
  const at = (role, position, about = {}) => derive(update(update(first({ id: 'g' }), 'known', { role, seat: 1 }, { hasSecrets: true, sealed: ['bid:'], seats: SEATS, ...about }), 'stands', { ...gameAt(0, []), position: { ply: 0, toAct: ['seat:1'], legalActions: null, ...AWAITED, ...position } }));
  for (const role of ['admin', 'recorder']) {
    const open = at(role, { legalActions: ['a1-a2', 'bid:3', 'pass'] });
    assert.deepEqual([open.isHidden, open.actions], [false, ['a1-a2', 'pass']], role);
    assert.ok(at(role, { legalActions: ['bid:1', 'bid:3'] }).isHidden, `${role}: a bid`);
    assert.ok(at(role, { prompts: [{ seat: 1, kind: 'setup', dice: [] }] }).isHidden, `${role}: what cannot be listed`);
    assert.ok(at(role, { legalActions: ['a1-a2'] }, { sealed: [''] }).isHidden, `${role}: where everything is sealed`);
    const several = at(role, { toAct: ['seat:1', 'seat:2'] });
    assert.deepEqual([several.isHidden, several.needsLegal], [true, true], `${role}: until it is known`);
    assert.ok(!at(role, { toAct: ['seat:1', 'seat:2'] }, { sealed: [''] }).needsLegal, `${role}: nothing is asked where everything is sealed`);
  }
  const own = at('player', { legalActions: ['a1-a2', 'bid:3'] });
  assert.deepEqual([own.isHidden, own.actions], [false, ['a1-a2', 'bid:3']], 'nobody else sees the page of a seat');
});

test('another tab does not drop what is kept in this one only', () => {
  let state = update(update(first({ id: 'g' }), 'stands', gameAt(7, [])), 'enter', { action: 's', isSecret: true }, 'k');
  state = update(state, 'shared', EMPTY);
  assert.deepEqual([state.queue.entries.map(({ key }) => key), state.queue.after], [['k'], 7]);
  state = update(state, 'shared', queued('a'));
  assert.deepEqual(state.queue.entries.map(({ key }) => key), ['key-of-a', 'k']);
});

test('comments and contributions to dice are no obstacle, anything else is', () => {
  const game = (...types) => ({ head: { seq: 7 + types.length }, events: { nodes: types.map((type, index) => ({ seq: 8 + index, type })) } });
  assert.ok(isUnchanged(game('annotated', 'entropy_added'), 7));
  assert.ok(!isUnchanged(game('annotated', 'acted'), 7));
  assert.ok(!isUnchanged({ ...game('annotated'), head: { seq: 40 } }, 7), 'more than is known');
});

test('an older answer does not replace a newer one', () => {
  const now = update(update(first({ id: 'g' }), 'stands', gameAt(9, [8, 9])), 'stands', gameAt(8, [8]));
  assert.equal(now.game.head.seq, 9);
});

const SCHEMA = {
  properties: {
    players: { type: 'integer', enum: [13, 7] },
    side: { type: 'integer', default: 7, minimum: 4, description: 'With ports only: rows (R18)' },
    isFast: { type: 'boolean', default: true },
    formation: { enum: ['grid', 'river'], default: 'grid' },
    variants: { type: 'array', uniqueItems: true, default: [], items: { oneOf: [{ const: 'ports', description: 'Water.' }, { const: 'row-balancing' }] } },
    starts: { type: 'array', items: { type: 'integer' }, minItems: 7 },
    islands: { type: 'array', items: { type: 'array' } },
    bases: { type: 'string', default: 'LMS' },
  },
};

test('the fields of a setup follow from its schema', () => {
  const fields = fieldsOf(SCHEMA);
  assert.deepEqual(fields.map(({ name, control }) => `${name} ${control}`), ['side number', 'isFast tick', 'formation choice', 'variants ticks', 'starts list', 'bases text'], 'what has to be written as JSON is left to the API');
  assert.deepEqual(fields[3].options.map(({ title, hint }) => [title, hint]), [['Ports', 'Water.'], ['Row balancing', '']]);
  assert.deepEqual([fields[0].hint, fields[0].only, fields[0].ruling], ['Rows', 'ports', 'R18']);
  assert.deepEqual(rulingsOf('# A\n\n- **R1** One\n  more.\n- **R18** Two.\n\n## B\n'), new Map([['R1', 'One more.'], ['R18', 'Two.']]));
  assert.deepEqual(waysOf({ oneOf: [{ title: 'One' }, { properties: SCHEMA.properties, required: ['islands'] }] }).map(({ title }) => title), ['One']);
  assert.deepEqual(waysOf({ oneOf: [{ title: 'One' }, {}] }).map(({ title }) => title), ['One', 'Way 2']);
  assert.deepEqual(seatCounts({ minSeats: 7, maxSeats: 13, setupSchema: SCHEMA }), [7, 13]);
  assert.deepEqual(seatCounts({ minSeats: 2, maxSeats: 4, setupSchema: {} }), [2, 3, 4]);
});

test('what is left as it is stays out of the setup; what is not understood is named', () => {
  assert.deepEqual(setupOf(SCHEMA, {}, 7), { setup: { players: 7 }, problems: {} });
  assert.deepEqual(setupOf({ properties: {} }, {}, 2).setup, {});
  const values = { side: '5', isFast: '', formation: 'river', variants: 'ports', starts: '1, 2;3', bases: 'SML' };
  assert.deepEqual(setupOf(SCHEMA, values, 13).setup, { side: 5, isFast: false, formation: 'river', variants: ['ports'], starts: [1, 2, 3], bases: 'SML', players: 13 });
  assert.deepEqual(Object.keys(setupOf(SCHEMA, { side: 'x', starts: '1, b' }, 7).problems), ['side', 'starts']);
});

test('tags are names with values', () => {
  assert.deepEqual(tagsOf('event=Club night, table=3, friendly, a=b=c, =x'), { event: 'Club night', table: '3', friendly: true, a: 'b=c' });
  assert.deepEqual(tagsOf(' '), {});
});

test('clock times are read as clocks show them, and written the same', () => {
  for (const text of ['0:00', '0:59', '9:05', '59:59', '90:00', '1:00:00', '12:34:56']) {
    assert.equal(clockText(clockMs(text)), text === '90:00' ? '1:30:00' : text);
  }
  for (const text of ['', '5', ':30', '1:5', '0:60', '1:60:00', '1:2:3', '100:00:00', '-1:00', '1:00 h', '١:٠٠']) assert.equal(clockMs(text), null, text);
  assert.deepEqual([variablesOf(entryOf({ action: 'a', clock: 545_000 }, 'k')).clockMs, variablesOf(entryOf({ action: 'a' }, 'k')).clockMs], [545_000, null]);
  assert.equal(entryWords(entryOf({ seat: 1, action: 'a', clock: 545_000 }, 'k'), SEATS), 'Ada: a, 9:05');
});

test('a list can be left to a word, or to one number for all', () => {
  const count = { type: 'integer', minimum: 0, maximum: 9 };
  const schema = { properties: {
    garnets: { anyOf: [count, { type: 'array', items: count, minItems: 7 }], default: 1 },
    fortresses: { anyOf: [{ type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 2 }, { enum: ['drawn', 'rolled'] }], default: ['a', 'b'] },
  } };
  const [garnets, fortresses] = fieldsOf(schema);
  assert.deepEqual([garnets.control, garnets.usual, fortresses.control, fortresses.usual], ['list', '1', 'list', 'a, b']);
  const setup = (values) => setupOf(schema, values, 7);
  assert.deepEqual(setup({ garnets: '3', fortresses: 'rolled' }).setup, { garnets: 3, fortresses: 'rolled' });
  assert.deepEqual(setup({ garnets: '3, 0, 1', fortresses: 'b c' }).setup, { garnets: [3, 0, 1], fortresses: ['b', 'c'] });
  assert.deepEqual(Object.keys(setup({ garnets: 'three' }).problems), ['garnets']);
  assert.deepEqual(setup({}).setup, {});
});
