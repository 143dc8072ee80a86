// A day in the hall, in Chromium against a running service: keys, slips, phones without a connection, byes, helpers, what spectators see.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_SHOTS=dir] node --test hall.test.mjs

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, afterEach, before, test } from 'node:test';

import { BASE, IS_ALL, SCREENS, accessible, ask, close, launch, open, shoot, shut } from './service.mjs';
import { NAMES, TINY, created, decide, names, paired, signedIn, step, take, unique } from './tournament.mjs';

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const MANY = Array.from({ length: 24 }, (_, index) => `Player ${index + 1}`);
const tournament = async (id, fields) => (await ask(`query Of($id: ID!) { tournament(id: $id) { ${fields} } }`, { id })).tournament;
const toast = (page, text) => page.locator('#toast').getByText(text).waitFor();

async function opened(name, players, options) {
  const { id } = await created(name, players, options);
  await paired(id);
  await decide(id, 'openRound(round: 1) { number }');
  return id;
}

/** Whether an element is in view. */
const isInView = (page, selector) => page.locator(selector).first().evaluate((element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
});

test('twelve results take twelve keys, and the next step stays in view', async () => {
  const { id } = await created('Keys', MANY);
  await paired(id);
  const page = await signedIn(browser, `/tournaments/${id}/organise`);
  await take(page, 'Open round 1');
  await page.locator('.table-row').nth(11).waitFor();
  await page.waitForFunction(() => document.activeElement.closest('[data-table="1"]'));
  for (let table = 1; table <= 12; table++) await page.keyboard.press(['1', '=', '2'][table % 3]);
  await step(page, 'Close round 1');
  assert.equal((await names(page, '.score-button[aria-pressed=true]')).join(' '), Array(4).fill('½–½ 0–1 1–0').join(' '));
  assert.equal(await page.evaluate(() => document.activeElement.id), 'next-step', 'the focus is where the work goes on');
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  assert.ok(await isInView(page, '#next-step'));
  // A click on a row chooses it; undoing does not stop the keys.
  await page.locator('[data-table="5"] .names').click();
  await page.keyboard.press('0');
  await toast(page, 'Table 5 has no result now.');
  await page.locator('#toast button[aria-disabled=false]', { hasText: 'Undo' }).click();
  await toast(page, 'Undone.');
  await page.locator('[data-table="7"] .names').click();
  await page.keyboard.press('0');
  await toast(page, 'Table 7 has no result now.');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('2');
  await page.waitForFunction(() => document.querySelector('[data-table="7"] [aria-pressed=true]')?.textContent === '0–1');
  await close(page);
});

