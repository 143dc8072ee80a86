// More of the organiser's console, in Chromium against a running service: files of players, tokens, times of
// rounds, setups, and undoing.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_SHOTS=dir] node --test console.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { BASE, SCREENS, accessible, ask, becomes, close, launch, open, shoot, shut, token, until } from './service.mjs';
import { NAMES, TINY, created, decide, names, paired, signedIn, step, take, unique } from './tournament.mjs';

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const tournament = async (id, fields) => (await ask(`query Of($id: ID!) { tournament(id: $id) { ${fields} } }`, { id })).tournament;

test('players are entered from a file, after a preview', async () => {
  const { id } = await created('From a file', []);
  const page = await signedIn(browser, `/tournaments/${id}/organise`);
  await page.click('.paste summary');
  const [ada, bela] = [unique('Lovelace, Ada'), unique('Béla')];
  const upload = (text, encoding = 'utf8') => page.setInputFiles('#paste-file', { name: 'players.csv', mimeType: 'text/csv', buffer: Buffer.from(text, encoding) });
  await upload(`No,Rating,Name,Club\r\n1,1850,"${ada}","The ""A"" Club"\r\n2,,${bela},\r\n3,9999,Too strong,\r\n`);
  await page.getByText('players.csv was read; nothing is entered yet.').waitFor();
  await page.getByText('left out: it has a rating above 4000').waitFor();
  await accessible(page, 'a file that is looked at');
  await shoot(page, 'console-file');
  await page.click('text=Enter 2 players');
  await page.waitForSelector('#entrant-2');
  const { entrants } = await tournament(id, 'entrants { name rating club }');
  assert.deepEqual(entrants, [{ name: ada, rating: 1850, club: 'The "A" Club' }, { name: bela, rating: null, club: null }]);
  // A file written on Windows, with a player who is already entered.
  const third = unique('Zoë');
  await page.click('.paste summary');
  await upload(`${third};1700\n${ada};1850`, 'latin1');
  assert.equal(await page.getByLabel(`Who is ${ada}?`).inputValue(), 'out', 'who is entered is left out');
  await page.click('text=Enter 1 player');
  await page.locator('#entrant-3').getByText(third).waitFor();
  await page.locator('#toast button[aria-disabled=false]', { hasText: 'Undo' }).click();
  await page.waitForSelector('#entrant-3', { state: 'detached' });
  await close(page);
});

test('people are found under any spelling, namesakes are told apart, and nothing that is clicked twice happens twice', async () => {
  const { id } = await created('Club evening', []);
  const page = await signedIn(browser, `/tournaments/${id}/organise`);
  // A word of its own: players are found by the beginnings of the words of their names.
  const mark = unique('X').slice(2).replace(/\d/g, 'q');
  const players = async () => (await ask('query Found($text: String!) { players(filter: { search: $text }) { nodes { name club country } } }', { text: mark })).players.nodes;
  // Pasted, entered by a double click, undone, and entered again: the same people.
  const list = `Name;Elo;Verein;Fed\nMüller ${mark}, Jörg;1720;SK Nord;GER\nZoë Ångström ${mark};abc;Club B;XQZ`;
  for (const round of [1, 2]) {
    await page.locator('.paste').evaluate((details) => { details.open = true; });
    await page.fill('#paste-text', list);
    await page.getByText('“XQZ” is not a country').waitFor();
    await page.getByRole('button', { name: 'Enter 2 players' }).dblclick();
    await page.locator('.entrants tbody tr').nth(1).waitFor();
    assert.equal((await tournament(id, 'entrantsCount')).entrantsCount, 2);
    if (round === 1) {
      await page.locator('#toast button[aria-disabled=false]', { hasText: 'Undo' }).click();
      await page.getByText('Undone.').waitFor();
      await page.locator('.entrants').waitFor({ state: 'detached' });
    }
  }
  assert.deepEqual((await players()).map(({ club, country, name }) => [name, club, country]), [[`Müller ${mark}, Jörg`, 'SK Nord', 'DE'], [`Zoë Ångström ${mark}`, 'Club B', null]]);
  // Typed otherwise, it is the one who is entered; another person has to be chosen.
  await page.fill('#entry-name', `joerg mueller ${mark}`);
  await page.getByText('is entered already. If this is somebody else').waitFor();
  await page.keyboard.press('Enter');
  assert.equal((await tournament(id, 'entrantsCount')).entrantsCount, 2);
  await accessible(page, 'a name that is entered already');
  await page.getByRole('option', { name: 'a new player' }).click();
  await page.fill('#entry-country', 'aut');
  await page.keyboard.press('Enter');
  await page.locator('.entrants tbody tr').nth(2).waitFor();
  const { entrants } = await tournament(id, 'entrants { name country }');
  assert.deepEqual(entrants.at(-1), { name: `joerg mueller ${mark}`, country: 'AT' });
  // A correction reaches the player if wanted.
  const last = page.locator('.entrants tr', { hasText: `joerg mueller ${mark}` });
  await last.getByRole('button', { name: /^Edit/ }).click();
  await page.fill('#edit-name', `Miller ${mark}`);
  await page.getByRole('dialog').getByRole('checkbox').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.locator('.entrants').getByText(`Miller ${mark}`).waitFor();
  await until(async () => (await players()).some(({ name }) => name === `Miller ${mark}`));
  await close(page);
});

