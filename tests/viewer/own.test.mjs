// What a reader draws and writes: private on the device, or in a line that is shared; comments with their authors; what a new game begins from.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… node --test own.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { commentWith, commentsOf, marksIn, marksOf, toggled, wordsOf } from '../../web-viewer/model/own.js';
import { pastedFrom, textRecord } from '../../web-viewer/model/pasted.js';
import { newGame } from './recorder.mjs';
import { SCREENS, accessible, ask, becomes, close, finishedGame, finishedGames, launch, open, shareLine, shut, token } from './service.mjs';

test('circles and arrows are added, removed, and written into comments and read from them', () => {
  assert.deepEqual(toggled(toggled([], 'c3', 'c3'), 'c1', 'c3'), ['c3', 'c1>c3']);
  assert.deepEqual(toggled(['c3', 'c1>c3'], 'c3', 'c3'), ['c1>c3']);
  assert.deepEqual(marksIn(' c3, c1>c3 c3 '), ['c3', 'c1>c3']);
  const comment = commentWith('Why not?', ['c1>c3', 'd4']);
  assert.equal(comment, 'Why not? [%csl d4] [%cal c1>c3]');
  assert.deepEqual([wordsOf(comment), marksOf(comment)], ['Why not?', ['d4', 'c1>c3']]);
  assert.deepEqual([wordsOf(null), marksOf(undefined), commentWith('', [])], ['', [], '']);
});

test('a ply has the last comment of each author, until they are removed or it is taken back', () => {
  const said = (who, comment, ply = 3) => ({ type: 'annotated', by: 'arbiter', who, at: '2026-11-20T10:00:00Z', body: { ply, ...comment && { comment } } });
  const texts = (events, ply = 3) => (commentsOf(events).get(ply) ?? []).map(({ comment }) => comment);
  const log = [said('recorder:1', 'one'), said('admin:2', 'two'), said('recorder:1', 'three')];
  assert.deepEqual(texts(log), ['two', 'three']);
  assert.deepEqual(texts([...log, said('admin:2', '')]), []);
  assert.deepEqual(texts([...log, { type: 'taken_back', by: 'arbiter', at: '', body: { to_ply: 2, reason: 'x' } }]), []);
});

test('records, moves and positions are recognised', () => {
  assert.equal(pastedFrom('  '), null);
  assert.deepEqual(pastedFrom('1. b1-b2 {good} $! ( 1. c1-c2 ) 2. d8-d7').actions, ['b1-b2', 'd8-d7']);
  const text = textRecord('tri', { formation: 'grid' }, ['Ada "A"', 'Bela'], ['r:A@n+', '-']);
  assert.deepEqual(pastedFrom(text), { format: 'TEXT', kind: 'tri', setup: { formation: 'grid' }, position: null, actions: ['r:A@n+', '-'], names: ['Ada "A"', 'Bela'] });
  assert.deepEqual(pastedFrom('{"frogs":[1]}').position, { frogs: [1] });
  assert.throws(() => pastedFrom('{"frogs"'), SyntaxError);
});

let browser;
before(async () => { browser = await launch(); });
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const verified = (page) => page.waitForSelector('#badge[data-state=verified]');
const marks = (page) => page.locator('#board .mark-own:not(.head)').count();
const middle = async (page, place) => {
  const { x, y, width, height } = await page.locator(`#board > :not([aria-hidden]) polygon[data-place="${place}"]`).first().boundingBox();
  return [x + width / 2, y + height / 2];
};

/** A game with one ply. */
async function begun() {
  const id = await newGame({ kind: 'triangulate', seats: [{ name: 'Ada' }, { name: 'Bela' }] });
  await ask('mutation($id: ID!) { act(game: $id, action: "b1-b2") { id } }', { id }, token());
  return id;
}

async function drag(page, from, to) {
  await page.mouse.move(...await middle(page, from));
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(...await middle(page, to));
  await page.mouse.up({ button: 'right' });
}

test('the right button draws circles and arrows, which last on this device, and nobody else has', async () => {
  const { id } = await finishedGame('triangulate');
  const page = await open(browser, `/games/${id}#4`);
  await verified(page);
  await drag(page, 'c3', 'c3');
  await page.waitForSelector('#board circle.mark-own');
  await drag(page, 'c3', 'e5');
  await page.waitForSelector('#board polyline.mark-own');
  assert.equal(await page.locator('#slider').inputValue(), '4', 'drawing plays and steps nothing');
  await page.keyboard.press('n');
  await becomes(() => page.inputValue('#own-marks'), 'c3 c3>e5');
  await page.fill('#own-note', 'Look here');
  await page.fill('#own-marks', 'c3 z99');
  await page.keyboard.press('Enter');
  await page.getByText('z99 names no place').waitFor();
  await accessible(page, 'the dialog of a note');
  await page.fill('#own-marks', 'c3>e5');
  await page.locator('#own-marks').press('Enter');
  await page.locator('.moves .comment.own').getByText('Look here').waitFor();
  await page.reload();
  await page.waitForSelector('#board polyline.mark-own');
  assert.equal(await marks(page), 1);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelectorAll('#board .mark-own').length === 0);
  const other = await open(browser, `/games/${id}#4`);
  await verified(other);
  assert.equal(await marks(other) + await other.locator('.comment.own').count(), 0);
  await close(other);
  await close(page);
});

