// Themes in Chromium: chosen by the reader, remembered, legible; what belongs to different seats is told apart without colours.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { SCREENS, accessible, close, finishedGame, launch, open, shoot, shut } from './service.mjs';

const KINDS = ['triangulate', 'tri', 'triforce', 'triforce-building', 'thrones'];
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

// --- without colours

/** The largest pieces of two seats, or the ends of their paths, as boxes. */
function piecesOf(page) {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll('#board > :not([aria-hidden]) :is(.piece, circle.path)')];
    const seat = (element) => /\bseat-(\d+)\b/.exec(element.getAttribute('class'))?.[1];
    const size = (element) => { const { width, height } = element.getBoundingClientRect(); return width * height; };
    const largest = (number) => all.filter((element) => seat(element) === number).sort((one, other) => size(other) - size(one))[0];
    return ['1', '2'].map((number) => { const { x, y, width, height } = largest(number).getBoundingClientRect(); return { x: x - 2, y: y - 2, width: width + 4, height: height + 4 }; });
  });
}

/** How different two pictures are, in lightness: 0 for the same, 1 for black and white. */
function difference(page, pictures) {
  return page.evaluate(async (all) => {
    const lights = await Promise.all(all.map(async (text) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
      const canvas = Object.assign(document.createElement('canvas'), { width: 48, height: 48 });
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0, 48, 48);
      const { data } = context.getImageData(0, 0, 48, 48);
      return Array.from({ length: 48 * 48 }, (_, at) => (0.2126 * data[4 * at] + 0.7152 * data[4 * at + 1] + 0.0722 * data[4 * at + 2]) / 255);
    }));
    return lights[0].reduce((sum, light, at) => sum + Math.abs(light - lights[1][at]), 0) / lights[0].length;
  }, pictures.map((picture) => picture.toString('base64')));
}

for (const kind of KINDS) {
  test(`seats are told apart in greyscale and by every kind of colour blindness: ${kind}`, async () => {
    const game = await finishedGame(kind);
    const plain = await open(browser, '');
    for (const screen of ['light', 'dark']) {
      const page = await open(browser, `/games/${game.id}#12`, { ...SCREENS[screen], deviceScaleFactor: 2 });
      await page.locator('#badge[data-state=verified]').waitFor();
      await page.waitForSelector('#board svg[aria-label="Board after ply 12"]');
      const session = await page.context().newCDPSession(page);
      const boxes = await piecesOf(page);
      for (const type of ['none', 'achromatopsia', 'protanopia', 'deuteranopia', 'tritanopia']) {
        await session.send('Emulation.setEmulatedVisionDeficiency', { type });
        const pictures = [];
        for (const clip of boxes) pictures.push(await page.screenshot({ clip }));
        const found = await difference(plain, pictures);
        assert.ok(found > 0.03, `${kind}, ${screen}, ${type}: ${found.toFixed(3)}`);
      }
      await shut(page.context());
    }
    await shut(plain.context());
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
