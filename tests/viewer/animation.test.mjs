// An animated picture of a range of plies: in Node its bytes, in Chromium that it plays, for every kind.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, test } from 'node:test';

import { animatedWebp } from '../../web-viewer/model/webp.js';
import { fileName } from '../../web-viewer/model/format.js';
import { KINDS, close, finishedGame, launch, open, shut } from './service.mjs';

// --- the file

/** A chunk of a WebP file. */
const chunk = (name, ...bytes) => [...Buffer.from(name), bytes.length, 0, 0, 0, ...bytes, ...bytes.length % 2 ? [0] : []];

test('stills become frames of one picture, without what is not their pixels', async () => {
  const still = (...pixels) => Uint8Array.from([...Buffer.from('RIFF'), 0, 0, 0, 0, ...Buffer.from('WEBP'), ...chunk('VP8X', 1, 2, 3), ...chunk('ICCP', 4), ...pixels]);
  const [one, two] = [chunk('VP8 ', 5, 6, 7), [...chunk('ALPH', 8, 9), ...chunk('VP8L', 10, 11)]];
  const file = Buffer.from(await animatedWebp([still(...one), still(...two)], { width: 300, height: 200, frameMs: 500 }).arrayBuffer());
  const frame = (ms, pixels) => chunk('ANMF', 0, 0, 0, 0, 0, 0, 43, 1, 0, 199, 0, 0, ms & 255, ms >> 8, 0, 2, ...pixels);
  const body = [...Buffer.from('WEBP'), ...chunk('VP8X', 2, 0, 0, 0, 43, 1, 0, 199, 0, 0), ...chunk('ANIM', 0, 0, 0, 0, 0, 0), ...frame(500, one), ...frame(1500, two)];
  assert.deepEqual([...file], [...Buffer.from('RIFF'), body.length, 0, 0, 0, ...body]);
});

// --- in the browser

let browser;
before(async () => { browser = await launch(); });
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

async function saved(page, from, to) {
  await page.locator('#tab-files').click();
  await page.getByRole('button', { name: 'Animation' }).click();
  await page.locator('[name=from]').fill(String(from));
  await page.locator('[name=to]').fill(String(to));
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Make it' }).click()]);
  await page.getByText(/^Saved: /).waitFor();
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** The frames of a picture as the browser decodes them: how long each is shown, how far it is from the first one, and how dark its lower edge is. */
function decoded(page, bytes) {
  return page.evaluate(async (base64) => {
    const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const decoder = new ImageDecoder({ data, type: 'image/webp' });
    await decoder.tracks.ready;
    const frames = [];
    let first = null;
    for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack.frameCount; frameIndex += 1) {
      const { image } = await decoder.decode({ frameIndex });
      const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
      const pen = canvas.getContext('2d');
      pen.drawImage(image, 0, 0);
      const { data: pixels } = pen.getImageData(0, 0, canvas.width, canvas.height);
      first ??= pixels;
      const caption = pixels.slice(canvas.width * 4 * (canvas.height - 40)).filter((value) => value < 100).length;
      frames.push({ ms: image.duration / 1000, width: canvas.width, changed: pixels.filter((value, index) => Math.abs(value - first[index]) > 60).length, caption });
      image.close();
    }
    return frames;
  }, bytes.toString('base64'));
}

for (const kind of KINDS) {
  test(`a range of plies plays by itself: ${kind}`, async () => {
    const game = await finishedGame(kind);
    const page = await open(browser, `/games/${game.id}#5`);
    await page.locator('#badge[data-state=verified]').waitFor();
    const { name, bytes } = await saved(page, 4, 13);
    assert.equal(name, `${fileName(game)}-4-13.webp`);
    assert.ok(bytes.length < 700_000, `${kind}: ${bytes.length} bytes`);
    const frames = await decoded(page, bytes);
    assert.deepEqual(frames.map(({ ms }) => ms), [...Array(9).fill(1000), 3000]);
    assert.ok(frames.every(({ width, caption }) => width === 640 && caption > 20), JSON.stringify(frames));
    assert.ok(frames[9].changed > 500, `${kind}: ten plies change the board`);
    await close(page);
  });
}

test('a range that is empty or too long is refused with the reason', async () => {
  const game = await finishedGame('thrones');
  const page = await open(browser, `/games/${game.id}#5`);
  await page.locator('#badge[data-state=verified]').waitFor();
  await page.locator('#tab-files').click();
  await page.getByRole('button', { name: 'Animation' }).click();
  await page.locator('[name=from]').fill('9');
  await page.locator('[name=to]').fill('8');
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByText('Ply 9 is after ply 8.').waitFor();
  await close(page);
});