test('results of closed rounds are corrected, adjourned games are named, and two entries are a dispute', async () => {
  const { id } = await created('Corrected', [...NAMES.slice(0, 3), 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren'], { rounds: 2 });
  await paired(id);
  await decide(id, 'openRound(round: 1) { number }');
  await decide(id, 'enterResult(round: 1, table: 1, ranking: [[1], [2]]) { number }');
  await decide(id, 'adjourn(round: 1, table: 2) { number }');
  const page = await signedIn(browser, `/tournaments/${id}/organise`);
  await page.locator('#step').getByText('table 2 is adjourned and counts as drawn').waitFor();
  await take(page, 'Close round 1');
  await take(page, 'Pair round 2');
  await take(page, 'Open round 2');
  await page.locator('.table-row').first().waitFor();
  await page.locator('.rounds a').first().click();
  await page.locator('.rounds a[aria-current=true]', { hasText: '1' }).waitFor();
  await page.locator('[data-table="1"] .score-button').nth(2).click();
  await page.locator('#corrections').getByText('Table 1: 0–1 instead of 1–0, changed after round 2 was paired.').waitFor();
  await page.locator('[data-table="2"] .score-button').first().click();
  await page.locator('#corrections').getByText('Table 2: 1–0 instead of adjourned').waitFor();
  await page.locator('#toast button[aria-disabled=false]', { hasText: 'Undo' }).click();
  await page.locator('[data-table="2"] .source', { hasText: 'adjourned' }).waitFor();
  await page.locator('[data-table="2"] .score-button').first().click();
  await page.locator('#corrections').getByText('Table 2: 1–0 instead of adjourned').waitFor();
  await accessible(page, 'a closed round that was corrected');
  await shoot(page, 'console-corrected');
  await page.setViewportSize(TINY.viewport);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.setViewportSize(SCREENS.light.viewport);
  // Such a name widens neither the list of games nor the game, whose figures stay in sight.
  const list = await open(browser, '/', SCREENS.light);
  const game = list.locator('.games .players a', { hasText: 'Wolfeschlegel' }).first();
  await game.waitFor();
  assert.ok(await list.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await game.click();
  await list.locator('#seats .name').first().waitFor();
  for (const { viewport } of [SCREENS.light, SCREENS.phone]) {
    await list.setViewportSize(viewport);
    assert.ok(await list.locator('#seats').evaluate((seats) => seats.getBoundingClientRect().right <= innerWidth && seats.parentElement.scrollWidth <= seats.parentElement.clientWidth));
  }
  await close(list);
  // Two phones at one table.
  const { issueTableTokens: [slip] } = await decide(id, 'issueTableTokens(round: 2, tables: [1]) { token names }');
  const phones = [await open(browser, `/table#token=${slip.token}`, SCREENS.phone), await open(browser, `/table#token=${slip.token}`, SCREENS.phone)];
  const enter = async (phone, index) => {
    await phone.locator('.choices button').nth(index).tap();
    await phone.locator('#confirm').tap();
  };
  await enter(phones[0], 0);
  await phones[1].locator('.final').getByText('1–0').waitFor();
  await phones[1].getByRole('button', { name: 'That is wrong: change it' }).tap();
  await enter(phones[1], 2);
  for (const phone of phones) await phone.locator('#disputed').waitFor();
  await accessible(phones[0], 'a result that is disputed');
  await page.locator('.rounds a').nth(1).click();
  await page.locator('[data-table="1"]').getByText('disputed: also entered was').waitFor();
  await page.locator('[data-table="2"] .score-button').first().click();
  await page.locator('#step').getByText('two different results were entered at table 1').waitFor();
  await page.locator('[data-table="1"] .score-button').nth(1).click();
  await step(page, 'Close round 2');
  await phones[0].getByText('Entered by the organiser.').waitFor();
  assert.equal(await phones[0].getByRole('button', { name: /change it/ }).count(), 0);
  await page.click('#next-step');
  await take(page, 'Finish the tournament');
  await page.getByText('The tournament is finished.').first().waitFor();
  for (const each of [...phones, page]) await close(each);
});

test('tokens of organisers and tables are listed and revoked', async () => {
  const { id } = await created('Tokens', NAMES.slice(0, 4));
  await paired(id);
  await decide(id, 'openRound(round: 1) { number }');
  const { issueTableTokens: slips } = await decide(id, 'issueTableTokens(round: 1) { table token }');
  const page = await signedIn(browser, `/tournaments/${id}/organise?tab=settings`);
  await page.locator('#table-tokens summary', { hasText: '2 links' }).waitFor();
  await page.fill('#invite-label', 'Night shift');
  await page.click('text=Make a token');
  const secret = await page.locator('dialog code').textContent();
  await page.keyboard.press('Escape');
  await page.getByRole('rowheader', { name: 'Night shift' }).waitFor();
  await page.click('#table-tokens summary');
  await accessible(page, 'tokens');
  await shoot(page, 'console-tokens');

  const helper = await open(browser, '', SCREENS.light);
  await helper.context().addInitScript((value) => localStorage.setItem('plybook.token', value), secret);
  await helper.goto(`/tournaments/${id}/organise`);
  await helper.locator('.table-row').first().waitFor();
  const phone = await open(browser, `/table#token=${slips[0].token}`, SCREENS.phone);
  await phone.getByText('How did it end?').waitFor();

  await page.getByRole('button', { name: 'Revoke the token of table 1 in round 1' }).click();
  await page.getByText('The token of table 1 in round 1 is no longer valid.').waitFor();
  await page.locator('#table-tokens summary', { hasText: /1 link$/ }).waitFor();
  assert.ok(await page.locator('#table-tokens tbody').isVisible(), 'the list stays open');
  await phone.reload();
  await phone.getByText('This link is no longer valid').waitFor();
  await page.getByRole('button', { name: 'Revoke the token of Night shift' }).click();
  await page.getByText('The token of Night shift is no longer valid.').waitFor();
  await helper.reload();
  await helper.getByText('sign in with the token', { exact: false }).or(helper.getByText('Your token does not allow')).or(helper.locator('[role=alert]')).first().waitFor();
  assert.equal(await helper.locator('.table-row').count(), 0);
  for (const each of [phone, helper]) {
    each.wrongs = each.wrongs.filter((text) => !/40[13]/.test(text));
    await close(each);
  }
  await page.setViewportSize(TINY.viewport);
  await accessible(page, 'tokens on a phone');
  await close(page);
});

test('rounds have times, which are in the calendar, and their own setups', async () => {
  const page = await signedIn(browser, '/tournaments/new');
  await page.locator('option[value=triforce]').waitFor({ state: 'attached' });
  await page.fill('[name=name]', unique('Timed'));
  await page.selectOption('[name=kind]', 'triangulate');
  await page.fill('[name=rounds]', '2');
  await page.click('#group-rounds-at summary');
  await page.fill('#field-round-1', '2031-05-01T10:00');
  await page.fill('#field-round-2', '2031-05-01T14:30');
  await becomes(() => page.locator('#group-rounds-at input').count(), 2, 'as many as there are rounds');
  await page.click('#group-setup > summary');
  await page.click('#setup-json > summary');
  await page.fill('[name=setup]', '[1]');
  await page.click('#create');
  await page.getByText('This is neither a JSON object nor a list of objects').waitFor();
  await accessible(page, 'a form with times');
  await page.fill('[name=setup]', '');
  await page.click('#create');
  await page.waitForURL('**/organise');
  const [, id] = /tournaments\/([^/]+)/.exec(page.url());
  const local = (text) => new Date(text).toISOString();
  assert.deepEqual((await tournament(id, 'roundsAt')).roundsAt.map((at) => new Date(at).toISOString()), ['2031-05-01T10:00', '2031-05-01T14:30'].map(local));
  const calendar = await (await fetch(`${BASE}/tournaments/${id}/files/rounds.ics`)).text();
  assert.equal(calendar.match(/BEGIN:VEVENT/g)?.length, 2);

  // Changed, and one removed again.
  await page.goto(`/tournaments/${id}/organise?tab=settings`);
  await page.fill('#field-round-2', '2031-05-02T09:00');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The settings are saved.').waitFor();
  assert.equal(new Date((await tournament(id, 'roundsAt')).roundsAt[1]).toISOString(), local('2031-05-02T09:00'));
  await page.locator('#toast button[aria-disabled=false]', { hasText: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  assert.equal(new Date((await tournament(id, 'roundsAt')).roundsAt[1]).toISOString(), local('2031-05-01T14:30'));
  await page.fill('#field-round-1', '');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Round 1 has no time, but a later one does').waitFor();
  await page.fill('#field-round-2', '');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The settings are saved.').waitFor();
  assert.deepEqual((await tournament(id, 'roundsAt')).roundsAt, []);
  await close(page);
});

test('every decision is undone by its counterpart, as the log shows', async () => {
  const { id } = await created('Undone', NAMES.slice(0, 4));
  const page = await signedIn(browser, `/tournaments/${id}/organise`);
  const undo = async () => {
    await page.locator('#toast button[aria-disabled=false]', { hasText: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
  };
  const types = async () => {
    const { events } = await tournament(id, 'events(last: 2) { nodes { type } }');
    return events.nodes.map(({ type }) => type);
  };
  // Before the pairing.
  await page.waitForSelector('#entrant-1');
  await page.click('#entrant-1 [aria-label^=Edit]');
  await page.fill('#edit-club', 'Another');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.locator('#entrant-1').getByText('Another').waitFor();
  await undo();
  assert.deepEqual(await types(), ['entrant_edited', 'entrant_edited']);
  await page.locator('#entrant-2 select').selectOption('HALF');
  await page.getByText('half-point bye.').waitFor();
  await undo();
  assert.deepEqual(await types(), ['absence_announced', 'absence_cancelled']);
  await page.locator('#entrant-2 select').selectOption('HALF');
  await page.getByText('half-point bye.').waitFor();
  await page.locator('#entrant-2 select').selectOption('ZERO');
  await page.getByText('absent.').waitFor();
  await undo();
  assert.equal(await page.locator('#entrant-2 select').inputValue(), 'HALF', 'the bye that was there before');
  await page.locator('#entrant-2 select').selectOption('');
  await page.getByText('plays round 1.').waitFor();
  await page.click('#entrant-4 [aria-label^=Remove]');
  await page.waitForSelector('#entrant-4', { state: 'detached' });
  await undo();
  assert.deepEqual(await types(), ['entry_removed', 'entered']);
  // A round.
  await take(page, 'Pair round 1');
  await step(page, 'Open round 1');
  await undo();
  assert.deepEqual(await types(), ['paired', 'unpaired']);
  await take(page, 'Pair round 1');
  await step(page, 'Open round 1');
  const before = await names(page, '.duel .name');
  await page.locator('.round-acts button[aria-disabled=false]', { hasText: 'Undo the pairing' }).click();
  await page.getByText('was undone').waitFor();
  await undo();
  await page.locator('.duel').waitFor();
  assert.deepEqual(await names(page, '.duel .name'), before);
  await take(page, 'Open round 1');
  await page.locator('.table-row').first().waitFor();
  await undo();
  assert.equal((await types())[1], 'round_unopened');
  await take(page, 'Open round 1');
  await page.locator('.table-row').first().waitFor();
  // Results.
  await page.locator('[data-table="1"] .score-button').first().click();
  await page.getByText('Table 1: the result is entered.').waitFor();
  await undo();
  assert.deepEqual((await types())[1], 'result_removed');
  for (const [button, told] of [[/did not come/, 'forfeits'], ['Adjourn', 'is adjourned']]) {
    await page.click('[data-table="2"] [aria-label^="More"]');
    await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).first().click();
    await page.locator('#toast').getByText(told).waitFor();
    await undo();
  }
  assert.deepEqual(await types(), ['adjourned', 'resumed']);
  assert.equal((await tournament(id, 'round(number: 1) { table(number: 2) { game { status } } }')).round.table.game.status, 'RUNNING', 'the forfeit took a game away');
  for (const table of [1, 2]) {
    await page.locator(`[data-table="${table}"] .score-button`).first().click();
    await page.getByText(`Table ${table}: the result is entered.`).waitFor();
  }
  await take(page, 'Close round 1');
  await step(page, 'Pair round 2');
  await undo();
  await step(page, 'Close round 1');
  await page.click('#next-step');
  await step(page, 'Pair round 2');
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Players' }).click();
  await page.click('#entrant-3 [aria-label^=Withdraw]');
  await page.getByText('has withdrawn.').waitFor();
  await undo();
  assert.deepEqual(await types(), ['withdrawn', 'returned']);
  await page.getByRole('button', { name: 'Finish now' }).click();
  await page.getByText('The tournament is finished.').first().waitFor();
  await undo();
  assert.deepEqual(await types(), ['tournament_finished', 'tournament_reopened']);
  const { verification } = await tournament(id, 'verification { valid problem }');
  assert.deepEqual(verification, { valid: true, problem: null });
  await close(page);
});

test('byes and results are undone one after the other, the last one first', async () => {
  const { id } = await created('Step by step', NAMES.slice(0, 4));
  const page = await signedIn(browser, `/tournaments/${id}/organise`);
  const said = (text) => page.locator('#toast span').getByText(text, { exact: true }).waitFor();
  const undo = page.locator('#toast').getByRole('button', { name: 'Undo' });
  await page.waitForSelector('#entrant-1');
  const players = await names(page, '.entrants .name');
  for (const entrant of [1, 2, 3]) {
    await page.locator(`#entrant-${entrant} select`).selectOption('HALF');
    await page.locator('#toast').getByText(players[entrant - 1]).waitFor();
  }
  const byes = async () => (await tournament(id, 'entrants { absences { kind } }')).entrants.map(({ absences }) => absences.length);
  const told = await page.locator('#toast span').textContent();
  const bySecond = told.replace(players[2], players[1]);
  await undo.click();
  await said(`Undone. ${bySecond}`);
  assert.deepEqual(await byes(), [1, 1, 0, 0]);
  await shoot(page, 'console-undone');
  await accessible(page, 'something that is undone');
  for (const left of [1, 0]) {
    await undo.click();
    await said(left ? `Undone. ${told.replace(players[2], players[0])}` : 'Undone.');
    assert.deepEqual(await byes(), [left, 0, 0, 0]);
  }
  assert.equal(await undo.count(), 0, 'nothing else was done');
  // What is done next is undone first, and what could not be undone is not passed over.
  await take(page, 'Pair round 1');
  await take(page, 'Open round 1');
  await page.waitForFunction(() => document.activeElement.closest('[data-table="1"]'));
  for (const key of ['1', '2']) await page.keyboard.press(key);
  await step(page, 'Close round 1');
  await said('Table 2: the result is entered.');
  const results = async () => (await tournament(id, 'round(number: 1) { tables { ranking } }')).round.tables.map(({ ranking }) => ranking?.join('-') ?? '');
  assert.deepEqual(await results(), ['1-2', '2-1']);
  await undo.click();
  await said('Undone. Table 1: the result is entered.');
  assert.deepEqual(await results(), ['1-2', '']);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Undo', 'the focus stays where the next one is undone');
  await undo.click();
  await said('Undone. Round 1 is open.');
  assert.deepEqual(await results(), ['', '']);
  await close(page);
});

test('in Hebrew, buttons for results stand as the names do: the left one is for the left player, and so is the left digit on it', async () => {
  const { id } = await created('Mirrored', ['Ada', 'דנה']);
  await paired(id);
  await decide(id, 'openRound(round: 1) { number }');
  const page = await signedIn(browser, `/tournaments/${id}/organise`, { ...SCREENS.light, locale: 'he-IL' });
  await page.locator('.score-button').nth(2).waitFor();
  const shown = await page.locator('[data-table="1"]').evaluate((place) => {
    const left = (range) => range.getBoundingClientRect().left;
    const digits = (button) => [...button.textContent].map((text, index) => {
      const range = document.createRange();
      range.setStart(button.firstChild, index);
      range.setEnd(button.firstChild, index + 1);
      return { text, at: left(range) };
    }).sort((one, other) => one.at - other.at).map(({ text }) => text).join('');
    const buttons = [...place.querySelectorAll('.score-button')].sort((one, other) => left(one) - left(other));
    return { names: [...place.querySelectorAll('.names bdi')].map(left), digits: buttons.map(digits) };
  });
  assert.ok(shown.names[0] > shown.names[1], 'the first player is on the right');
  assert.deepEqual(shown.digits, ['1–0', '½–½', '0–1']);
  await page.getByRole('button', { name: '1–0' }).click();
  const { round } = await tournament(id, 'round(number: 1) { tables { ranking } }');
  assert.deepEqual(round.tables[0].ranking, [[1], [2]]);
  await close(page);
});

test('a double click takes one step, and of results that are entered in haste the last one counts', async () => {
  const { id } = await created('Haste', NAMES.slice(0, 2), { rounds: 1 });
  const page = await signedIn(browser, `/tournaments/${id}/organise`);
  await step(page, 'Pair round 1');
  const second = page.evaluate(() => new Promise((resolve) => {
    const look = (frames) => {
      const button = document.querySelector('#next-step');
      const taken = button?.textContent === 'Open round 1' ? getComputedStyle(button).pointerEvents : '';
      if (taken === 'none' || frames === 0) resolve(taken);
      else requestAnimationFrame(() => look(taken ? frames - 1 : frames));
    };
    look(60);
  }));
  await page.click('#next-step');
  assert.equal(await second, 'none', 'the second click is not the next step');
  await take(page, 'Open round 1');
  await page.locator('.table-row').first().waitFor();
  const waiting = [];
  await page.route('**/graphql', (route) => (/enterResult\(/.test(route.request().postData()) && waiting.length === 0 ? waiting.push(route) : route.continue()));
  for (const index of [0, 2, 0]) await page.locator('[data-table="1"] .score-button').nth(index).click();
  await becomes(() => waiting.length, 1);
  await waiting[0].continue();
  await page.locator('.pending').waitFor({ state: 'detached' });
  assert.equal((await tournament(id, 'round(number: 1) { table(number: 1) { result } }')).round.table.result, '1–0');

  // A result that is removed once the round is closed is missing before anything goes on.
  await take(page, 'Close round 1');
  await step(page, 'Finish the tournament');
  await page.locator('.rounds a').first().click();
  await page.locator('[data-table="1"] .score-button').first().focus();
  await page.keyboard.press('0');
  await page.locator('#step').getByText('Round 1: table 1 has no result.').waitFor();
  assert.equal(await page.locator('#next-step').getAttribute('aria-disabled'), 'true');
  await page.keyboard.press('2');
  await step(page, 'Finish the tournament');
  await close(page);
});

test('without an answer, nobody is taken for a new player', async () => {
  const { id } = await created('Unanswered', []);
  const name = unique('Known');
  await ask('mutation Register($name: String!) { createPlayer(input: { name: $name }) { id } }', { name }, token());
  const page = await signedIn(browser, `/tournaments/${id}/organise`);
  await page.locator('.paste').evaluate((details) => { details.open = true; });
  await page.route('**/graphql', (route) => (/FindAll|FindPlayers/.test(route.request().postData()) ? route.abort() : route.continue()));
  await page.fill('#paste-text', name);
  await page.locator('#notice').getByText('cannot be reached').waitFor();
  await page.fill('#entry-name', name);
  await page.keyboard.press('Enter');
  await page.locator('.entry .hint').getByText('cannot be reached').waitFor();
  assert.equal((await tournament(id, 'entrantsCount')).entrantsCount, 0);
  await page.unroute('**/graphql');
  await page.getByLabel(`Who is ${name}?`).waitFor();
  await page.locator('#entry-name').press('Enter');
  await page.locator('#entrant-1').waitFor();
  const { players } = await ask('query Called($name: String!) { players(filter: { called: $name }) { totalCount } }', { name });
  assert.equal(players.totalCount, 1);
  page.wrongs = page.wrongs.filter((text) => !/ERR_FAILED/.test(text));
  await close(page);
});

test('settings that are cleared are as usual again, and another game is scored as usual there', async () => {
  const { id } = await created('Settings', []);
  const page = await signedIn(browser, `/tournaments/${id}/organise?tab=settings`);
  const saved = async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The settings are saved.').waitFor();
    await page.locator('#toast [aria-label=Close]').click();
    return tournament(id, 'kind scoring tieBreaks startsAt');
  };
  const usual = await tournament(id, 'kind scoring tieBreaks startsAt');
  await page.locator('#group-scoring summary').click();
  await page.selectOption('[name=scoring]', 'three');
  await page.fill('[name=tieBreaks]', 'WON');
  await page.fill('[name=startsAt]', '2026-12-05T10:00');
  assert.equal((await saved()).scoring.win, 30);
  await page.selectOption('[name=scoring]', '');
  await page.fill('[name=tieBreaks]', '');
  await page.fill('[name=startsAt]', '');
  assert.deepEqual(await saved(), usual);
  await page.selectOption('[name=kind]', 'triforce');
  assert.deepEqual((await saved()).scoring, { by: 'beaten', full: 3 });
  await close(page);
});

test('a copy has the scoring of the original, though the form offers no such one', async () => {
  const scoring = { by: 'result', win: 20, draw: 10, loss: 0 };
  const { id } = await created('Original', [], { scoring });
  const page = await signedIn(browser, `/tournaments/${id}/organise?tab=settings`);
  await page.getByRole('link', { name: 'Copy as a new tournament' }).click();
  await page.locator('#group-scoring summary').click();
  const chosen = () => page.locator('[name=scoring]').evaluate((select) => select.selectedOptions[0].textContent);
  await becomes(chosen, 'Win 2, draw 1, loss 0');
  // It can be left and chosen again.
  await page.selectOption('[name=scoring]', 'three');
  await page.selectOption('[name=scoring]', { label: 'Win 2, draw 1, loss 0' });
  await shoot(page, 'console-copied');
  await page.click('#create');
  await page.waitForURL((url) => url.pathname.endsWith('/organise') && !url.pathname.includes(id));
  const [, copy] = /tournaments\/([^/]+)/.exec(page.url());
  const { pairing_bye: bye, ...found } = (await tournament(copy, 'scoring')).scoring;
  assert.deepEqual([found, bye], [scoring, 20]);
  await close(page);
});

test('a player who is reinstated by mistake has withdrawn again', async () => {
  const { id } = await created('Reinstated', NAMES.slice(0, 3), { rounds: 2 });
  await decide(id, 'withdraw(entrant: 3) { id }');
  await paired(id);
  await decide(id, 'openRound(round: 1) { number }');
  await decide(id, 'enterResult(round: 1, table: 1, ranking: [[1], [2]]) { number }');
  await decide(id, 'endRound(round: 1) { number }');
  const page = await signedIn(browser, `/tournaments/${id}/organise?tab=entrants`);
  await page.click('#entrant-3 [aria-label^=Reinstate]');
  await page.getByText('plays again.').waitFor();
  await page.locator('#toast button[aria-disabled=false]', { hasText: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  const { entrants } = await tournament(id, 'entrants { status withdrawnFrom }');
  assert.deepEqual(entrants[2], { status: 'WITHDRAWN', withdrawnFrom: 2 });
  await close(page);
});
