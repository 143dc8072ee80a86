// The search for positions in Chromium, against a running service.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 [PLYBOOK_SHOTS=dir] node --test search.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { conditionOf, joiner } from '../../web-viewer/model/condition.js';
import { parseSearch, searchFilter, searchSearch } from '../../web-viewer/model/filter-url.js';
import { SCREENS, accessible, ask, close, launch, open, shoot, shut } from './service.mjs';

test('a condition is written as the search reads it, and joined to what is there', () => {
  assert.equal(conditionOf({ name: 'piece', words: ['none', 'throne'] }, 'd4', '=', 'throne'), 'piece(d4) = "throne"');
  assert.equal(conditionOf({ name: 'owner', words: [] }, '4.3', '>=', '2'), 'owner(4.3) >= 2');
  for (const [before, wanted] of [['', ''], ['over', ' and '], ['over ', 'and '], ['over and ', ''], ['over and', ' '], ['first: ', ''], ['(', ''], ['not ', '']]) assert.equal(joiner(before), wanted, before);
});

test('the games that are searched are in the address, and what is wrong there is dropped', () => {
  const state = parseSearch('?kind=tri&where=over&player=p1&won=player&since=2026-01-02&tag=test&status=FINISHED&reason=resignation&tournament=t1');
  const { since, ...filter } = searchFilter(state);
  assert.deepEqual(filter, { player: 'p1', winner: 'p1', tags: ['test'], status: 'FINISHED', reason: 'resignation', tournament: 't1' });
  assert.equal(since, new Date('2026-01-02T00:00:00').toISOString());
  assert.deepEqual(parseSearch(searchSearch(state)), state);
  assert.equal(searchFilter(parseSearch('?won=2')).winningSeat, 2);
  for (const wrong of ['?won=player', '?won=0', '?won=x', '?since=yesterday', '?status=LOST']) assert.deepEqual(searchFilter(parseSearch(wrong)), {}, wrong);
  assert.equal(searchSearch(parseSearch('?where=a')), '?where=a');
});

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const WHERE = 'islands(1) >= 4 and not over';

async function searched(page) {
  await page.waitForSelector('#found[aria-busy=false] .found-facts');
}

test('positions are found, shown on boards, and lead into their games', async () => {
  const page = await open(browser, '/search?kind=tri');
  await page.click('#facts summary');
  await page.getByRole('button', { name: 'islands(1)' }).click();
  assert.equal(await page.inputValue('#where'), 'islands(1)');
  await page.locator('#where').pressSequentially(' >= 4 and not over');
  await page.keyboard.press('Enter');
  await searched(page);
  assert.equal(new URL(page.url()).searchParams.get('where'), WHERE);
  const { search } = await ask('query($where: String!) { search(kind: "tri", where: $where, first: 12) { total hits { ply game { id } } } }', { where: WHERE });
  assert.ok(search.total > 12, `${search.total} positions`);
  assert.equal(await page.textContent('#total'), `${search.total.toLocaleString('en')} positions`);
  const links = () => page.locator('.hits a').evaluateAll((found) => found.map((link) => link.getAttribute('href')));
  assert.deepEqual(await links(), search.hits.map(({ game, ply }) => `/games/${game.id}#${ply}`));
  assert.equal(await page.locator('.hits svg').count(), 12);
  const { measures, games } = (await ask('query($where: String!) { search(kind: "tri", where: $where, first: 0) { games measures { description value distribution { count min median max } } } }', { where: WHERE })).search;
  const rows = await page.locator('.found-measures tbody tr').evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.textContent)));
  const told = measures.filter(({ distribution }) => distribution);
  assert.equal(rows.length, told.length);
  for (const [index, { description, value, distribution: { count, min, median, max } }] of told.entries()) {
    const [name, ...figures] = rows[index];
    assert.ok(name.endsWith(description), `${name}: ${description}`);
    for (const [at, figure] of [value, min, median, max, count].entries()) assert.ok(Math.abs(Number(figures[at].replaceAll(',', '')) - figure) <= 0.5, `${name}: ${figures[at]} is ${figure}`);
  }
  assert.match(await page.textContent('.found-measures .hint'), new RegExp(`^${games.toLocaleString('en')} games, each`));
  await accessible(page, 'what was found');
  await shoot(page, 'search');
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.hits a').length > 12);
  assert.equal(new Set(await links()).size, (await links()).length, 'nothing twice');
  const [{ game, ply }] = search.hits;
  await page.locator('.hits a').first().click();
  await page.waitForURL(`**/games/${game.id}#${ply}`);
  await page.waitForSelector(`#board svg[aria-label="Board after ply ${ply}"]`);
  await page.goBack();
  await searched(page);
  assert.equal(await page.inputValue('#where'), WHERE);
  await close(page);
});

