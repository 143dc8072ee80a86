// A game as one page: made by the service, opened from a file with no network, in Chromium.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { fileName, partnerNames } from '../../web-viewer/model/format.js';
import { MODULES } from '../../web-viewer/rules/modules.js';
import { gameOf, movesOf, treeOf } from '../../web-viewer/standalone/game.js';
import { standaloneAddress, standaloneSearch } from '../../web-viewer/model/url.js';
import { lay, legal, newGame, tapPlace } from './recorder.mjs';
import { KINDS, SCREENS, accessible, ask, close, finishedGame, launch, open, shoot, shut, token } from './service.mjs';

/** Of a game of 150 plies; each more takes about 200 bytes. */
const BYTES_MAX = 700_000;
const USUAL = 150;
const SEATED = [{ name: 'Ada' }, { name: 'Bela' }];

let browser;
const folder = mkdtempSync(join(tmpdir(), 'plybook-'));

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** A game's page in a file, as `plybook export` writes it. */
async function saved(id) {
  const { game } = await ask('query($id: ID!) { game(id: $id) { record(format: HTML) } }', { id });
  const path = join(folder, `${id}.html`);
  writeFileSync(path, game.record);
  return path;
}

/** Opens a file where nothing else can be reached. */
async function openFile(path, hash = '', screen = SCREENS.light) {
  const page = await open(browser, '', screen);
  const asked = [];
  page.on('request', (request) => /^(file|blob|data):/.test(request.url()) || asked.push(request.url()));
  await page.context().setOffline(true);
  await page.goto(`${pathToFileURL(path)}${hash}`);
  return { page, asked };
}

const at = (page, ply) => page.waitForSelector(`#board svg[aria-label="Board after ply ${ply}"]`);

// --- what is made of a log

test('a place has an address behind the hash', () => {
  assert.equal(standaloneAddress('/games/x?line=y&viewer=2#7'), '#7&line=y&viewer=2');
  assert.equal(standaloneAddress('/games/x#0'), '#0');
  assert.equal(standaloneSearch('#7&line=y&viewer=2'), '?line=y&viewer=2');
  assert.equal(standaloneSearch('#7'), '');
});

test('partners are named, whom the page knows from the service', () => {
  const record = { game: 'g', status: 'running', actions: [], seats: ['Ada', 'Ben', 'Cay'].map((name) => ({ name })) };
  const game = gameOf(record, [{ body: {} }], { teams: [[1, 3], [2]], tournament: null });
  assert.deepEqual([1, 2, 3].map((seat) => partnerNames(game, seat)), [['Cay'], [], ['Ada']]);
});

test('moves and the tree are made of the logs', () => {
  const events = [
    { type: 'created', seq: 0, at: '2026-01-01T00:00:00.000Z', by: 'recorder', body: { seats: [{ name: 'Ada' }] } },
    { type: 'acted', seq: 1, at: '2026-01-01T00:00:01.500Z', by: 'seat:1', body: { action: 'a' } },
    { type: 'taken_back', seq: 2, at: '2026-01-01T00:00:02.000Z', by: 'arbiter', body: { to_ply: 0, reason: 'x' } },
    { type: 'acted', seq: 3, at: '2026-01-01T00:00:04.000Z', by: 'seat:1', body: { action: 'b' } },
    { type: 'annotated', seq: 4, at: '2026-01-01T00:00:05.000Z', by: 'recorder', body: { ply: 1, comment: 'good', glyphs: ['!'] } },
  ];
  const game = { id: 'g', events, plies: [{ ply: 1, by: 'seat:1', action: 'b' }] };
  const [move] = movesOf(game, [{ number: 1, name: 'Ada' }]);
  assert.deepEqual(move, { ply: 1, seq: 3, game: { id: 'g' }, by: 'seat:1', action: 'b', text: 'Ada: b', elapsedMs: 2000, comment: 'good', glyphs: ['!'] });
  const line = { id: 'l', name: 'other', events: [{ type: 'created', at: 'now', body: { fork: { game: 'g', ply: 0 } } }], plies: [{ ply: 1, by: 'seat:1', action: 'c' }] };
  const below = { id: 'm', name: null, events: [{ type: 'created', at: 'now', body: { fork: { game: 'l', ply: 1 }, position: {} } }, { type: 'arranged', body: { rank: 3 } }], plies: [line.plies[0], { ply: 2, by: 'seat:1', action: 'd' }] };
  const tree = treeOf(game, [line, below]);
  assert.deepEqual(tree.nodes.map(({ id, parent, action }) => [id, parent, action]), [['g:0', null, null], ['g:1', 'g:0', 'b'], ['l:1', 'g:0', 'c'], ['m:1', 'l:1', null], ['m:2', 'm:1', 'd']]);
  assert.deepEqual(tree.lines.map(({ id, parent, ply, rank, plies, last }) => [id, parent, ply, rank, plies, last]), [['l', 'g', 0, 0, 1, 'l:1'], ['m', 'l', 1, 3, 2, 'm:2']]);
});

