// Tournaments in Chromium, against a running service: run, watched, printed.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_SHOTS=dir] node --test tournaments.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { tapPlace } from './recorder.mjs';
import { IS_ALL, SCREENS, accessible, ask, becomes, close, launch, open, shoot, shut, token } from './service.mjs';
import { NAMES, TINY, created, decide, names, paired, signedIn, step, take, unique } from './tournament.mjs';

let browser;
/** A tournament of eight with one closed round and one open; tests only read it. */
let shown;

before(async () => {
  browser = await launch();
  shown = await played('Shown Open');
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

async function played(name) {
  const tournament = await created(name);
  await paired(tournament.id);
  await decide(tournament.id, 'openRound(round: 1) { number }');
  for (const table of [1, 2, 3, 4]) await decide(tournament.id, `enterResult(round: 1, table: ${table}, ranking: ${table === 2 ? '[[1, 2]]' : '[[1], [2]]'}) { number }`);
  await decide(tournament.id, 'endRound(round: 1) { number }');
  await paired(tournament.id);
  await decide(tournament.id, 'openRound(round: 2) { number }');
  return tournament;
}

/** The squares of a legal action at table 1. */
async function legalSquares(id) {
  const { tournament } = await ask('query Legal($id: ID!) { tournament(id: $id) { round(number: 1) { table(number: 1) { game { position { legalActions } } } } } }', { id });
  return tournament.round.table.game.position.legalActions[0].split('-');
}

const tables = (page) => page.locator('.table-row');

// --- running a tournament

test('a Swiss of eight is run entirely in the browser, and the public page follows', async () => {
  const name = unique('Browser Open');
  const page = await signedIn(browser, '/tournaments/new');
  await page.locator('option[value=triangulate]').waitFor({ state: 'attached' });
  await page.click('#create');
  await becomes(() => page.evaluate(() => document.activeElement.getAttribute('name')), 'name', 'the focus goes to what is wrong');
  await page.fill('[name=name]', name);
  await page.selectOption('[name=kind]', 'triangulate');
  await page.fill('[name=rounds]', '2');
  await page.click('#create');
  await page.waitForURL('**/organise');
  const [, id] = /tournaments\/([^/]+)/.exec(page.url());

  // One is typed, the others are pasted; a duplicate is left out.
  const eight = NAMES.map(unique);
  await page.fill('#entry-name', eight[0]);
  await page.fill('#entry-rating', '2100');
  await page.click('.entry button[type=submit]');
  await page.waitForSelector('#entrant-1');
  await page.click('.paste summary');
  await page.fill('#paste-text', `${eight.slice(1).map((each, index) => `${each};${2000 - 50 * index};Club A`).join('\n')}\n${eight[0]}`);
  await page.getByLabel(`Who is ${eight[0]}?`).waitFor();
  await page.dblclick('text=Enter 7 players');
  await page.waitForSelector('#entrant-8');
  await shoot(page, 'console-players');

  const watcher = await open(browser, `/tournaments/${id}`);
  await watcher.getByRole('heading', { name }).waitFor();

  // Paired, checked, changed by hand, undone, opened.
  await take(page, 'Pair round 1');
  await step(page, 'Open round 1');
  await becomes(() => page.locator('.duel tbody tr').count(), 4);
  await page.locator('.why').first().click();
  await page.locator('dialog li').first().waitFor();
  await page.keyboard.press('Escape');
  await page.click('text=Change by hand');
  const [one, other] = await names(page, '[data-place="0.0"] .who, [data-place="1.0"] .who');
  await page.click('[data-place="0.0"]');
  await page.click('[data-place="1.0"]');
  await becomes(() => names(page, '[data-place="0.0"] .who, [data-place="1.0"] .who'), [other, one]);
  await page.locator('[data-place="2.0"]').dragTo(page.locator('[data-place="3.0"]'));
  await page.waitForFunction(() => /^Save/.test(document.querySelector('.draft-acts .primary').textContent) && document.querySelector('.draft-acts .primary').getAttribute('aria-disabled') === 'false');
  await shoot(page, 'console-draft');
  await page.click('.draft-acts .primary');
  await page.getByText('is saved').waitFor();
  assert.match(await page.locator('.duel tbody tr').first().textContent(), new RegExp(other));
  await page.locator('#toast').getByText('Undo').click();
  await page.getByText('Undone.').waitFor();
  assert.match(await page.locator('.duel tbody tr').first().textContent(), new RegExp(one));
  await take(page, 'Open round 1');
  await tables(page).first().waitFor();

  // A slip leads to its table; results entered there arrive here and on the public page.
  await page.click('text=Table slips');
  await page.click('text=All 4 tables');
  const link = await page.locator('.slip-code').first().getAttribute('href');
  assert.match(link, /\/table#token=.+$/);
  assert.equal(await page.locator('.slip svg path').count(), 4);
  await shoot(page, 'console-slips');
  const phone = await open(browser, link, SCREENS.phone);
  await phone.getByText('How did it end?').waitFor();
  assert.equal(new URL(phone.url()).hash, '', 'the token does not stay in the address');
  await accessible(phone, 'a table');
  await shoot(phone, 'table');
  // Two taps on the board record an action; the boards of the public page follow.
  await phone.getByRole('link', { name: 'Record the game' }).tap();
  await phone.locator('.board.playable').waitFor();
  assert.equal(new URL(phone.url()).hash, '', 'nor in that of the recorder');
  for (const square of await legalSquares(id)) await tapPlace(phone, square);
  await phone.locator('#ply-1').waitFor();
  await watcher.locator('.mini').first().getByText('Ply 1').waitFor();
  await accessible(phone, 'a table that is recorded');
  await shoot(phone, 'table-recorder');
  await phone.getByRole('link', { name: /^Table / }).tap();
  await phone.locator('.choices button').first().tap();
  await phone.locator('#confirm').tap();
  await phone.locator('.final').getByText('1–0').waitFor();
  await phone.reload();
  await phone.locator('.final').getByText('1–0').waitFor();
  await page.waitForFunction(() => document.querySelector('[data-table="1"] [aria-pressed=true]')?.textContent === '1–0');
  await watcher.waitForFunction(() => document.querySelector('.duel .result')?.textContent === '1–0');
  await close(phone);

  // The others with one key each: after each, the next table has the focus.
  await page.locator('[data-table="2"] button').first().focus();
  for (const key of ['=', '2', '1']) await page.keyboard.press(key);
  await step(page, 'Close round 1');
  await becomes(() => names(page, '.score-button[aria-pressed=true]'), ['1–0', '½–½', '0–1', '1–0']);
  await page.click('[data-table="4"] [aria-label^="More"]');
  await page.getByRole('button', { name: /did not come/ }).nth(1).click();
  await page.locator('[data-table="4"]').getByText('forfeit').first().waitFor();
  await shoot(page, 'console-results');
  await take(page, 'Close round 1');

  // The second round: a rematch causes a warning before it is saved.
  await take(page, 'Pair round 2');
  await step(page, 'Open round 2');
  await page.click('text=Change by hand');
  const met = await page.evaluate(async (tournament) => {
    const query = `{ tournament(id: "${tournament}") { round(number: 1) { tables { seats { entrant { name } } } } } }`;
    const answer = await fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) });
    return (await answer.json()).data.tournament.round.tables[0].seats.map(({ entrant }) => entrant.name);
  }, id);
  const seatOf = async (player) => page.locator('.seat-button', { hasText: player }).getAttribute('data-place');
  const place = await seatOf(met[0]);
  const opposite = `${place.split('.')[0]}.${1 - Number(place.split('.')[1])}`;
  await page.click(`[data-place="${await seatOf(met[1])}"]`);
  await page.click(`[data-place="${opposite}"]`);
  await page.locator('.warned .warnings').first().waitFor();
  assert.equal(await page.locator('.draft-acts .primary').textContent(), 'Save despite the warnings');
  await accessible(page, 'a pairing with warnings');
  await shoot(page, 'console-warning');
  await page.getByRole('button', { name: 'Discard' }).click();
  await take(page, 'Open round 2');
  await tables(page).first().waitFor();
  for (const table of [1, 2, 3, 4]) await page.locator(`[data-table="${table}"] .score-button`).first().click();
  await take(page, 'Close round 2');
  await take(page, 'Finish the tournament');
  await page.getByText('The tournament is finished.').first().waitFor();

  // The service's standings, on a page that was never reloaded.
  await watcher.waitForFunction(() => document.querySelector('#status').textContent === 'Finished');
  await watcher.getByRole('link', { name: 'Standings' }).click();
  await watcher.locator('.standings tbody tr').first().waitFor();
  const { tournament: { standings } } = await ask('query Standings($id: ID!) { tournament(id: $id) { standings { entrant { name } } } }', { id });
  assert.deepEqual(await names(watcher, '.standings tbody .name'), standings.map(({ entrant }) => entrant.name));
  assert.equal(standings.length, 8);
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Log' }).click();
  await page.getByText('Round closed').first().waitFor();
  await close(watcher);
  await close(page);
});