test('a long press draws a circle, and neither plays nor steps', async () => {
  const { id } = await finishedGame('triangulate');
  const page = await open(browser, `/games/${id}#4`, SCREENS.phone);
  await verified(page);
  await page.evaluate(() => { navigator.vibrate = () => { globalThis.isPressed = true; }; });
  const [x, y] = await middle(page, 'd4');
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  await page.waitForFunction(() => globalThis.isPressed);
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.waitForSelector('#board circle.mark-own');
  assert.equal(await page.locator('#slider').inputValue(), '4');
  await close(page);
});

test('what was drawn and written on a line goes with it when it is shared, with author and time', async () => {
  const id = await begun();
  const page = await open(browser, '');
  await page.addInitScript((key) => localStorage.setItem('plybook.token', key), token());
  await page.goto(`/games/${id}#0`);
  await verified(page);
  await page.locator('#act-list:not(.stale) li').nth(3).click();
  await page.waitForSelector('#board svg[aria-label="Board after ply 1"]');
  await page.locator('#own').click();
  await page.fill('#own-note', 'Better than the game');
  await page.fill('#own-marks', 'c3>e5');
  await page.locator('#own-marks').press('Enter');
  const line = await shareLine(page);
  await page.locator('.variation .comment').getByText('Better than the game').first().waitFor();
  const reader = await open(browser, `/games/${id}?line=${line}#1`);
  await verified(reader);
  await reader.waitForSelector('#board .mark-said');
  const comment = reader.locator('.variation .comment').filter({ hasText: 'Better than the game' });
  await comment.locator('time').waitFor();
  assert.match(await comment.locator('.by').textContent(), /^Administrator · /);
  assert.doesNotMatch(await comment.textContent(), /%c/);
  await accessible(reader, 'a line with comments');
  await close(reader);
  await close(page);
});

test('several people comment on a ply, and each comment names its author and time', async () => {
  const id = await begun();
  const { createToken } = await ask('mutation { createToken(input: { role: "recorder", label: "desk" }) { token } }', {}, token());
  const say = (comment, key) => ask('mutation($id: ID!, $comment: String) { annotate(game: $id, ply: 1, comment: $comment, glyphs: []) { id } }', { id, comment }, key);
  await say('first', token());
  await say('second', createToken.token);
  const page = await open(browser, `/games/${id}#1`);
  await verified(page);
  await page.waitForFunction(() => document.querySelectorAll('.moves .comment').length === 2);
  const by = await page.locator('.moves .comment .by').allTextContents();
  assert.match(by[0], /^Administrator · .*\d/);
  assert.match(by[1], /^Recorder · .*\d/);
  await say(null, token());
  await page.waitForFunction(() => document.querySelectorAll('.moves .comment').length === 0);
  await close(page);
});

test('arrow keys move about the board that has the focus, and Enter taps', async () => {
  const { id } = await finishedGame('triangulate');
  const page = await open(browser, `/games/${id}#3`);
  await verified(page);
  await page.locator('#act-open').click();
  await page.locator('#act-list:not(.stale) li').first().waitFor();
  const [action] = await page.locator('#act-list li').allTextContents();
  await page.keyboard.press('Tab');
  await page.locator('.skip').focus();
  while (await page.evaluate(() => document.activeElement?.id) !== 'board') await page.keyboard.press('Tab');
  const at = async () => (await page.locator('#announce').textContent()).split(/[:,.]/)[0].trim();
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('#board.walked');
  const first = await at();
  assert.equal((await page.locator('#announce').textContent()).split(first).length, 2, 'a place is named once');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((old) => !document.querySelector('#announce').textContent.startsWith(old), first);
  assert.equal(await page.locator('#slider').inputValue(), '3', 'it does not step');
  await page.keyboard.press('Shift+Enter');
  await page.waitForSelector('#board circle.mark-own');
  const wanted = action.slice(0, 2);
  for (const [key, axis] of [['ArrowLeft', 0], ['ArrowDown', 1]]) for (let step = 0; step < 8 && (await at())[axis] !== wanted[axis]; step += 1) await page.keyboard.press(key);
  for (let step = 0; step < 8 && await at() !== wanted; step += 1) await page.keyboard.press((await at())[1] < wanted[1] ? 'ArrowUp' : 'ArrowRight');
  assert.equal(await at(), wanted);
  await page.keyboard.press('Enter');
  await page.locator('.act-picked').getByText(wanted).waitFor();
  await page.locator('#slider').focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('#board svg[aria-label="Board after ply 4"]');
  await close(page);
});

