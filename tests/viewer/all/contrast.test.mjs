// More contrast and forced colours in Chromium, measured in pixels: boards and controls of all kinds.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { KINDS, SCREENS, accessible, close, finishedGame, launch, open, shoot, shut } from '../service.mjs';

/** The least contrast of what is drawn (WCAG 1.4.11), and of what readers have asked to be clearer. */
const SEEN = 3;
const CLEAR = 7;
const MODES = {
  more: { ...SCREENS.light, contrast: 'more' }, 'more-dark': { ...SCREENS.dark, contrast: 'more' },
  forced: { ...SCREENS.light, forcedColors: 'active' }, 'forced-dark': { ...SCREENS.dark, forcedColors: 'active' },
};

/** The set of pieces and spaces that a reader may choose. */
const BOLD = { bold: SCREENS.light, 'bold-dark': SCREENS.dark };

let browser;
before(async () => { browser = await launch(); });
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const luminance = (colour) => {
  const [red, green, blue] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one, other) => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

/** The colours of a part of the page as it is on the screen, most frequent first, each with its share. */
async function coloursIn(page, plain, clip) {
  const picture = (await page.screenshot({ clip })).toString('base64');
  return plain.evaluate(async (text) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
    const context = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height }).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const counts = new Map();
    for (let at = 0; at < data.length; at += 4) {
      const key = data.slice(at, at + 3).join();
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return [...counts].sort((one, other) => other[1] - one[1]).map(([key, count]) => ({ colour: key.split(',').map(Number), share: (4 * count) / data.length }));
  }, picture);
}

/** What the system's colours are here. */
const system = (page) => page.evaluate(() => Object.fromEntries(['Canvas', 'CanvasText', 'Highlight', 'HighlightText'].map((name) => {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.cssText = `forced-color-adjust: none; color: ${name}`;
  const colour = getComputedStyle(probe).color.match(/\d+/g).map(Number).slice(0, 3);
  probe.remove();
  return [name, colour];
})));

const boxOf = async (page, selector) => {
  await page.locator(selector).first().scrollIntoViewIfNeeded();
  const { x, y, width, height } = await page.locator(selector).first().boundingBox();
  return { x, y, width, height };
};

/** A small square around a point of the outline of some spaces, for each of them. */
const outlines = (page) => page.evaluate(() => [...document.querySelectorAll('#board > :not([aria-hidden]) .space')].filter((_, index) => index % 7 === 0).slice(0, 12).map((space) => {
  const at = space.getPointAtLength(0.25 * space.getTotalLength()).matrixTransform(space.getScreenCTM());
  return { x: at.x - 6, y: at.y - 6, width: 12, height: 12 };
}).filter(({ x, y }) => x > 0 && y > 0 && x < innerWidth - 12 && y < innerHeight - 12));

/** The largest contrast within a part of the page. */
const contrastIn = (colours) => {
  const lights = colours.map(({ colour }) => colour);
  return Math.max(...lights.map((colour) => contrast(colour, lights[0])));
};

/** The largest pieces, or the ends of paths, of different seats. */
const pieces = (page) => page.evaluate(() => ['1', '2'].map((number) => {
  const size = (element) => { const { width, height } = element.getBoundingClientRect(); return width * height; };
  const own = [...document.querySelectorAll(`#board > :not([aria-hidden]) :is(.piece, circle.path).seat-${number}`)].sort((one, other) => size(other) - size(one))[0];
  const { x, y, width, height } = own.getBoundingClientRect();
  return { x: x - 2, y: y - 2, width: width + 4, height: height + 4 };
}));

