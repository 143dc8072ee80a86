// Two boards side by side, in Node and in Chromium: where logs part, what differs, stepping together.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { differing, firstPace, followed, logIn, partWords, pliesAt, shared, stepped, steppedAlone } from '../../web-viewer/model/beside.js';
import { besideAddress, parseBeside } from '../../web-viewer/model/url.js';
import { example, newGame } from './recorder.mjs';
import { KINDS, SCREENS, accessible, ask, becomes, close, finishedGame, finishedGames, launch, open, rewriteAnswers, shoot, shut, token } from './service.mjs';

// --- the model

const SEATS = [{ number: 1, name: 'Ada' }, { number: 2, name: 'Bram' }];
const log = (id, actions, more = {}) => ({
  id, kind: 'k', setup: { players: 2 }, ply: actions.length, seats: SEATS, ...more,
  moves: [...actions].map((action, index) => ({ ply: index + 1, by: `seat:${1 + (index % 2)}`, action })),
});

test('logs part at the first action that differs, or at once if they start differently', () => {
  const a = log('A', 'abcdef');
  assert.equal(shared(a, log('B', 'abcx')), 3);
  assert.equal(shared(a, log('B', 'abc')), 3);
  assert.equal(shared(log('B', 'abc'), a), 3);
  assert.equal(shared(a, log('B', 'abcdef')), 6);
  assert.equal(shared(a, log('B', 'abcdef', { setup: { players: 3 } })), -1);
  assert.equal(partWords(a, log('B', 'abcx'), { a: 0, b: 0 }), 'They are the same up to ply 3: then in A Bram plays d, in B Bram plays x.');
  assert.equal(partWords(a, log('B', 'abc'), { a: 0, b: 0 }), 'They are the same up to ply 3: then in A Bram plays d, in B it ends.');
  assert.equal(partWords(a, log('B', 'xbc'), { a: 0, b: 0 }), 'They part at once: then in A Ada plays a, in B Ada plays x.');
  assert.equal(partWords(a, log('B', 'abcdef'), { a: 0, b: 0 }), 'The same actions were played in both.');
  assert.equal(partWords(a, log('B', 'abc', { kind: 'other' }), { a: 0, b: 0 }), 'These are different games: nothing is compared.');
  assert.equal(partWords(a, a, { a: 5, b: 4 }), 'The same game; B is 1 ply behind.');
});

test('both boards step together, wait for each other at an end, and step alone', () => {
  const [a, b] = [log('A', 'abcdef'), log('B', 'abx')];
  let pace = firstPace(a, b, null);
  assert.deepEqual(pliesAt(a, b, pace), { a: 3, b: 3 }, 'the first ply that differs');
  pace = stepped(a, b, pace, pace.at + 2);
  assert.deepEqual(pliesAt(a, b, pace), { a: 5, b: 3 }, 'B has ended');
  pace = stepped(a, b, pace, pace.at + 9);
  assert.deepEqual(pliesAt(a, b, pace), { a: 6, b: 3 });
  pace = stepped(a, b, pace, pace.at - 4);
  assert.deepEqual(pliesAt(a, b, pace), { a: 2, b: 2 }, 'still together');
  pace = steppedAlone(a, b, pace, 'a', 2);
  assert.deepEqual(pliesAt(a, b, pace), { a: 4, b: 2 });
  pace = steppedAlone(a, b, pace, 'b', -9);
  assert.deepEqual(pliesAt(a, b, pace), { a: 4, b: 0 });
  pace = stepped(a, b, pace, -99);
  assert.deepEqual(pliesAt(a, b, pace), { a: 0, b: 0 });
  assert.deepEqual(pliesAt(a, b, firstPace(a, b, { a: 999, b: 999 })), { a: 6, b: 3 });
});

