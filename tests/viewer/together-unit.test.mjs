// Actions that are put together on the board, without a page. `node --test together-unit.test.mjs`, no install needed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { derive } from '../../web-viewer/record/derive.js';
import { NOTHING_HELD, left, missing, nextTray, openTo, placedBy, placedText, takenOff, tapPlace } from '../../web-viewer/entry/placing.js';
import { actionsAlong, nextPlaces, pathOf, tapStep } from '../../web-viewer/entry/routes.js';
import { first, update } from '../../web-viewer/record/update.js';

const slot = (place, before, after) => ({ place, at: [0, 0], before, after });
const piece = (letter, most, least = most, barred = []) => ({ letter, name: `name of ${letter}`, most, least, barred, items: [] });
const TRAYS = [
  { title: 'Tiles', before: 'lay:', blank: '.', total: 4, slots: [slot('a1', '', ''), slot('b1', '', ''), slot('a2', '/', ''), slot('b2', '', '')], pieces: [piece('p', 3), piece('F', 1, 1, ['a1', 'b1'])] },
  { title: 'Pieces', before: ':', blank: '', total: 2, slots: [slot('a1', '', 'a1'), slot('a11', '', 'a11'), slot('b2', '', 'b2')], pieces: [piece('T', 1), piece('R', 2, 0)] },
];
const WHOLE = 'lay:pp/pF:Ta1Rb2';
const taps = (text, active, ...steps) => steps.reduce(({ placed, held }, step) => (
  typeof step === 'string' ? tapPlace(TRAYS, placed, active, held, [step]) : { placed, held: { ...NOTHING_HELD, tray: active, ...step } }), { placed: placedBy(TRAYS, text), held: NOTHING_HELD });

test('what is on the board is the text, complete or not, and back', () => {
  for (const text of [WHOLE, '', 'lay:p./.F:', 'lay:../..:Rb2', 'lay:../..:Ra11']) assert.equal(placedText(TRAYS, placedBy(TRAYS, text)), text);
  assert.equal(placedText(TRAYS, placedBy(TRAYS, 'lay:pp/pF:Rb2Ta1')), WHOLE, 'in the order of the slots');
  assert.deepEqual([...placedBy(TRAYS, 'lay:../..:Ra11')[1]], [['a11', 'R']], 'the longer place');
  for (const text of ['lay', 'lay:pp', 'lay:pppF:', 'lay:pp/px:', `${WHOLE}Rb2`, `${WHOLE}:`, 'lay:pp/pF:Tc3', 'lay:pp/pF:T']) assert.equal(placedBy(TRAYS, text), null, text);
});

test('pieces go from the tray to a place, change places, and go back', () => {
  const once = taps('', 0, { letter: 'p' }, 'a1');
  assert.deepEqual([placedText(TRAYS, once.placed), once.held.letter], ['lay:p./..:', 'p'], 'there are more of them');
  const all = taps('', 0, { letter: 'p' }, 'a1', 'b1', 'a2');
  assert.deepEqual([placedText(TRAYS, all.placed), all.held], ['lay:pp/p.:', NOTHING_HELD], 'the last one is laid');
  assert.match(taps('', 0, { letter: 'F' }, 'a1').none, /Name of F cannot go to a1/);
  assert.match(taps('', 0, 'a1').none, /Choose what goes to a1/);
  assert.match(taps('', 1, { letter: 'T' }, 'b1').none, /Pieces do not go to b1/);
  const swapped = taps(WHOLE, 0, 'b2', 'a2');
  assert.deepEqual([placedText(TRAYS, swapped.placed), swapped.held], ['lay:pp/Fp:Ta1Rb2', NOTHING_HELD]);
  assert.match(taps(WHOLE, 0, 'a1', 'b2').none, /Name of F cannot go to a1/, 'neither may the other one');
  assert.equal(placedText(TRAYS, taps(WHOLE, 1, 'a1', 'a11').placed), 'lay:pp/pF:Ta11Rb2', 'moved');
  assert.deepEqual(taps(WHOLE, 1, 'a1', 'a1').held, NOTHING_HELD, 'put down again');
  assert.equal(placedText(TRAYS, taps(WHOLE, 1, { letter: 'R' }, 'a1').placed), 'lay:pp/pF:Ra1Rb2', 'what stood there is in the tray again');
  assert.equal(placedText(TRAYS, takenOff(placedBy(TRAYS, WHOLE), 1, 'a1')), 'lay:pp/pF:Rb2');
  assert.equal(placedText(TRAYS, takenOff(placedBy(TRAYS, WHOLE), 0)), 'lay:../..:Ta1Rb2');
  assert.deepEqual(openTo(TRAYS, placedBy(TRAYS, WHOLE), { tray: 0, letter: 'F', place: '' }), ['a2'], 'not where one is, nor where it may not be');
});

test('what is missing is counted, and the next tray is the one that lacks something', () => {
  const placed = placedBy(TRAYS, 'lay:p./..:');
  assert.deepEqual(missing(TRAYS, placed), ['Tiles: 2 name of p, name of F', 'Pieces: name of T, 1 more']);
  assert.equal(left(TRAYS[0].pieces[0], placed[0]), 2);
  assert.deepEqual([nextTray(TRAYS, placed), nextTray(TRAYS, placedBy(TRAYS, 'lay:pp/pF:'))], [0, 1]);
  assert.deepEqual(missing(TRAYS, placedBy(TRAYS, WHOLE)), []);
});

const ROUTES = [['-', 'a'], ['-!', 'a'], ['L', 'ab'], ['L!', 'ab'], ['R', 'ac'], ['LR', 'aba'], ['LL', 'abd'], ['RL', 'aca']].map(([action, places]) => ({ action, places: [...places] }));

