// A replay in a frame of another site's page.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';

import { BASE, SCREENS, accessible, close, finishedGame, launch, open, shoot, token } from './service.mjs';

let browser, game, other;

/** A page of another site; what it shows is set by each test. */
const page = { html: '' };

before(async () => {
  [browser, game] = await Promise.all([launch(), finishedGame()]);
  other = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(`<!doctype html><html lang="en"><title>A club</title><main>${page.html}</main>`));
  await new Promise((done) => { other.listen(0, '127.0.0.1', done); });
});
after(async () => {
  await browser.close();
  other.close();
});

/** Another site: the same machine under another name is another origin. */
const site = () => `http://localhost:${other.address().port}/`;

const oembed = async (params) => {
  const response = await fetch(`${BASE}/oembed?${new URLSearchParams(params)}`);
  return { status: response.status, body: await response.json() };
};

test('a game is shown in a frame as its link discovers it, and steps there', async () => {
  const { headers } = await fetch(`${BASE}/games/${game.id}`);
  const [, found, type] = /^<([^>]+)>; rel="alternate"; type="([^"]+)"$/.exec(headers.get('link'));
  assert.equal(type, 'application/json+oembed');
  const told = await (await fetch(new URL(found, BASE))).json();
  assert.equal(told.type, 'rich');
  for (const { name } of game.seats) assert.ok(told.title.includes(name), told.title);
  page.html = told.html;
  const tab = await open(browser, site());
  const frame = tab.frameLocator('iframe');
  await frame.locator('#board > :not([aria-hidden])').waitFor();
  await frame.locator('.badge[data-state="unknown"]').waitFor();
  const link = frame.locator('.whole a');
  assert.match(await link.innerText(), new RegExp(game.seats[0].name));
  await frame.locator('#next').click();
  await frame.locator('#ply').filter({ hasText: /^1\b/ }).waitFor();
  await frame.locator('#told').filter({ hasText: /\S/ }).waitFor();
  assert.equal(await link.getAttribute('href'), `/games/${game.id}#1`);
  const [beside] = await Promise.all([tab.context().waitForEvent('page'), frame.locator('#board').press('d')]);
  await beside.waitForURL((url) => url.pathname === `/games/${game.id}/beside`);
  await beside.close();
  for (const hidden of ['.top', '.panel', '#help']) assert.equal(await frame.locator(hidden).isVisible(), false, hidden);
  const { height } = await tab.locator('iframe').boundingBox();
  const inside = await frame.locator('html').evaluate((html) => html.scrollHeight);
  assert.ok(inside <= height, `nothing has to be scrolled: ${inside} of ${height}`);
  await shoot(tab, 'embed');
  await frame.locator('#badge').click();
  await frame.locator('.badge[data-state="verified"]').waitFor();
  await close(tab);
});

test('a frame is a spectator’s, whoever is signed in', async () => {
  const tab = await open(browser, '/404');
  tab.wrongs.length = 0;
  await tab.evaluate((value) => localStorage.setItem('plybook.token', value), token());
  const asked = [];
  const queries = [];
  tab.on('request', (request) => {
    if (!request.url().endsWith('/graphql')) return;
    asked.push(request.headers().authorization ?? '');
    queries.push(request.postDataJSON().query);
  });
  await tab.goto(`/embed/${game.id}#3`);
  await tab.locator('#board > :not([aria-hidden])').waitFor();
  await tab.locator('.badge[data-state="unknown"]').waitFor();
  assert.ok(asked.length > 0 && asked.every((header) => header === ''), JSON.stringify(asked));
  assert.match(await tab.locator('#ply').innerText(), /^3\b/);
  await tab.locator('#next').click();
  await tab.waitForFunction((id) => location.pathname === `/embed/${id}` && location.hash === '#4', game.id);
  await tab.locator('#board > :not([aria-hidden]) [data-place]').first().click();
  await tab.locator('#next').click();
  await tab.waitForFunction(() => location.hash === '#5');
  assert.deepEqual(queries.filter((query) => query.includes('legalActions')), [], 'a tap on the board plays nothing');
  assert.equal(await tab.locator('.moves, #act-body > *').count(), 0, 'what is not shown is not drawn');
  await close(tab);
});