test('a board at the end of its log follows it; the other keeps its distance, or its place in the same log', () => {
  const [a, b] = [log('A', 'abcd'), log('B', 'abxdefgh')];
  const at = (old, now, pace) => pliesAt(now.a, now.b, followed(old, now, pace));
  assert.deepEqual(at({ a, b }, { a: log('A', 'abcdef'), b }, { at: 4, by: 0 }), { a: 6, b: 6 });
  assert.deepEqual(at({ a, b }, { a: log('A', 'abcdef'), b }, { at: 3, by: 0 }), { a: 3, b: 3 }, 'a reader elsewhere stays there');
  assert.deepEqual(at({ a, b }, { a, b: log('B', 'abxdefghi') }, { at: 8, by: 0 }), { a: 4, b: 9 });
  assert.deepEqual(at({ a, b }, { a: log('A', 'abc'), b }, { at: 4, by: 0 }), { a: 3, b: 3 }, 'taken back');
  const grown = log('A', 'abcdef');
  assert.deepEqual(at({ a, b: a }, { a: grown, b: grown }, { at: 1, by: 3 }), { a: 1, b: 6 });
  assert.deepEqual(at({ a, b: a }, { a: grown, b: grown }, { at: 4, by: 0 }), { a: 6, b: 6 });
  assert.deepEqual(at({ a, b: a }, { a: grown, b: grown }, { at: 1, by: 1 }), { a: 1, b: 2 });
});

test('what differs has its place on each board', () => {
  const square = (place, ...things) => ({ shape: 'POLYGON', points: [[0, 0], [1, 0], [1, 1]], class: 'space', place, title: [place, ...things].join(', ') });
  const [one, other] = [[square('a1', 'pad of seat 1'), square('b1')], [square('a1'), square('b1', 'pad of seat 1', 'frog of seat 2')]]
    .map((items) => ({ scene: { view: /** @type {any} */ ([0, 0, 1, 1]), items } }));
  const a = log('A', 'ab');
  const told = (b, plies) => differing(a, b, plies, one, other);
  assert.deepEqual(told(a, { a: 0, b: 1 }).map(({ words }) => words), ['Ada’s pad went from a1 to b1.', 'Bram’s frog came to b1.']);
  assert.deepEqual(told(log('B', 'ab', { seats: [SEATS[0], { number: 2, name: 'Cleo' }] }), { a: 1, b: 1 }), [
    { words: 'Ada’s pad: on a1 in A, on b1 in B.', a: 'a1', b: 'b1' },
    { words: 'Seat 2’s frog: only in B, on b1.', a: '', b: 'b1' },
  ]);
  assert.equal(told(log('B', 'ab', { kind: 'other' }), { a: 1, b: 1 }), null);
  assert.equal(differing(a, a, { a: 0, b: 1 }, one, undefined), null);
});

test('addresses and whatever is pasted', () => {
  const [id, line] = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002'];
  const address = besideAddress({ id, other: line, viewer: '1', plies: { a: 3, b: 9 } });
  assert.equal(address, `/games/${id}/beside?with=${line}&viewer=1#3-9`);
  const { pathname, search, hash } = new URL(address, 'http://x');
  assert.deepEqual(parseBeside(pathname, search, hash), { id, other: line, viewer: '1', plies: { a: 3, b: 9 } });
  assert.equal(besideAddress({ id, other: id }), `/games/${id}/beside`);
  assert.deepEqual(parseBeside('/games/x/beside', '', '#3'), { id: 'x', other: '', viewer: '', plies: null });
  assert.equal(parseBeside('/games/%/beside', '', '').id, '');
  assert.equal(logIn(` https://games.example.org/games/${id}?viewer=1#12 `), id);
  assert.equal(logIn(`/games/${id}?line=${line}#12`), line);
  assert.equal(logIn(id.toUpperCase()), id);
  for (const nothing of ['', '?', 'greta', 'line=', '%', `${id.slice(1)}`]) assert.equal(logIn(nothing), '', nothing);
});

// --- the page

let browser;
before(async () => { browser = await launch(); });
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const shown = (page, a, b) => page.waitForFunction(([one, other]) => (
  document.querySelector(`#one-a svg[aria-label="Board after ply ${one}"]`) && document.querySelector(`#one-b svg[aria-label="Board after ply ${other}"]`)), [a, b]);