test('pieces with high contrast, moves in words, sounds when asked for, and a code to share', async () => {
  const { id } = await finishedGame('thrones');
  const page = await open(browser, '');
  await page.addInitScript(() => {
    globalThis.heard = 0;
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function counted(...when) { globalThis.heard += 1; return start.apply(this, when); };
  });
  await page.goto(`/games/${id}#20`);
  await verified(page);
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('#board svg[aria-label="Board after ply 21"]');
  assert.equal(await page.evaluate(() => globalThis.heard), 0, 'nobody asked for sounds');
  await page.keyboard.press('?');
  for (const name of ['bold', 'inWords', 'sound']) await page.locator(`[name=${name}]`).check();
  await page.keyboard.press('Escape');
  await page.waitForSelector('#board.bold');
  await page.waitForFunction(() => document.querySelectorAll('.moves .text.told').length > 5);
  assert.match(await page.locator('.moves .text.told').last().textContent(), /[a-z]+ .*\.$/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => globalThis.heard > 0);
  await accessible(page, 'with every setting on');
  await page.locator('#tab-files').click();
  await page.getByRole('button', { name: 'Code', exact: true }).click();
  await page.locator('#panel-files .qr').waitFor();
  await close(page);
});

test('a new game begins from moves, from a record in a file, and from a position of another game', async () => {
  const game = (await finishedGames('triangulate')).at(-1);
  const { game: { record } } = await ask('query($id: ID!) { game(id: $id) { record(format: TEXT) } }', { id: game.id });
  const page = await open(browser, '');
  await page.addInitScript((key) => localStorage.setItem('plybook.token', key), token());
  await page.goto('/games/new');
  await page.locator('#group-pasted summary').click();
  await page.locator('#pasted-file').setInputFiles({ name: 'game.txt', mimeType: 'text/plain', buffer: Buffer.from(record) });
  await page.locator('#understood').getByText(`Triangulate, ${game.ply} plies`).waitFor();
  await page.locator('.picture svg').waitFor();
  await page.locator('#understood').getByText(game.seats[0].name).waitFor();
  assert.equal(await page.locator('#group-seats, #group-more').count(), 0, 'the record says who played, and how');
  await page.goto('/games/new');
  await page.locator('#group-pasted summary').click();
  await page.fill('#pasted', '1. b1-b2 2. nonsense');
  await page.locator('#pasted').blur();
  await page.getByText('choose their game').waitFor();
  await page.selectOption('#kind', 'triangulate');
  await page.waitForSelector('#understood.bad');
  await page.fill('#pasted', '1. b1-b2');
  await page.locator('#pasted').blur();
  await page.locator('#understood').getByText('Triangulate, 1 ply').waitFor();
  await page.fill('#seat-1', 'Ada');
  await page.fill('#seat-2', 'Bela');
  await accessible(page, 'what was pasted');
  await page.locator('#create').click();
  const made = page.getByRole('link', { name: 'Record it on this device' });
  await made.waitFor();
  const plyOf = async () => (await ask('query($id: ID!) { game(id: $id) { ply position { positionKey } } }', { id: (await made.getAttribute('href')).split('/')[2] })).game;
  assert.equal((await plyOf()).ply, 1);
  await page.getByText('The game is created, with 1 ply.').waitFor();
  await page.goto(`/games/${game.id}#6`);
  await verified(page);
  await page.locator('#act-from').click();
  await page.locator('#understood').getByText('A position of Triangulate').waitFor();
  await page.locator('#create').click();
  await made.waitFor();
  const { game: { position } } = await ask('query($id: ID!) { game(id: $id) { position(ply: 6) { positionKey } } }', { id: game.id });
  assert.deepEqual([(await plyOf()).ply, (await plyOf()).position.positionKey], [0, position.positionKey]);
  // The position of a game with other rules brings them along.
  const setup = { extraPad: 'anywhere', repetition: 3 };
  const { createGame } = await ask('mutation($input: CreateGame!) { createGame(input: $input) { id } }', { input: { kind: 'triangulate', setup, seats: [{ name: 'Ada' }, { name: 'Bela' }] } }, token());
  await page.goto(`/games/new?from=${createGame.id}&ply=0`);
  await page.locator('#understood').getByText('A position of Triangulate').waitFor();
  await page.locator('#create').click();
  await made.waitFor();
  assert.deepEqual((await ask('query($id: ID!) { game(id: $id) { setup } }', { id: (await made.getAttribute('href')).split('/')[2] })).game.setup, setup);
  await close(page);
});
