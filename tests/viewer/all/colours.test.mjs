// Seats without colours, measured in pixels: in greyscale, and for every kind of colour blindness.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { KINDS, SCREENS, finishedGame, launch, open, shut } from '../service.mjs';

let browser;
before(async () => { browser = await launch(); });
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

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
