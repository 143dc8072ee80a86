// Every tournament format in Chromium, run entirely from the console, against a running service.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_SHOTS=dir] node --test formats.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { IS_ALL, SCREENS, accessible, ask, becomes, close, launch, open, shoot, shut, thorough } from './service.mjs';
import { NAMES, TINY, created, finished, formed, names, opened, paired, ranked, signedIn, step, take, unique } from './tournament.mjs';

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

/** Creates a tournament with the form and pastes players; returns its id and their names. */
async function begun(page, name, { kind = 'triangulate', fields = {}, ticks = [], players }) {
  const id = await formed(page, name, { kind, ...fields }, ticks);
  const entered = players.map(unique);
  await page.click('.paste summary');
  await page.fill('#paste-text', entered.map((each, index) => `${each};${2400 - 50 * index}`).join('\n'));
  await page.click(`text=Enter ${players.length} players`);
  await page.waitForSelector(`#entrant-${players.length}`);
  return { id, entered };
}

/** Enters results with keys, table by table: `1`, `=`, `2`. Then closes the round. */
async function results(page, round, keys) {
  assert.equal(await page.locator('.table-row').count(), keys.length);
  for (const [index, key] of [...keys].entries()) {
    await page.locator(`[data-table="${index + 1}"] .score-button`).first().focus();
    await page.keyboard.press(key);
    await page.locator(`[data-table="${index + 1}"] .score-button[aria-pressed=true]`).waitFor();
  }
  await take(page, `Close round ${round}`);
}

/** Looks at views of the public page, on several screens and on paper. */
async function looked(id, views, name) {
  if (!IS_ALL) return;
  for (const [screen, options] of Object.entries({ light: SCREENS.light, tiny: TINY })) {
    const page = await open(browser, '', options);
    for (const view of views) {
      await page.goto(`/tournaments/${id}?view=${view}`);
      await page.waitForSelector('#content[aria-busy=false] > :not(.empty)');
      await accessible(page, `${name}, ${view}, ${screen}`);
      await shoot(page, `${name}-${view}-${screen}`);
    }
    await page.goto(`/tournaments/${id}?projector`);
    await page.locator('.beam tr').first().waitFor();
    await accessible(page, `${name}, projector, ${screen}`);
    await shoot(page, `${name}-projector-${screen}`);
    if (screen === 'light') {
      await page.goto(`/tournaments/${id}?view=${views[0]}`);
      await page.waitForSelector('#content[aria-busy=false] > :not(.empty)');
      await page.emulateMedia({ media: 'print' });
      await shoot(page, `${name}-print`);
    }
    await close(page);
  }
}

/** The names in the standings, in order, with how far each has come. */
async function standings(id) {
  const { tournament } = await ask('query Standings($id: ID!) { tournament(id: $id) { standings { rank reached entrant { name } } } }', { id });
  return tournament.standings.map(({ rank, reached, entrant: { name } }) => ({ rank, reached, name }));
}

async function verified(id) {
  const { tournament } = await ask('query Verified($id: ID!) { tournament(id: $id) { verification { valid problem } } }', { id });
  assert.deepEqual(tournament.verification, { valid: true, problem: null });
}