for (const kind of KINDS) {
  test(`the board and its controls are clear with more contrast, and in forced colours: ${kind}`, async () => {
    const { id } = await finishedGame(kind);
    const plain = await open(browser, '');
    for (const [mode, screen] of Object.entries({ ...MODES, ...BOLD })) {
      const what = `${kind}, ${mode}`;
      const page = await open(browser, '', { ...screen, viewport: { width: 1280, height: 1000 } });
      if (mode in BOLD) await page.addInitScript(() => localStorage.setItem('plybook.settings', '{"bold":true}'));
      await page.goto(`/games/${id}#12`);
      await page.locator('#badge[data-state=verified]').waitFor();
      await page.waitForSelector('#board svg[aria-label="Board after ply 12"]');
      const places = await outlines(page);
      assert.ok(places.length >= 3, what);
      const edges = [];
      for (const clip of places) edges.push(contrastIn(await coloursIn(page, plain, clip)));
      edges.sort((one, other) => one - other);
      assert.ok(edges[Math.floor(edges.length / 2)] >= CLEAR, `${what}: outlines of spaces ${edges.map((edge) => edge.toFixed(1))}`);
      for (const clip of await pieces(page)) {
        const found = contrastIn(await coloursIn(page, plain, clip));
        assert.ok(found >= SEEN, `${what}: a piece ${found.toFixed(1)}`);
      }
      if (mode in BOLD) {
        await close(page);
        continue;
      }
      // The page's ground and text; the slider, the tab, the current move.
      const colours = await system(page);
      const facts = await coloursIn(page, plain, await boxOf(page, '#facts'));
      assert.ok(contrastIn(facts) >= CLEAR, `${what}: text`);
      if (screen.forcedColors) assert.deepEqual(facts[0].colour, colours.Canvas, `${what}: the page takes the reader's colours`);
      const ground = facts[0].colour;
      const slider = (await coloursIn(page, plain, await boxOf(page, '#slider'))).filter(({ colour }) => contrast(colour, ground) >= SEEN);
      assert.ok(slider.reduce((sum, { share }) => sum + share, 0) > 0.05, `${what}: the slider`);
      const rows = [];
      for (const ply of [12, 11]) rows.push(await coloursIn(page, plain, await boxOf(page, `#panel-moves a[data-ply="${ply}"]`)));
      assert.ok(contrast(rows[0][0].colour, rows[1][0].colour) >= SEEN, `${what}: the current move`);
      const under = async (tab) => {
        const { x, y, width, height } = await boxOf(page, tab);
        return coloursIn(page, plain, { x: x + 2, y: y + height - 3, width: width - 4, height: 2 });
      };
      const [chosen, other] = [await under('#tab-moves'), await under('#tab-words')];
      assert.ok(contrast(chosen[0].colour, other[0].colour) >= SEEN, `${what}: the chosen tab`);
      assert.notEqual(await page.locator('main').evaluate((main) => getComputedStyle(main).forcedColorAdjust), 'none', 'the page is not exempt');
      await accessible(page, what);
      await shoot(page, `contrast-${kind}-${mode}`);
      await close(page);
    }
    await shut(plain.context());
  });
}

test('what is chosen can be read: its letters differ from what is around them', async () => {
  const { id } = await finishedGame('tri');
  const plain = await open(browser, '');
  const chosen = [['/statistics?kind=tri', '#kinds a[aria-current]', '.tiles'], [`/games/${id}/beside?a=2&b=5`, '.one .letter', '.pair .badge[data-state=verified]'], [`/games/${id}#5`, '#tab-moves', '#badge[data-state=verified]']];
  for (const [mode, screen] of Object.entries(MODES)) {
    for (const [path, selector, ready] of chosen) {
      const page = await open(browser, path, screen);
      await page.locator(ready).first().waitFor();
      const letters = await page.locator(selector).first().evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const { x, y, width, height } = range.getBoundingClientRect();
        return { x: x + 1, y: y + 2, width: width - 2, height: height - 4 };
      });
      assert.ok(contrastIn(await coloursIn(page, plain, letters)) >= CLEAR, `${selector}, ${mode}`);
      await close(page);
    }
  }
  await shut(plain.context());
});
