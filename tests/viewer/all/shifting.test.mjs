// What moves while a page loads on a phone, signed in, as Lighthouse counts it, against a running service.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { KINDS, SCREENS, ask, finishedGame, launch, open, shut, token } from '../service.mjs';

/** What web.dev calls good is 0.1; a busy machine paints more of what comes in between. */
const SHIFT_MAX = 0.15;

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

/** How much moved until the page has been quiet for a second, and what. */
async function shifted(path) {
  const page = await open(browser, '', SCREENS.phone);
  await page.addInitScript((value) => {
    localStorage.setItem('plybook.token', value);
    window.moved = [];
    new PerformanceObserver((list) => {
      for (const { sources, startTime, value: share } of list.getEntries()) {
        window.moved.push({ share, startTime, what: sources.map(({ node }) => `${node?.nodeName}#${node?.id}.${node?.className}`).join(' ') });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  }, token());
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(1_000);
  const moved = await page.evaluate(() => window.moved);
  return { sum: moved.reduce((sum, { share }) => sum + share, 0), moved };
}

test('pages stay where they are while they load', async () => {
  const { tournaments, players } = await ask('{ tournaments(first: 1) { nodes { id } } players(first: 1) { nodes { id } } }');
  const [{ id: tournament }] = tournaments.nodes;
  const games = await Promise.all(KINDS.map(finishedGame));
  const pages = [
    '/', ...games.map(({ id }) => `/games/${id}`), `/games/${games[1].id}/beside#3-9`, `/players/${players.nodes[0].id}`,
    '/statistics?kind=tri', '/ratings?kind=tri', '/tournaments', `/tournaments/${tournament}?view=standings`, `/tournaments/${tournament}/organise`, '/games/new', '/tournaments/new',
  ];
  for (const path of pages) {
    const { sum, moved } = await shifted(path);
    assert.ok(sum <= SHIFT_MAX, `${path}: ${sum.toFixed(3)} ${JSON.stringify(moved)}`);
  }
});
