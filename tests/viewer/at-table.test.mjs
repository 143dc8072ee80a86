// The page of a table in Chromium, opened by the link on its slip, against a running service.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_SHOTS=dir] node --test at-table.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { BASE, SCREENS, accessible, ask, close, launch, open, shoot, shut, token } from './service.mjs';
import { NAMES, created, decide, paired, signedIn, step, take } from './tournament.mjs';

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

/** A tournament whose first round is open, with the links of its tables. */
async function hall(name, players, options) {
  const { id } = await created(name, players, options);
  await paired(id);
  await decide(id, 'openRound(round: 1) { number }');
  const { issueTableTokens } = await decide(id, 'issueTableTokens(round: 1) { table token names }');
  return { id, links: issueTableTokens.map((slip) => `/table#token=${slip.token}`), seated: issueTableTokens.map((slip) => slip.names) };
}

const atTable = (link) => open(browser, link, SCREENS.phone);

/** Records the first legal action of a table's game, typed. */
async function began(phone, id, table) {
  const { tournament } = await ask('query Legal($id: ID!, $table: Int!) { tournament(id: $id) { round(number: 1) { table(number: $table) { game { position { legalActions } } } } } }', { id, table });
  await phone.getByRole('link', { name: 'Record the game' }).tap();
  await phone.locator('.board.playable').waitFor();
  await phone.fill('#action', tournament.round.table.game.position.legalActions[0]);
  await phone.locator('#typed button').tap();
  await phone.locator('#ply-1').waitFor();
  await phone.getByRole('link', { name: /^Table / }).tap();
  await phone.getByRole('link', { name: 'Continue recording the game (ply 1)' }).waitFor();
}

async function tableOf(id, table) {
  const { tournament } = await ask('query Table($id: ID!, $table: Int!) { tournament(id: $id) { round(number: 1) { table(number: $table) { result source status game { id status head { seq } outcome { winners reason } } } } } }', { id, table });
  return tournament.round.table;
}

async function chosen(phone, index) {
  await phone.locator('.choices button').nth(index).tap();
  await phone.locator('#confirm').waitFor();
}

test('a result without a record is entered, and corrected at the table', async () => {
  const { id, links, seated } = await hall('Result only', NAMES.slice(0, 2));
  const phone = await atTable(links[0]);
  await phone.getByText('How did it end?').waitFor();
  await chosen(phone, 1);
  await phone.getByRole('button', { name: 'No, back' }).tap();
  await chosen(phone, 0);
  await phone.getByText(`${seated[0][0]} won?`).waitFor();
  await phone.locator('#confirm').tap();
  await phone.locator('.final').getByText('1–0').waitFor();
  await phone.getByRole('button', { name: 'That is wrong: change it' }).tap();
  await chosen(phone, 1);
  await phone.locator('#confirm').tap();
  await phone.locator('.final').getByText('½–½').waitFor();
  await phone.locator('#disputed').waitFor();
  await accessible(phone, 'a result at the table');
  // Entered again, it is what the table means.
  await phone.getByRole('button', { name: 'That is wrong: change it' }).tap();
  await chosen(phone, 1);
  await phone.locator('#confirm').press('Enter');
  await phone.locator('#disputed').waitFor({ state: 'detached' });
  assert.equal(await phone.evaluate(() => document.activeElement.id), 'table', 'the focus is not at the start of the page');
  const found = await tableOf(id, 1);
  assert.deepEqual([found.result, found.source, found.game.status], ['½–½', 'TABLE', 'FINISHED'], 'the game that was not recorded is over');
  assert.equal(await phone.getByRole('link', { name: 'Record the game' }).count(), 0);
  await close(phone);
});

test('once the record has begun, the game ends with the result: somebody resigns, or both agree on a draw', async () => {
  const { id, links, seated } = await hall('Recorded', NAMES.slice(0, 4));
  const resigning = await atTable(links[0]);
  await began(resigning, id, 1);
  await chosen(resigning, 2);
  await resigning.getByText(`In the record, ${seated[0][0]} resigns.`).waitFor();
  await accessible(resigning, 'a result to confirm');
  await shoot(resigning, 'table-resigns');
  await resigning.locator('#confirm').tap();
  await resigning.locator('.final').getByText('0–1').waitFor();
  await resigning.getByText('This follows from the record of the game.').waitFor();
  assert.equal(await resigning.getByRole('button', { name: /change it/ }).count(), 0, 'the record is corrected by the organiser');
  const first = await tableOf(id, 1);
  assert.deepEqual([first.source, first.game.outcome.winners, first.game.status], ['GAME', [2], 'FINISHED']);

  const agreeing = await atTable(links[1]);
  await began(agreeing, id, 2);
  // An offer that stands is answered.
  await ask('mutation Offer($game: ID!) { offerDraw(game: $game, seat: 2) { id } }', { game: (await tableOf(id, 2)).game.id }, token());
  await chosen(agreeing, 1);
  await agreeing.getByText('both agree on a draw').waitFor();
  await agreeing.locator('#confirm').tap();
  await agreeing.locator('.final').getByText('½–½').waitFor();
  const second = await tableOf(id, 2);
  assert.deepEqual([second.source, second.game.outcome.winners], ['GAME', []]);
  await close(resigning);
  await close(agreeing);
});

