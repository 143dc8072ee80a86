// Creating games in the browser, against a running service.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_SHOTS=dir] node --test new-game.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { SCREENS, accessible, ask, becomes, close, launch, open, shoot, shut, token } from './service.mjs';
import { signedIn, unique } from './tournament.mjs';

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

/** The form, with a kind chosen. */
async function formOf(kind, screen) {
  const page = await signedIn(browser, '/games/new', screen);
  await page.locator(`#kind option[value=${kind}]`).waitFor({ state: 'attached' });
  await page.selectOption('#kind', kind);
  await page.locator('#seat-1').waitFor();
  await page.locator('#group-more > summary').click();
  return page;
}

/** Presses the button, and answers with the game. */
async function create(page) {
  await page.locator('#create').click();
  const link = page.getByRole('link', { name: 'Record it on this device' });
  await link.waitFor();
  const id = (await link.getAttribute('href')).split('/')[2];
  const { game } = await ask('query Made($id: ID!) { game(id: $id) { id kind setup tags rated seats { name player { id } } events(first: 1) { nodes { body } } } }', { id }, token());
  return game;
}

test('a game for two: a registered player found by three letters, a name, tags', async () => {
  const name = unique('Zoë Quist');
  const { createPlayer } = await ask('mutation P($name: String!) { createPlayer(input: { name: $name, club: "Club Z" }) { id } }', { name }, token());
  const page = await formOf('triangulate', SCREENS.phone);
  await page.locator('.picture svg').waitFor();
  await page.fill('#seat-1', `zoe ${name.split(' ').at(-1)}`);
  await page.locator('.found button').getByText(name).tap();
  await page.getByText('Registered player, Club Z').waitFor();
  assert.equal(await page.inputValue('#seat-1'), name);
  await page.fill('#seat-2', 'Somebody Else');
  await page.fill('#tags', 'event=Club night, friendly');
  await page.locator('#rated').uncheck();
  await accessible(page, 'the form for a new game');
  await shoot(page, 'new-game-phone');
  const game = await create(page);
  assert.deepEqual(game.seats, [{ name, player: { id: createPlayer.id } }, { name: 'Somebody Else', player: null }]);
  assert.deepEqual([game.kind, game.tags, game.rated], ['triangulate', { event: 'Club night', friendly: true }, false]);
  await accessible(page, 'a game that was created');
  await close(page);
});

test('the form begins with the games, and every game has a picture of its start', async () => {
  const { rules } = await ask('{ rules { kind title } }');
  const page = await signedIn(browser, '/games/new', SCREENS.phone);
  await page.locator('.kind-cards li').nth(rules.length - 1).waitFor();
  await accessible(page, 'the games to choose from');
  await shoot(page, 'new-game-kinds');
  await page.locator('.kind-cards').getByRole('button', { name: 'Triforce Building' }).press('Enter');
  await becomes(() => page.evaluate(() => document.activeElement.id), 'kind');
  await page.locator('#seat-7').waitFor();
  await page.locator('.picture svg').waitFor();
  const order = await page.locator('#main > *').evaluateAll((all) => all.map(({ id }) => id));
  assert.deepEqual(order, ['group-kind', 'group-pasted', 'group-seats', 'group-more', 'end']);
  await page.selectOption('#kind', 'thrones');
  await page.locator('#group-variants').waitFor();
  assert.deepEqual(await page.locator('#main > *').evaluateAll((all) => all.map(({ id }) => id)), ['group-kind', 'group-pasted', 'group-seats', 'group-variants', 'group-more', 'end']);
  await close(page);
});

test('a name that is changed after a player was chosen is a name again', async () => {
  const name = unique('Yara Holt');
  await ask('mutation P($name: String!) { createPlayer(input: { name: $name }) { id } }', { name }, token());
  const page = await formOf('triangulate');
  await page.fill('#seat-1', name);
  await page.locator('.found button').getByText(name).click();
  await page.getByText('Registered player').waitFor();
  await page.fill('#seat-1', `${name} junior`);
  await becomes(() => page.getByText('Registered player').count(), 0);
  const game = await create(page);
  assert.deepEqual(game.seats[0], { name: `${name} junior`, player: null });
  await close(page);
});