thorough('a knock-out of six: byes, a level match replayed, matches of several games, third place', async () => {
  const page = await signedIn(browser, '/tournaments/new');
  const { id, entered } = await begun(page, 'Cup', { fields: { format: 'KNOCKOUT', bestOf: '2' }, ticks: ['thirdPlace'], players: NAMES.slice(0, 6) });
  const seed = (number) => entered[number - 1];

  await take(page, 'Pair round 1');
  await step(page, 'Open round 1');
  await page.getByText('Not playing in this round').waitFor();
  assert.deepEqual((await names(page, '.byes .name')).sort(), [seed(1), seed(2)], 'the best seeds have byes');
  assert.deepEqual(await names(page, '.duel .result .detail'), ['Quarter-finals', 'Quarter-finals']);
  await take(page, 'Open round 1');
  await page.locator('.table-row').first().waitFor();
  await page.locator('.table-row').getByText('Quarter-finals').first().waitFor();
  await results(page, 1, '1=');

  // Both matches continue, with seats changed. One is decided, the other level.
  await opened(page, 2);
  await page.getByText('game 2').first().waitFor();
  await results(page, 2, '==');
  await opened(page, 3);
  assert.equal(await page.locator('.table-row').count(), 1, 'only the level match is replayed');
  await results(page, 3, '1');

  // Semi-finals: a match of two games is over when one side cannot be caught.
  await opened(page, 4);
  await page.getByText('Semi-finals').first().waitFor();
  await results(page, 4, '11');
  await opened(page, 5);
  await results(page, 5, '22');

  // The result of a decided match is corrected before the next round, so the match is open again.
  await step(page, 'Pair round 6');
  await page.getByRole('link', { name: 'Round 5, finished' }).click();
  await page.locator('.round-acts button[aria-disabled=false]', { hasText: 'Reopen' }).click();
  await page.locator('[data-table="1"]').waitFor();
  await page.locator('[data-table="1"] .score-button').first().focus();
  await page.keyboard.press('1');
  await page.waitForFunction(() => document.querySelector('[data-table="1"] [aria-pressed=true]')?.textContent === '1–0');
  await take(page, 'Close round 5');
  await opened(page, 6);
  assert.equal(await page.locator('.table-row').count(), 1, 'the final waits for the match that is level again');
  await results(page, 6, '1');

  await opened(page, 7);
  await page.getByText('Third place').first().waitFor();
  await shoot(page, 'cup-console');
  await accessible(page, 'the console of a knock-out');
  await results(page, 7, '11');
  await opened(page, 8);
  await results(page, 8, '==');
  await page.getByText('The knock-out is decided.').waitFor();
  await finished(page);
  await verified(id);

  const watcher = await open(browser, `/tournaments/${id}?view=bracket`);
  await watcher.locator('.stage').nth(2).waitFor();
  assert.deepEqual(await names(watcher, '.stage > h3'), ['Quarter-finals', 'Semi-finals', 'Final', 'Third place']);
  const final = await standings(id);
  assert.deepEqual(final.map(({ reached }) => reached), ['Winner', 'Final', 'Third place', 'Fourth place', 'Quarter-finals', 'Quarter-finals']);
  assert.equal(await watcher.locator('.stage:not(.third)').last().locator('.won .name').textContent(), final[0].name);
  assert.equal(await watcher.locator('.third .won .name').textContent(), final[2].name);
  assert.deepEqual((await names(watcher, '.third .side-score')).sort(), ['1½', '½']);
  await close(watcher);
  await looked(id, ['bracket', 'pairings', 'standings', 'crosstable'], 'cup');
  await close(page);
});

thorough('groups, then a knock-out: each group has a table, and the bracket follows', async () => {
  const page = await signedIn(browser, '/tournaments/new');
  const { id, entered } = await begun(page, 'Groups', { fields: { format: 'GROUPS_KNOCKOUT', groups: '2', qualifiers: '2' }, players: NAMES });
  const watcher = await open(browser, `/tournaments/${id}?view=bracket`);
  await watcher.getByText('The bracket is drawn when all groups are played.').waitFor();
  for (const [index, keys] of ['1111', '1=12', '11=1'].entries()) {
    await opened(page, index + 1);
    await results(page, index + 1, keys);
  }
  await watcher.getByRole('link', { name: 'Groups' }).click();
  await watcher.locator('.group-standings').nth(1).waitFor();
  assert.deepEqual(await watcher.locator('.group-standings tbody').evaluateAll((bodies) => bodies.map((body) => body.rows.length)), [4, 4]);
  assert.deepEqual((await names(watcher, '.group-standings .name')).sort(), [...entered].sort());
  const through = (await Promise.all([0, 1].map((group) => names(watcher, `.group-standings >> nth=${group} >> .name`)))).map((group) => group.slice(0, 2)).flat();
  await opened(page, 4);
  await watcher.getByRole('link', { name: 'Bracket' }).click();
  await watcher.locator('.match').first().waitFor();
  assert.deepEqual((await names(watcher, '.match .name')).sort(), through.sort(), 'two of each group advance');
  await results(page, 4, '12');
  await opened(page, 5);
  await results(page, 5, '1');
  await page.getByText('The knock-out is decided.').waitFor();
  await finished(page);
  await verified(id);
  await close(watcher);
  await looked(id, ['groups', 'bracket', 'standings'], 'groups');
  await close(page);
});

