// Statistics, players and the explorer in Chromium, against a running service; see browser.test.mjs.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { IS_ALL, KINDS, SCREENS, SEVERAL, accessible, ask, becomes, close, finishedGame, launch, open, rewriteAnswers, shoot, shut, token } from './service.mjs';

const CONTRAST = 4.5;
// Other tests record games at the same time; those counted here are older.
const UNTIL = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const OLD = { until: new Date(`${UNTIL}T23:59:59.999`).toISOString() };

let browser;
let game;
let kinds;

before(async () => {
  browser = await launch();
  game = await finishedGame();
  kinds = (await ask('{ rules { kind title secrets } }')).rules;
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

async function openStatistics(search = '', screen = SCREENS.light) {
  const page = await open(browser, `/statistics${search}`, screen);
  await settled(page);
  return page;
}

async function settled(page) {
  await page.waitForSelector('#figures[aria-busy=false]');
  await page.waitForFunction(() => [...document.querySelectorAll('.chart')].every((chart) => chart.querySelector('svg')));
}

const figures = (kind, filter = OLD) => ask(`query($kind: String!, $filter: GameFilter) { statistics(kind: $kind, filter: $filter) {
  games finished results { wins draws other } plies { median } reasons { key count } firstActions { action games positionKey } measures { name value } } }`, { kind, filter })
  .then(({ statistics }) => statistics);

// --- statistics

test('the figures of every kind are shown as the service computed them', async () => {
  for (const { kind, title } of kinds.filter((each) => IS_ALL || KINDS.includes(each.kind))) {
    const told = await figures(kind);
    const page = await openStatistics(`?kind=${kind}&until=${UNTIL}`);
    assert.equal(await page.title(), `${title} · Statistics · Plybook`);
    assert.equal(await page.locator('#kinds [aria-current=page]').textContent(), title);
    assert.match(await page.locator('#total').textContent(), new RegExp(`^${told.games.toLocaleString()} games? found, ${told.finished} finished$`));
    const rows = await page.locator('section[aria-label="Results by seat"] tbody tr').evaluateAll((found) => found.map((row) => [...row.cells].map((cell) => cell.textContent)));
    for (const [index, count] of told.results.wins.entries()) {
      const row = rows.find(([name]) => name.endsWith(`Seat ${index + 1}`));
      if (row) assert.equal(row[2], String(count), `${kind}, seat ${index + 1}`);
      else assert.equal(count, 0);
    }
    const reasons = await page.locator('section[aria-label="How games end"] tbody tr td:nth-of-type(2)').allTextContents();
    assert.deepEqual(reasons, told.reasons.map(({ count }) => count.toLocaleString()));
    assert.equal(await page.locator('.tile').filter({ hasText: 'Median length' }).locator('b').textContent(), `${told.plies.median} plies`);
    const shown = await page.locator('.measures h3').count();
    const telling = told.measures.filter(({ value }) => value != null);
    assert.equal(shown, telling.length - 2, 'length and branching have cards of their own');
    assert.ok(await page.locator('.chart svg').count() >= 3);
    assert.equal(await page.locator('section[aria-label=Play]').count(), 1, 'analysed or not, the page says so');
    await accessible(page, `statistics, ${kind}`);
    await shoot(page, `statistics-${kind}`);
    await close(page);
  }
});

test('filters are in the address, narrow the figures, and survive reload and back', async () => {
  const { players } = await ask('{ players(first: 50) { nodes { id name games(filter: {kind: "triangulate"}, first: 1) { totalCount } } } }');
  const { id, name } = players.nodes.find(({ games }) => games.totalCount > 0);
  const all = await figures('triangulate');
  const page = await openStatistics(`?kind=triangulate&until=${UNTIL}`);
  await page.selectOption('[name=status]', 'FINISHED');
  await page.waitForFunction((text) => document.querySelector('#total').textContent.startsWith(text), `${all.finished} games found`);
  await page.selectOption('[name=reason]', all.reasons[0].key);
  await page.waitForFunction((text) => document.querySelector('#total').textContent.startsWith(text), `${all.reasons[0].count} games found`);
  await page.fill('[name=player]', name);
  await page.waitForURL(`**player=${encodeURIComponent(id)}*`);
  await settled(page);
  const some = await figures('triangulate', { ...OLD, status: 'FINISHED', reason: all.reasons[0].key, player: id });
  await page.waitForFunction((text) => document.querySelector('#total').textContent.startsWith(text), some.games ? `${some.games} game` : '');
  const { search } = new URL(page.url());
  assert.deepEqual([...new URLSearchParams(search).keys()].sort(), ['kind', 'player', 'reason', 'status', 'until']);
  await page.reload();
  await settled(page);
  await page.waitForFunction((want) => document.querySelector('[name=player]').value === want, name);
  assert.equal(await page.locator('[name=reason]').inputValue(), all.reasons[0].key);
  await page.goBack();
  await settled(page);
  assert.equal(new URL(page.url()).searchParams.has('player'), false);
  await page.click('#clear');
  await settled(page);
  assert.equal(new URL(page.url()).search, '?kind=triangulate');
  await page.click('#kinds a >> nth=1');
  await settled(page);
  assert.equal(new URL(page.url()).searchParams.get('kind'), kinds[1].kind);
  await close(page);
});

test('a tag narrows the figures, and an empty result offers the way back', async () => {
  const page = await openStatistics('?kind=triangulate&tag=no-such-tag');
  await page.getByText('No game matches these filters.').waitFor();
  assert.equal(await page.locator('[name=tag]').inputValue(), 'no-such-tag');
  await accessible(page, 'no statistics');
  await page.getByRole('button', { name: 'Count all games' }).click();
  await page.getByRole('heading', { name: 'Results by seat' }).waitFor();
  await close(page);
});

test('the board is coloured by the chosen count; numbers and a table agree', async () => {
  const { statistics } = await ask('query($filter: GameFilter) { statistics(kind: "triangulate", filter: $filter) { heat(what: "visits") { max choices { name } places { key count } } } }', { filter: OLD });
  const { choices, max } = statistics.heat;
  const places = Object.fromEntries(statistics.heat.places.map(({ key, count }) => [key, count]));
  const page = await openStatistics(`?kind=triangulate&until=${UNTIL}`);
  const most = Object.keys(places).find((place) => places[place] === max);
  const field = page.locator('.heat .field.heat-7', { hasText: `${most}:` });
  assert.ok(await field.count() >= 1);
  await page.check('#numbers');
  const written = await page.locator('.heat .number').allTextContents();
  assert.ok(written.includes(String(max)) && written.length >= 64, written.join(' '));
  const card = page.locator('section[aria-label=Board]');
  await card.locator('.as-table summary').click();
  await becomes(() => card.locator('.data tbody tr').count(), Object.keys(places).length);
  await shoot(page, 'statistics-board');

  const other = choices.at(-1).name;
  await page.selectOption('#what', other);
  await page.waitForURL(`**what=${other}*`);
  await settled(page);
  assert.equal(await page.locator('#what').inputValue(), other);
  assert.equal(await page.locator('#numbers').isChecked(), true);
  await page.reload();
  await settled(page);
  assert.equal(await page.locator('#what').inputValue(), other);
  await close(page);
});

test('first actions lead on to the next ones, and back', async () => {
  const { firstActions } = await figures('triangulate');
  const [first] = firstActions;
  const { explore } = await ask('query($key: Hash, $filter: GameFilter) { explore(kind: "triangulate", positionKey: $key, filter: $filter) { games actions { action games } } }', { key: first.positionKey, filter: OLD });
  const page = await openStatistics(`?kind=triangulate&until=${UNTIL}`);
  await page.locator('.openings tbody a', { hasText: first.action }).first().click();
  await page.waitForURL(`**at=${first.positionKey}*`);
  await page.locator('.openings .path', { hasText: first.action }).waitFor();
  await page.locator('.openings .seen svg').waitFor();
  assert.deepEqual(await page.locator('.openings tbody th').allTextContents(), explore.actions.map(({ action }) => action));
  assert.ok(await page.locator('.openings .game-links li > a').count() > 0);
  await accessible(page, 'openings');
  await shoot(page, 'statistics-openings');
  await page.reload();
  await page.locator('.openings .path', { hasText: first.action }).waitFor();
  await page.goBack();
  await page.locator('section[aria-label="First actions"]').waitFor();
  await close(page);
});

test('head to head of two players', async () => {
  const [one, two] = game.seats.map(({ player }) => player);
  const { player } = await ask('query($one: ID!, $two: ID!) { player(id: $one) { against(opponent: $two, kind: "triangulate") { wins draws other } } }', { one: one.id, two: two.id });
  const page = await openStatistics(`?kind=triangulate&player=${one.id}`);
  await page.fill('[name=opponent]', two.name);
  await page.waitForURL(`**opponent=${two.id}*`);
  const rival = page.locator(`section[aria-label="${one.name} against ${two.name}"]`);
  await rival.waitFor();
  const counts = await rival.locator('tbody tr td:nth-of-type(2)').allTextContents();
  assert.deepEqual(counts.slice(0, 3).map(Number), [...player.against.wins, player.against.draws]);
  await close(page);
});

test('a failed request is reported and can be retried', async () => {
  const page = await open(browser, '');
  await page.route('**/graphql', (route) => route.abort());
  await page.goto('/statistics');
  await page.getByText('The service cannot be reached.').waitFor();
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Results by seat' }).waitFor();
  page.wrongs = page.wrongs.filter((text) => !text.includes('ERR_FAILED'));
  await page.goto('/statistics?kind=no-such-game');
  await page.getByRole('alert').getByText('There is no such game.').waitFor();
  await close(page);
});

for (const [name, screen] of SEVERAL) {
  test(`statistics, player and explorer are accessible: ${name}`, async () => {
    const page = await openStatistics('?kind=triforce', screen);
    await accessible(page, `statistics, ${name}`);
    await shoot(page, `statistics-${name}`);
    for (const summary of await page.locator('.as-table summary').all()) await summary.click();
    await accessible(page, `tables, ${name}`);
    await close(page);
    const { players } = await ask('{ players(first: 1) { nodes { id } } }');
    const player = await open(browser, `/players/${players.nodes[0].id}`, screen);
    await settled(player);
    await accessible(player, `player, ${name}`);
    await shoot(player, `player-${name}`);
    await close(player);
    const replay = await openExplorer(`/games/${game.id}#1`, screen);
    await accessible(replay, `explorer, ${name}`);
    await shoot(replay, `explorer-${name}`);
    await close(replay);
  });
}

test('white and dark numbers can be read on the bars of results', async () => {
  const page = await openStatistics('?kind=triangulate');
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    const pairs = await page.locator('.results').evaluateAll((bars) => bars.flatMap((bar) => [...bar.querySelectorAll('text')].map((text) => {
      const part = [...bar.querySelectorAll('.part')].find((each) => each.classList.contains(text.classList[0]));
      return [getComputedStyle(text).fill, getComputedStyle(part).fill];
    })));
    assert.ok(pairs.length > 0);
    for (const [ink, ground] of pairs) assert.ok(contrast(ink, ground) >= CONTRAST, `${ink} on ${ground}, ${colorScheme}`);
  }
  await close(page);
});

function contrast(...colours) {
  const [dark, light] = colours.map((colour) => {
    const [r, g, b] = colour.match(/\d+/g).map((part) => part / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  }).sort((a, b) => a - b);
  return light / dark;
}

test('all of the statistics can be reached with the keyboard', async () => {
  const page = await openStatistics('?kind=triangulate');
  const reached = new Set();
  for (let press = 0; press < 60; press++) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.name || document.activeElement.className || document.activeElement.tagName));
  }
  for (const what of ['player', 'opponent', 'since', 'status', 'reason', 'tag', 'action', 'what', 'numbers', 'SUMMARY']) assert.ok(reached.has(what), what);
  await page.focus('#kinds a >> nth=1');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**kind=${kinds[1].kind}*`);
  await settled(page);
  await close(page);
});

test('printed figures fit the page, without filters', async () => {
  const page = await openStatistics('?kind=triangulate');
  await page.emulateMedia({ media: 'print' });
  for (const hidden of ['#filters', '.downloads', '.top']) assert.equal(await page.locator(hidden).isVisible(), false, hidden);
  assert.equal(await page.locator('.chart svg').first().isVisible(), true);
  await shoot(page, 'statistics-print');
  await close(page);
});

// --- players

test('a player has a page: figures by game, opponents, recent games', async () => {
  const { player: { id, name } } = game.seats[0];
  const { player, won } = await ask(`query($id: ID!) { won: games(filter: {kind: "triangulate", winner: $id}) { totalCount }
    player(id: $id) { games(first: 1) { totalCount } statistics(kind: "triangulate") { games } } }`, { id });
  const page = await open(browser, `/games/${game.id}`);
  await page.locator('#seats a').first().click();
  await page.waitForURL(`**/players/${id}`);
  await settled(page);
  assert.equal(await page.locator('h1').textContent(), name);
  assert.match(await page.locator('#total').textContent(), new RegExp(`^${player.games.totalCount} game`));
  const row = page.locator('section[aria-label="By game"] tr', { has: page.locator('a[href*="kind=triangulate&"]') });
  assert.deepEqual((await row.locator('td').allTextContents()).slice(0, 2), [String(player.statistics.games), String(won.totalCount)]);
  assert.ok(await page.locator('section[aria-label=Opponents] tbody tr').count() > 0);
  await page.locator('section[aria-label=Opponents] tbody a').first().click();
  await page.waitForURL('**opponent=*');
  await settled(page);
  await page.locator('h2', { hasText: `${name} against` }).waitFor();
  await page.goto('/players/nobody');
  await page.getByRole('alert').waitFor();
  await close(page);
});

// --- explorer

async function openExplorer(path, screen = SCREENS.light) {
  const page = await open(browser, path, screen);
  await page.waitForSelector('#badge[data-state=verified]');
  await page.click('#tab-explorer');
  await page.locator('#panel-explorer .sum', { hasText: /./ }).waitFor();
  return page;
}

const sum = (page, text) => page.locator('#panel-explorer .sum', { hasText: text }).waitFor();

/** How the page words the number of games that reached a position, its own game included. */
const reached = (games) => (games === 1 ? 'No other game has reached this position.' : `${games} games reached this position.`);

/** The answer about the position that the page explores after `act`. */
async function explored(page, act) {
  const [response] = await Promise.all([page.waitForResponse((each) => each.request().postData()?.includes('query Explore(')), act()]);
  return (await response.json()).data.explore;
}

/** The explorer at the start of a game, with the answer it got. */
async function atStart(address = `${game.id}#0`) {
  const page = await open(browser, `/games/${address}`);
  await page.waitForSelector('#badge[data-state=verified]');
  const start = await explored(page, () => page.click('#tab-explorer'));
  await sum(page, `${start.games} games reached this position.`);
  return { page, start };
}

