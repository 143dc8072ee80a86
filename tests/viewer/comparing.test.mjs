// What has changed since the last turn of a seat, in Chromium.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { comparison } from '../../web-viewer/model/happened.js';
import { accessible, ask, close, finishedGame, launch, open, shoot, shut } from './service.mjs';

let browser;
let game;
/** @type {{ply: number, by: string}[]} */ let moves;

before(async () => {
  browser = await launch();
  game = await finishedGame('thrones');
  ({ game: { moves: { nodes: moves } } } = await ask('query Moves($id: ID!) { game(id: $id) { moves(first: 500) { nodes { ply by } } } }', { id: game.id }));
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const shown = (page, number) => page.waitForSelector(`#board svg[aria-label="Board after ply ${number}"]`);

/** The scenes of all plies. */
async function scenes() {
  const { game: { positions } } = await ask('query Scenes($id: ID!, $to: Int) { game(id: $id) { positions(from: 0, to: $to) { scene } } }', { id: game.id, to: Math.min(game.ply, 90) });
  return positions.map(({ scene }) => scene);
}

test('what has changed since the last turn of the same seat is told and marked, while stepping on too', async () => {
  const all = await scenes();
  const here = 60;
  const seat = moves[here - 1].by;
  const since = moves.findLastIndex(({ by }, index) => index + 1 < here && by === seat) + 1;
  const page = await open(browser, `/games/${game.id}#${here}`);
  await shown(page, here);
  const told = (ply) => comparison(all[since], all[ply], game.seats.map(({ name }, index) => ({ number: index + 1, name }))).map(({ words }) => words);
  await page.keyboard.press('s');
  await page.locator('#since-list li').first().waitFor();
  assert.deepEqual(await page.locator('#since-list li').allTextContents(), told(here));
  assert.ok(await page.locator('.mark-changed').count() > 0, 'places are marked');
  await shoot(page, 'since');
  await accessible(page, 'what has changed');
  await page.keyboard.press('ArrowRight');
  await shown(page, here + 1);
  await page.waitForFunction((count) => document.querySelectorAll('#since-list li').length === count, told(here + 1).length);
  assert.deepEqual(await page.locator('#since-list li').allTextContents(), told(here + 1));
  await page.keyboard.press('s');
  await page.locator('#since').waitFor({ state: 'hidden' });
  assert.equal(await page.locator('.mark-changed').count(), 0);
  // By a button, too.
  await page.locator('#tab-words').click();
  await page.locator('#since-show').click();
  await page.locator('#since').waitFor();
  await page.locator('#since-hide').click();
  await page.locator('#since').waitFor({ state: 'hidden' });
  // Nobody has had a turn before the first. The place is announced first, so that it does not replace what is said about that.
  await page.keyboard.press('Home');
  await page.waitForFunction((start) => document.getElementById('announce').textContent === start, 'The start.');
  await page.keyboard.press('s');
  await page.waitForFunction(() => document.getElementById('announce').textContent === 'No earlier turn of this seat.');
  await close(page);
});