thorough('a round robin of five: everybody sits out once, and the crosstable is square', async () => {
  const page = await signedIn(browser, '/tournaments/new');
  const { id } = await begun(page, 'Round robin', { fields: { format: 'ROUND_ROBIN' }, players: NAMES.slice(0, 5) });
  for (let round = 1; round <= 5; round++) {
    await take(page, `Pair round ${round}`);
    await step(page, `Open round ${round}`);
    await becomes(() => page.locator('.byes li').count(), 1);
    await take(page, `Open round ${round}`);
    await page.locator('.table-row').first().waitFor();
    await results(page, round, round % 2 ? '1=' : '21');
  }
  await page.getByText('All rounds are played.').waitFor();
  await finished(page);
  await verified(id);
  const watcher = await open(browser, `/tournaments/${id}?view=crosstable`);
  await watcher.locator('.cross tbody tr').nth(4).waitFor();
  const cells = await watcher.locator('.cross tbody tr').evaluateAll((rows) => rows.map((row) => [...row.cells].slice(2, -1).map((cell) => cell.textContent)));
  for (const [row, of] of cells.entries()) for (const [column, text] of of.entries()) assert.match(text, row === column ? /^self$/ : /^(0|½|1)$/);
  await close(watcher);
  await looked(id, ['crosstable', 'standings', 'pairings'], 'robin');
  await close(page);
});

test('pods for more than two seats: rankings, shared places, tables of different sizes', async () => {
  const page = await signedIn(browser, '/tournaments/new');
  const players = [...NAMES, 'Ida Rolf', 'Jean Arp', 'Kurt Weill'];
  const { id } = await begun(page, 'Pods', { kind: 'triforce', fields: { seats: '4', rounds: '2' }, players });
  await opened(page, 1);
  const sizes = await page.locator('.table-row').evaluateAll((rows) => rows.map((row) => row.querySelectorAll('.names > span').length));
  assert.deepEqual(sizes, [4, 4, 3]);
  await ranked(page, 1, [2, 1, 4, 3]);
  await ranked(page, 2, [1, 2, 3, 4]);
  await shoot(page, 'pods-console');
  await page.click('[data-table="3"] .score-button');
  await page.locator('.ranking-seats button').nth(0).click();
  await page.check('.ranking-field input');
  await page.locator('.ranking-seats button').nth(1).click();
  await page.locator('.ranking-seats button').nth(2).click();
  await accessible(page, 'a ranking that is entered');
  await shoot(page, 'pods-ranking');
  await page.getByRole('button', { name: 'Enter', exact: true }).click();
  await step(page, 'Close round 1');
  await accessible(page, 'the console of pods');
  await looked(id, ['pairings', 'pairings&by=name', 'now', 'standings', 'crosstable'], 'pods');
  await take(page, 'Close round 1');
  await opened(page, 2);
  // Places can be exchanged by hand at tables of any size.
  for (const table of sizes.keys()) await ranked(page, table + 1);
  await take(page, 'Close round 2');
  await finished(page);
  await verified(id);
  const { tournament } = await ask('query Scores($id: ID!) { tournament(id: $id) { standings { score } } }', { id });
  // Two who share 1.5 points have 0.7 each: points are tenths, rounded down.
  assert.equal(tournament.standings.reduce((sum, { score }) => sum + 10 * score, 0), 2 * (60 + 60 + 45) - 1, 'a win is worth the same at each table');
  await close(page);
});

thorough('tables of thirteen fit the console, slips, boards and the projector', async () => {
  const players = Array.from({ length: 26 }, (_, index) => `Player ${String.fromCharCode(65 + index)}`);
  const { id } = await created('Thirteen', players, { kind: 'triforce-building', seats: 13, rounds: 2 });
  await paired(id);
  const page = await signedIn(browser, `/tournaments/${id}/organise`);
  await take(page, 'Open round 1');
  await page.locator('.table-row').first().waitFor();
  await ranked(page, 1, [3, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 13, 12]);
  assert.deepEqual((await names(page, '[data-table="1"] .place')).map((text) => text.trim()), ['2.', '3.', '1.', '4.', '5.', '6.', '7.', '8.', '9.', '10.', '11.', '13.', '12.']);
  await page.click('text=Table slips');
  await page.click('text=All 2 tables');
  await page.locator('.slip').nth(1).waitFor();
  assert.equal(await page.locator('.slip').first().locator('.slip-place').count(), 13, 'a line for the place of each');
  await accessible(page, 'slips of thirteen');
  await looked(id, ['pairings', 'now'], 'thirteen');
  await close(page);
});