test('no other page can be put into a frame', async () => {
  for (const path of [`/games/${game.id}`, '/', '/tournaments', `/record/${game.id}`]) {
    const { headers } = await fetch(BASE + path);
    assert.equal(headers.get('x-frame-options'), 'DENY', path);
    assert.match(headers.get('content-security-policy'), /frame-ancestors 'none'/, path);
  }
  const { headers } = await fetch(`${BASE}/embed/${game.id}`);
  assert.equal(headers.get('x-frame-options'), null);
  assert.doesNotMatch(headers.get('content-security-policy'), /frame-ancestors/, 'a local file may, too');
  assert.equal((await fetch(`${BASE}/embed/nothing`)).status, 404);
  assert.match((await fetch(`${BASE}/embed/nothing`)).headers.get('content-security-policy'), /'none'/);
});

test('what is asked for is answered or refused with a reason', async () => {
  const url = `${BASE}/games/${game.id}`;
  const small = await oembed({ url, maxwidth: '300', maxheight: '10000', dnt: '1', format: 'json' });
  assert.deepEqual([small.status, small.body.width, small.body.height], [200, 300, 680]);
  assert.match(small.body.html, new RegExp(`src="${BASE}/embed/${game.id}"[^>]* width="300"`));
  for (const [params, status, why] of [
    [{ url, format: 'xml' }, 501, /json/],
    [{}, 400, /url/],
    [{ url, maxwidth: 'wide' }, 400, /digit|number|url/],
    [{ url: `https://example.org/games/${game.id}` }, 404, /not the page of a game here/],
    [{ url: `${BASE}/games/${game.id}/log.ndjson` }, 404, /not the page/],
    [{ url: 'javascript:alert(1)' }, 404, /not the page/],
    [{ url: '/games/00000000-0000-7000-8000-000000000000' }, 404, /no game/],
  ]) {
    const { status: found, body } = await oembed(params);
    assert.equal(found, status, JSON.stringify(params));
    assert.match(body.error, why);
  }
});

test('the code for a page of one’s own is in the files of the replay', async () => {
  const tab = await open(browser, `/games/${game.id}#5`);
  await tab.locator('.badge[data-state="verified"]').waitFor();
  await tab.locator('#tab-files').click();
  await tab.getByRole('button', { name: 'Frame' }).click();
  const code = await tab.getByLabel('Code of the frame').inputValue();
  assert.match(code, new RegExp(`^<iframe src="${BASE}/embed/${game.id}#5" `));
  page.html = code;
  await tab.goto(site());
  await tab.frameLocator('iframe').locator('#board > :not([aria-hidden])').waitFor();
  assert.match(await tab.frameLocator('iframe').locator('#ply').innerText(), /^5\b/);
  await close(tab);
});

test('a link to the ply shown has a picture of it, and opens there', async () => {
  const tab = await open(browser, `/games/${game.id}#5`);
  await tab.locator('.badge[data-state="verified"]').waitFor();
  await tab.locator('#tab-files').click();
  await tab.getByRole('button', { name: 'Link', exact: true }).click();
  const address = await tab.getByLabel('Address of the position').inputValue();
  assert.equal(address, `${BASE}/games/${game.id}?ply=5`);
  const html = await (await fetch(address)).text();
  const image = /<meta property="og:image" content="([^"]+)">/.exec(html)[1];
  assert.equal(image, `${BASE}/games/${game.id}.png?ply=5`);
  const answer = await fetch(image);
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png']);
  await tab.goto(address);
  await tab.locator('#ply').filter({ hasText: /^5\b/ }).waitFor();
  await tab.waitForURL(`${BASE}/games/${game.id}#5`);
  await close(tab);
});

for (const screen of ['light', 'dark', 'phone']) {
  test(`a frame is accessible: ${screen}`, async () => {
    const tab = await open(browser, `/embed/${game.id}#3`, SCREENS[screen]);
    await tab.locator('.badge[data-state="unknown"]').waitFor();
    await accessible(tab);
    await close(tab);
  });
}