// --- the page

test('a game of every kind replays, verifies and is played on from a file, with no network', async () => {
  for (const kind of KINDS) {
    const game = await finishedGame(kind);
    const path = await saved(game.id);
    assert.ok(statSync(path).size <= BYTES_MAX + Math.max(0, game.ply - USUAL) * 200, `${kind}: ${statSync(path).size} bytes`);
    const { page, asked } = await openFile(path, '#3');
    await at(page, 3);
    await page.waitForSelector('#badge[data-state=verified]');
    assert.equal(await page.locator('#wait').count(), 0);
    assert.match(await page.title(), new RegExp(game.seats[0].name.replaceAll(/[^\w ]/g, '.')));
    for (const ply of [4, 5]) {
      await page.keyboard.press('ArrowRight');
      await at(page, ply);
    }
    await page.waitForFunction(() => location.hash === '#5');
    await page.click('#badge');
    await page.locator('#judged').getByText('is legal, and the log ends as they say').waitFor();
    await accessible(page, `verification of ${kind} in a file`);
    await page.keyboard.press('Escape');
    await page.keyboard.press('End');
    await at(page, game.ply);
    const site = await open(browser, `/games/${game.id}#${game.ply}`);
    await at(site, game.ply);
    const words = async (of) => {
      await of.click('#tab-words');
      await of.waitForFunction(() => document.querySelector('#panel-words .words').textContent);
      return of.locator('#panel-words').textContent();
    };
    assert.equal(await words(page), await words(site), `${kind}: the position in words`);
    await close(site);
    assert.equal(await page.locator('#alarm').isVisible(), false, kind);
    await accessible(page, `${kind} in a file`);
    await shoot(page, `standalone-${kind}`);
    assert.deepEqual(asked, [], kind);
    await close(page);
  }
});

test('on a phone it is the same page', async () => {
  const { id } = await finishedGame('tri');
  const { page } = await openFile(await saved(id), '#8', SCREENS.phone);
  await at(page, 8);
  await page.waitForSelector('#badge[data-state=verified]');
  await accessible(page, 'a file on a phone');
  await shoot(page, 'standalone-phone');
  await close(page);
});

test('lines, comments and takebacks are in the page, and other actions are played there', async () => {
  const id = await newGame({ kind: 'triangulate', seats: SEATED });
  const act = async (game) => {
    const [action] = await legal(game, 'chance');
    await ask('mutation($id: ID!, $action: String!) { act(game: $id, action: $action) { id } }', { id: game, action }, token());
  };
  for (let ply = 0; ply < 4; ply += 1) await act(id);
  await ask('mutation($id: ID!) { annotate(game: $id, ply: 2, comment: "A quiet word.", glyphs: ["!?"]) { id } }', { id }, token());
  const { game: { position: { legalActions } } } = await ask('query($id: ID!) { game(id: $id) { position(ply: 2) { legalActions } } }', { id });
  await ask('mutation($id: ID!, $actions: [String!]) { fork(game: $id, ply: 2, actions: $actions) { id } }', { id, actions: [legalActions.at(-1)] }, token());
  const { page, asked } = await openFile(await saved(id), '#2');
  await at(page, 2);
  await page.locator('#panel-moves').getByText('A quiet word.').waitFor();
  await page.locator('#panel-moves .variation, #panel-moves .line').first().waitFor();
  await page.locator('#panel-moves a[data-at="3"]').last().click();
  await page.waitForFunction(() => location.hash.startsWith('#3&line='));
  await page.reload();
  await at(page, 3);
  await page.keyboard.press('Escape');
  await page.click('#act-open');
  await page.locator('#act-list [role=option]').first().click();
  await at(page, 4);
  assert.deepEqual(asked, []);
  await shoot(page, 'standalone-line');
  await close(page);
});

