// Details that readers stumbled over: one test for each kind of fault.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… node --test details.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { accessible, close, finishedGame, launch, open, shut } from './service.mjs';
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

for (const path of ['/statistics?kind=tri', '/statistics?kind=thrones', '/ratings?kind=tri&provisional=1', '/search?kind=triforce']) {
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
  await verified(page);
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
  await verified(page);
  const [marks, caption] = await Promise.all(['#slips', '.caption'].map((part) => page.locator(part).boundingBox()));
  assert.ok(marks.y >= caption.y + caption.height || caption.y >= marks.y + marks.height, JSON.stringify([marks, caption]));
  await close(page);
});

test('a page of a game that there is not says so in its title', async () => {
  for (const path of ['/games/01900000-0000-7000-8000-000000000000/strip', '/embed/01900000-0000-7000-8000-000000000000']) {
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