test('what is wrong is said, with its place and names that are spelled alike', async () => {
  const page = await open(browser, `/search?kind=tri&where=${encodeURIComponent('over and iland(1) > 3')}`);
  await page.locator('#wrong').getByText('tri has no fact').waitFor();
  assert.match(await page.textContent('#wrong'), /^Column 10: tri has no fact `iland`; there is islands/);
  assert.deepEqual(await page.evaluate(() => [document.activeElement?.id, document.querySelector('textarea').selectionStart]), ['where', 9]);
  await accessible(page, 'a search that cannot be read');
  await close(page);
});

test('every kind has facts, and nothing found is said', async () => {
  const { rules } = await ask('{ rules { kind title facts { name } } }');
  const page = await open(browser, '/search', SCREENS.phone);
  for (const { kind, title, facts } of rules) {
    await page.locator('#kinds').getByText(title, { exact: true }).click();
    await page.waitForURL(`**/search?kind=${kind}`);
    await page.waitForFunction((count) => document.querySelectorAll('#facts dt').length === count, facts.length);
    await page.fill('#where', 'ply > 100000');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await searched(page);
    await page.getByText('No recorded game has such a position.').waitFor();
    assert.equal(await page.locator('.found-measures').count(), 0, 'nothing to measure');
  }
  await page.fill('#where', 'first: ply > 2');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.waitForSelector('.found-measures');
  await page.locator('.found-measures').scrollIntoViewIfNeeded();
  await accessible(page, 'measures on a phone');
  await shoot(page, 'search-measures-phone');
  await page.click('#facts summary');
  await accessible(page, 'the search on a phone');
  await shoot(page, 'search-phone');
  await close(page);
});

test('a place is clicked on the board, for every fact of a place of every kind', async () => {
  const { rules } = await ask('{ rules { kind title facts { name argument words } } }');
  const page = await open(browser, '/search');
  for (const { kind, title, facts } of rules) {
    const ofPlaces = facts.filter(({ argument }) => argument === 'PLACE');
    await page.locator('#kinds').getByText(title, { exact: true }).click();
    await page.waitForURL(`**/search?kind=${kind}`);
    await page.waitForFunction((count) => document.querySelectorAll('#facts dt').length === count, facts.length);
    await page.waitForSelector('#found[aria-busy=false]', { state: 'attached' });
    for (const { name, words } of ofPlaces) {
      await page.fill('#where', '');
      if (!await page.locator('#facts').evaluate((details) => details.open)) await page.click('#facts summary');
      await page.getByRole('button', { name: `${name}(place)`, exact: true }).click();
      const [place, at] = await page.locator('.condition-board [data-place]').evaluateAll((elements) => {
        // Somewhere in the middle, and a point that shows it on top.
        for (const element of [...elements.slice(Math.floor(elements.length / 2)), ...elements]) {
          element.scrollIntoView({ block: 'center' });
          const { left, top, width, height } = element.getBoundingClientRect();
          const point = [left + width / 2, top + height / 2];
          const hit = document.elementsFromPoint(...point).find((one) => one.closest('.condition-board') && one.hasAttribute('data-place'));
          if (hit) return [hit.getAttribute('data-place'), point];
        }
        return [];
      });
      assert.ok(place, `${kind} has places to click`);
      await page.mouse.click(...at);
      const value = words.length > 0 ? `"${words[1]}"` : '1';
      assert.equal(await page.inputValue('#where'), `${name}(${place}) = ${value}`);
      if (words.length > 0) await page.getByLabel('What is there').selectOption(words.at(-1));
      else await page.getByLabel('Number').fill('2');
      await page.getByLabel('Comparison').selectOption('!=');
      assert.equal(await page.inputValue('#where'), `${name}(${place}) != ${words.length > 0 ? `"${words.at(-1)}"` : '2'}`);
    }
    if (ofPlaces.length === 0) continue;
    await page.locator('#condition').scrollIntoViewIfNeeded();
    await accessible(page, `${kind}: a place on the board`);
    await shoot(page, `search-place-${kind}`);
    // What was put together is a search.
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await searched(page);
    assert.equal(await page.textContent('#wrong'), '');
  }
  await close(page);
});