test('slips lead to where phones reach the service, and are shown again and one by one without ending the others', async () => {
  const id = await opened('Slips', NAMES.slice(0, 6));
  const page = await signedIn(browser, `/tournaments/${id}/organise`);
  await page.click('text=Table slips');
  await page.getByText('No phone can open this address').waitFor();
  await accessible(page, 'the dialog of the slips');
  await shoot(page, 'slips-dialog');
  await page.fill('#phones-address', '192.168.1.20');
  await page.getByText('This is not an address').waitFor();
  await page.fill('#phones-address', 'http://192.168.1.20:8080/');
  await page.waitForFunction(() => !document.querySelector('#address-problem').textContent);
  await page.click('text=All 3 tables');
  await page.locator('.slip-code').nth(2).waitFor();
  assert.ok(await isInView(page, '.slips h2'), 'they are shown where one looks');
  const links = () => page.locator('.slip-code').evaluateAll((all) => all.map(({ href }) => href));
  const first = await links();
  for (const link of first) assert.match(link, /^http:\/\/192\.168\.1\.20:8080\/table#token=.+/);
  assert.equal(await page.locator('.slip-sign').count(), 6, 'a line to sign on for each');
  await page.getByText('http://192.168.1.20:8080/table').first().waitFor();
  await page.reload();
  await page.click('text=Table slips');
  await page.click('text=Show 3 slips again');
  await page.locator('.slip-code').nth(2).waitFor();
  assert.deepEqual(await links(), first);

  // A lost slip is made again alone.
  await page.click('[data-table="2"] [aria-label^="More"]');
  await page.click('text=Slip for this table');
  await page.getByRole('button', { name: 'Table 2', exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll('.slip').length === 1);
  const [again] = await links();
  const roleOf = async (link) => (await ask('{ me { role } }', {}, link.split('=')[1]).catch(() => null))?.me.role;
  assert.deepEqual(await Promise.all([first[0], first[1], again].map(roleOf)), ['table', undefined, 'table']);
  await page.click('text=Table slips');
  await page.getByRole('dialog').getByLabel('Close').click();
  await page.getByRole('button', { name: 'Close the slips' }).press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Table slips', 'the focus is where they can be shown again');
  // Another organiser makes one anew: this one is not shown again.
  await decide(id, 'issueTableTokens(round: 1, tables: [1]) { table }');
  await page.click('text=Table slips');
  await page.getByText('Show 2 slips again').waitFor();
  await page.click('text=Slips without links');
  await page.waitForFunction(() => document.querySelectorAll('.slip').length === 3);
  assert.equal((await links()).length, 0);
  await page.emulateMedia({ media: 'print' });
  const widths = await page.locator('.slip').evaluateAll((all) => all.slice(0, 2).map((slip) => Math.round(slip.getBoundingClientRect().width)));
  assert.equal(widths[0], widths[1], 'long names do not push the columns');
  await shoot(page, 'slips-print');
  await close(page);
});

test('a result that is entered without a connection waits, and is sent once', async () => {
  const id = await opened('Offline', NAMES.slice(0, 2));
  const { issueTableTokens: [slip] } = await decide(id, 'issueTableTokens(round: 1) { token }');
  const phone = await open(browser, `/table#token=${slip.token}`, SCREENS.phone);
  await phone.getByText('How did it end?').waitFor();
  // The answer to the first attempt is lost, later ones do not arrive.
  let attempts = 0;
  await phone.route('**/graphql', async (route) => {
    if (route.request().postData().includes('enterResult(') && attempts++ === 0) await route.fetch();
    await route.abort();
  });
  await phone.locator('.choices button').first().tap();
  await phone.locator('#confirm').tap();
  await phone.getByText('The result waits on this device').waitFor();
  await accessible(phone, 'a result that waits');
  await shoot(phone, 'table-waits');
  await phone.reload();
  await phone.getByText('The result waits on this device').waitFor();
  await phone.unroute('**/graphql');
  await phone.locator('.final').getByText('1–0').waitFor();
  const { events } = await tournament(id, 'events(last: 5) { nodes { type } }');
  assert.deepEqual(events.nodes.map(({ type }) => type).filter((type) => type === 'result_recorded'), ['result_recorded']);
  phone.wrongs = phone.wrongs.filter((text) => !/ERR_FAILED|WebSocket/.test(text));
  await close(phone);
});

test('byes ahead, late and mistaken entries, withdrawals and people kept apart', async () => {
  const { id } = await created('Entries', NAMES.slice(0, 6));
  const page = await signedIn(browser, `/tournaments/${id}/organise?tab=entrants`);
  await page.waitForSelector('#entrant-6');
  await page.click('#entrant-3 [aria-label^="Byes of"]');
  await page.selectOption('#bye-3', 'HALF');
  await accessible(page, 'byes of a player');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.locator('#entrant-3').getByText('round 3: Half-point bye').waitFor();
  assert.deepEqual((await tournament(id, 'entrant(number: 3) { absences { round kind } }')).entrant.absences, [{ round: 3, kind: 'HALF' }]);
  await page.click('#group-forbidden summary');
  await page.click('#forbid-clubs');
  await toast(page, 'Players of one club will not meet.');
  assert.deepEqual((await tournament(id, 'forbidden')).forbidden, [[2, 4, 6]]);
  await page.locator('#forbidden-0 button').click();
  await toast(page, 'They may meet again.');
  const [one, other] = (await tournament(id, 'entrants { number name }')).entrants;
  await page.selectOption('#forbid-one', { label: one.name });
  await page.selectOption('#forbid-other', { label: other.name });
  await page.click('#forbid button');
  await toast(page, 'They will not meet.');
  await accessible(page, 'people kept apart');
  await shoot(page, 'console-entrants-apart');
  await paired(id);
  const { round } = await tournament(id, 'round(number: 1) { tables { seats { entrant { number } } } }');
  const tableOf = (number) => round.tables.findIndex(({ seats }) => seats.some(({ entrant }) => entrant.number === number));
  assert.notEqual(tableOf(one.number), tableOf(other.number));

  await page.click('#entrant-6 [aria-label^="Withdraw"]');
  await toast(page, 'round 1 is paired with this player');
  await page.locator('#toast button[aria-disabled=false]', { hasText: 'Undo' }).click();
  await toast(page, 'Undone.');
  await page.fill('#entry-name', unique('Late'));
  await page.fill('#entry-points', '½');
  await page.click('.entry button[type=submit]');
  await page.locator('#entrant-7').getByText('from round 2').first().waitFor();
  assert.equal((await tournament(id, 'entrant(number: 7) { points }')).entrant.points, 0.5);
  await page.click('#entrant-7 [aria-label^="Remove"]');
  await page.waitForSelector('#entrant-7', { state: 'detached' });
  for (const [screen, options] of Object.entries({ light: SCREENS.light, tiny: TINY })) {
    await page.setViewportSize(options.viewport);
    await accessible(page, `entrants, ${screen}`);
    await shoot(page, `console-entrants-${screen}`);
  }
  await page.setViewportSize(SCREENS.light.viewport);

  // The log says who decided what, with the figures.
  await decide(id, 'openRound(round: 1) { number }');
  const { issueTableTokens: [slip] } = await decide(id, 'issueTableTokens(round: 1) { token }');
  await ask('mutation Enter($id: ID!) { enterResult(tournament: $id, round: 1, table: 1, ranking: [[1], [2]]) { number } }', { id }, slip.token);
  await page.goto(`/tournaments/${id}/organise?tab=history`);
  const row = page.locator('tr', { hasText: 'Result · round 1, table 1' });
  await row.getByText('1–0').waitFor();
  await row.getByText('At table 1').waitFor();
  await page.locator('tr', { hasText: 'Will miss a round' }).getByText('Half-point bye').waitFor();
  await close(page);
});

test('a helper comes in by a link, and settings, setups and copies need no JSON', async () => {
  const { id, name } = await created('Helpers', NAMES.slice(0, 4));
  const page = await signedIn(browser, `/tournaments/${id}/organise?tab=settings`);
  await page.fill('#invite-label', 'Night shift');
  await page.click('text=Make a token');
  await page.locator('.helper-code .qr').waitFor();
  const link = await page.getByRole('textbox', { name: 'The link' }).inputValue();
  await accessible(page, 'the link of a helper');
  await shoot(page, 'console-helper');
  await page.keyboard.press('Escape');
  const helper = await open(browser, new URL(link).pathname + new URL(link).hash, TINY);
  await helper.getByText('players entered').or(helper.locator('#next-step')).first().waitFor();
  assert.equal(new URL(helper.url()).hash, '');
  await helper.goto(`/tournaments/${id}`);
  const organise = helper.getByRole('link', { name: 'Organise' });
  await organise.waitFor();
  assert.ok((await organise.boundingBox()).x >= 0 && (await organise.boundingBox()).x < TINY.viewport.width, 'it is in view on a phone');
  await close(helper);

  // The setup by its form.
  await page.click('#group-setup > summary');
  await page.locator('.setup-fields .field').first().waitFor();
  const before = JSON.stringify((await tournament(id, 'setups')).setups);
  const field = page.locator('.setup-fields').locator('input:not([type=checkbox]), select').first();
  if (await field.evaluate(({ nodeName }) => nodeName) === 'SELECT') await field.selectOption({ index: 1 });
  else await field.fill('5');
  await accessible(page, 'a setup by its form');
  await shoot(page, 'console-setup');
  await page.fill('[name=announcement]', 'Lunch at noon: https://example.org/menu.');
  await page.fill('#field-startsAt', '2031-05-01T10:00');
  await page.fill('#field-place', 'Hall B');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await toast(page, 'The settings are saved.');
  const found = await tournament(id, 'setups announcement');
  assert.notEqual(JSON.stringify(found.setups), before);
  assert.equal(found.announcement, 'Lunch at noon: https://example.org/menu.');
  await page.click('text=Copy as a new tournament');
  await page.waitForFunction((wanted) => document.querySelector('[name=name]')?.value === wanted, name);
  assert.deepEqual([await page.inputValue('[name=place]'), await page.inputValue('#field-startsAt')], ['Hall B', '']);
  await page.goto(`/tournaments/${id}/organise?tab=settings`);
  await page.click('#archive');
  await toast(page, 'The tournament is archived.');
  await page.goto(`/tournaments?name=${encodeURIComponent(name)}`);
  await page.getByText('No tournament matches.').waitFor();
  await page.check('[name=archived]');
  await page.locator('.event').waitFor();
  await accessible(page, 'archived tournaments');
  await close(page);
});

test('spectators see times, the announcement and their own table; other sites have the standings in a frame', async () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await created('Spectators', NAMES.slice(0, 4), { startsAt: new Date().toISOString(), roundsAt: [new Date().toISOString(), soon], description: 'More at https://example.org/open.' });
  await decide(id, 'editTournament(input: { announcement: "Lunch at noon" }) { id }');
  await paired(id);
  await decide(id, 'openRound(round: 1) { number }');
  const early = await open(browser, `/tournaments/${id}?view=standings`);
  await early.getByRole('heading', { name: 'Standings', exact: true }).waitFor();
  await decide(id, 'enterResult(round: 1, table: 2, ranking: [[1], [2]]) { number }');
  await early.getByRole('heading', { name: 'Standings after round 1' }).waitFor();
  await close(early);
  const { round } = await tournament(id, 'round(number: 1) { tables { number seats { entrant { name } } game { id position { legalActions } } } }');
  for (const [screen, options] of Object.entries({ tiny: TINY, ...IS_ALL && { light: SCREENS.light, small: { ...TINY, viewport: { width: 390, height: 844 } } } })) {
    const page = await open(browser, `/tournaments/${id}`, options);
    await page.locator('#announcement').getByText('Lunch at noon').waitFor();
    await page.locator('.news .starting').getByText('Round 2 starts').waitFor();
    await page.waitForFunction(() => /^in (59|60):\d\d$/.test(document.querySelector('time.until').textContent));
    await page.locator('.duel').waitFor();
    assert.equal(await page.locator('.mini').count(), 0, 'no boards on which nobody has moved');
    const [{ seats: [{ entrant }] }] = round.tables;
    await page.fill('#find', entrant.name.split(' ').slice(0, 2).join(' ').toUpperCase());
    await page.locator('#found').getByText('table 1, seat 1').waitFor();
    await accessible(page, `the public page, ${screen}`);
    await shoot(page, `public-${screen}`);
    await page.goto(`/tournaments/${id}?view=about`);
    await page.locator('.page-code .qr').waitFor();
    await page.getByRole('link', { name: 'https://example.org/open' }).waitFor();
    await accessible(page, `about, ${screen}`);
    await shoot(page, `about-${screen}`);
    await close(page);
  }
  // The first move brings the board.
  const watcher = await open(browser, `/tournaments/${id}`);
  await watcher.locator('.duel').waitFor();
  const [{ game }] = round.tables;
  await ask('mutation Act($game: ID!, $action: String!) { act(game: $game, seat: 1, action: $action) { id } }', { game: game.id, action: game.position.legalActions[0] }, process.env.PLYBOOK_TOKEN);
  await watcher.locator('.mini').getByText('Ply 1').waitFor();
  await close(watcher);

  const club = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(`<iframe src="${BASE}/tournaments/${id}/files/standings.html?lang=de" width="600" height="400"></iframe>`));
  await new Promise((listening) => { club.listen(0, '127.0.0.1', listening); });
  const framing = await open(browser, `http://localhost:${club.address().port}/`);
  const frame = framing.frameLocator('iframe');
  await frame.getByRole('columnheader', { name: 'Punkte' }).waitFor();
  assert.equal(await frame.locator('tbody tr').count(), 4);
  await shoot(framing, 'frame');
  framing.wrongs = framing.wrongs.filter((text) => !/favicon|404/.test(text));
  await close(framing);
  club.close();
});