test('the organiser adjudicates a game that is being recorded; the table and the record show it', async () => {
  const { id, links, seated } = await hall('Adjudicated', NAMES.slice(0, 2));
  const phone = await atTable(links[0]);
  await began(phone, id, 1);
  const page = await signedIn(browser, `/tournaments/${id}/organise`);
  await page.locator('[data-table="1"]').getByText('ply 1').waitFor();
  await page.locator('[data-table="1"] .score-button').first().click();
  await page.getByText('Table 1: the game is decided, as its record shows.').waitFor();
  await phone.locator('.final').getByText('1–0').waitFor();
  await page.locator('#toast button[aria-disabled=false]', { hasText: 'Undo' }).click();
  await phone.getByText('How did it end?').waitFor();
  assert.equal((await tableOf(id, 1)).game.status, 'RUNNING', 'the game goes on');
  await page.waitForFunction(() => document.querySelector('[data-table="1"]').classList.contains('waits'));
  await page.locator('[data-table="1"] .score-button').first().click();
  await phone.locator('.final').getByText(`${seated[0][0]} won`).waitFor();
  const found = await tableOf(id, 1);
  assert.deepEqual([found.source, found.game.outcome], ['GAME', { winners: [1], reason: 'decided by the organiser' }]);
  // The decision was wrong; the opposite one corrects the record. What can be undone then is the new one.
  await page.getByText('Table 1: the game is decided, as its record shows.').waitFor();
  await page.locator('#toast').getByRole('button', { name: 'Close' }).click();
  await page.locator('[data-table="1"] .score-button').nth(2).click();
  await phone.locator('.final').getByText('0–1').waitFor();
  assert.deepEqual((await tableOf(id, 1)).game.outcome.winners, [2]);
  await page.locator('#toast button[aria-disabled=false]', { hasText: 'Undo' }).click();
  await phone.locator('.final').getByText('1–0').waitFor();
  // The same result again corrects nothing.
  await page.locator('[data-table="1"] .score-button[aria-pressed=true]', { hasText: '1–0' }).waitFor();
  const { game: { head: { seq } } } = await tableOf(id, 1);
  for (const button of [0, 1]) await page.locator('[data-table="1"] .score-button').nth(button).click();
  await phone.locator('.final').getByText('½–½').waitFor();
  assert.equal((await tableOf(id, 1)).game.head.seq, seq + 1);
  await close(page);
  await close(phone);
});