test('the setup comes from the schema of the kind; what is left as it is stays out', async () => {
  const page = await formOf('triforce');
  await page.selectOption('#count', '5');
  await page.locator('#seat-5').waitFor();
  await page.fill('#setup-bases', 'SSSSSLLLLLMMMMM');
  await page.locator('.picture svg').waitFor();
  await accessible(page, 'a setup with fields');
  await shoot(page, 'new-game-triforce');
  const game = await create(page);
  assert.deepEqual([game.setup.players, game.setup.bases, game.seats.length], [5, 'SSSSSLLLLLMMMMM', 5]);

  const thrones = await formOf('thrones');
  await thrones.getByLabel('Victory points').check();
  await thrones.getByLabel('Ports').check();
  await thrones.getByLabel('Played before').check();
  await accessible(thrones, 'variants');
  await shoot(thrones, 'new-game-thrones');
  const other = await create(thrones);
  assert.deepEqual([...other.setup.variants].sort(), ['ports', 'victory-points']);
  assert.equal(other.events.nodes[0].body.open, true);

  const tri = await formOf('tri');
  await tri.selectOption('#setup-formation', 'river');
  await tri.locator('.picture svg').waitFor();
  assert.equal((await create(tri)).setup.formation, 'river');
  assert.equal(await page.locator('#group-more textarea').count() + await thrones.locator('#group-more textarea').count(), 0, 'nothing is written as JSON');
  for (const each of [page, thrones, tri]) await close(each);
});

/** Taps what stands on the board of the form, or where it is to go. */
async function tapBoard(page, place) {
  await page.locator(`#picture .board [data-place="${place}"]`).last().click({ force: true });
}

for (const [kind, from, to, placed] of [
  ['triangulate', 'a2', 'b4', ({ board }) => [board.a2, board.b4.frogs[0]]],
  ['tri', 'I2', 'I4', ({ pieces }) => [pieces.I2, pieces.I4]],
]) {
  test(`a new game begins with the position that its board was set up to: ${kind}`, async () => {
    const page = await formOf(kind, SCREENS.phone);
    await page.locator(`#picture [data-place="${from}"]`).first().waitFor();
    await tapBoard(page, from);
    await page.locator('#picture .mark-picked').waitFor();
    const [folded] = await Promise.all([page.waitForResponse((response) => (response.request().postData() ?? '').startsWith('{"query":"query Picture')), tapBoard(page, to)]);
    assert.equal((await folded.json()).errors, undefined);
    await page.locator('#understood').getByText('position').waitFor();
    await accessible(page, 'a board that is set up');
    await shoot(page, `new-game-set-up-${kind}`);
    const { id } = await create(page);
    const { game } = await ask('query Start($id: ID!) { game(id: $id) { position(ply: 0) { position } } }', { id }, token());
    const [left, there] = placed(game.position.position);
    assert.deepEqual([left, [1, 2].includes(there)], [undefined, true]);
    await close(page);
  });
}

test('a position that cannot be is refused with the reason, and the board stays as it was', async () => {
  const page = await formOf('tri', SCREENS.phone);
  await page.locator('#picture [data-place="A2"]').first().waitFor();
  const before = await page.locator('#picture svg').innerHTML();
  await tapBoard(page, 'A2');
  await tapBoard(page, 'A4');
  await page.locator('#understood.bad').getByText('islands that can take a piece').waitFor();
  await page.waitForFunction((text) => document.querySelector('#picture svg').innerHTML === text, before);
  await close(page);
});

test('options of the published rules are in the form, and their reasons in the rules', async () => {
  const thrones = await formOf('thrones', SCREENS.phone);
  await thrones.getByLabel('Victory points').check();
  await thrones.fill('#setup-fortresses', 'drawn');
  await thrones.selectOption('#setup-first', 'drawn');
  await thrones.getByLabel('Throne wins').check();
  await accessible(thrones, 'options');
  await shoot(thrones, 'new-game-options');
  const game = await create(thrones);
  assert.deepEqual(game.events.nodes[0].body.drawn, ['first', 'fortresses']);
  assert.deepEqual([game.setup.throneWins, game.setup.fortresses.length], [true, 3]);

  const building = await formOf('triforce-building');
  await building.selectOption('#count', '7');
  await building.fill('#setup-garnets', '3, 0, 1, 1, 1, 1, 2');
  assert.deepEqual((await create(building)).setup.garnets, [3, 0, 1, 1, 1, 1, 2]);

  const triforce = await formOf('triforce');
  await triforce.fill('#setup-pawns', 'a1, e1, e5');
  await triforce.locator('#create').click();
  await triforce.getByText('play goes clockwise').waitFor();
  await triforce.selectOption('#setup-order', 'any');
  const any = await create(triforce);
  assert.deepEqual([any.setup.order, any.setup.pawns], ['any', ['a1', 'e1', 'e5']]);

  await triforce.goto(`/games/${any.id}`);
  await triforce.locator('#rules').click();
  const dialog = triforce.getByRole('dialog');
  await dialog.getByText('under a Creative Commons licence').first().waitFor();
  await dialog.getByText('Play proceeds clockwise around the board').waitFor();
  await accessible(triforce, 'the rules with their rulings');
  await shoot(triforce, 'rules-triforce');
  for (const each of [thrones, building, triforce]) await close(each);
});