test('the projector keeps tables in one piece, heads its columns and shows who won', async () => {
  const { id } = await created('Beam', MANY.slice(0, 14), { kind: 'triforce', seats: 4, rounds: 1 });
  await paired(id);
  await decide(id, 'editTournament(input: { announcement: "Doors close at ten" }) { id }');
  await decide(id, 'openRound(round: 1) { number }');
  const page = await open(browser, `/tournaments/${id}?projector`, { viewport: { width: 1920, height: 1080 } });
  await page.locator('.beam-pairings tr').first().waitFor();
  const { round } = await tournament(id, 'round(number: 1) { tables { number seats { number } } }');
  const torn = await page.locator('.beam-pairings tbody').evaluateAll((all) => all.filter(({ rows }) => !rows[0].classList.contains('first')).length);
  assert.equal(torn, 0, 'every column begins with a table');
  await page.locator('.projector').getByText('Doors close at ten').waitFor();
  await page.locator('.beam-head .qr').waitFor();
  await accessible(page, 'pods on the projector');
  await shoot(page, 'projector-pods');
  await page.keyboard.press('ArrowRight');
  await page.locator('.beam-standings thead').getByText('Points').first().waitFor();
  await shoot(page, 'projector-heads');
  for (const { number, seats } of round.tables) await decide(id, `enterResult(round: 1, table: ${number}, ranking: ${JSON.stringify(seats.map((seat) => [seat.number]))}) { number }`);
  await decide(id, 'endRound(round: 1) { number }');
  await decide(id, 'finishTournament() { id }');
  await page.locator('.beam-winners .won').first().waitFor();
  await shoot(page, 'projector-winners');
  await close(page);
});