test('a path is drawn step by step, and is the text of its action', () => {
  assert.deepEqual(nextPlaces(ROUTES, ['a']), ['b', 'c']);
  assert.deepEqual([tapStep(ROUTES, '', ['b']).text, tapStep(ROUTES, 'L', ['d']).text, tapStep(ROUTES, 'L', ['a']).text], ['L', 'LL', 'LR'], 'also back to where it came from');
  assert.equal(tapStep(ROUTES, 'LL', ['d']).text, 'L', 'the end again: a step less');
  assert.equal(tapStep(ROUTES, '', ['x', 'd']).text, 'LL', 'from the start, all the way');
  assert.deepEqual(tapStep(ROUTES, 'L', ['c']), { text: 'L', start: '', none: 'c' });
  assert.deepEqual(pathOf(ROUTES, 'L!'), ['a', 'b']);
  assert.deepEqual([pathOf(ROUTES, ''), pathOf(ROUTES, 'up')], [['a'], null]);
  assert.deepEqual(actionsAlong(ROUTES, ['a', 'b']), ['L', 'L!']);
  assert.deepEqual(actionsAlong(ROUTES, ['a']), ['-', '-!']);
});

test('where it is not known where a path starts, that is tapped first', () => {
  const routes = [...ROUTES, ...ROUTES.map(({ action, places }) => ({ action, places: places.map((place) => place.toUpperCase()) }))];
  assert.deepEqual([pathOf(routes, ''), pathOf(routes, 'L'), pathOf(routes, 'L', 'A'), pathOf(routes, 'up')], [[], [], ['A', 'B'], null]);
  assert.deepEqual(nextPlaces(routes, []), ['a', 'A']);
  assert.deepEqual(tapStep(routes, '', ['b']), { text: '', start: '', none: 'b' });
  assert.deepEqual(tapStep(routes, '', ['A']), { text: '', start: 'A' });
  assert.deepEqual(tapStep(routes, '', ['B'], 'A'), { text: 'L', start: 'A' });
  assert.deepEqual(tapStep(routes, '', ['D'], 'A'), { text: 'LL', start: 'A' }, 'all the way');
  assert.deepEqual(tapStep(routes, '', ['d'], 'A'), { text: '', start: 'A', none: 'd' }, 'but from there only');
  assert.deepEqual(tapStep(routes, '', ['A'], 'A'), { text: '', start: '' }, 'the start again: another one');
  assert.deepEqual(tapStep(routes, 'LR', ['A']), { text: 'LR', start: 'A' }, 'what is typed starts there');
});

const SCENE = { view: [0, 0, 1, 1], items: [] };
const game = (seq, toAct) => ({ id: 'g', status: 'RUNNING', ply: seq, head: { seq }, seats: [{ number: 1, name: 'Ada' }, { number: 2, name: 'Bela' }], events: { nodes: [] },
  position: { ply: seq, toAct, legalActions: null, prompts: [], scene: SCENE, form: { trays: TRAYS, routes: [] } }, moves: { totalCount: 0, nodes: [] } });
const play = (...messages) => messages.reduce((state, message) => update(state, ...message), first({ id: 'g' }));
const AT = [['known', { role: 'recorder' }, { hasSecrets: true, sealed: ['lay:'], seats: [] }], ['stands', game(1, ['seat:1', 'seat:2'])]];

test('what whoever has the phone has put together is there again after it was covered, until it is handed back', () => {
  const covered = play(...AT, ['handTo', 1], ['uncover', 1, game(1, ['seat:1']).position], ['lay', 'lay:p./..:'], ['cover']);
  assert.ok(!derive(covered).laying || derive(covered).laying.placed.every(({ size }) => size === 0), 'nothing of it is shown');
  assert.equal(update(covered, 'uncover', 1, game(1, ['seat:1']).position).typed, 'lay:p./..:');
  const other = [['handBack'], ['handTo', 2], ['uncover', 2, game(1, ['seat:2']).position]].reduce((state, message) => update(state, ...message), covered);
  assert.equal(other.typed, '');
  const again = [['handBack'], ['handTo', 1], ['uncover', 1, game(1, ['seat:1']).position]].reduce((state, message) => update(state, ...message), other);
  assert.equal(again.typed, '', 'nor does whoever has the phone after it was handed back');
});

test('a refused secret is there again for its seat; a recorded one is gone', () => {
  const entered = play(...AT, ['handTo', 1], ['uncover', 1, game(1, ['seat:1']).position], ['lay', WHOLE], ['enter', { type: 'act', seat: 1, action: WHOLE, isSecret: true, atOnce: true }, 'key']);
  assert.equal(entered.typed, '');
  const back = update(update(entered, 'refused', 'key', { message: 'no', code: 'ILLEGAL_ACTION' }), 'uncover', 1, game(1, ['seat:1']).position);
  assert.equal(back.typed, WHOLE);
  assert.equal(update(entered, 'recorded', 'key', game(2, ['seat:2'])).drafts[1], '');
});

test('what another seat submits meanwhile does not clear the board', () => {
  const laid = play(['known', { role: 'player', seat: 2 }, { hasSecrets: true, sealed: ['lay:'], seats: [] }], ['stands', game(1, ['seat:1', 'seat:2'])], ['lay', 'lay:p./..:']);
  assert.equal(update(laid, 'stands', game(2, ['seat:2'])).typed, 'lay:p./..:');
  assert.equal(update(laid, 'stands', game(2, ['seat:1', 'seat:2', 'seat:3'])).typed, '', 'another round');
  assert.equal(update(update(laid, 'lay', 'lay:pp/..:'), 'unlay').typed, 'lay:p./..:');
});