test('a game can demand signatures, and say where its rolls come from; names in the hints of the form are shown as code', async () => {
  const page = await formOf('thrones', SCREENS.light);
  assert.equal(await page.locator('#setup-apart').count(), 0, 'a field of a variant that is not chosen');
  await page.getByLabel('Homefront').check();
  await page.locator('#setup-apart').waitFor();
  assert.doesNotMatch(await page.locator('#form').textContent(), /\(R\d+\)/, 'no number of a ruling without its text');
  await page.locator('#setup-apart-why summary').click();
  await page.getByText('is read as two tiles in between').waitFor();
  assert.deepEqual((await page.locator('#form').allTextContents()).filter((text) => text.includes('`')), [], 'no Markdown is shown as it is written');
  await page.locator('#signed').check();
  await page.selectOption('#rolls', 'FAIR');
  await accessible(page, 'a new game that is signed');
  await shoot(page, 'new-game-signed');
  const { id } = await create(page);
  const { game } = await ask('query S($id: ID!) { game(id: $id) { signatures rolls } }', { id }, token());
  assert.deepEqual(game, { signatures: 'REQUIRED', rolls: 'FAIR' });
  await page.getByRole('link', { name: 'Record it on this device' }).click();
  await page.locator('#unsigned').waitFor();
  await close(page);
});

test('a request whose answer was lost is sent again with its key, and creates one game', async () => {
  const page = await formOf('triangulate');
  const tag = unique('lost').replace(' ', '-');
  await page.fill('#tags', tag);
  let lost = 0;
  await page.route('**/graphql', async (route) => {
    if (lost > 0 || !route.request().postDataJSON().query.startsWith('mutation CreateGame')) return route.fallback();
    lost += 1;
    await route.fetch();
    return route.abort();
  });
  await page.locator('#create').click();
  await page.getByText('the game will not be created twice').waitFor();
  await create(page);
  const { games } = await ask('query Tagged($tag: String!) { games(filter: { tags: [$tag] }, first: 5) { nodes { id } } }', { tag });
  assert.equal(games.nodes.length, 1);
  assert.equal(lost, 1);
  assert.deepEqual(page.wrongs.filter((wrong) => !wrong.includes('ERR_FAILED')), []);
});

test('links for the table and for each seat; made again, they end the earlier ones', async () => {
  const page = await formOf('thrones', SCREENS.phone);
  await page.fill('#seat-1', 'Ada');
  await page.fill('#seat-2', 'Bela');
  const game = await create(page);
  await page.getByText('No phone can open this address').waitFor();
  await page.fill('#phones-address', 'http://192.168.1.20:8080/');
  await page.locator('#links').tap();
  const cards = page.locator('.link-card');
  await cards.nth(2).waitFor();
  assert.deepEqual(await cards.locator('h3').allTextContents(), ['The table', 'Ada', 'Bela']);
  assert.equal(await cards.locator('.qr').count(), 3);
  await accessible(page, 'links for recording');
  await shoot(page, 'new-game-links');
  const links = await cards.getByRole('link', { name: 'Open' }).evaluateAll((all) => all.map((link) => link.href));
  const means = [];
  for (const link of links) {
    const { me } = await ask('query Me { me { role seat game { id } } }', {}, link.split('#token=')[1]);
    means.push([me.role, me.seat, me.game.id]);
  }
  assert.deepEqual(means, [['recorder', null, game.id], ['player', 1, game.id], ['player', 2, game.id]]);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await cards.first().getByRole('button', { name: 'Copy' }).tap();
  await page.getByText('is copied').waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^http:\/\/192\.168\.1\.20:8080\/record\//, 'the address that phones can open');
  await close(page);
});

test('whoever may not create games is told, and not offered to', async () => {
  const page = await open(browser, '/games/new');
  await page.getByText('Games are created by recorders').waitFor();
  await accessible(page, 'the form, not signed in');
  await page.goto('/');
  await page.locator('#games table').waitFor();
  assert.ok(await page.locator('#new').isHidden());
  const signed = await signedIn(browser, '/');
  await signed.locator('#new').waitFor();
  await accessible(signed, 'the list of games with a button');
  await close(page);
  await close(signed);
});