for (const kind of KINDS) {
  test(`two plies of a game, and two games: ${kind}`, async () => {
    const [game, another] = await finishedGames(kind);
    const page = await open(browser, `/games/${game.id}/beside#4-9`);
    await shown(page, 4, 9);
    await page.keyboard.press('ArrowRight');
    await shown(page, 5, 10);
    await page.locator('#on-b').click();
    await shown(page, 5, 11);
    await page.getByText('The same game; B is 6 plies ahead.').waitFor();
    const count = await page.locator('#differences li').count();
    // Paths and amounts are no pieces: what differs of them is in the figures.
    if (kind !== 'triforce-building') assert.ok(count > 0);
    assert.equal(await page.locator('.mark-changed').count() > 0, count > 0);
    if (count === 0) assert.ok(await page.locator('.differs').count() > 0);
    await page.waitForFunction((id) => location.pathname === `/games/${id}/beside` && location.hash === '#5-11', game.id);
    await page.waitForFunction(() => /A, ply 5\. .+B, ply 11\. .+/.test(document.querySelector('#announce').textContent));
    assert.equal(await page.locator('#name-b').getAttribute('href'), `/games/${game.id}#11`);
    for (const board of ['a', 'b']) await page.locator(`#badge-${board}[data-state=verified]`).waitFor();
    await accessible(page, kind);
    await shoot(page, `beside-${kind}`);
    if (another) {
      await page.locator('[name=other]').fill(`${page.url().split('/games/')[0]}/games/${another.id}#3`);
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.waitForURL((url) => url.searchParams.get('with') === another.id);
      const text = page.locator('#part');
      await page.waitForFunction(() => document.querySelector('#part').textContent);
      if (!/set-ups/.test(await text.innerText())) {
        const parting = Number(/up to ply (\d+)/.exec(await text.innerText())?.[1] ?? 0) + 1;
        await shown(page, parting, parting);
        await page.keyboard.press('Home');
        await shown(page, 0, 0);
        await page.keyboard.press('p');
        await shown(page, parting, parting);
      }
      await accessible(page, `${kind}, two games`);
    }
    await close(page);
  });
}

test('a line is shown beside the mainline, from where it leaves', async () => {
  const game = await finishedGame('triangulate');
  const { game: { position } } = await ask('query($id: ID!) { game(id: $id) { position(ply: 4) { legalActions } } }', { id: game.id });
  const action = position.legalActions.find((text) => text !== game.moves.nodes[4].action);
  const { fork: { id: line } } = await ask('mutation($id: ID!, $actions: [String!]) { fork(game: $id, ply: 4, actions: $actions) { id } }', { id: game.id, actions: [action] }, token());
  const page = await open(browser, `/games/${game.id}?line=${line}#5`);
  await page.locator('#line-beside').click();
  await page.waitForURL((url) => url.searchParams.get('with') === line);
  await shown(page, 5, 5);
  assert.match(await page.locator('#part').innerText(), /^They are the same up to ply 4: then in A .+ plays .+, in B .+ plays .+\.$/);
  assert.ok(await page.locator('#differences li').count() > 0);
  await page.keyboard.press('ArrowRight');
  await shown(page, 6, 5);
  await becomes(() => page.locator('#on-b').getAttribute('aria-disabled'), 'true');
  await close(page);
});

test('the replay leads there, with the last turn of the same seat', async () => {
  const game = await finishedGame('thrones');
  const page = await open(browser, `/games/${game.id}#20`);
  await page.locator('#badge[data-state=verified]').waitFor();
  await page.keyboard.press('s');
  await page.locator('#since-beside').waitFor();
  const ply = Number(/\d+/.exec(await page.locator('#since-ply').innerText())[0]);
  await page.keyboard.press('d');
  await page.waitForURL((url) => url.pathname === `/games/${game.id}/beside`);
  await shown(page, ply, 20);
  await close(page);
});

test('on a phone the boards are above each other, with the buttons in reach', async () => {
  const game = await finishedGame('tri');
  const page = await open(browser, `/games/${game.id}/beside#3-6`, SCREENS.phone);
  await shown(page, 3, 6);
  const [a, b] = await Promise.all(['#one-a .board', '#one-b .board'].map((board) => page.locator(board).boundingBox()));
  assert.ok(b.y > a.y + a.height);
  const { y, height } = await page.locator('#next').boundingBox();
  assert.ok(y + height <= SCREENS.phone.viewport.height, 'the buttons are in view');
  await page.locator('#next').tap();
  await shown(page, 4, 7);
  await accessible(page, 'phone');
  await shoot(page, 'beside-phone');
  await close(page);
});

