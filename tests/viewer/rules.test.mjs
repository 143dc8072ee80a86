// The rules in the browser: a record judged, and what is shown compared with it, in Chromium against a running service.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 [PLYBOOK_SHOTS=dir] node --test rules.test.mjs

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { MODULES } from '../../web-viewer/rules/modules.js';
import { BASE, KINDS, accessible, ask, becomes, close, finishedGame, launch, open, rewriteAnswers, shoot, shut } from './service.mjs';

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const verified = (page) => page.waitForSelector('#badge[data-state=verified]');
const failed = (page) => page.waitForSelector('#badge[data-state=failed]');
const judged = (page, text) => page.locator('#judged').getByText(text).waitFor();

test('the rules are served once, for ever, and compressed', async () => {
  for (const [kind, name] of MODULES) {
    const response = await fetch(`${BASE}/static/rules/${name}`, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(response.headers.get('content-type'), 'application/gzip');
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    const hash = createHash('sha256').update(gunzipSync(Buffer.from(await response.arrayBuffer()))).digest('hex');
    assert.equal(name, `${kind}-${hash.slice(0, 16)}.wasm.gz`);
  }
});

test('a record of every kind is judged by the rules, which are loaded once the board stands', async () => {
  const { rules } = await ask('{ rules { kind version } }');
  let tried = 0;
  for (const { kind, version } of rules.filter(({ kind }) => KINDS.includes(kind) || !MODULES.has(kind))) {
    const { games: { nodes: [game] } } = await ask('query($kind: String) { games(filter: {kind: $kind, status: FINISHED, origin: RECORDED}, first: 1) { nodes { id ply } } }', { kind });
    if (!game) continue;
    const page = await open(browser, '');
    const loaded = [];
    page.on('request', (request) => request.url().endsWith('.wasm.gz') && loaded.push(request.url()));
    await page.goto(`/games/${game.id}`);
    // Games that only the tests have are not in the module.
    const isKnown = MODULES.has(kind);
    await page.waitForSelector(`#badge[data-state=${isKnown ? 'verified' : 'unknown'}]`);
    await page.click('#badge');
    await judged(page, isKnown ? `under rules ${version}` : 'Not checked');
    if (isKnown) {
      await page.locator('#badge-text').getByText(/^Verified · /).waitFor();
      await accessible(page, `verification of ${kind}`);
      await shoot(page, `judged-${kind}`);
      await page.keyboard.press('Escape');
      await page.keyboard.press('End');
      await page.waitForSelector(`#board svg[aria-label="Board after ply ${game.ply}"]`);
      assert.equal(await page.locator('#alarm').isVisible(), false, kind);
      tried += 1;
    }
    assert.equal(loaded.length, isKnown ? 1 : 0);
    await close(page);
  }
  assert.equal(tried, KINDS.length);
});

/** The log with another action at an event, and hashes computed again. */
function forged(log, seq, action) {
  let prev = '0'.repeat(64);
  return log.trimEnd().split('\n').map((line, index) => {
    const event = JSON.parse(line);
    if (index === seq) event.body.action = action;
    const text = JSON.stringify({ ...event, prev });
    prev = createHash('sha256').update('plybook/event/v1\0').update(text).digest('hex');
    return { text, prev };
  });
}

test('an action that the rules do not allow is named, although the service and every hash say otherwise', async () => {
  const game = await finishedGame();
  const log = await (await fetch(`${BASE}/games/${game.id}/log.ndjson`)).text();
  const lines = log.trimEnd().split('\n').map((line) => JSON.parse(line));
  const seq = lines.findIndex(({ type }, index) => index > 3 && type === 'acted');
  const old = lines[seq].body.action;
  const action = 'a1-e5';
  const events = forged(log, seq, action);
  const page = await open(browser, '');
  await page.route('**/log.ndjson', (route) => route.fulfill({ body: events.map(({ text }) => `${text}\n`).join('') }));
  await rewriteAnswers(page, 'Game', (answer) => {
    answer.data.game.head.hash = events.at(-1).prev;
    return answer;
  });
  await rewriteAnswers(page, 'Moves', (answer) => {
    for (const node of answer.data.game.moves.nodes) if (node.seq === seq) Object.assign(node, { action, text: node.text.replace(old, action) });
    return answer;
  });
  await page.goto(`/games/${game.id}`);
  await failed(page);
  assert.match(await page.locator('#alarm').textContent(), new RegExp(`Do not trust this page.* Event ${seq} does not hold: .+\\.$`));
  await page.click('#badge');
  await becomes(() => page.locator('#badge-text').textContent(), `Failed at seq ${seq}`);
  await page.getByRole('dialog').getByText(`Event ${seq} does not hold`).waitFor();
  await shoot(page, 'judged-illegal');
  await accessible(page, 'an illegal action');
  await close(page);
});

test('a position that does not follow from the log is noticed', async () => {
  const game = await finishedGame();
  const page = await open(browser, '');
  await rewriteAnswers(page, 'Positions', (answer) => {
    for (const position of answer.data.game.positions) if (position.ply === 3) position.text += ' And more.';
    return answer;
  });
  await page.goto(`/games/${game.id}#2`);
  await verified(page);
  await page.click('#badge');
  await judged(page, 'The positions shown are compared');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  await failed(page);
  assert.match(await page.locator('#alarm').textContent(), /The position at ply 3 is not the one that the rules give\.$/);
  await close(page);
});

test('once the rules are there, lines are played and positions shown with no connection', async () => {
  const game = await finishedGame();
  const page = await open(browser, `/games/${game.id}#3`);
  await verified(page);
  await page.click('#badge');
  await judged(page, 'The positions shown are compared');
  await page.keyboard.press('Escape');
  await page.waitForSelector('#board svg[aria-label="Board after ply 3"]');
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
  const played = [];
  await page.click('#act-open');
  for (let ply = 4; ply < 7; ply += 1) {
    const option = page.locator('[role=option]').nth(ply === 4 ? 5 : 0);
    await option.waitFor();
    played.push(await option.textContent());
    await option.click();
    await page.waitForSelector(`#board svg[aria-label="Board after ply ${ply}"]`);
  }
  assert.equal(await page.locator('.variation .name').getByText('Tried here').count(), 1);
  assert.ok(played.every((action) => action.includes('-')), `each option is an action: ${played.join(' ')}`);
  assert.ok(await page.locator('#board > :not([aria-hidden]) .last').count() > 0, 'what was played last is marked');
  assert.equal(await page.locator('#notice').isVisible(), false);
  await shoot(page, 'line-offline');
});

test('without the rules, the badge and the dialog say so', async () => {
  const game = await finishedGame();
  const page = await open(browser, '');
  await page.route('**/*.wasm.gz', (route) => route.abort());
  await page.goto(`/games/${game.id}`);
  await page.locator('#badge[data-state=unknown] #badge-text').getByText('Not checked').waitFor();
  await page.click('#badge');
  await judged(page, 'Not checked');
  await page.unrouteAll();
  await page.keyboard.press('Escape');
  await page.click('#badge');
  await judged(page, 'under rules');
});