test('a place can be typed, conditions are joined, and what the reader wrote stays', async () => {
  const { rules } = await ask('{ rules { kind facts { name argument words } } }');
  const { kind, facts } = rules.find((each) => each.facts.some(({ argument, words }) => argument === 'PLACE' && words.length > 0));
  const { name, words } = facts.find((fact) => fact.argument === 'PLACE' && fact.words.length > 0);
  const page = await open(browser, `/search?kind=${kind}`, SCREENS.phone);
  await page.click('#facts summary');
  await page.fill('#where', 'ply > 3');
  await page.getByRole('button', { name: `${name}(place)`, exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Place', { exact: true }).fill('a1');
  assert.equal(await page.inputValue('#where'), `ply > 3 and ${name}(a1) = "${words[1]}"`);
  await page.getByLabel('Place', { exact: true }).fill('b2');
  assert.equal(await page.inputValue('#where'), `ply > 3 and ${name}(b2) = "${words[1]}"`);
  await page.locator('.condition-said').getByText(`${name}(b2) = "${words[1]}"`).waitFor();
  await accessible(page, 'a condition on a phone');
  await page.locator('#condition').scrollIntoViewIfNeeded();
  await shoot(page, 'search-place-phone');
  // Another condition comes after the first one.
  await page.getByRole('button', { name: `${name}(place)`, exact: true }).click();
  await page.getByLabel('Place', { exact: true }).fill('c3');
  assert.equal(await page.inputValue('#where'), `ply > 3 and ${name}(b2) = "${words[1]}" and ${name}(c3) = "${words[1]}"`);
  await page.getByRole('button', { name: 'Close' }).click();
  assert.equal(await page.locator('#condition').isHidden(), true);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'where');
  await close(page);
});

test('the games that are searched can be chosen', async () => {
  const total = async (filter) => (await ask('query($filter: GameFilter) { search(kind: "tri", where: "over", filter: $filter, first: 0) { total } }', { filter })).search.total;
  const { games } = await ask('{ games(filter: { kind: "tri", status: FINISHED }, first: 50) { nodes { outcome { winners } seats { number player { id name } } } } }');
  const won = games.nodes.find(({ outcome, seats }) => seats[outcome.winners[0] - 1]?.player);
  const { id, name } = won.seats[won.outcome.winners[0] - 1].player;
  const page = await open(browser, `/search?kind=tri&where=over&player=${id}`, SCREENS.dark);
  const says = async (filter) => page.waitForFunction((text) => document.querySelector('#total').textContent === text, `${(await total(filter)).toLocaleString('en')} ${await total(filter) === 1 ? 'position' : 'positions'}`);
  await says({ player: id });
  assert.equal(await page.locator('#filters').evaluate((details) => details.open), true);
  await page.waitForFunction((text) => document.querySelector('[name=player]').value === text, name);
  await page.selectOption('[name=won]', 'player');
  await says({ player: id, winner: id });
  assert.equal(new URL(page.url()).searchParams.get('won'), 'player');
  await accessible(page, 'games chosen for a search');
  await shoot(page, 'search-games');
  const reason = await page.locator('[name=reason] option').nth(1).getAttribute('value');
  await page.selectOption('[name=reason]', reason);
  await says({ player: id, winner: id, reason });
  await page.fill('[name=since]', '2031-01-01');
  await page.getByText('None of these games has such a position.').waitFor();
  await page.goBack();
  await says({ player: id, winner: id, reason });
  // What is being written is not lost.
  await page.fill('#where', 'over and');
  await page.selectOption('[name=status]', 'RUNNING');
  await page.waitForFunction(() => document.querySelector('#wrong').textContent !== '');
  assert.equal(await page.inputValue('#where'), 'over and');
  await page.fill('#where', 'over');
  await page.getByRole('button', { name: 'Clear' }).click();
  await says({});
  assert.equal(new URL(page.url()).search, '?kind=tri&where=over');
  assert.equal(await page.locator('#filters > summary').textContent(), 'Which games: all');
  await close(page);
});