test('one print has everything, with its time and pages', async () => {
  const id = await opened('Paper', MANY);
  const page = await open(browser, `/tournaments/${id}`);
  await page.getByRole('link', { name: 'Everything' }).click();
  await page.locator('.paper').nth(3).waitFor();
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  await page.getByText(/^Printed /).waitFor();
  assert.equal(await page.locator('#status').isVisible(), false);
  const breaks = await page.locator('.paper').evaluateAll((all) => all.map((each) => getComputedStyle(each).breakBefore));
  assert.deepEqual([...new Set(breaks.slice(1))], ['page']);
  const pdf = await page.pdf({ format: 'A4', path: process.env.PLYBOOK_SHOTS ? `${process.env.PLYBOOK_SHOTS}/paper.pdf` : undefined });
  const pages = pdf.toString('latin1').match(/\/Type \/Page\b/g).length;
  assert.equal(pages, 4, 'standings, crosstable, round and players of 24: a page each');
  await close(page);
});

test('whoever is left over in a cup is not absent', async () => {
  const { id } = await created('Cup', NAMES.slice(0, 5), { format: 'KNOCKOUT' });
  await paired(id);
  const page = await signedIn(browser, `/tournaments/${id}/organise?tab=rounds`);
  await page.locator('.byes li').getByText('Advances without a game').first().waitFor();
  await page.locator('.byes .why').first().click();
  await page.locator('dialog li').first().waitFor();
  await close(page);
});
