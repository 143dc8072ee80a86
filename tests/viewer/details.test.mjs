// Details that readers stumbled over: one test for each kind of fault.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… node --test details.test.mjs

import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';

import { newGame } from './recorder.mjs';
import { BASE, IS_ALL, accessible, ask, close, finishedGame, launch, open, shut } from './service.mjs';
import { TINY } from './tournament.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const verified = (page) => page.waitForSelector('#badge[data-state=verified]');

test('notation reads from the left in Hebrew pages', async () => {
  const { id } = await finishedGame('tri');
  const page = await open(browser, `/games/${id}?lang=he`);
  await verified(page);
  const found = await page.locator('.moves .text').evaluateAll((all) => {
    const side = (node, at) => {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect().left;
    };
    const nodes = all.map((text) => [...text.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE)).filter((node) => /^[a-z]:.*[+-]$/i.test(node?.data ?? ''));
    return nodes.slice(0, 20).map((node) => side(node, 0) < side(node, node.data.length - 1));
  });
  assert.ok(found.length > 0 && found.every(Boolean), JSON.stringify(found));
  await close(page);
});

test('partners are named beside each other', async () => {
  const seats = ['Ada', 'Bram', 'Chiara', 'Dee'].map((name) => ({ name }));
  const id = await newGame({ kind: 'heaps', seats, setup: { players: 4, teams: true } });
  const page = await open(browser, `/games/${id}`);
  await page.waitForSelector('#seats .partners');
  const partners = await page.locator('#seats .partners').allTextContents();
  assert.deepEqual(partners, [', with Chiara', ', with Dee', ', with Ada', ', with Bram']);
  await close(page);
});

test('a row of the table of seats is read with pauses', async () => {
  const { id, seats } = await finishedGame('triangulate');
  const page = await open(browser, `/games/${id}`);
  await verified(page);
  await page.keyboard.press('End');
  await page.waitForSelector('.seats .result');
  const names = await page.locator('.seats tbody th').evaluateAll((all) => all.map(({ textContent }) => textContent));
  for (const [index, { name }] of seats.entries()) assert.match(names[index], new RegExp(`${name}, (won|lost|draw)`));
  await close(page);
});

test('on a phone, every tab is in sight, and a table that does not fit can be scrolled and says so', async () => {
  const { id } = await finishedGame('tri');
  const page = await open(browser, `/games/${id}`, PHONE);
  await verified(page);
  for (const { x, width } of await page.locator('[role=tab]').evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().toJSON()))) assert.ok(x >= 0 && x + width <= 390, `${x} + ${width}`);
  const table = page.locator('.wide-table').first();
  assert.equal(await table.getAttribute('tabindex'), '0');
  assert.match(await table.evaluate((element) => getComputedStyle(element).backgroundImage), /gradient/);
  await close(page);
});

for (const path of ['/statistics?kind=thrones', ...IS_ALL ? ['/statistics?kind=tri', '/ratings?kind=tri&provisional=1', '/search?kind=triforce', '/rules/tri'] : []]) {
  test(`${path} fits 320 pixels`, async () => {
    const page = await open(browser, path, TINY);
    await page.waitForLoadState('networkidle');
    await accessible(page, path);
    await close(page);
  });
}

test('the tables of rules do not break words', async () => {
  const page = await open(browser, '/rules/thrones');
  await page.waitForSelector('.rules td');
  const broken = await page.locator('.rules :is(td, th)').evaluateAll((all) => all.filter((cell) => {
    const { overflowWrap, wordBreak } = getComputedStyle(cell);
    return overflowWrap === 'anywhere' || wordBreak !== 'normal';
  }).length);
  assert.equal(broken, 0);
  await close(page);
});

test('what is shown is dimmed while it is not what was asked for', async () => {
  const { id } = await finishedGame('tri');
  const page = await open(browser, '');
  // Without the rules in the browser, every position comes from the service.
  await page.route('**/*.wasm.gz', (route) => route.abort());
  await page.goto(`/games/${id}#0`);
  await page.waitForSelector('#badge[data-state=unknown]');
  await page.waitForLoadState('networkidle');
  await page.route('**/graphql', (route) => route.abort());
  await page.keyboard.press('End');
  await page.waitForSelector('.replay.behind');
  await page.waitForFunction(() => getComputedStyle(document.querySelector('#board')).opacity === '0.5');
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.waitForSelector('.replay:not(.behind)');
  page.wrongs = [];
  await close(page);
});

