// What a page loads: one style sheet, one script, and few answers; addresses that change with the contents.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { after, afterEach, before, test } from 'node:test';

import { loadedBy, watched } from './loading.mjs';
import { BASE, KINDS, close, finishedGame, launch, open, shut } from './service.mjs';

/** Until the first position is drawn, and until nothing more comes. */
const REQUESTS_MAX = 14;
/** Of the page itself, and with the first positions of any game. */
const PAGE_BYTES_MAX = 85_000;
const FIRST_BYTES_MAX = 110_000;
/** The replay's own, and the one that it imports later without being asked. */
const SCRIPTS = 3;
/** The game, its moves, its lines, the first positions, what stands where, the analysis. */
const QUERIES = 6;
const PAGES = ['/', '/games/new', '/ratings', '/search', '/statistics', '/tournaments', '/tournaments/new', '/table', '/nowhere'];

let browser;
const folder = mkdtempSync(join(tmpdir(), 'plybook-'));
before(async () => { browser = await launch(); });
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** The addresses that a page links, and its whole text. */
async function linksOf(path) {
  const html = await (await fetch(`${BASE}${path}`, { headers: { accept: 'text/html' } })).text();
  const all = (form) => [...html.matchAll(form)].map(([, address]) => address);
  return { styles: all(/<link rel="stylesheet" href="([^"]+)"/g), scripts: all(/<script type="module" src="([^"]+)"/g), html };
}

/** Everything has come, what is imported at rest too. */
async function quiet(page) {
  await page.waitForSelector('#badge[data-state=verified]');
  await page.waitForFunction((count) => performance.getEntriesByType('resource').filter(({ name }) => /\/bundles\/.*\.js$/.test(name)).length >= count, SCRIPTS);
  await page.waitForFunction((count) => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/graphql')).length >= count, QUERIES);
  await page.waitForLoadState('networkidle');
}

const addressOf = async (path) => (await linksOf(path)).scripts[0];

for (const kind of KINDS) {
  test(`the replay of ${kind} takes at most ${REQUESTS_MAX} requests until nothing more comes, and ${FIRST_BYTES_MAX / 1000} kB until its first position is drawn`, async () => {
    const { id } = await finishedGame(kind);
    const page = await open(browser, '');
    await watched(page);
    await page.goto(`/games/${id}`);
    await quiet(page);
    const { all, first } = await loadedBy(page);
    const bytesOf = (requests) => requests.reduce((sum, { bytes }) => sum + bytes, 0);
    const list = first.map(({ name, bytes }) => `${bytes} ${name}`).join('\n');
    const loaded = all.filter(({ bytes }) => bytes > 0).map(({ name }) => name);
    assert.equal(loaded.filter((name) => name.endsWith('/graphql')).length, QUERIES, loaded.join('\n'));
    assert.ok(loaded.length <= REQUESTS_MAX, loaded.join('\n'));
    assert.ok(bytesOf(first) <= FIRST_BYTES_MAX, list);
    assert.ok(bytesOf(first.filter(({ name }) => !name.endsWith('/graphql'))) <= PAGE_BYTES_MAX, list);
    const scripts = (requests) => requests.map(({ name }) => name).filter((name) => name.includes('/bundles/') && name.endsWith('.js'));
    assert.deepEqual([scripts(first).length, scripts(all).length], [1, SCRIPTS], scripts(all).join('\n'));
    await close(page);
  });
}

test('the mark comes with the page: its header has what `mark.svg` has, and its icon looks like it', async () => {
  const of = (name) => readFileSync(new URL(`../../web-viewer/base/${name}`, import.meta.url), 'utf8').trim();
  const drawn = /"data:image\/svg\+xml,([^"]+)"/.exec(of('header.html'))[1];
  assert.equal(decodeURIComponent(drawn).replaceAll("'", '"'), of('mark.svg'));
  const icon = /rel="icon" href="([^"]+)" type="image\/png"/.exec(of('head.html'))[1];
  const page = await open(browser, '/nowhere');
  const difference = await page.evaluate(async (addresses) => {
    const SIDE = 64;
    const [one, other] = await Promise.all(addresses.map(async (src) => {
      const image = Object.assign(new Image(), { src });
      await image.decode();
      const context = new OffscreenCanvas(SIDE, SIDE).getContext('2d');
      context.drawImage(image, 0, 0, SIDE, SIDE);
      return context.getImageData(0, 0, SIDE, SIDE).data;
    }));
    return one.reduce((sum, value, index) => sum + Math.abs(value - other[index]), 0) / one.length;
  }, [icon, `data:image/svg+xml,${drawn}`]);
  assert.ok(difference < 2, `the pixels differ by ${difference} of 255`);
  await shut(page.context());
});

