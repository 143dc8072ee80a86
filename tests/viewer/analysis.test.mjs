// The engine's analysis in the replay: words and outlines, the chart and the panel in Chromium, and an analysis made by the service.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { arrow, moments, percentWords, playedWords } from '../../web-viewer/model/analysis.js';
import { bands, bestWords, chanceWords, courseWords } from '../../web-viewer/model/chances.js';
import { legal, newGame } from './recorder.mjs';
import { IS_ALL, SCREENS, accessible, ask, becomes, close, finishedGame, launch, open, shoot, shut, token } from './service.mjs';

const SEATS = [{ number: 1, name: 'Ada' }, { number: 2, name: 'Bram' }];
const judged = (ply, chances, more = {}) => ({ ply, chances, draw: 0, best: 'a1-a2', line: ['a1-a2', 'b1'], lossOfPlayed: 0, luck: null, glyph: null, ...more });

// --- words and outlines

test('chances, the best action and what was given away are said in words', () => {
  assert.deepEqual([0, 0.001, 0.304, 0.999, 1].map(percentWords), ['0 %', 'under 1 %', '30 %', 'over 99 %', '100 %']);
  assert.equal(chanceWords(judged(0, [0.3, 0.6], { draw: 0.1 }), SEATS), 'Bram 60 %, Ada 30 %, draw 10 %');
  assert.equal(bestWords(judged(0, [1, 0])), 'Best: a1-a2, then b1.');
  assert.equal(bestWords(judged(0, [1, 0], { best: null, line: [] })), '');
  const move = { by: 'seat:1', action: 'a1-a3' };
  assert.equal(playedWords(judged(0, [1, 0], { glyph: '??', lossOfPlayed: 0.4 }), move), 'a1-a3, a blunder: it gives away 40 %.');
  assert.equal(playedWords(judged(0, [1, 0], { lossOfPlayed: 0.03 }), move), 'a1-a3: it gives away 3 %.');
  assert.equal(playedWords(judged(0, [1, 0]), { by: 'seat:1', action: 'a1-a2' }), 'a1-a2, the best.');
  assert.equal(playedWords(judged(0, [1, 0]), move), '');
  assert.equal(playedWords(judged(0, [1, 0], { luck: [-0.1, 0.1] }), { by: 'chance', action: 'roll:1=6' }), 'The roll helps seat 2 by 10 %.');
  assert.ok(playedWords(judged(0, [1, 0], { glyph: '?' }), { by: 'seat:1', action: `setup:${'p'.repeat(200)}` }).length < 80);
});

test('mistakes and turning points belong to the ply that was played', () => {
  const plies = [judged(0, [0.5, 0.5], { glyph: '?', lossOfPlayed: 0.2 }), judged(1, [0.3, 0.7]), judged(2, [0.3, 0.7], { glyph: '!!' }), judged(3, [0.3, 0.7])];
  const moves = [{ by: 'seat:1', action: 'x' }, { by: 'seat:2', action: 'y' }, { by: 'seat:1', action: 'z' }];
  const found = moments({ plies, turningPoints: [0, 1] }, moves);
  assert.deepEqual(found.map(({ ply, by, kind, glyph, isTurn }) => [ply, by, kind, glyph, isTurn]), [[1, 1, 'mistake', '?', true], [2, 2, 'turn', '', true], [3, 1, 'turn', '!!', false]]);
  assert.equal(found[0].text, 'x, a mistake: it gives away 20 %. A turning point.');
  assert.deepEqual(moments(null, moves), []);
});

test('bands fill the chart, the first seat at the bottom, draws only if there are any', () => {
  const found = bands([judged(0, [0.5, 0.5]), judged(1, [0.25, 0.75]), judged(2, [0, 1])], 2);
  assert.deepEqual(found.map(({ seat }) => seat), [1, 2]);
  assert.equal(found[0].outline, '0,50 50,75 100,100 100,100 50,100 0,100');
  assert.equal(found[1].outline, '0,0 50,0 100,0 100,100 50,75 0,50');
  assert.deepEqual(found[1].label, { x: 50, y: 37.5 });
  assert.deepEqual(bands([judged(0, [0.4, 0.4], { draw: 0.2 })], 4).map(({ seat }) => seat), [1, 2, 0]);
  assert.deepEqual(bands([], 4), []);
  assert.match(courseWords({ plies: [judged(0, [0.5, 0.5]), judged(1, [0, 1])], turningPoints: [4, 0] }, SEATS), /At the start: Ada 50 %, Bram 50 %\. At ply 1: Bram 100 %, Ada 0 %\. Turning points: ply 1, ply 5\.$/);
});

test('an arrow goes through the places that an action names, in the order of its text', () => {
  const space = (place, x) => ({ shape: 'CIRCLE', at: [x, 0], r: 10, class: 'space', place });
  const scene = { view: [0, 0, 100, 100], items: [space('e4', 10), space('e5', 20), space('e', 30), space('c12', 40), space('c1', 50)] };
  const xs = (action) => arrow(scene, action)?.points.map(([x]) => x) ?? null;
  assert.deepEqual(xs('e5-e4'), [20, 10]);
  assert.deepEqual(xs('e5xe4'), [20, 10]);
  assert.deepEqual(xs('spawn:c12'), [40]);
  assert.deepEqual(xs('c1'), [50]);
  assert.equal(xs('end'), null);
  assert.equal(xs('roll:1=4'), null);
  assert.equal(xs(null), null);
});