test('in a frame, the slider’s marks leave the caption free', async () => {
  const { id } = await finishedGame('tri');
  const page = await open(browser, `/embed/${id}#20`, { viewport: { width: 560, height: 680 } });
  await page.waitForSelector('#badge[data-state=unknown]');
  const [marks, caption] = await Promise.all(['#slips', '.caption'].map((part) => page.locator(part).boundingBox()));
  assert.ok(marks.y >= caption.y + caption.height || caption.y >= marks.y + marks.height, JSON.stringify([marks, caption]));
  await close(page);
});

test('on a phone, the slider’s marks are in its bar, and a count too small to be read leaves no empty disc', async () => {
  const { id, ply } = await finishedGame('triangulate');
  for (const [size, isShown] of [[PHONE, true], [TINY, false]]) {
    const page = await open(browser, `/games/${id}#${Math.round(ply * 0.6)}`, size);
    await verified(page);
    const [marks, bar] = await Promise.all(['#slips', '.stepping'].map((part) => page.locator(part).first().boundingBox()));
    assert.ok(marks.y >= bar.y, JSON.stringify([marks, bar]));
    const discs = await page.locator('#board > svg:not([aria-hidden]) .badge').evaluateAll((all) => all.map((disc) => getComputedStyle(disc).opacity));
    assert.ok(discs.length > 0);
    assert.deepEqual([...new Set(discs)], [isShown ? '1' : '0']);
    await close(page);
  }
});

test('a page of a game that there is not says so in its title', async () => {
  for (const path of ['/games/01900000-0000-7000-8000-000000000000', '/embed/01900000-0000-7000-8000-000000000000']) {
    const page = await open(browser, path);
    await page.locator('[role=alert]:not(:empty)').first().waitFor();
    assert.doesNotMatch(await page.title(), /Loading/, path);
    assert.doesNotMatch(await page.locator('main').innerText(), /Loading|Checking/, path);
    page.wrongs = [];
    await close(page);
  }
});

test('space plays after a step button was clicked', async () => {
  const { id } = await finishedGame('tri');
  const page = await open(browser, `/games/${id}#0`);
  await verified(page);
  await page.click('#next');
  await page.keyboard.press('Space');
  await page.waitForSelector('#play[data-playing=true]');
  await close(page);
});

test('where nothing is secret, nobody is asked as whom they look', async () => {
  const { id } = await finishedGame('tri');
  const page = await open(browser, `/games/${id}`);
  await verified(page);
  assert.ok(await page.locator('#viewer-choice').isHidden());
  await close(page);
});

test('the rules step on while the service cannot be reached', async () => {
  const { id, ply } = await finishedGame('tri');
  const page = await open(browser, `/games/${id}#0`);
  await verified(page);
  await page.waitForLoadState('networkidle');
  await page.route('**/graphql', (route) => route.abort());
  for (const at of [ply, ply - 1, Math.round(ply / 2)]) {
    await page.evaluate((to) => { location.hash = `#${to}`; }, at);
    await page.waitForSelector(`#board svg[aria-label="Board after ply ${at}"]`);
    assert.equal(await page.locator('.replay.behind').count(), 0);
  }
  page.wrongs = [];
  await close(page);
});

test('the bar of a line has its name in one row, and its buttons in another', async () => {
  const { id } = await finishedGame('triangulate');
  const page = await open(browser, `/games/${id}#9`);
  await verified(page);
  await page.locator('#act-open').click();
  await page.locator('#act-list:not(.stale) li').nth(3).click();
  await page.locator('#line-leave').waitFor();
  const tops = await page.locator('.line-bar :is(button, .button)').evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
  assert.equal(new Set(tops).size, 1, tops.join());
  const { height } = await page.locator('.line-name').boundingBox();
  assert.ok(height < 30, `${height}`);
  await close(page);
});

test('in Hebrew, the row of the seat to act is one piece', async () => {
  const { games: { nodes: [{ id }] } } = await ask('{ games(filter: { status: RUNNING, kind: "triforce" }, orderBy: CREATED_ASC, first: 1) { nodes { id } } }');
  const page = await open(browser, `/games/${id}?lang=he`);
  await verified(page);
  const gaps = await page.locator('#seats .to-act').first().evaluate((row) => {
    const sides = [...row.children].map((cell) => cell.getBoundingClientRect()).toSorted((one, other) => one.left - other.left);
    const [first, last] = [row.firstElementChild, row.lastElementChild].map((cell) => getComputedStyle(cell));
    return [...sides.slice(1).map(({ left }, index) => Math.round(left - sides[index].right)), Number.parseInt(first.borderTopLeftRadius, 10), Number.parseInt(last.borderTopRightRadius, 10)];
  });
  assert.ok(gaps.every((gap) => gap === 0), `no gap, and round only at its ends: ${gaps}`);
  await close(page);
});