test('forfeits by one and by both, and a game that is adjourned and resumed', async () => {
  const { id, links, seated } = await hall('Absent', NAMES.slice(0, 6));
  const page = await signedIn(browser, `/tournaments/${id}/organise`);
  const phones = [];
  for (const link of links) phones.push(await atTable(link));
  const more = async (table) => {
    await page.click(`[data-table="${table}"] [aria-label^="More"]`);
    await page.locator('dialog').waitFor();
  };
  await more(1);
  await page.getByRole('button', { name: `${seated[0][0]} did not come` }).click();
  await phones[0].getByText('Decided without play by the organiser.').waitFor();
  await phones[0].locator('.final').getByText(`${seated[0][0]} did not come`).waitFor();
  assert.equal(await phones[0].locator('.toggle').count(), 0, 'there is no game to record');
  await accessible(phones[0], 'a forfeit at the table');
  await shoot(phones[0], 'table-forfeit');
  await more(2);
  await page.getByRole('button', { name: 'Neither came' }).click();
  await phones[1].getByText('Decided without play by the organiser.').waitFor();
  await phones[1].locator('.final').getByText('Neither came').waitFor();
  await page.locator('[data-table="2"]').getByText('− −').waitFor();
  await shoot(phones[1], 'table-double-forfeit');
  await more(3);
  await page.fill('#adjourn-until', 'tomorrow, 10:00');
  await page.getByRole('button', { name: 'Adjourn', exact: true }).click();
  await phones[2].getByText('The game is adjourned until tomorrow, 10:00.').waitFor();
  await accessible(phones[2], 'an adjourned game at the table');
  await shoot(phones[2], 'table-adjourned');

  // A round can be closed and the next one paired while a game is adjourned; it is finished later.
  const watcher = await open(browser, `/tournaments/${id}?view=pairings&round=1`);
  await watcher.locator('.duel').getByText('adjourned').waitFor();
  assert.deepEqual(await watcher.locator('.duel .record').allTextContents(), ['Watch'], 'a game without actions is not shown');
  await accessible(watcher, 'forfeits and an adjourned game');
  await shoot(watcher, 'pairings-forfeits');
  await more(3);
  await page.getByRole('button', { name: 'Resume the game' }).click();
  await page.waitForFunction(() => !document.querySelector('[data-table="3"]').textContent.includes('adjourned'));
  await chosen(phones[2], 0);
  await phones[2].locator('#confirm').tap();
  await phones[2].locator('.final').getByText('1–0').waitFor();

  // A forfeit entered by mistake is removed, and the table plays.
  await more(1);
  await page.getByRole('button', { name: 'Remove the result' }).click();
  await page.waitForFunction(() => document.querySelector('[data-table="1"]').classList.contains('waits'));
  await phones[0].getByText('How did it end?').waitFor();
  await chosen(phones[0], 0);
  await phones[0].locator('#confirm').tap();
  await phones[0].locator('.final').getByText('1–0').waitFor();
  await take(page, 'Close round 1');
  await step(page, 'Pair round 2');

  // The links end with the round.
  for (const phone of phones) {
    await phone.getByText('The round is closed.').waitFor();
    await phone.reload();
    await phone.getByText('The round is closed.').waitFor();
    assert.equal(await phone.locator('.choices button, .toggle').count(), 0);
    await close(phone);
  }
  const { tournament } = await ask('query Card($id: ID!) { tournament(id: $id) { standings { score entrant { name } } verification { valid } } }', { id });
  const score = (name) => tournament.standings.find(({ entrant }) => entrant.name === name).score;
  assert.deepEqual(seated[1].map(score), [0, 0], 'neither came, neither gets a point');
  assert.ok(tournament.verification.valid);
  await close(watcher);
  await close(page);
});

test('a table of four enters its own ranking, and no other', async () => {
  const { id, links, seated } = await hall('Pods', NAMES, { kind: 'triforce', seats: 4, rounds: 1 });
  const phone = await atTable(links[0]);
  await phone.locator('.ranking-seats button').nth(3).waitFor();
  for (const seat of [3, 1]) await phone.locator('.ranking-seats button').nth(seat - 1).tap();
  await phone.locator('.ranking-field input').check();
  await phone.locator('.ranking-seats button').nth(1).tap();
  await phone.locator('.ranking-seats button').nth(3).tap();
  await accessible(phone, 'a ranking at the table');
  await shoot(phone, 'table-ranking');
  await phone.getByRole('button', { name: 'Enter this ranking' }).tap();
  await phone.getByText(`${seated[0][2]}, then ${seated[0][0]} = ${seated[0][1]}, then ${seated[0][3]}?`).waitFor();
  await phone.locator('#confirm').tap();
  await phone.locator('.final').waitFor();
  assert.equal((await tableOf(id, 1)).result, '3 > 1 = 2 > 4');
  const refused = await fetch(`${BASE}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${links[0].split('=')[1]}` },
    body: JSON.stringify({ query: 'mutation Other($id: ID!) { enterResult(tournament: $id, round: 1, table: 2, ranking: [[1], [2], [3], [4]]) { number } }', variables: { id } }),
  });
  assert.equal((await refused.json()).errors[0].extensions.code, 'FORBIDDEN');
  await close(phone);
  // At the other table somebody did not come: the others rank themselves.
  const three = await atTable(links[1]);
  await three.locator('.ranking-seats button').nth(3).waitFor();
  const { tournament: { round } } = await ask('query Seats($id: ID!) { tournament(id: $id) { round(number: 1) { table(number: 2) { seats { entrant { number } } } } } }', { id });
  await decide(id, `reseatTable(round: 1, table: 2, seats: [${round.table.seats.slice(0, 3).map(({ entrant }) => entrant.number)}]) { number }`);
  await three.locator('.ranking-seats button').nth(3).waitFor({ state: 'detached' });
  for (const seat of [1, 2, 3]) await three.locator('.ranking-seats button').nth(seat - 1).tap();
  await three.getByRole('button', { name: 'Enter this ranking' }).tap();
  await three.locator('#confirm').tap();
  await three.locator('.final').waitFor();
  await close(three);
});