test('a free tournament is paired by hand, round by round', async () => {
  const page = await signedIn(browser, '/tournaments/new');
  const { id } = await begun(page, 'Free', { fields: { format: 'FREE', rounds: '' }, players: NAMES.slice(0, 5) });
  await page.getByText('Round 1 has to be paired by hand.').first().waitFor();
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Rounds' }).click();
  await page.click('text=Pair by hand');
  await page.waitForSelector('[data-place]');
  await accessible(page, 'a pairing by hand');
  await shoot(page, 'free-draft');
  // Everybody starts out not playing; a choice and a place seat them one after the other.
  for (const place of ['0.0', '0.1', '1.0', '1.1']) {
    await page.locator('#draft-out .seat-button').first().click();
    await page.click(`[data-place="${place}"]`);
  }
  await page.waitForFunction(() => /^Save/.test(document.querySelector('.draft-acts .primary').textContent) && document.querySelector('.draft-acts .primary').getAttribute('aria-disabled') === 'false');
  await page.click('.draft-acts .primary');
  await page.getByText('is saved').waitFor();
  await take(page, 'Open round 1');
  await page.locator('.table-row').first().waitFor();
  await results(page, 1, '1=');
  await page.getByRole('button', { name: 'Finish now' }).click();
  await page.getByText('The tournament is finished.').first().waitFor();
  await verified(id);
  await looked(id, ['pairings', 'standings', 'crosstable'], 'free');
  await close(page);
});

test('tables of a free tournament have as many seats as players sit there', async () => {
  const { id } = await created('Free pods', NAMES.slice(0, 7), { kind: 'triforce', format: 'FREE', seats: 4 });
  const page = await signedIn(browser, `/tournaments/${id}/organise?tab=rounds`);
  await take(page, 'Pair by hand');
  await page.waitForSelector('[data-place="0.3"]');
  await page.click('text=Add a table');
  for (const place of ['0.0', '0.1', '0.2', '0.3', '1.0', '1.2', '1.3']) {
    await page.locator('#draft-out .seat-button').first().click();
    await page.click(`[data-place="${place}"]`);
  }
  // What is looked up in between changes nothing.
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Players' }).click();
  await page.locator('#entrant-1').waitFor();
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Rounds' }).click();
  await page.locator('.draft-acts .primary[aria-disabled=false]').click();
  await page.getByText('is saved').waitFor();
  await take(page, 'Open round 1');
  await page.locator('.table-row').nth(1).waitFor();
  const { tournament } = await ask('query Seats($id: ID!) { tournament(id: $id) { round(number: 1) { tables { seats { number } } } } }', { id });
  assert.deepEqual(tournament.round.tables.map(({ seats }) => seats.length), [4, 3]);
  await close(page);
});

test('partners share a place, are no opponents, and are absent together', async () => {
  const { id } = await created('Partners', NAMES, { kind: 'heaps', seats: 4, rounds: 1, setups: [{ teams: true }] });
  const page = await signedIn(browser, `/tournaments/${id}/organise`);
  await opened(page, 1);
  await ranked(page, 1, [1, 2]);
  const places = await names(page, '[data-table="1"] .place');
  assert.deepEqual(places.map((text) => text.trim()), ['1.', '3.', '1.', '3.']);
  await page.locator('[data-table="2"] button').last().click();
  await page.locator('dialog button', { hasText: 'did not come' }).nth(1).click();
  await page.waitForFunction(() => document.querySelector('[data-table="2"]').classList.contains('has-result'));
  await page.goto(`/tournaments/${id}?view=pairings&by=name`);
  await page.locator('.by-name tbody tr').first().waitFor();
  assert.match(await page.locator('.by-name tbody').innerText(), /\(with /);
  await close(page);
});