test('both records are verified, and whatever the page shows otherwise is told at once', async () => {
  const [game, another] = await finishedGames('tri');
  const page = await open(browser, '');
  await rewriteAnswers(page, 'Moves', (answer, { id }) => {
    if (id === another.id) answer.data.game.moves.nodes[2].action = 'x:A1';
    return answer;
  });
  await page.goto(`/games/${game.id}/beside?with=${another.id}`);
  await page.locator('#badge-a[data-state=verified]').waitFor();
  await page.locator('#badge-b[data-state=failed]').getByText('Not what the record says').waitFor();
  await page.getByRole('alert').getByText('Do not trust this page: it does not show what the record says. Ply 3 is shown as x:A1 by').waitFor();
  await accessible(page, 'a record that is not what is shown');
  await shoot(page, 'beside-failed');
  await page.unrouteAll();
  await page.route(`**/games/${another.id}/log.ndjson`, async (route) => {
    const response = await route.fetch();
    return route.fulfill({ response, body: (await response.text()).replace('"action":"', '"action":"x') });
  });
  await page.reload();
  await page.locator('#badge-b[data-state=failed]').getByText('Failed at seq').waitFor();
  await page.getByRole('alert').getByText('Do not trust this page').waitFor();
  await close(page);
});

test('a running game is followed, and only what is new is loaded', async () => {
  const { moves, setup, seats } = await example('triangulate');
  const id = await newGame({ kind: 'triangulate', setup, seats: seats.map(({ name }) => ({ name })) });
  const record = (move) => ask('mutation($id: ID!, $seat: Int, $action: String!) { act(game: $id, seat: $seat, action: $action) { ply } }', { id, seat: Number(move.by.split(':')[1]), action: move.action }, token());
  for (const move of moves.slice(0, 3)) await record(move);
  const page = await open(browser, '');
  const asked = [];
  page.on('request', (request) => {
    const sent = request.url().endsWith('/graphql') && request.method() === 'POST' ? request.postDataJSON() : null;
    if (sent?.query.startsWith('query Moves')) asked.push(sent.variables.after);
  });
  await page.goto(`/games/${id}/beside#1-3`);
  await shown(page, 1, 3);
  for (const board of ['a', 'b']) await page.locator(`#live-${board}[data-state=live]`).waitFor();
  assert.deepEqual(asked, [null], 'one log is loaded once');
  await record(moves[3]);
  await shown(page, 1, 4);
  await record(moves[4]);
  await shown(page, 1, 5);
  await page.locator('#badge-a[data-state=verified]').getByText('Verified · 6 events').waitFor();
  assert.equal(asked.length >= 2 && asked.slice(1).every(Boolean), true, `moves are loaded from where they end: ${asked}`);
  await accessible(page, 'a game that is followed');
  await shoot(page, 'beside-live');
  // What is taken back is gone from both boards, and the reader stays where there still is something.
  await ask('mutation($id: ID!) { takeBack(game: $id, toPly: 2, reason: "misread") { id } }', { id }, token());
  await shown(page, 1, 2);
  await record(moves[2]);
  await shown(page, 1, 3);
  await page.locator('#badge-b[data-state=verified]').getByText('Verified · 8 events').waitFor();
  assert.equal(await page.locator('#alarm').isVisible(), false);
  await close(page);
});

test('what cannot be shown is said', async () => {
  const game = await finishedGame('tri');
  const page = await open(browser, `/games/${game.id}/beside?with=01890000-0000-7000-8000-000000000001`);
  await page.getByRole('alert').getByText('There is no such game.').waitFor();
  await page.goto(`/games/${game.id}/beside#1-2`);
  await shown(page, 1, 2);
  await page.locator('[name=other]').fill('the final');
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByText('That is no game').waitFor();
  await page.goto(`/games/${game.id}/beside?with=${(await finishedGame('thrones')).id}`);
  await page.getByText('These are different games: nothing is compared.').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.one svg').length === 2);
  await close(page);
});
