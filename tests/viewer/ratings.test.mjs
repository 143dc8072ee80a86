// Ratings in Chromium, against a running service: the lists, a player's curves, players of a tournament.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_SHOTS=dir] node --test ratings.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { SCREENS, accessible, ask, becomes, close, launch, open, shoot, shut, token, until } from './service.mjs';
import { TINY, created, decide, names, paired, signedIn, unique } from './tournament.mjs';

let browser;
/** Two players; the first won some games of Triangulate against the second. */
let pair;

before(async () => {
  browser = await launch();
  pair = await rivals(4);
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

async function rivals(games) {
  const players = [];
  for (const name of ['Rita Rated', 'Ralf Rival'].map(unique)) {
    const { createPlayer } = await ask('mutation Player($input: CreatePlayer!) { createPlayer(input: $input) { id name } }', { input: { name } }, token());
    players.push(createPlayer);
  }
  for (let index = 0; index < games; index++) {
    const input = { kind: 'triangulate', seats: players.map(({ id }) => ({ player: id })) };
    const { createGame } = await ask('mutation Game($input: CreateGame!) { createGame(input: $input) { id } }', { input }, token());
    await ask('mutation Act($game: ID!) { act(game: $game, action: "g8-h8") { ply } }', { game: createGame.id }, token());
    await ask('mutation Resign($game: ID!) { resign(game: $game, seat: 2) { id } }', { game: createGame.id }, token());
  }
  return players;
}

const ready = (page) => page.waitForSelector('#ratings[aria-busy=false] > *');

test('players of a kind are sorted by rating; provisional ratings are shown on request', async () => {
  const page = await open(browser, '/ratings?kind=triangulate');
  await ready(page);
  await page.check('[name=provisional]');
  await page.waitForURL('**/ratings?kind=triangulate&provisional=1');
  await page.locator('.ratings tbody tr').nth(1).waitFor();
  // Other tests may end games at the same time, which changes the list.
  await until(async () => {
    const { ratings } = await ask('{ ratings(kind: "triangulate", provisional: true, first: 50) { totalCount nodes { player { name } } } }');
    await page.reload();
    await page.locator('.ratings tbody tr').nth(1).waitFor();
    await page.waitForFunction(() => document.querySelector('#total').textContent);
    const shown = [await page.textContent('#total'), ...await names(page, '.ratings tbody th a')];
    return shown.join() === [`${ratings.totalCount.toLocaleString('en')} players`, ...ratings.nodes.map(({ player }) => player.name)].join();
  });
  await accessible(page, 'ratings');
  await shoot(page, 'ratings');
  const other = page.locator('#kinds a:not([aria-current])').first();
  const title = await other.textContent();
  await other.click();
  await page.waitForFunction((text) => document.querySelector('#kinds [aria-current]')?.textContent === text, title);
  await ready(page);
  await page.goBack();
  await page.waitForFunction(() => location.search.includes('triangulate'));
  await close(page);
  for (const [name, screen] of Object.entries({ dark: SCREENS.dark, tiny: TINY })) {
    const small = await open(browser, '/ratings?kind=triangulate&provisional=1', screen);
    await small.locator('.ratings tbody tr').first().waitFor();
    await accessible(small, `ratings, ${name}`);
    await shoot(small, `ratings-${name}`);
    await close(small);
  }
});

test('the numbering continues across pages of ratings', async () => {
  const page = await open(browser, '/ratings?kind=triangulate&provisional=1');
  await page.locator('.ratings tbody tr').first().waitFor();
  const { ratings } = await ask('{ ratings(kind: "triangulate", provisional: true, first: 1) { totalCount pageInfo { endCursor } } }');
  await page.goto(`/ratings?kind=triangulate&provisional=1&after=${encodeURIComponent(ratings.pageInfo.endCursor)}&from=2`);
  await page.locator('.ratings tbody tr').first().waitFor();
  assert.equal(await page.locator('.ratings tbody td').first().textContent(), '2');
  await page.click('#first');
  await page.waitForFunction(() => document.querySelector('.ratings tbody td').textContent === '1');
  await close(page);
});

test('a player is found by a few letters, and has a page with the curves', async () => {
  const [rita] = pair;
  const page = await open(browser, '/ratings');
  await ready(page);
  await page.fill('[name=player]', rita.name.toLowerCase());
  await page.waitForURL(`**/players/${rita.id}#ratings`);
  await page.locator('#ratings .chart .curve').waitFor();
  assert.equal(await page.locator('#ratings .chart .dot').count(), 4, 'a dot for each game');
  const { player } = await ask('query Rated($id: ID!) { player(id: $id) { ratings { value deviation games } } }', { id: rita.id });
  assert.equal(player.ratings[0].games, 4);
  const said = `${Math.round(player.ratings[0].value)} ± ${Math.round(player.ratings[0].deviation)}`;
  await page.locator('#ratings header').getByText(said).waitFor();
  await page.locator('#ratings .as-table summary').click();
  await becomes(() => page.locator('#ratings .as-table tbody tr').count(), 4);
  await accessible(page, 'a player’s curve');
  await shoot(page, 'player-curve');
  await page.setViewportSize(TINY.viewport);
  await accessible(page, 'a player’s curve on a phone');
  await shoot(page, 'player-curve-tiny');
  await close(page);
});

test('of several players of a name, the reader says which one', async () => {
  const name = unique('Tessa Twice');
  const register = async (club) => (await ask('mutation Player($input: CreatePlayer!) { createPlayer(input: $input) { id } }', { input: { name, club } }, token())).createPlayer.id;
  const [, south] = [await register('North'), await register('South')];
  const page = await open(browser, '/ratings');
  await ready(page);
  await page.fill('[name=player]', name);
  await page.getByText('2 players match').waitFor();
  await page.getByRole('button', { name: 'South' }).click();
  await page.waitForURL(`**/players/${south}#ratings`);
  await close(page);
});

test('the share of games won counts recorded games, as the other figures do', async () => {
  const players = await rivals(0);
  const { id } = await created('Entered only', [], { kind: 'tri', rounds: 1 });
  await decide(id, `addEntrants(entrants: [${players.map((player) => `{ player: "${player.id}" }`).join(', ')}]) { id }`);
  await paired(id);
  await decide(id, 'openRound(round: 1) { number }');
  const { enterResult: { tables: [{ seats }] } } = await decide(id, 'enterResult(round: 1, table: 1, ranking: [[1], [2]]) { tables { seats { entrant { player { id } } } } }');
  const [winner, other] = seats.map(({ entrant }) => entrant.player.id);
  const { createGame: game } = await ask('mutation Game($input: CreateGame!) { createGame(input: $input) { id position { legalActions } } }', { input: { kind: 'tri', seats: [{ player: winner }, { player: other }] } }, token());
  await ask('mutation Act($game: ID!, $action: String!) { act(game: $game, action: $action) { ply } }', { game: game.id, action: game.position.legalActions[0] }, token());
  await ask('mutation Resign($game: ID!) { resign(game: $game, seat: 1) { id } }', { game: game.id }, token());
  const page = await open(browser, `/players/${winner}`);
  const row = page.locator('#figures tr', { has: page.getByRole('link', { name: 'TRI', exact: true }) });
  await row.waitFor();
  assert.deepEqual((await row.locator('td.number').allTextContents()).slice(0, 3), ['1', '0', '0 %']);
  await close(page);
});

test('a known player is entered with the rating here, which the card shows too', async () => {
  const [rita] = pair;
  const { id } = await created('Rated', []);
  const page = await signedIn(browser, `/tournaments/${id}/organise`);
  await page.fill('#entry-name', rita.name.slice(0, -1));
  await page.locator('.options li').first().click();
  const { player } = await ask('query Rated($id: ID!) { player(id: $id) { ratings { value } } }', { id: rita.id });
  assert.equal(await page.inputValue('#entry-rating'), String(Math.round(player.ratings[0].value)));
  await page.click('.entry button[type=submit]');
  await page.waitForSelector('#entrant-1');
  await page.goto(`/tournaments/${id}?player=1`);
  await page.getByText(`rated ${Math.round(player.ratings[0].value)} ±`).waitFor();
  await accessible(page, 'a card with a rating');
  await close(page);
});