test('the explorer shows what was played from the position on the board', async () => {
  const { page, start } = await atStart();
  assert.ok(start.games >= 3, 'the games of the demo begin alike');
  const rows = page.locator('.explored .actions > li');
  assert.equal(await rows.count(), start.actions.length);
  assert.deepEqual(await page.locator('.explored .action').allTextContents(), start.actions.map(({ action }) => action));
  const own = page.locator('.explored .own');
  assert.ok((await own.textContent()).startsWith(game.moves.nodes[0].action));
  const next = await explored(page, () => own.locator('a').click());
  await page.waitForSelector('#board svg[aria-label="Board after ply 1"]');
  await sum(page, reached(next.games));
  await page.keyboard.press('Home');
  await sum(page, `${start.games} games`);
  await close(page);
});

test('an action of other games lists them', async () => {
  const { page, start } = await atStart();
  const other = start.actions.find(({ action }) => action !== game.moves.nodes[0].action);
  assert.ok(other, 'the games of the demo begin in different ways');
  const button = page.locator(`.explored button[data-key="${other.positionKey}"]`);
  await button.click();
  await becomes(() => button.getAttribute('aria-expanded'), 'true');
  const link = page.locator('.leads a').first();
  await link.waitFor();
  assert.match(await link.getAttribute('href'), /^\/games\/[^#]+#1$/);
  await accessible(page, 'where an action led');
  await page.keyboard.press('Enter');
  await becomes(() => page.locator('.leads').count(), 0, 'the same key closes it');
  await page.keyboard.press('Enter');
  await link.click();
  await page.waitForSelector('#board svg[aria-label="Board after ply 1"]');
  assert.ok(!page.url().includes(game.id));
  await close(page);
});

test('similar positions are searched for by the figures of the position, of a line too', async () => {
  const page = await openExplorer(`/games/${game.id}#4`);
  const { game: { position } } = await ask('query($id: ID!) { game(id: $id) { position(ply: 4) { likeness legalActions } } }', { id: game.id });
  await page.getByRole('button', { name: 'Similar positions' }).click();
  await page.waitForURL('**/search?**');
  assert.equal(new URL(page.url()).searchParams.get('where'), position.likeness);
  await page.locator('a[href^="/games/"][href$="#4"]').first().waitFor();
  await page.goto(`/games/${game.id}#4`);
  await page.waitForSelector('#badge[data-state=verified]');
  await page.click('#act-open');
  await page.fill('#act-text', position.legalActions.find((action) => action !== game.moves.nodes[4].action));
  await page.keyboard.press('Enter');
  await page.waitForSelector('#board svg[aria-label="Board after ply 5"]');
  await page.click('#tab-explorer');
  await page.getByRole('button', { name: 'Similar positions' }).click();
  await page.waitForURL('**/search?**');
  assert.notEqual(new URL(page.url()).searchParams.get('where'), position.likeness);
  await close(page);
});

test('the explorer requests a position once, and skips those that are only passed', async () => {
  const page = await open(browser, `/games/${game.id}#0`);
  let asked = 0;
  page.on('request', (request) => { if (request.postData()?.includes('query Explore(')) asked += 1; });
  await page.waitForSelector('#badge[data-state=verified]');
  assert.equal(asked, 0, 'nothing is requested while the panel is closed');
  await page.click('#tab-explorer');
  await sum(page, 'games reached this position');
  assert.equal(asked, 1);
  // All in one task, so that the speed of the machine does not matter.
  await page.evaluate(() => { for (let ply = 1; ply <= 6; ply++) document.querySelector('#next').click(); });
  await sum(page, 'No other game');
  assert.equal(asked, 2);
  await page.keyboard.press('Home');
  await sum(page, 'games reached this position.');
  assert.equal(asked, 2);
  await close(page);
});

test('the explorer counts the games of a player, or since a day', async () => {
  const { game: { seats } } = await ask('query($id: ID!) { game(id: $id) { seats { player { id name } } } }', { id: game.id });
  const { page, start } = await atStart();
  const some = await explored(page, () => page.fill('#explorer-player', seats[0].player.name));
  assert.ok(some.games > 0 && some.games < start.games, `${some.games} of ${start.games}`);
  await sum(page, reached(some.games));
  await page.fill('#explorer-since', '2999-01-01');
  await sum(page, 'No game that matches has reached this position.');
  await page.locator('#panel-explorer .narrow button').click();
  await sum(page, `${start.games} games reached this position.`);
  assert.equal(await page.locator('#explorer-player').inputValue(), '');
  await close(page);
});

test('for a running game with secrets nothing is requested, and the page says why', async () => {
  const { kind } = kinds.find(({ secrets }) => secrets);
  const { games } = await ask('query($kind: String) { games(filter: {kind: $kind, status: RUNNING}, first: 1) { nodes { id } } }', { kind });
  const page = await open(browser, `/games/${games.nodes[0].id}`);
  let asked = 0;
  page.on('request', (request) => { if (/query (Explore|Key)\(/.test(request.postData() ?? '')) asked += 1; });
  await page.waitForSelector('#badge[data-state=verified]');
  await page.click('#tab-explorer');
  await sum(page, 'is shown once it is over');
  assert.equal(asked, 0);
  await close(page);
});

/** A running game of three plies, each the legal action at the given index. */
async function ownGame(index) {
  const seats = [{ name: 'Explorer One' }, { name: 'Explorer Two' }];
  const { createGame: { id } } = await ask('mutation($input: CreateGame!) { createGame(input: $input) { id } }', { input: { kind: 'triangulate', seats } }, token());
  for (let ply = 0; ply < 3; ply++) {
    const { game: { position } } = await ask('query($id: ID!) { game(id: $id) { position { toAct legalActions } } }', { id });
    const variables = { id, seat: Number(position.toAct[0].slice(5)), action: position.legalActions.at(index) };
    await ask('mutation($id: ID!, $seat: Int, $action: String!) { act(game: $id, seat: $seat, action: $action) { ply } }', variables, token());
  }
  return id;
}

test('the explorer follows a line, saved or not', async () => {
  const id = await ownGame(-1);
  // Enough plies of one game that no other begins with them.
  const opening = game.moves.nodes.slice(0, 4).map(({ action }) => action);
  const { fork } = await ask('mutation($id: ID!, $actions: [String!]) { fork(game: $id, ply: 0, actions: $actions) { id } }', { id, actions: opening }, token());
  const page = await open(browser, `/games/${id}?line=${fork.id}#4`);
  await page.waitForSelector('#board svg[aria-label="Board after ply 4"]');
  await page.waitForSelector('#badge[data-state=verified]');
  const kept = await explored(page, () => page.click('#tab-explorer'));
  assert.equal(kept.games, 1);
  await sum(page, '1 game reached this position.');
  assert.equal(await page.locator('.explored .action').textContent(), game.moves.nodes[4].action);
  assert.equal(await page.locator('.explored .game-links li > a').getAttribute('href'), `/games/${game.id}#4`);
  await close(page);

  const reader = await open(browser, `/games/${id}#0`);
  await reader.waitForSelector('#badge[data-state=verified]');
  await reader.click('#act-open');
  const { legalActions } = await ask('query($id: ID!) { game(id: $id) { position(ply: 0) { legalActions } } }', { id }).then((answer) => answer.game.position);
  const unkept = legalActions.find((action) => action !== opening[0] && action !== legalActions.at(-1));
  await reader.fill('#act-text', unkept);
  await reader.keyboard.press('Enter');
  await reader.waitForSelector('#board svg[aria-label="Board after ply 1"]');
  await reader.click('#tab-explorer');
  await sum(reader, /reached this position/);
  await close(reader);
});

test('a position that no game reached, and a failing request', async () => {
  const id = await ownGame(-2);
  await ask('mutation($id: ID!) { voidGame(game: $id, reason: "a test") { ply } }', { id }, token());
  const page = await openExplorer(`/games/${id}#3`);
  await sum(page, 'No recorded game has reached this position.');
  await close(page);
  const failing = await open(browser, '');
  let fail = true;
  const down = { errors: [{ message: 'the index is being made', extensions: { code: 'INTERNAL' } }] };
  await rewriteAnswers(failing, 'Explore', (answer) => (fail ? down : answer));
  await failing.goto(`/games/${game.id}#0`);
  await failing.click('#tab-explorer');
  await failing.getByRole('alert').getByText('The index is being made.').waitFor();
  fail = false;
  await failing.locator('#panel-explorer').getByRole('button', { name: 'Try again' }).click();
  await sum(failing, 'reached this position');
  await close(failing);
});
