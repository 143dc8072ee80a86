// What a first visit meets: pages that explain, the menu, a game that does not tell how it ends, boards that can be read, and what a
// reader tries on them.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_SHOTS=dir] node --test explaining.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { IS_ALL, KINDS, SCREENS, SEVERAL, accessible, ask, becomes, close, finishedGame, launch, open, rewriteAnswers, shoot, shut, token, until } from './service.mjs';
import { signedIn } from './tournament.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

for (const [name, screen] of SEVERAL) {
  test(`a service without games says what it is, what it has, and what to do next, ${name}`, async () => {
    const page = await open(browser, '', screen);
    await rewriteAnswers(page, 'Games', (answer) => {
      Object.assign(answer.data.games, { totalCount: 0, nodes: [], pageInfo: { hasNextPage: false, hasPreviousPage: false } });
      return answer;
    });
    await page.goto('/');
    const { rules } = await ask('{ rules { kind title } }');
    await page.waitForFunction((count) => document.querySelectorAll('.kind-cards svg.scene > *').length > count, rules.length);
    assert.equal(await page.locator('.kind-cards li').count(), rules.length);
    const [own, cards] = await Promise.all([page.getByText('If you run this service').boundingBox(), page.locator('.kind-cards').boundingBox()]);
    assert.ok(own.y < cards.y, 'what to do next comes before the pictures');
    assert.ok(await page.getByText('No games are recorded yet.').isVisible());
    assert.ok(await page.locator('#narrow').isHidden(), 'there is nothing to filter');
    await accessible(page, 'a list without games');
    await shoot(page, `welcome-${name}`);
    await close(page);
  });
}

test('the page about the service has its version, its public log and all games', async () => {
  const page = await open(browser, '/about', PHONE);
  await page.locator('#log a').first().waitFor();
  assert.match(await page.locator('#service').textContent(), /Version \d+\.\d+\.\d+.*MIT or Apache/);
  await accessible(page, 'about');
  await page.locator('.kind-cards a', { hasText: 'Rules' }).first().click();
  await page.waitForURL('**/rules/*');
  await close(page);
});

test('the rules of each kind are a page, with designer and licence', async () => {
  const { rules } = await ask('{ rules { kind title designer source } }');
  for (const { kind, title, designer, source } of rules.filter(({ kind: each }) => IS_ALL || ['triforce', 'thrones'].includes(each))) {
    const page = await open(browser, `/rules/${kind}`, SCREENS.phone);
    await page.getByRole('heading', { level: 1, name: `Rules of ${title}` }).waitFor();
    assert.ok(await page.getByText(designer).first().isVisible());
    if (!/^https?:/.test(source)) assert.ok(await page.getByText(source).isVisible(), source);
    assert.ok(await page.locator('.rules h2').count() > 2);
    await accessible(page, `the rules of ${kind}`);
    await shoot(page, `rules-${kind}`);
    await close(page);
  }
  const page = await open(browser, '/rules/nothing');
  await page.getByText('There is no such game here').waitFor();
  await close(page);
});

test('the header leads everywhere: as a row, on phones as a menu', async () => {
  const wide = await open(browser, '/about');
  const links = (page) => page.locator('#menu a:visible').evaluateAll((all) => all.map(({ pathname }) => pathname));
  const all = ['/', '/tournaments', '/search', '/statistics', '/ratings', '/about'];
  assert.deepEqual(await links(wide), all);
  const page = await open(browser, '/about', PHONE);
  assert.deepEqual(await links(page), []);
  await page.getByRole('button', { name: 'Menu' }).click();
  await becomes(() => links(page), all);
  await accessible(page, 'the menu');
  await shoot(page, 'menu');
  await page.locator('#menu a', { hasText: 'Search' }).click();
  await page.waitForURL('**/search');
  for (const each of [wide, page]) await close(each);
});

test('on phones, the first game of the list is on the first screen', async () => {
  const page = await open(browser, '/', PHONE);
  await page.locator('.games tbody tr').first().waitFor();
  const { y } = await page.locator('.games tbody tr').first().boundingBox();
  assert.ok(y < 260, `it is at ${y}`);
  await page.getByText('Filter', { exact: true }).click();
  await page.locator('[name=kind]').waitFor({ state: 'visible' });
  await close(page);
  const { games } = await ask('{ games(filter: { kind: "triforce-building" }, first: 1) { nodes { seats { name } } } }');
  const many = await open(browser, '/?kind=triforce-building', PHONE);
  const row = many.locator('.games tbody tr').first();
  await row.waitFor();
  assert.match(await row.textContent(), new RegExp(`and ${games.nodes[0].seats.length - 6} more`));
  assert.ok((await row.boundingBox()).height < 260);
  await close(many);
});

test('whoever signs in is named', async () => {
  const page = await open(browser, '/about');
  await page.click('#sign-in');
  await page.fill('#token', token());
  await page.keyboard.press('Enter');
  await page.locator('#sign-in', { hasText: 'Signed in as administrator' }).waitFor();
  await close(page);
});

