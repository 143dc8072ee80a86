// A player's repertoire: shares and differences in Node, and the tree in Chromium against a running service.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { choices, seatsOf } from '../../web-viewer/model/repertoire.js';
import { parseRepertoire, repertoireAddress } from '../../web-viewer/model/filter-url.js';
import { SCREENS, accessible, ask, close, finishedGames, launch, open, shoot, shut } from './service.mjs';

const played = (action, games, wins, draws = 0) => ({ action, positionKey: `key-${action}`, games, results: { wins, draws, other: 0 } });
const from = (toAct, ...actions) => ({ games: actions.reduce((sum, { games }) => sum + games, 0), results: { wins: [], draws: 0, other: 0 }, position: { toAct }, actions });

test('shares are of the player’s games and of the others’, and what differs much is marked', () => {
  const own = from(['seat:1'], played('a', 6, [3, 1], 2), played('b', 2, [0, 0]));
  const all = from(['seat:1'], played('a', 8, [3, 3], 2), played('b', 4, [0, 0]), played('c', 14, [7, 7]), played('d', 2, [1, 1]));
  const found = choices(own, all, 1);
  assert.deepEqual(found.map(({ action, games, share, others, differs }) => [action, games, share, others, differs]), [
    ['a', 6, 0.75, 0.1, 'more'], ['b', 2, 0.25, 0.1, ''], ['c', 0, 0, 0.7, 'less']]);
  assert.deepEqual(found.map(({ score }) => score), [4 / 6, null, null], 'draws count half, and unfinished games not at all');
  // Where somebody else acts, nobody leaves anything.
  assert.ok(choices({ ...own, position: { toAct: ['seat:2'] } }, all, 1).every(({ differs }) => differs === ''));
  // Nobody else came here, or hardly anybody.
  assert.deepEqual(choices(own, own, 1).map(({ others, differs }) => [others, differs]), [[null, ''], [null, '']]);
  assert.ok(choices(own, from(['seat:1'], played('a', 6, [3, 1], 2), played('b', 5, [0, 0])), 1).every(({ differs }) => differs === ''));
});

test('the seats of a player are listed, the usual one first, and addresses are read', () => {
  const game = (kind, ...players) => ({ kind, seats: players.map((id, index) => ({ number: index + 1, player: id ? { id } : null })) });
  assert.deepEqual(seatsOf([game('x', 'a', 'b'), game('x', 'b', 'a'), game('x', null, 'a'), game('y', 'a')], 'x', 'a'), [2, 1]);
  assert.deepEqual(seatsOf([], 'x', 'a'), []);
  assert.equal(repertoireAddress('p 1', { kind: 'x', seat: 2 }), '/players/p%201?repertoire=x&seat=2');
  assert.deepEqual(parseRepertoire('?repertoire=x&seat=2'), { kind: 'x', seat: 2 });
  assert.deepEqual(parseRepertoire('?repertoire=x&seat=0'), { kind: 'x', seat: 0 });
});

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const EXPLORED = 'query($kind: String!, $filter: GameFilter) { explore(kind: $kind, actions: [], filter: $filter) { games actions { action games } } }';

/** The player of the demo with the most games of a kind from one seat. */
async function regular(kind) {
  const counts = new Map();
  for (const { seats } of await finishedGames(kind)) for (const { number, player } of seats) if (player) counts.set(`${number} ${player.id}`, { number, ...player, games: (counts.get(`${number} ${player.id}`)?.games ?? 0) + 1 });
  return [...counts.values()].sort((one, other) => other.games - one.games)[0];
}

for (const [kind, screen] of [['triangulate', 'light'], ['tri', 'phone'], ['triforce', 'dark']]) {
  test(`${kind}: what a player plays from the start, and what comes after`, async () => {
    const player = await regular(kind);
    const [own, all] = [await ask(EXPLORED, { kind, filter: { player: player.id, seat: player.number } }), await ask(EXPLORED, { kind, filter: null })];
    const page = await open(browser, `/players/${player.id}`, SCREENS[screen]);
    const { ruleSet: { title } } = await ask('query($kind: String!) { ruleSet(kind: $kind) { title } }', { kind });
    await page.getByRole('link', { name: `Repertoire in ${title}`, exact: true }).click();
    await page.waitForURL(`**/players/${player.id}?repertoire=${kind}`);
    await page.locator('.repertoire :is(.tree, .none)').first().waitFor();
    await page.goto(`/players/${player.id}?repertoire=${kind}&seat=${player.number}`);
    await page.locator('.repertoire .tree').first().waitFor();
    const top = page.locator('.scrolls > .tree > li');
    const first = own.explore.actions[0];
    await page.waitForFunction(() => ![...document.querySelectorAll('.repertoire .hint')].some((hint) => hint.textContent === 'Loading…'));
    const cells = await top.first().locator('> .choice .number').allTextContents();
    assert.equal(cells[0], `Games: ${first.games}`);
    assert.match(await page.locator('.tree-heads').textContent(), new RegExp(`^${own.explore.games} game`));
    const rest = all.explore.actions.reduce((sum, { games }) => sum + games, 0) - own.explore.actions.reduce((sum, { games }) => sum + games, 0);
    assert.equal(/–/.test(cells[2]), rest === 0);
    // Two plies are open; a third one on demand, by keyboard.
    assert.ok(await page.locator('.tree .tree > li').count() > 0);
    const deeper = page.locator('.tree .tree button[aria-expanded=false]').first();
    await deeper.focus();
    await page.keyboard.press('Enter');
    await page.locator('.tree .tree .tree > li').first().waitFor();
    await accessible(page, `${kind}: a repertoire`);
    await shoot(page, `repertoire-${kind}`);
    await page.locator('.tree .tree button[aria-expanded=true]').first().click();
    await page.locator('.tree .tree .tree > li').first().waitFor({ state: 'detached' });
    await page.getByRole('link', { name: `All figures of ${player.name}` }).click();
    await page.getByText('By game').waitFor();
    await close(page);
  });
}

test('a player without games from the start, and a kind without a common start, are said', async () => {
  const player = await regular('tri');
  const page = await open(browser, `/players/${player.id}?repertoire=tri&seat=9`);
  await page.getByText(`No game of ${player.name} with seat 9 began from the usual start.`).waitFor();
  await accessible(page, 'no repertoire');
  await page.selectOption('#repertoire-seat', { index: 0 });
  await page.waitForURL(/repertoire=tri&seat=[12]$/);
  await page.locator('.repertoire .tree').first().waitFor();
  await page.goBack();
  await page.getByText('began from the usual start').first().waitFor();
  await page.goto(`/players/${player.id}?repertoire=triforce-building`);
  await page.getByText('Games of this kind begin from set-ups of their own, so there is no common start.').waitFor();
  await close(page);
});
