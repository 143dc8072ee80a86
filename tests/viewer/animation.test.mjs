// An animated picture of a range of plies: in Node its order, in Chromium that it plays, for every kind.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';

import { animatedSvg } from '../../web-viewer/model/animation.js';
import { fileName } from '../../web-viewer/model/format.js';
import { KINDS, close, finishedGame, launch, open, shoot, shut } from './service.mjs';

// --- the file

const circle = (name) => ({ shape: /** @type {const} */ ('CIRCLE'), at: /** @type {[number, number]} */ ([name.charCodeAt(0), 1]), r: 3, class: `piece ${name}` });
const OPTIONS = { style: '', title: 'A & B', frameMs: 500 };
const made = (orders, more = {}) => animatedSvg(orders.map((names, index) => ({ caption: `${index}`, scene: { kind: 'k', view: [0, 0, 100, 100], items: [...names].map(circle) } })), { ...OPTIONS, ...more });

/** What a file shows in each frame, back to front. */
function shownIn(file, count) {
  const seen = new Map([...file.matchAll(/@keyframes (f\d+)\{(.*?)\}\n/g)].map(([, name, steps]) => {
    const changes = [...steps.matchAll(/([\d.]+)%\{visibility:(\w+)\}/g)].map(([, at, what]) => [Number(at), what]);
    return [name, Array.from({ length: count }, (_, frame) => changes.findLast(([at]) => at <= (100 * frame) / (count + 2) + 0.01)[1] === 'visible')];
  }));
  return Array.from({ length: count }, (_, frame) => {
    let group = '';
    const found = [];
    for (const line of file.split('\n')) {
      group = /^<g class="(f\d+)">/.exec(line)?.[1] ?? (line === '</g>' ? '' : group);
      const [, name] = /^<circle class="piece (\w)"/.exec(line) ?? [];
      if (name && (!group || seen.get(group)[frame])) found.push(name);
    }
    return found.join('');
  });
}

test('every frame shows its shapes in its own order, and what stays is there once', () => {
  for (const orders of [['abc'], ['abc', 'abc'], ['abc', 'acb', 'bca', ''], ['', 'aab', 'aba', 'baa'], ['abcdef', 'abdcef', 'fedcba', 'abcdef', 'xabcydefz']]) {
    assert.deepEqual(shownIn(made(orders), orders.length), orders);
  }
  let seed = 7;
  const random = (below) => { seed = (seed * 48271) % 2147483647; return seed % below; };
  for (let round = 0; round < 200; round += 1) {
    const orders = Array.from({ length: 1 + random(8) }, () => Array.from({ length: random(9) }, () => 'abcdefg'[random(7)]).join(''));
    assert.deepEqual(shownIn(made(orders), orders.length), orders);
  }
  assert.equal(made(['abc', 'abcd', 'abc']).match(/<circle/g).length, 4);
});

test('the file is text that shows nothing but what it is given', () => {
  const file = animatedSvg([{ caption: `<script>&"${'long '.repeat(40)}`, scene: { kind: '"><script>', view: [0, 0, 10, 10], items: [] } }], { ...OPTIONS, title: '</title><script>' });
  assert.doesNotMatch(file, /<script|href|url\(|@import/);
  assert.match(file, /&lt;script&gt;&amp;/);
  assert.match(made(['a', 'b']), /<title>A &amp; B<\/title>/);
  assert.match(made(['a', 'b']), /animation:f0 2000ms step-end infinite/, 'two frames and a hold');
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
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

for (const kind of KINDS) {
  test(`a range of plies plays by itself: ${kind}`, async () => {
    const game = await finishedGame(kind);
    const page = await open(browser, `/games/${game.id}#5`);
    await page.locator('#badge[data-state=verified]').waitFor();
    const to = Math.min(game.ply, 44);
    const { name, text } = await saved(page, 4, to);
    assert.equal(name, `${fileName(game)}-4-${to}.svg`);
    assert.ok(text.length < 900_000, `${kind}: ${text.length} bytes`);
    assert.doesNotMatch(text, /<script|href|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
    // What the replay draws at a ply is what the picture shows then.
    const drawn = async (ply) => {
      await page.goto(`/games/${game.id}#${ply}`);
      await page.waitForSelector(`#board svg[aria-label="Board after ply ${ply}"]`);
      return page.evaluate(() => [...document.querySelectorAll('#board > :not([aria-hidden]) > g:first-child > *')].map((element) => `${element.tagName} ${element.getAttribute('class')} ${element.getAttribute('points') ?? element.getAttribute('cx') ?? element.getAttribute('x')}`));
    };
    const wanted = [4, 20, to].map((ply) => [ply, null]);
    for (const pair of wanted) pair[1] = await drawn(pair[0]);
    const path = join(tmpdir(), `plybook-${kind}.svg`);
    writeFileSync(path, text);
    const picture = await open(browser, '');
    await picture.goto(`file://${path}`);
    for (const [ply, elements] of wanted) {
      const shown = await picture.evaluate((time) => {
        for (const playing of document.getAnimations()) { playing.pause(); playing.currentTime = time; }
        return [...document.querySelectorAll('svg > :not(style, title, g), svg > g > *')].filter((element) => getComputedStyle(element).visibility === 'visible')
          .map((element) => `${element.tagName} ${element.getAttribute('class')} ${element.getAttribute('points') ?? element.getAttribute('cx') ?? element.getAttribute('x')}`);
      }, (ply - 4) * 1000 + 500);
      const captions = shown.filter((line) => line.startsWith('text note ')).length - elements.filter((line) => line.startsWith('text note ')).length;
      assert.ok(captions >= 1 && captions <= 2, `${kind}, ply ${ply}: ${captions} lines beneath`);
      assert.deepEqual(shown.filter((line) => elements.includes(line)).slice(0, elements.length), elements, `${kind}, ply ${ply}`);
      await shoot(picture, `animation-${kind}-${ply}`);
    }
    await picture.emulateMedia({ reducedMotion: 'reduce' });
    assert.equal(await picture.evaluate(() => document.getAnimations().length), 0);
    await close(picture);
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
