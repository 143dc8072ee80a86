// A game as a strip of diagrams: which plies, and in Chromium what is drawn, written and printed.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { DIAGRAMS_MAX, between, diagrams, listed, runs, usualStep } from '../../web-viewer/model/strip.js';
import { parseStrip, stripAddress } from '../../web-viewer/model/url.js';
import { KINDS, SCREENS, accessible, close, finishedGame, launch, open, rewriteAnswers, shoot, shut } from './service.mjs';

// --- the model

const LOG = { ply: 40, moves: Array.from({ length: 40 }, (_, index) => ({ ply: index + 1, by: `seat:${1 + (index % 2)}`, action: `a${index + 1}`, ...index === 6 && { comment: 'here' }, ...index === 9 && { glyphs: ['??'] } })) };
const choice = (more) => ({ ...parseStrip('/games/x/strip', ''), ...more });

test('plies are listed one by one, as ranges, and to the end', () => {
  assert.deepEqual(listed('3, 1-2; 2 end', 40), { plies: [1, 2, 3, 40], problem: '' });
  assert.deepEqual(listed('38-end', 40).plies, [38, 39, 40]);
  for (const wrong of ['41', '5-4', 'x', '-1', '1-', '3-99', '1.5', 'end-3']) assert.match(listed(wrong, 40).problem, /is not a ply from 0 to 40, nor a range/, wrong);
});

test('diagrams: by steps, at marks, in a list; never too many', () => {
  const plies = (more, feats = []) => diagrams(choice(more), LOG, feats).plies;
  assert.deepEqual(plies({}), [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40]);
  assert.deepEqual(plies({ every: 15 }), [0, 15, 30, 40], 'the end too');
  const feats = [{ ply: 9, kind: 'capture' }, { ply: 5, kind: 'dice' }, { ply: 7, kind: 'capture' }];
  assert.deepEqual(plies({ marks: ['capture'] }, feats), [7, 9]);
  assert.deepEqual(plies({ marks: ['capture', 'comment', 'mistake'] }, feats), [7, 9, 10]);
  assert.equal(diagrams(choice({ marks: ['dice'] }), LOG, []).problem, 'The game has no such marks.');
  assert.deepEqual(plies({ plies: '4', marks: ['capture'], every: 2 }, feats), [4], 'what is typed counts');
  const many = diagrams(choice({ every: 1 }), { ...LOG, ply: 2000 }, []);
  assert.deepEqual([many.plies.length, many.more], [DIAGRAMS_MAX, 2001 - DIAGRAMS_MAX]);
  for (const last of [0, 1, 11, 12, 40, 141, 2000, 99_999]) assert.ok(last / usualStep(last) < 13, String(last));
});

test('positions are requested with those before them, close ones together, few at once', () => {
  assert.deepEqual(runs([0, 3, 4, 30, 99]), [[0, 4], [29, 30], [98, 99]]);
  for (const [from, to] of runs(Array.from({ length: 200 }, (_, index) => index))) assert.ok(to - from < 48);
});

test('notation between two diagrams names seats where that is not obvious, and is cut short', () => {
  assert.deepEqual(between(LOG.moves, 2, 4, [{ number: 1, name: 'Ada' }, { number: 2, name: 'Bram' }]), ['3. a3', '4. a4']);
  const three = [1, 2, 3].map((number) => ({ number, name: `P${number}` }));
  assert.deepEqual(between([{ ply: 1, by: 'seat:3', action: 'x' }, { ply: 2, by: 'chance', action: 'roll:1' }], 0, 2, three), ['1. 3: x', '2. Chance: roll:1']);
  assert.ok(between([{ ply: 1, by: 'seat:1', action: 'x'.repeat(99) }], 0, 1, [])[0].length < 40);
});

test('the address keeps the choice, and drops what is none', () => {
  const id = '01890000-0000-7000-8000-000000000001';
  for (const more of [{ every: 7 }, { marks: ['capture', 'dice'] }, { plies: '0, 8-10, end' }, { columns: 3, viewer: 'public' }, {}]) {
    const address = stripAddress({ id, ...more });
    const { pathname, search } = new URL(address, 'http://x');
    assert.deepEqual(parseStrip(pathname, search), { id, viewer: '', every: 0, marks: [], plies: '', columns: 2, ...more }, address);
  }
  assert.deepEqual(parseStrip(`/games/${id}/strip`, '?every=-1&columns=99&marks=<b>,x&viewer=99'), { id, viewer: '', every: 0, marks: ['x'], plies: '', columns: 2 });
});