/** The first action of a game, and how those of a seat are put together there. */
async function start(id, seat) {
  const { game } = await ask(`query($id: ID!, $seat: Int) { game(id: $id) { moves(first: 1) { nodes { action } } position(ply: 0) { form(seat: $seat) } } }`, { id, seat }, token());
  return [game.moves.nodes[0].action, game.position.form];
}

test('set-ups are laid from trays and paths are drawn, without a service', async () => {
  const { id } = await finishedGame('thrones');
  const [action, { trays }] = await start(id, 1);
  const { page } = await openFile(await saved(id), '#0', SCREENS.phone);
  await at(page, 0);
  await page.locator('#act-open').tap();
  await page.locator('#trays').waitFor();
  await lay(page, trays, action);
  await page.getByText('Nothing is missing').waitFor();
  assert.equal(await page.locator('#act-text').inputValue(), action);
  await shoot(page, 'standalone-trays');
  await page.locator('#enter-laid').tap();
  await at(page, 1);
  await close(page);

  const building = await finishedGame('triforce-building');
  const { page: submitting, asked } = await openFile(await saved(building.id), '#0', SCREENS.phone);
  await at(submitting, 0);
  await submitting.locator('#act-open').tap();
  await submitting.locator('#drawn').waitFor();
  const by = await submitting.locator('#act-who').inputValue();
  const [, { routes }] = await start(building.id, Number(by.split(':')[1]));
  const { places } = routes.find((route) => route.places.length === 2);
  await tapPlace(submitting, places[1]);
  await submitting.locator('#drawn-path').getByText(`From ${places.join(' to ')}`).waitFor();
  const typed = await submitting.locator('#act-text').inputValue();
  await submitting.locator(`#drawn [data-action="${typed}"]`).tap();
  await at(submitting, 1);
  await close(submitting);
  assert.deepEqual(asked, []);
});

test('the page is downloaded under Files, and saves its record, log and picture', async () => {
  const game = await finishedGame('triangulate');
  const { id } = game;
  const name = fileName(game);
  const service = await open(browser, `/games/${id}`);
  await service.waitForSelector('#badge[data-state=verified]');
  await service.click('#tab-files');
  const [download] = await Promise.all([service.waitForEvent('download'), service.locator('#panel-files').getByRole('button', { name: 'Page' }).click()]);
  assert.equal(download.suggestedFilename(), `${name}.html`);
  const path = join(folder, 'downloaded.html');
  await download.saveAs(path);
  assert.deepEqual(readFileSync(path), readFileSync(await saved(id)));
  await close(service);
  const { page } = await openFile(path);
  await page.waitForSelector('#badge[data-state=verified]');
  await page.click('#tab-files');
  for (const [button, file] of [['Record', `${name}.json`], ['Log', `${name}.ndjson`], ['Picture', `${name}-0.svg`]]) {
    const [own] = await Promise.all([page.waitForEvent('download'), page.locator('#panel-files').getByRole('button', { name: button }).click()]);
    assert.equal(own.suggestedFilename(), file);
  }
  assert.equal(await page.locator('#panel-files').getByRole('button', { name: 'Frame' }).count(), 0);
  await close(page);
});

test('a record that was changed is not shown', async () => {
  const { id } = await finishedGame('triangulate');
  const page = await open(browser, '');
  const path = await saved(id);
  // The packed record is another game's, cut off: the page has to say so.
  const text = readFileSync(path, 'utf8');
  const other = readFileSync(await saved((await finishedGame('tri')).id), 'utf8');
  const game = (page_) => /<script type="text\/plain" id="packed-game".*?<\/script>/s.exec(page_)[0];
  writeFileSync(path, text.replace(game(text), () => game(other)));
  await page.goto(`${pathToFileURL(path)}`);
  await page.locator('#wait').getByText('This page could not be unpacked: ').waitFor();
  await shut(page.context());
});

test('lines and running games of secrets have no page', async () => {
  const wrong = async (id) => {
    const response = await fetch(`${process.env.PLYBOOK_URL}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${token()}` }, body: JSON.stringify({ query: `{ game(id: "${id}") { record(format: HTML) } }` }) });
    return (await response.json()).errors[0].message;
  };
  const id = await newGame({ kind: 'thrones', seats: SEATED });
  assert.match(await wrong(id), /a game with secrets has a page once it is over/);
  const { fork } = await ask('mutation($id: ID!) { fork(game: $id, ply: 1) { id } }', { id: (await finishedGame('triangulate')).id }, token());
  assert.match(await wrong(fork.id), /a line has no page of its own/);
});
