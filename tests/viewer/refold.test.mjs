// What the present rules say of a game, in Chromium, against a running service.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 [PLYBOOK_SHOTS=dir] node --test refold.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { refoldWords } from '../../web-viewer/model/refold.js';
import { SCREENS, accessible, ask, close, finishedGame, launch, open, rewriteAnswers, shoot, shut } from './service.mjs';

const SAME = Object.freeze({ recorded: 'v1', present: 'v1', ply: 9, verdict: 'SAME', difference: null });

test('verdicts are said in words', () => {
  assert.equal(refoldWords(SAME), 'The same under the present rules (v1).');
  assert.equal(refoldWords({ ...SAME, recorded: 'v0' }), 'Recorded under v0. The same under the present rules (v1).');
  assert.equal(refoldWords({ ...SAME, verdict: 'SEALED' }), 'The same under the present rules (v1) as far as it has been revealed: up to ply 9.');
  assert.equal(refoldWords({ ...SAME, verdict: 'ORPHAN' }), 'Not judged: the log that this line continues is not recorded here.');
  const difference = { log: 'g', seq: 0, ply: 0, what: 'KIND', why: 'no game is called "x" any more' };
  assert.equal(refoldWords({ ...SAME, present: null, verdict: 'DIFFERS', difference }), 'Recorded under v1. Different under the present rules from event 0 on');
});

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const JUDGE = { name: 'Judge by the present rules' };

/** Opens the log of a game once the page shows the game: before that, nobody may listen to its tab yet. */
async function openLog(page) {
  await page.locator('#board svg').first().waitFor();
  await page.click('#tab-log');
}

/** Answers with a difference at a ply of the game. */
function differ(page, ply) {
  return rewriteAnswers(page, 'Refold', (answer, { id }) => {
    answer.data.game.refold = { recorded: 'v0', present: 'v1', ply: ply - 1, verdict: 'DIFFERS', difference: { log: id, seq: 3, ply, what: 'ACTION', why: 'seat:1 b2-b8: no frog may go there' } };
    return answer;
  });
}

test('the present rules are asked on demand, above the log', async () => {
  const { id } = await finishedGame('triangulate');
  const page = await open(browser, `/games/${id}`);
  const asked = [];
  page.on('request', (request) => request.postData()?.includes('query Refold') && asked.push(request));
  await openLog(page);
  await page.getByRole('button', JUDGE).waitFor();
  assert.equal(asked.length, 0);
  await accessible(page, 'the button above the log');
  await page.getByRole('button', JUDGE).click();
  await page.locator('.refold').getByText('The same under the present rules (v1).').waitFor();
  assert.equal(await page.getByRole('button', JUDGE).isVisible(), false);
  assert.equal(asked.length, 1);
  await accessible(page, 'a game that is the same');
  await shoot(page, 'refold-same');
  await close(page);
});

test('a difference leads to its ply, if the game came that far', async () => {
  const { id } = await finishedGame('triangulate');
  const page = await open(browser, `/games/${id}`, SCREENS.phone);
  await differ(page, 3);
  await openLog(page);
  await page.getByRole('button', JUDGE).click();
  const said = page.locator('.refold p');
  await said.getByText('Different under').waitFor();
  assert.equal(await said.textContent(), 'Recorded under v0. Different under the present rules (v1) from event 3 on (ply 3): seat:1 b2-b8: no frog may go there');
  await accessible(page, 'a game that differs, on a phone');
  await shoot(page, 'refold-differs-phone');
  await page.getByRole('link', { name: 'ply 3', exact: true }).click();
  await page.waitForSelector('#board svg[aria-label="Board after ply 3"]');
  await page.waitForURL(`**/games/${id}#3`);
  await page.unrouteAll();
  await differ(page, 1_000);
  await page.reload();
  await openLog(page);
  await page.getByRole('button', JUDGE).click();
  await said.getByText('(ply 1000)').waitFor();
  assert.equal(await said.locator('a').count(), 0);
  await close(page);
});

test('a running game with secrets is judged as far as it is revealed', async () => {
  const { games } = await ask('{ games(filter: { status: RUNNING }, first: 100) { nodes { id ruleSet { secrets } refold { verdict ply } } } }');
  const game = games.nodes.find(({ ruleSet, refold }) => ruleSet.secrets && refold.verdict === 'SEALED');
  const page = await open(browser, `/games/${game.id}`, SCREENS.dark);
  await openLog(page);
  await page.getByRole('button', JUDGE).click();
  await page.locator('.refold').getByText(`as far as it has been revealed: up to ply ${game.refold.ply}.`).waitFor();
  await close(page);
});

test('a failure is said, and the present rules can be asked again', async () => {
  const { id } = await finishedGame('tri');
  const page = await open(browser, `/games/${id}`);
  await rewriteAnswers(page, 'Refold', () => ({ errors: [{ message: 'too busy', extensions: { code: 'OVERLOADED' } }] }));
  await openLog(page);
  await page.getByRole('button', JUDGE).click();
  await page.locator('.refold p:not(:empty)').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', JUDGE).click();
  await page.locator('.refold').getByText('The same under the present rules').waitFor();
  await close(page);
});

test('a game whose rules are gone cannot be replayed, and the present rules say what they make of it', async () => {
  const { id } = await finishedGame('triangulate');
  const page = await open(browser, `/games/${id}`);
  await rewriteAnswers(page, 'Game', () => ({ data: null, errors: [{ message: 'something went wrong', extensions: { code: 'INTERNAL' } }] }));
  await differ(page, 3);
  await page.reload();
  const said = page.locator('#notice + .refold p');
  await said.getByText('no longer has the rules of this game').waitFor();
  assert.match(await said.textContent(), /cannot be replayed\. Recorded under v0\. Different under the present rules \(v1\) from event 3 on \(ply 3\): seat:1 b2-b8/);
  assert.equal(await said.locator('a').count(), 0);
  await accessible(page, 'a game that cannot be replayed');
  await shoot(page, 'refold-gone');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await openLog(page);
  await page.locator('#panel-log .refold').getByRole('button', JUDGE).click();
  await page.locator('#panel-log .refold').getByText('The same under the present rules (v1).').waitFor();
  await close(page);
});
