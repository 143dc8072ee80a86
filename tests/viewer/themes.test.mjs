// Themes in Chromium: chosen by the reader, remembered, legible.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { KINDS, SCREENS, accessible, close, finishedGame, launch, open, shoot, shut } from './service.mjs';

const LIGHT = 'rgb(244, 242, 237)';
const DARK = 'rgb(15, 18, 23)';

let browser;
before(async () => { browser = await launch(); });
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test('the theme is the system’s until the reader chooses one, which is kept, and holds from the first paint', async () => {
  const page = await open(browser, '/', SCREENS.light);
  assert.equal(await ground(page), LIGHT);
  const button = page.getByRole('button', { name: 'Theme: as the system' });
  await button.click();
  await page.getByRole('button', { name: 'Theme: light' }).click();
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
  assert.equal(await ground(page), DARK);
  // Nothing but the blocking script in the head has run when the body begins.
  await page.route('**/static/**/*.js', (route) => (route.request().url().endsWith('/base/first.js') ? route.fallback() : route.abort()));
  await page.goto('/statistics');
  assert.equal(await ground(page), DARK);
  await page.unroute('**/static/**/*.js');
  page.wrongs.length = 0;
  await page.goto('/');
  await page.getByRole('button', { name: 'Theme: dark' }).click();
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.equal(await ground(page), DARK, 'the system’s again');
  await page.getByRole('button', { name: 'Theme: as the system' }).click();
  assert.equal(await ground(page), LIGHT, 'light, whatever the system has');
  await page.emulateMedia({ media: 'print' });
  await close(page);
});

test('another tab follows, and what is printed is light', async () => {
  const page = await open(browser, '/', SCREENS.light);
  const other = await page.context().newPage();
  await other.goto('/tournaments');
  for (let clicks = 0; clicks < 2; clicks += 1) await page.locator('#theme').click();
  await other.waitForFunction((dark) => getComputedStyle(document.body).backgroundColor === dark, DARK);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await ground(page), LIGHT);
  await close(page);
});

for (const kind of KINDS) {
  test(`both themes are legible: ${kind}`, async () => {
    const game = await finishedGame(kind);
    for (const [screen, theme] of [['dark', 'light'], ['light', 'dark']]) {
      const page = await open(browser, '', SCREENS[screen]);
      await page.addInitScript((name) => localStorage.setItem('plybook.theme', name), theme);
      await page.goto(`/games/${game.id}#${Math.min(game.ply, 20)}`);
      await page.locator('#badge[data-state=verified]').waitFor();
      assert.equal(await ground(page), theme === 'light' ? LIGHT : DARK);
      await accessible(page, `${kind}, ${theme}`);
      await shoot(page, `theme-${kind}-${theme}`);
      await close(page);
    }
  });
}