// --- in the browser

let browser;
let game;

before(async () => {
  browser = await launch();
  game = await finishedGame('tri');
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const shown = (page, number) => page.waitForSelector(`#board svg[aria-label="Board after ply ${number}"]`);

/** An analysis of the game with a blunder at ply 3, as the service would answer it. */
function analysisOf({ stale = false } = {}) {
  const plies = Array.from({ length: game.ply + 1 }, (_, ply) => judged(ply, ply < 3 ? [0.6, 0.4] : [0.2, 0.8], ply === 2 ? { glyph: '??', lossOfPlayed: 0.4 } : {}));
  Object.assign(plies[0], { best: game.moves.nodes[0].action, line: [game.moves.nodes[0].action] });
  return { engine: '1', playouts: 2000, head: game.head.hash, stale, done: plies.length, total: plies.length, state: 'DONE', accuracy: [71.4, null], turningPoints: [2], plies };
}

/** The page with an answer of its own to the question for an analysis. */
async function opened(analysis, hash = '#2', screen = SCREENS.light, signedIn = false) {
  const page = await open(browser, '', screen);
  await page.addInitScript(() => localStorage.setItem('plybook.settings', JSON.stringify({ results: true })));
  if (signedIn) await page.addInitScript((own) => localStorage.setItem('plybook.token', own), token());
  await page.route('**/graphql', (route) => {
    const { query } = route.request().postDataJSON();
    return query.startsWith('query Analysis(') ? route.fulfill({ json: { data: { game: { analysis } } } }) : route.fallback();
  });
  await page.goto(`/games/${game.id}${hash}`);
  await page.waitForSelector('#badge[data-state=verified]');
  return page;
}

test('an analysed game has a chart under the board, glyphs in the moves, marks on the slider, and words at each ply', async () => {
  const page = await opened(analysisOf());
  await page.waitForSelector('#chances:not([hidden]) .band.seat-2');
  assert.match(await page.getAttribute('#chances svg', 'aria-label'), /At the start: .* 60 %.*Turning points: ply 3/);
  assert.equal(await page.locator('#ply-3 .engine, .moves [data-ply="3"] .engine').first().textContent(), '??');
  await page.waitForSelector('#slips .slip.mistake[data-ply="3"]');
  await page.keyboard.press('a');
  await page.locator('#panel-analysis').getByText('a blunder: it gives away 40 %').first().waitFor();
  assert.match(await page.locator('.accuracy').textContent(), /71 %.*–/s);
  assert.equal(await page.locator('#panel-analysis').getByRole('button', { name: 'Analyse' }).count(), 0, 'nothing is to be asked for');
  await accessible(page, 'an analysed game');
  await shoot(page, 'analysis');
  // The best action is shown on the board, while the panel is open.
  await page.evaluate(() => { location.hash = '#0'; });
  await shown(page, 0);
  await page.waitForSelector('#board .mark-advice');
  await page.click('#tab-moves');
  await page.locator('#board .mark-advice').first().waitFor({ state: 'detached' });
  // A click on the chart leads to a ply, the list of moments too.
  const box = await page.locator('#chances svg').boundingBox();
  await page.mouse.click(box.x + box.width * 0.5, box.y + 20);
  await page.waitForFunction((half) => Math.abs(document.querySelector('#slider').valueAsNumber - half) <= 1, game.ply / 2);
  await page.click('#tab-analysis');
  await page.locator('.moments a').first().click();
  await shown(page, 3);
  await page.getByText('Every ply as text').click();
  await becomes(() => page.locator('.evaluations li').count(), game.ply + 1);
  await accessible(page, 'an analysis as text');
  await close(page);
});

test('an analysis leaves the board and the buttons where they are, and a line has no chart of the whole game', async () => {
  const sizes = [];
  for (const analysis of [null, analysisOf()]) {
    const page = await opened(analysis);
    if (analysis) await page.waitForSelector('#chances:not([hidden])');
    sizes.push(await page.locator('#board, #first, #help').evaluateAll((all) => all.map((each) => { const { x, y, width, height } = each.getBoundingClientRect(); return [x, y, width, height].map(Math.round); })));
    if (analysis) {
      assert.notEqual(await page.locator('#board').evaluate((board) => getComputedStyle(board, '::before').backgroundImage), 'none', 'the chances stand at the edge of the board');
      await page.locator('#act-open').click();
      await page.locator('#act-list:not(.stale) li').nth(3).click();
      await page.locator('#line-leave').waitFor();
      assert.equal(await page.locator('#chances').isVisible(), false);
    }
    await close(page);
  }
  assert.deepEqual(sizes[1], sizes[0]);
  assert.equal(sizes[0][1][1], sizes[0][2][1], 'all buttons are in one row');
});

test('the chart can be read on a phone and in forced colours', async () => {
  for (const [name, screen] of Object.entries({ phone: { ...SCREENS.phone, viewport: { width: 320, height: 640 } }, ...IS_ALL && { dark: SCREENS.dark }, forced: { ...SCREENS.light, forcedColors: 'active' } })) {
    const page = await opened(analysisOf(), '#5', screen);
    await page.waitForSelector('#chances:not([hidden]) .band');
    await page.click('#tab-analysis');
    const [fill, gap] = await page.evaluate(() => [getComputedStyle(document.querySelector('.band.seat-1')).fill, getComputedStyle(document.querySelector('.band.seat-1')).stroke]);
    assert.notEqual(fill, gap, `${name}: a line parts the bands`);
    await accessible(page, `an analysis, ${name}`);
    await shoot(page, `analysis-${name}`);
    await close(page);
  }
});

test('whoever is not signed in is told so, and a stale analysis says it', async () => {
  const none = await opened(null);
  await none.keyboard.press('a');
  await none.getByText('This game has not been analysed. Sign in to have it analysed.').waitFor();
  assert.equal(await none.locator('#chances').isHidden(), true);
  assert.equal(await none.getByRole('button', { name: 'Analyse' }).count(), 0);
  await accessible(none, 'no analysis');
  await close(none);
  const stale = await opened(analysisOf({ stale: true }), '#2', SCREENS.light, true);
  await stale.keyboard.press('a');
  await stale.getByText('The game has changed since it was analysed.').waitFor();
  await stale.getByRole('button', { name: 'Analyse again' }).waitFor();
  await close(stale);
});

test('a refusal is shown, and another attempt is possible', async () => {
  const page = await opened(null, '#2', SCREENS.light, true);
  await page.route('**/graphql', (route) => (route.request().postDataJSON().query.startsWith('mutation Analyze')
    ? route.fulfill({ json: { data: null, errors: [{ message: 'another game is being analysed for you', extensions: { code: 'BAD_INPUT' } }] } }) : route.fallback()));
  await page.keyboard.press('a');
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.getByText('Another game is being analysed for you.').waitFor();
  await page.getByRole('button', { name: 'Analyse' }).waitFor();
  await accessible(page, 'an analysis that was refused');
  await close(page);
});

test('the service analyses a game: it is waited for, cancelled, and made', async () => {
  const id = await newGame({ kind: 'triangulate', seats: SEATS.map(({ name }) => ({ name })) });
  for (let ply = 0; ply < 8; ply += 1) {
    const actions = await legal(id, '');
    if (actions.length > 0) await ask('mutation($id: ID!, $action: String!) { act(game: $id, action: $action) { ply } }', { id, action: actions[(ply * 7) % actions.length] }, token());
  }
  const page = await open(browser, '');
  await page.addInitScript(() => localStorage.setItem('plybook.settings', JSON.stringify({ results: true })));
  await page.addInitScript((own) => localStorage.setItem('plybook.token', own), token());
  await page.goto(`/games/${id}#1`);
  await page.waitForSelector('#badge[data-state=verified]');
  await page.keyboard.press('a');
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('The analysis was cancelled').waitFor();
  await page.getByRole('button', { name: 'Analyse' }).press('Enter');
  await page.locator('#panel-analysis progress:not([hidden])').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'panel-analysis', 'the button is gone');
  await page.locator('#chances:not([hidden])').waitFor({ timeout: 240_000 });
  await page.locator('#panel-analysis').getByRole('status').getByText('playouts a position').waitFor();
  assert.match(await page.locator('.evaluation').textContent(), /At ply 1.* %/);
  // The statistics of the kind have it in them.
  const { statistics: { analysis } } = await ask('{ statistics(kind: "triangulate") { analysis { games accuracyBySeat phases { actions } } } }');
  assert.ok(analysis.games > 0 && analysis.phases.some(({ actions }) => actions > 0));
  await page.goto('/statistics?kind=triangulate');
  const play = page.locator('section[aria-label=Play]');
  await play.getByText(`${analysis.games} analysed game`).waitFor();
  const told = await play.locator('.bars').first().locator('tbody tr').evaluateAll((rows) => rows.map((row) => [row.cells[0].textContent.at(-1), Number.parseFloat(row.cells[2].textContent)]));
  assert.deepEqual(told, analysis.accuracyBySeat.flatMap((value, index) => (value == null ? [] : [[String(index + 1), value]])));
  assert.deepEqual(await play.locator('.marked tbody tr td:first-of-type').allTextContents(), analysis.phases.map(({ actions }) => String(actions)));
  await accessible(page, 'statistics with analysis');
  await shoot(page, 'statistics-analysis');
  await page.setViewportSize({ width: 320, height: 740 });
  await page.goto('/statistics?kind=triangulate&lang=de');
  await page.locator('.marked').waitFor();
  await accessible(page, 'the play of analysed games in German on a small phone');
  const shares = await page.locator('.number.soft, .marked .soft').allTextContents();
  assert.deepEqual(shares.filter((share) => share.includes('%') && !/^ ?\d+(,\d)? %$/.test(share)), []);
  await close(page);
});