test('in Hebrew, names in Latin letters turn no sentence or list around, and English is said to be English', async () => {
  const { id } = await finishedGame('tri');
  const page = await open(browser, `/games/${id}?lang=he#0`);
  await verified(page);
  await page.locator('#status').getByText('מתפשט').waitFor();
  assert.equal(await page.locator('#status').evaluate((status) => getComputedStyle(status).direction), 'rtl');
  await page.locator('#board').press('w');
  await page.waitForFunction(() => document.querySelector('#announce:lang(en)')?.textContent.startsWith('Seat 1 expands'));
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.querySelector('#announce:lang(he)')?.textContent.includes('חצי'));
  await page.goto('/search?kind=tri&where=ply%20%3D%203&lang=he');
  await page.waitForFunction(() => /\u2066[^\u2069]+ \(\d+\)\u2069/.test(document.querySelector('.found-facts')?.textContent));
  await page.goto(`/games/${id}/beside?lang=he#3-5`);
  await page.waitForFunction(() => /^\u20663 \/ \d+\u2069$/.test(document.querySelector('#ply-a').textContent));
  await close(page);
});

test('a game can be shown in a frame of a local file, and in a sandbox that leaves it its origin', async () => {
  const { id } = await finishedGame('tri');
  const folder = mkdtempSync(join(tmpdir(), 'plybook-frame-'));
  writeFileSync(join(folder, 'page.html'), `<!doctype html><iframe src="${BASE}/embed/${id}#5" width="560" height="680"></iframe><iframe sandbox="allow-scripts allow-same-origin" src="${BASE}/embed/${id}#5" width="560" height="680"></iframe>`);
  const page = await open(browser, `file://${folder}/page.html`);
  for (const index of [0, 1]) await page.frameLocator('iframe').nth(index).locator('#board svg[aria-label="Board after ply 5"]').waitFor();
  page.wrongs = [];
  await close(page);
});

test('a link to a game of many seats names four of them', async () => {
  const { id, seats } = await finishedGame('triforce-building');
  const title = /property="og:title" content="([^"]*)"/.exec(await (await fetch(`${BASE}/games/${id}`)).text())[1];
  assert.ok(seats.slice(0, 4).every(({ name }) => title.includes(name)) && !title.includes(seats[4].name) && title.includes(`(${seats.length})`), title);
});

test('on a phone, the ratings have a box beside its text, and say where provisional ones are', async () => {
  const page = await open(browser, '/ratings?kind=tri', PHONE);
  await page.locator('#ratings:not([aria-busy=true])').waitFor();
  const [box, label] = await Promise.all(['.tick-label input', '.tick-label'].map((part) => page.locator(part).boundingBox()));
  assert.ok(Math.abs(box.y + box.height / 2 - label.y - label.height / 2) < 6 && label.width > 150 && box.width < 30, JSON.stringify([box, label]));
  const { ratings } = await ask('{ ratings(kind: "tri", first: 1) { totalCount } }');
  if (ratings.totalCount === 0) {
    await page.locator('#ratings button').press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.name), 'provisional', 'the focus is on the box that is ticked now');
  }
  await close(page);
});

test('lost pieces are shown as pictures, and told to those who do not see them', async () => {
  const { id, ply } = await finishedGame('thrones');
  // Pieces that were taken before the reader came are known as well.
  const page = await open(browser, `/games/${id}#${ply}`);
  await verified(page);
  await page.waitForFunction(() => document.querySelectorAll('#seats .pictures svg .piece').length > 3);
  const told = await page.locator('#seats tbody tr').first().locator('td').nth(1).locator('.hidden').textContent();
  assert.match(told, /^(\d+ )?[a-z]+(, |$)/);
  assert.equal(await page.locator('#seats tbody tr').first().locator('.pictures svg').count(), told.split(', ').reduce((sum, part) => sum + (Number.parseInt(part, 10) || 1), 0));
  await accessible(page, 'a table with pictures');
  await close(page);
});
