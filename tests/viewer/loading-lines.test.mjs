// Loading the lines of a game in Chromium, against a running service: many of them, and failures.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_SHOTS=dir] node --test loading-lines.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { accessible, becomes, close, finishedGames, launch, open, rewriteAnswers, shut } from './service.mjs';

let browser;
let game;

before(async () => {
  browser = await launch();
  game = (await finishedGames()).at(-1);
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

test('a large tree is loaded page by page', async () => {
  const page = await open(browser, '');
  await rewriteAnswers(page, 'Tree', ({ data }, { after: cursor }) => {
    const at = Number(cursor ?? 0);
    const lines = Array.from({ length: 20 }, (_, index) => (
      { id: `many-${at + index}`, name: null, parent: game.id, ply: 2, rank: 0, hidden: false, createdAt: '', plies: 3, mayArrange: false }));
    const nodes = lines.map(({ id }) => ({ id: `${id}:3`, parent: `${game.id}:2`, ply: 3, action: id, by: 'seat:1', key: id }));
    const mainline = cursor ? [] : data.game.tree.nodes.filter(({ id }) => id.startsWith(game.id));
    return { data: { game: { tree: { game: game.id, lines, nodes: [...mainline, ...nodes], next: at < 40 ? String(at + 20) : null, totalLines: 60 } } } };
  });
  await page.goto(`/games/${game.id}#2`);
  await page.getByRole('button', { name: 'Load more lines (20 of 60)' }).click();
  await page.getByRole('button', { name: 'Load more lines (40 of 60)' }).click();
  await page.waitForFunction(() => !document.querySelector('.line-foot button'));
  assert.equal(await page.locator('.variation').count(), 8);
  await page.getByRole('button', { name: '52 more variations here' }).click();
  await becomes(() => page.locator('.variation').count(), 58);
  await accessible(page, 'many lines');
  await close(page);
});

test('if the lines cannot be loaded, the game is still shown, and a retry helps', async () => {
  const page = await open(browser, '');
  let failing = true;
  await page.route('**/graphql', (route) => (failing && route.request().postData().includes('query Tree') ? route.abort() : route.fallback()));
  await page.goto(`/games/${game.id}#2`);
  await page.waitForSelector('#board svg[aria-label="Board after ply 2"]');
  await page.getByText(/^The lines could not be loaded/).waitFor();
  await accessible(page, 'lines failed');
  failing = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await becomes(() => page.locator('.line-foot .bad').count(), 0);
  page.wrongs = [];
  await close(page);
});