// --- the page

let browser;
before(async () => { browser = await launch(); });
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const ready = (page) => page.locator('#strip[aria-busy=false]').waitFor();
const shownPlies = (page) => page.locator('.diagram svg').evaluateAll((all) => all.map((svg) => Number(/\d+$/.exec(svg.getAttribute('aria-label'))[0])));

for (const kind of KINDS) {
  test(`diagrams as chosen, with what happened beneath, and on paper: ${kind}`, async () => {
    const game = await finishedGame(kind);
    const page = await open(browser, `/games/${game.id}#9`);
    await page.locator('#tab-files').click();
    await page.locator('#strip').click();
    await page.waitForURL((url) => url.pathname === `/games/${game.id}/strip`);
    await ready(page);
    const step = usualStep(game.ply);
    assert.deepEqual((await shownPlies(page)).slice(0, 3), [0, step, 2 * step]);
    assert.equal((await shownPlies(page)).at(-1), game.ply);
    await page.locator('[name=plies]').fill('0, 7-8, end');
    await page.locator('[name=plies]').press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.diagram svg').length === 4);
    await ready(page);
    assert.deepEqual(await shownPlies(page), [0, 7, 8, game.ply]);
    const captions = await page.locator('.diagram .told').allInnerTexts();
    assert.equal(captions[0], 'Ply 0: The start.');
    for (const [index, ply] of [7, 8].entries()) assert.match(captions[index + 1], new RegExp(`^Ply ${ply}: .{3,}`));
    assert.match(await page.locator('.diagram .between').nth(0).innerText(), /^1\. .+ 7\. /s);
    assert.match(new URL(page.url()).search, /^\?plies=0/);
    await accessible(page, kind);
    await shoot(page, `strip-${kind}`);
    // No figure is broken by the end of a page, and each has its text.
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('.choice-bar').isVisible(), false);
    for (const figure of await page.locator('.diagram').all()) {
      assert.equal(await figure.evaluate((element) => getComputedStyle(element).breakInside), 'avoid');
      assert.ok((await figure.boundingBox()).height < 980, 'a figure fits on a page of A4');
    }
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    assert.ok((pdf.match(/\/Type\s*\/Page[^s]/g) ?? []).length <= 2, 'four diagrams fill two pages at most');
    await close(page);
  });
}

test('diagrams at captures and rolls, as the slider marks them', async () => {
  const game = await finishedGame('triforce');
  const page = await open(browser, `/games/${game.id}`);
  // Where a roll takes a piece, the slider marks the capture; in some games, every roll does.
  await page.locator('.slip.capture, .slip.dice').first().waitFor({ state: 'attached' });
  const kind = await page.locator('.slip.dice').count() > 0 ? 'dice' : 'capture';
  const plies = await page.locator(`.slip.${kind}`).evaluateAll((all) => all.map((mark) => Number(mark.dataset.ply)));
  await page.goto(`/games/${game.id}/strip?marks=${kind}`);
  await ready(page);
  const shown = await shownPlies(page);
  assert.deepEqual(plies.filter((ply) => !shown.includes(ply)), []);
  await page.getByLabel(kind === 'dice' ? 'rolls' : 'captures').uncheck();
  await page.waitForFunction(() => location.search === '');
  await close(page);
});

test('a strip fits a phone, and says what is wrong with a list', async () => {
  const game = await finishedGame('tri');
  const page = await open(browser, `/games/${game.id}/strip?plies=3,999`, SCREENS.phone);
  await page.getByText('“999” is not a ply from 0 to').waitFor();
  await ready(page);
  assert.deepEqual(await shownPlies(page), [3]);
  await accessible(page, 'phone');
  await shoot(page, 'strip-phone');
  await close(page);
});

test('if positions fail to come, they can be requested again', async () => {
  const game = await finishedGame('tri');
  const page = await open(browser, '');
  let isBroken = true;
  await rewriteAnswers(page, 'Positions', (answer) => (isBroken ? { errors: [{ message: 'too busy', extensions: { code: 'OVERLOADED' } }] } : answer));
  await page.goto(`/games/${game.id}/strip`);
  await page.getByRole('alert').getByText('Too busy.').waitFor();
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await ready(page);
  await close(page);
});