test('every page is one style sheet and one script, each of them code, kept for ever under its hash and nowhere else', async () => {
  const { id } = await finishedGame('tri');
  const pages = [...PAGES, ...['games', 'embed', 'record'].map((of) => `/${of}/${id}`), `/games/${id}/beside`, '/players/x', '/tournaments/x', '/tournaments/x/organise'];
  const seen = new Set();
  for (const path of pages) {
    const { styles, scripts } = await linksOf(path);
    assert.deepEqual([styles.length, scripts.length], [1, 1], path);
    for (const address of [...styles, ...scripts]) {
      assert.match(address, /^\/static\/bundles\/[0-9a-f]{32}\/[a-z0-9-]+\.(css|js)$/);
      for (const encoding of ['zstd', 'gzip', 'identity']) {
        const answer = await fetch(`${BASE}${address}`, { headers: { 'accept-encoding': encoding }, method: 'HEAD' });
        assert.equal(answer.status, 200, address);
        assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
        assert.equal(answer.headers.get('content-encoding'), encoding === 'identity' ? null : encoding);
        assert.match(answer.headers.get('vary'), /accept-encoding/i);
      }
      const old = address.replace(/[0-9a-f]{32}/, '0'.repeat(32));
      assert.equal((await fetch(`${BASE}${old}`)).status, 404, 'nothing under the hash of another version');
    }
    if (seen.has(scripts[0])) continue;
    seen.add(scripts[0]);
    const text = await (await fetch(`${BASE}${scripts[0]}`, { headers: { 'accept-encoding': 'gzip' } })).text();
    assert.equal((await fetch(`${BASE}${scripts[0]}`, { headers: { 'accept-encoding': 'identity' } }).then((answer) => answer.text())), text);
    const file = join(folder, `${seen.size}.mjs`);
    writeFileSync(file, text);
    execFileSync(process.execPath, ['--check', file]);
  }
});

test('the names of modules are in the script, so that a trace leads to them', async () => {
  const { id } = await finishedGame('tri');
  const text = await (await fetch(`${BASE}${await addressOf(`/games/${id}`)}`)).text();
  for (const path of ['base/api.js', 'model/scene.js', 'pages/game.js']) assert.equal(text.split(`\n// ${path}\n`).length, 2, path);
  assert.ok(!text.includes('// replay/asking.js'), 'what comes later is not in it');
});

test('a module that is imported later comes as a script of its own, with what the page does not have already', async () => {
  const { id } = await finishedGame('triangulate');
  const page = await open(browser, '');
  const asked = [];
  page.on('request', (request) => /bundles.*\.js$/.test(request.url()) && asked.push(request.url().replace(/.*\//, '')));
  await page.goto(`/games/${id}`);
  await quiet(page);
  await page.locator('#badge').getByText(/^Verified · /).waitFor({ timeout: 30_000 });
  assert.deepEqual(asked.toSorted(), ['game.js', 'game.replay.asking.js', 'game.rules.index.js']);
  const later = await (await fetch(`${BASE}${(await addressOf(`/games/${id}`)).replace('game.js', 'game.rules.index.js')}`)).text();
  assert.deepEqual([...later.matchAll(/^\/\/ (.*)$/gm)].map(([, path]) => path), ['rules/modules.js', 'rules/index.js']);
  await close(page);
});

test('what is gone, because another version is served, is told where it was wanted, and the page goes on', async () => {
  const { id } = await finishedGame('triangulate');
  const page = await open(browser, '');
  await page.route('**/game.rules.*.js', (route) => route.fulfill({ status: 404, body: 'not found\n' }));
  await page.goto(`/games/${id}`);
  await page.waitForSelector('#badge[data-state=unknown]');
  await page.locator('#badge').click();
  await page.getByText('A part of this page could not be loaded: reload the page.').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('#board svg[aria-label="Board after ply 1"]');
  page.wrongs = page.wrongs.filter((wrong) => !wrong.includes('404'));
  await close(page);
});