test('everything works with the keyboard alone', async () => {
  const { id } = await created('Keyboard Open', NAMES.slice(0, 4));
  const page = await signedIn(browser, `/tournaments/${id}/organise`);
  const focus = async (wanted) => {
    for (let tries = 0; tries < 120; tries++) {
      if (await page.evaluate((selector) => document.activeElement.matches(selector), wanted)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`${wanted} is not reached by Tab`);
  };
  await step(page, 'Pair round 1');
  await focus('#next-step');
  await page.keyboard.press('Enter');
  await step(page, 'Open round 1');
  await focus('.round-acts button');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-place]');
  const before = await names(page, '[data-place] .who');
  await focus('[data-place="0.0"]');
  await page.keyboard.press('Space');
  await page.waitForSelector('[data-place="0.0"][aria-pressed=true]');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction((name) => document.querySelector('[data-place="1.0"] .who').textContent === name, before[0]);
  await focus('.draft-acts .primary');
  await page.waitForFunction(() => document.querySelector('.draft-acts .primary').getAttribute('aria-disabled') === 'false');
  await page.keyboard.press('Enter');
  await page.getByText('is saved').waitFor();
  await page.evaluate(() => document.activeElement.blur());
  await focus('#next-step');
  await page.keyboard.press('Enter');
  await tables(page).first().waitFor();
  await focus('.table-row button');
  await page.keyboard.press('1');
  await page.keyboard.press('2');
  await step(page, 'Close round 1');
  await becomes(() => page.evaluate(() => document.activeElement.id), 'next-step');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('0');
  await page.waitForFunction(() => document.querySelector('#next-step').getAttribute('aria-disabled') === 'true');
  await close(page);
});