test('a finished game does not tell who won before its end is seen, or asked for', async () => {
  const { id, ply } = await finishedGame('tri');
  const result = (page) => page.locator('#outcome').textContent();
  const page = await open(browser, `/games/${id}`);
  await page.locator('#show-result').waitFor();
  await page.waitForSelector('#badge[data-state=verified]');
  await page.waitForSelector('.slip.end');
  assert.equal(await page.locator('.seats .won').count(), 0);
  assert.doesNotMatch(await page.locator('.about, .slips').evaluateAll((all) => all.map(({ outerHTML }) => outerHTML).join()), / won\b/);
  await page.keyboard.press('End');
  await page.waitForSelector('.seats .won');
  assert.match(await result(page), / won/);
  await page.keyboard.press('Home');
  await page.waitForSelector('#board svg[aria-label="Board after ply 0"]');
  assert.match(await result(page), / won/, 'it stays told');
  // Where no other game has been, the explorer would only say how this one ended.
  const asked = await open(browser, `/games/${id}#${ply - 10}`);
  await asked.locator('#tab-explorer').click();
  const explored = asked.locator('#panel-explorer');
  await explored.getByText('No other game has reached this position.').waitFor();
  await explored.getByText('this game').waitFor();
  assert.doesNotMatch(await explored.textContent(), /won/);
  await asked.locator('#show-result').press('Enter');
  assert.equal(await asked.evaluate(() => document.activeElement.id), 'outcome', 'where the button was');
  await explored.getByText(/^Seat \d won 1/).waitFor();
  assert.match(await result(asked), / won/);
  await asked.evaluate(() => localStorage.setItem('plybook.settings', JSON.stringify({ results: true })));
  await asked.reload();
  await asked.waitForSelector('.seats .won');
  const last = await open(browser, `/games/${id}#${ply}`);
  await last.waitForSelector('.seats .won');
  for (const each of [page, asked, last]) await close(each);
});

for (const kind of KINDS) {
  test(`no text on a board of ${kind} is too small to be read on a phone`, async () => {
    const { id, ply } = await finishedGame(kind);
    const page = await open(browser, `/games/${id}#0`, PHONE);
    for (const at of [0, 0.2, 0.4, 0.6, 0.8, 1].map((part) => Math.round(part * ply))) {
      await page.goto(`/games/${id}#${at}`);
      await page.waitForSelector(`#board svg[aria-label="Board after ply ${at}"]`);
      const sizes = await page.locator('#board > svg:not([aria-hidden]) text').evaluateAll((all) => all
        .filter((text) => getComputedStyle(text).display !== 'none' && Number(getComputedStyle(text).fillOpacity) > 0)
        .map((text) => Number(text.getAttribute('font-size')) * text.getScreenCTM().a));
      assert.ok(sizes.length > 0, `there is text at ply ${at}`);
      assert.ok(Math.min(...sizes) >= 9, `${Math.min(...sizes)} px at ply ${at}`);
    }
    await shoot(page, `board-${kind}`);
    await close(page);
  });
}

test('what is tried on the board is its reader’s own, and has an address', async () => {
  const { id } = await finishedGame('triangulate');
  const lines = async () => (await ask('query L($id: ID!) { game(id: $id) { tree(maxNodes: 2000) { lines { id } } } }', { id })).game.tree.lines.length;
  const before = await lines();
  for (const sign of IS_ALL ? [signedIn, open] : [open]) {
    const page = await sign(browser, `/games/${id}#4`);
    await page.waitForSelector('#badge[data-state=verified]');
    if (await page.locator('#act-open').getAttribute('aria-expanded') === 'false') await page.click('#act-open');
    await page.locator('#act-list:not(.stale) li').nth(3).click();
    await page.getByText('only you see this').waitFor();
    await page.waitForURL(/#5&tried=4/);
    assert.equal(await lines(), before, 'nothing is recorded');
    const other = await open(browser, page.url());
    await other.getByText('only you see this').waitFor();
    await other.waitForSelector('#board svg[aria-label="Board after ply 5"]');
    assert.equal(await other.locator('.moves .variation [aria-current] .text').textContent(), await page.locator('.moves .variation [aria-current] .text').textContent());
    await close(other);
    await close(page);
  }
});

test('Share makes a line of what was tried: unlisted, or with the game', async () => {
  const { id } = await finishedGame('triangulate');
  const page = await signedIn(browser, `/games/${id}#6`);
  await page.waitForSelector('#badge[data-state=verified]');
  await page.locator('#act-list:not(.stale) li').nth(2).click();
  await page.click('#line-share');
  await page.fill('#line-share-name', 'Shared on purpose');
  await accessible(page, 'sharing a line');
  await page.getByRole('button', { name: 'Unlisted' }).click();
  await page.waitForURL(/line=/);
  const line = new URL(page.url()).searchParams.get('line');
  const { game } = await ask('query L($id: ID!) { game(id: $id) { hidden name ply } }', { id: line });
  assert.deepEqual([game.hidden, game.name, game.ply], [true, 'Shared on purpose', 7]);
  assert.equal(await page.getByText('only you see this').count(), 0);
  await close(page);
});

test('files are named after the players, the kind and the day', async () => {
  const { id, seats } = await finishedGame('tri');
  const page = await open(browser, `/games/${id}#3`);
  await page.waitForSelector('#badge[data-state=verified]');
  await page.click('#share');
  await until(() => page.locator('#tab-files').getAttribute('aria-selected').then((is) => is === 'true'));
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  const name = (await download).suggestedFilename();
  assert.match(name, /^[\p{L}\p{N}-]+-tri-\d{4}-\d\d-\d\d\.json$/u);
  assert.ok(name.startsWith(seats[0].name.replaceAll(' ', '-')), name);
  assert.match(await page.locator('#png').getAttribute('href'), /\.png\?ply=3$/);
  await close(page);
});
