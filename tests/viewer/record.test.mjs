// A game's record in Chromium, against a running service: verified by the browser, and followed live.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_SHOTS=dir] node --test record.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { accessible, ask, becomes, close, finishedGame, launch, open, shoot, shut, token } from './service.mjs';

let browser;
let game;

before(async () => {
  browser = await launch();
  game = await finishedGame();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const ply = (page) => page.locator('#slider').inputValue().then(Number);
const badge = (page, state) => page.waitForSelector(`#badge[data-state=${state}]`);
const shown = (page, number) => page.waitForSelector(`#board svg[aria-label="Board after ply ${number}"]`);

// --- verification

test('the browser verifies the record itself', async () => {
  const page = await open(browser, `/games/${game.id}`);
  await badge(page, 'verified');
  assert.equal(new URL(page.url()).hash, '', 'an address without a ply stays as it is');
  await page.locator('#badge-text').getByText(`Verified · ${(game.head.seq + 1).toLocaleString()} events · ${game.head.hash.slice(0, 8)}`, { exact: true }).waitFor();
  await page.click('#tab-log');
  await becomes(() => page.locator('.log li').count(), game.head.seq + 1);
  await page.click('#badge');
  await page.getByRole('dialog', { name: 'Verification' }).getByText(game.head.hash).waitFor();
  await close(page);
});

test('a log with one byte changed is refused at the right event', async () => {
  const page = await open(browser, '');
  let edit;
  await page.route('**/log.ndjson', async (route) => {
    const response = await route.fetch();
    const lines = (await response.text()).split('\n');
    edit(lines);
    await route.fulfill({ response, body: lines.join('\n') });
  });
  const change = async (how) => {
    edit = how;
    await page.goto('about:blank');
    await page.goto(`/games/${game.id}`);
    await badge(page, 'failed');
    return page.locator('#badge-text').textContent();
  };
  const { seq } = game.head;
  const swap = (line, name) => line.replace(new RegExp(`("${name}":"?)(.)`), (all, head, char) => head + (char === '1' ? '2' : '1'));
  // An event's content is judged by the rules and protected by the next event's hash, its number by the event itself, the last event by the head.
  assert.match(await change((lines) => { lines[2] = swap(lines[2], 'action'); }), /^Failed at seq [23]$/);
  assert.equal(await change((lines) => { lines[2] = swap(lines[2], 'by'); }), 'Failed at seq 2');
  assert.equal(await change((lines) => { lines[2] = swap(lines[2], 'seq'); }), 'Failed at seq 2');
  assert.equal(await change((lines) => { lines[2] = swap(lines[2], 'prev'); }), 'Failed at seq 2');
  assert.equal(await change((lines) => { lines[seq] = lines[seq].replace('"by":"service"', '"by":"arbiter"').replace('"by":"seat:1"', '"by":"seat:2"'); }), `Failed at seq ${seq}`);
  assert.equal(await change((lines) => { lines.splice(seq, 1); }), `Failed at seq ${seq}`);
  await shoot(page, 'failed');
  await accessible(page, 'failed');
  await close(page);
});

// --- live

test('a running game is followed live: actions, takebacks, a broken connection', async () => {
  const key = token();
  const seats = [{ name: 'Live One' }, { name: 'Live Two' }];
  const { createGame: { id } } = await ask('mutation($input: CreateGame!) { createGame(input: $input) { id } }', { input: { kind: 'triangulate', seats } }, key);
  const act = async () => {
    const { game: { position } } = await ask('query($id: ID!) { game(id: $id) { position { toAct legalActions } } }', { id });
    const variables = { id, seat: Number(position.toAct[0].slice(5)), action: position.legalActions[0] };
    await ask('mutation($id: ID!, $seat: Int, $action: String!) { act(game: $id, seat: $seat, action: $action) { ply } }', variables, key);
    return variables.action;
  };
  const page = await open(browser, '');
  let isCut = false;
  let cut;
  await page.routeWebSocket('**/graphql', (socket) => {
    cut = () => socket.close({ code: 1011 });
    if (isCut) cut();
    else socket.connectToServer();
  });
  await page.goto(`/games/${id}`);
  await page.waitForSelector('#live[data-state=live]');
  await shown(page, 0);
  const first = await act();
  await shown(page, 1);
  await page.waitForFunction((text) => document.querySelector('.moves a[data-ply="1"]')?.textContent.includes(text), first);
  await page.getByText(/^Verified · 2 events/).waitFor();
  await shoot(page, 'live');

  await page.keyboard.press('Home');
  await act();
  await page.waitForFunction(() => document.querySelector('#slider').max === '2');
  assert.equal(await ply(page), 0, 'a reader who stepped back stays there');

  await page.keyboard.press('End');
  isCut = true;
  cut();
  await page.waitForSelector('#live[data-state=offline]');
  const third = await act();
  isCut = false;
  await page.waitForSelector('#live[data-state=live]');
  await shown(page, 3);
  await page.getByText(/^Verified · 4 events/).waitFor();

  await ask('mutation($id: ID!) { takeBack(game: $id, toPly: 2, reason: "a slip of the hand") { ply } }', { id }, key);
  await shown(page, 2);
  await page.getByText(`Taken back: ${third}`).waitFor();
  await page.getByText(/^Verified · 5 events/).waitFor();
  await ask('mutation($id: ID!) { annotate(game: $id, ply: 1, comment: "<b>bold</b>", glyphs: ["!?"]) { ply } }', { id }, key);
  await page.locator('.moves .comment').getByText('<b>bold</b>').waitFor();
  await close(page);
});

test('new games are announced in the list', async () => {
  const key = token();
  const page = await open(browser, '');
  await page.clock.install();
  await page.goto('/');
  await page.locator('.games tbody tr').first().waitFor();
  const input = { kind: 'triangulate', seats: [{ name: 'Late One' }, { name: 'Late Two' }] };
  const { createGame: { id } } = await ask('mutation($input: CreateGame!) { createGame(input: $input) { id } }', { input }, key);
  await page.clock.runFor(20_000);
  await page.getByRole('button', { name: /new game/ }).click();
  await page.locator(`a[href="/games/${id}"]`).waitFor();
  await close(page);
});