// --- the public pages

/** The words that do not fit on one line of what shows them. */
const brokenWords = (page, selector) => page.locator(selector).evaluateAll((elements) => elements.flatMap((element) => {
  const range = document.createRange();
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (walk.nextNode()) {
    for (const { index, 0: word } of walk.currentNode.data.matchAll(/[^\s-]+/g)) {
      range.setStart(walk.currentNode, index);
      range.setEnd(walk.currentNode, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
    }
  }
  return broken;
}));

test('every view of a tournament is accessible, on wide, small and dark screens', async () => {
  const { tournament: { entrants } } = await ask('query Entrants($id: ID!) { tournament(id: $id) { entrants { number } } }', { id: shown.id });
  const { tournaments: { nodes: [robin] } } = await ask('{ tournaments(filter: { nameContains: "Club championship", format: ROUND_ROBIN }, first: 1) { nodes { id } } }');
  const views = ['?view=now', '?view=pairings', '?view=pairings&by=name', '?view=standings', '?view=crosstable', '?view=players', '?view=about', `?player=${entrants[0].number}`];
  for (const [screen, options] of Object.entries(IS_ALL ? { light: SCREENS.light, dark: SCREENS.dark, tiny: TINY } : { tiny: TINY })) {
    const page = await open(browser, '/tournaments', options);
    await page.locator('.event').first().waitFor();
    await accessible(page, `the list, ${screen}`);
    for (const view of views) {
      await page.goto(`/tournaments/${shown.id}${view}`);
      await page.waitForSelector('#content[aria-busy=false] > :not(.empty)');
      await accessible(page, `${view}, ${screen}`);
      await shoot(page, `tournament-${view.replace(/\W+/g, '-')}-${screen}`);
    }
    // Everybody meets everybody: as many columns as names.
    await page.goto(`/tournaments/${robin.id}?view=crosstable`);
    await page.locator('.cross .name').last().waitFor();
    assert.deepEqual(await brokenWords(page, '.cross .name'), [], screen);
    await close(page);
  }
});

test('the console is accessible, on a phone too', async () => {
  for (const [screen, options] of Object.entries(IS_ALL ? { dark: SCREENS.dark, tiny: TINY } : { tiny: TINY })) {
    const page = await signedIn(browser, `/tournaments/${shown.id}/organise`, options);
    await tables(page).first().waitFor();
    await accessible(page, `results, ${screen}`);
    await shoot(page, `console-results-${screen}`);
    await page.click('[data-table="1"] [aria-label^="More"]');
    await accessible(page, `more, ${screen}`);
    await page.keyboard.press('Escape');
    for (const tab of ['entrants', 'settings', 'history', 'rounds&round=1']) {
      await page.goto(`/tournaments/${shown.id}/organise?tab=${tab}`);
      await page.waitForSelector('#panels[aria-busy=false]');
      await page.locator('#panels > section:not([hidden])').locator('table, form, .table-row').first().waitFor();
      await accessible(page, `${tab}, ${screen}`);
    }
    await page.goto('/tournaments/new');
    await page.click('#create');
    await page.locator('[name=name]:invalid:focus').waitFor();
    await accessible(page, `the form, ${screen}`);
    await close(page);
  }
});

test('the list can be searched; an empty one says so', async () => {
  const page = await open(browser, '/tournaments');
  await page.fill('[name=name]', shown.name.toUpperCase());
  await page.waitForFunction(() => document.querySelector('#total').textContent === '1 tournament found');
  assert.match(page.url(), /name=/);
  await page.selectOption('[name=status]', 'FINISHED');
  await page.getByText('No tournament matches.').waitFor();
  await accessible(page, 'an empty list');
  await page.click('text=Show all tournaments');
  await page.locator('.event').nth(1).waitFor();
  await page.goBack();
  await page.getByText('No tournament matches.').waitFor();
  await close(page);
});

test('a card opens its tie-breaks and links to opponents and figures', async () => {
  const page = await open(browser, `/tournaments/${shown.id}?view=standings`);
  await page.locator('.standings .name').first().click();
  await page.locator('.card-rounds').waitFor();
  await page.locator('.tie-breaks summary').first().click();
  await page.locator('.tie-breaks [open] .terms li').first().waitFor();
  const { search } = new URL(page.url());
  await page.locator('.card-rounds .name').first().click();
  await page.waitForFunction((old) => location.search !== old, search);
  await page.getByRole('link', { name: 'Statistics in this tournament' }).click();
  await page.locator('.of-tournament a').getByText(shown.name).waitFor();
  await page.goto(`/?tournament=${shown.id}`);
  await page.waitForFunction(() => document.querySelector('#total').textContent.startsWith('8 games'));
  await page.locator('.games .event').first().waitFor();
  await close(page);
});

test('statistics and openings of a tournament count its games only', async () => {
  const { id, name } = await created('Figures', NAMES.slice(0, 4));
  await paired(id);
  await decide(id, 'openRound(round: 1) { number }');
  const { tournament } = await ask('query Games($id: ID!) { tournament(id: $id) { round(number: 1) { tables { game { id position { legalActions } } } } } }', { id });
  const [action] = tournament.round.tables[0].game.position.legalActions;
  for (const { game } of tournament.round.tables) {
    await ask('mutation Play($game: ID!, $action: String!) { act(game: $game, seat: 1, action: $action) { id } resign(game: $game, seat: 1) { id } }', { game: game.id, action }, token());
  }
  const page = await open(browser, `/tournaments/${id}`);
  await page.getByRole('navigation', { name: 'Tournament' }).getByRole('link', { name: 'Statistics' }).click();
  await page.locator('.of-tournament a').getByText(name).waitFor();
  await page.waitForFunction(() => document.querySelector('#total').textContent.startsWith('2 games'));
  await page.locator('.openings .action').first().click();
  await page.waitForURL((url) => url.searchParams.get('tournament') === id && url.searchParams.has('at'));
  await page.locator('.path').getByText(action).waitFor();
  await page.waitForFunction(() => document.querySelector('#figures').getAttribute('aria-busy') === 'false');
  await accessible(page, 'openings of a tournament');
  await close(page);
});

test('a projector turns its pages, with keys too', async () => {
  const page = await open(browser, `/tournaments/${shown.id}?projector`, { viewport: { width: 1920, height: 1080 } });
  await page.locator('.beam-pairings tr').nth(3).waitFor();
  await shoot(page, 'projector-pairings');
  await accessible(page, 'projector');
  await page.keyboard.press('ArrowRight');
  await page.locator('.beam-standings tr').nth(7).waitFor();
  await shoot(page, 'projector-standings');
  await page.keyboard.press('Escape');
  await page.waitForSelector('#projector', { state: 'hidden' });
  await page.locator('#name').waitFor();
  await close(page);
});

test('a printed page has the table and nothing else', async () => {
  const page = await open(browser, `/tournaments/${shown.id}?view=pairings`);
  await page.locator('.duel').waitFor();
  await page.emulateMedia({ media: 'print' });
  for (const hidden of ['.top', '#views', '#tools', '.why', '.record']) assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
  assert.ok(await page.locator('.duel').isVisible());
  await shoot(page, 'print-pairings');
  assert.ok((await page.pdf({ format: 'A4' })).length > 1000);
  await close(page);
});

// --- who may do what

test('without a token, the console says whose token it needs', async () => {
  const page = await open(browser, `/tournaments/${shown.id}/organise`);
  await page.getByText('sign in with the token of its organiser').waitFor();
  assert.equal(await page.locator('#next-step').count(), 0);
  await accessible(page, 'the console of a stranger');
  await close(page);
});

test('an expired link of a table says so, and a missing one says what to do', async () => {
  const page = await open(browser, '/table', SCREENS.phone);
  await page.getByText('Open the link on the slip of your table').waitFor();
  await page.goto('/table#token=nobody');
  await page.reload();
  await page.getByText('This link is no longer valid').waitFor();
  await accessible(page, 'an old link');
  page.wrongs = page.wrongs.filter((text) => !/40[13]/.test(text));
  await close(page);
});

test('a tournament that does not exist is reported', async () => {
  const page = await open(browser, '/tournaments/00000000-0000-7000-8000-000000000000');
  await page.getByText('There is no tournament at this address.').waitFor();
  await page.getByRole('link', { name: 'All tournaments' }).waitFor();
  await close(page);
});

test('concurrent decisions of two organisers are never silently merged', async () => {
  const { id } = await created('Two organisers', NAMES.slice(0, 4));
  const page = await signedIn(browser, `/tournaments/${id}/organise`);
  await step(page, 'Pair round 1');
  let isFirst = true;
  await page.route('**/graphql', async (route) => {
    if (isFirst && route.request().postData()?.includes('pairRound')) {
      isFirst = false;
      await decide(id, 'withdraw(entrant: 1) { id }');
    }
    return route.continue();
  });
  await page.click('#next-step');
  await page.getByText('Somebody else has changed the tournament').waitFor();
  assert.equal((await ask('query Round($id: ID!) { tournament(id: $id) { currentRound { number } } }', { id })).tournament.currentRound, null);
  await accessible(page, 'a conflict');
  await close(page);
});
