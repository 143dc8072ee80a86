// Themes in Chromium: chosen by the reader, remembered, legible.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { KINDS, SCREENS, accessible, becomes, close, finishedGame, launch, open, shoot, shut } from './service.mjs';

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
  const button = page.getByRole('button', { name: 'Theme: system' });
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
  await page.getByRole('button', { name: 'Theme: system' }).click();
  await becomes(() => ground(page), LIGHT, 'light, whatever the system has');
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
      await accessible(page, `${kind}, ${theme}`, true);
      await shoot(page, `theme-${kind}-${theme}`);
      await close(page);
    }
  });
}

test('pads stand out from both squares, and their marks from them, in both themes', async () => {
  const { id, ply } = await finishedGame('triangulate');
  for (const screen of ['light', 'dark']) {
    const page = await open(browser, `/games/${id}#${ply}`, SCREENS[screen]);
    await page.waitForSelector(`#board svg[aria-label="Board after ply ${ply}"]`);
    const found = await page.evaluate(() => {
      const scene = document.querySelector('#board > :not([aria-hidden])');
      const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      const light = (colour) => {
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const contrast = (one, other) => { const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b); return (bright + 0.05) / (dark + 0.05); };
      // Of each seat, whether or not it has one here.
      const paint = (names, property) => {
        const shape = scene.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'polygon'));
        shape.setAttribute('class', names);
        const colour = getComputedStyle(shape)[property];
        shape.remove();
        return colour;
      };
      const squares = ['space', 'space dark'].map((names) => paint(names, 'fill'));
      return ['seat-1', 'seat-2'].flatMap((seat) => [
        ...squares.map((square) => ({ what: `${seat}, edge`, is: contrast(paint(`pad ${seat}`, 'stroke'), square) })),
        { what: `${seat}, mark`, is: contrast(paint(`rib ${seat}`, 'stroke'), paint(`pad ${seat}`, 'fill')) },
      ]);
    });
    assert.deepEqual(found.filter(({ is }) => is < 3), [], screen);
    await shoot(page, `pads-${screen}`);
    await close(page);
  }
});
