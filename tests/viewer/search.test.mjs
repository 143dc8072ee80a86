// The search for positions in Chromium, against a running service.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 [PLYBOOK_SHOTS=dir] node --test search.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { rowsOf, textOf } from '../../web-viewer/model/condition.js';
import { parseSearch, searchFilter, searchOf } from '../../web-viewer/model/filter-url.js';
import { IS_ALL, SCREENS, accessible, ask, becomes, close, launch, open, shoot, shut } from './service.mjs';

test('rows and text are the same thing, as far as rows can say it', () => {
  const facts = [{ name: 'piece', words: ['none', 'throne'] }, { name: 'owner', words: [] }, { name: 'over', words: [] }];
  for (const text of ['', 'piece(d4) = "throne"', 'owner(4.3) >= 2 and piece(a1) != "none"', 'over and owner(1) < -3']) assert.equal(textOf(rowsOf(text, facts), facts), text);
  assert.deepEqual(rowsOf('owner( 4.3 )>=2', facts), [{ name: 'owner', of: '4.3', compare: '>=', value: '2' }]);
  for (const other of ['over or piece(a1) = "none"', 'not over', 'first: over', 'nothing(a1) = 2', '(over)', 'over and']) assert.equal(rowsOf(other, facts), null, other);
});

test('the games that are searched are in the address, and what is wrong there is dropped', () => {
  const state = parseSearch('?kind=tri&where=over&player=p1&won=player&since=2026-01-02&tag=test&status=FINISHED&reason=resignation&tournament=t1');
  const { since, ...filter } = searchFilter(state);
  assert.deepEqual(filter, { player: 'p1', winner: 'p1', tags: ['test'], status: 'FINISHED', reason: 'resignation', tournament: 't1' });
  assert.equal(since, new Date('2026-01-02T00:00:00').toISOString());
  assert.deepEqual(parseSearch(searchOf(state)), state);
  assert.equal(searchFilter(parseSearch('?won=2')).winningSeat, 2);
  for (const wrong of ['?won=player', '?won=0', '?won=x', '?since=yesterday', '?status=LOST']) assert.deepEqual(searchFilter(parseSearch(wrong)), {}, wrong);
  assert.equal(searchOf(parseSearch('?where=a')), '?where=a');
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
  await becomes(() => page.inputValue('#where'), 'islands(1) >= 1');
  await page.fill('#where', 'islands(1) >= 4 and not over');
  await page.keyboard.press('Enter');
  await searched(page);
  assert.equal(new URL(page.url()).searchParams.get('where'), WHERE);
  const { search } = await ask('query($where: String!) { search(kind: "tri", where: $where, first: 12) { total hits { ply game { id } } } }', { where: WHERE });
  assert.ok(search.total > 12, `${search.total} positions`);
  assert.equal(await page.textContent('#total'), `${search.total.toLocaleString('en')} positions`);
  const links = () => page.locator('.hits a').evaluateAll((found) => found.map((link) => link.getAttribute('href')));
  assert.deepEqual(await links(), search.hits.map(({ game, ply }) => `/games/${game.id}#${ply}`));
  assert.equal(await page.locator('.hits svg').count(), 12);
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
  }
  await page.click('#facts summary');
  await accessible(page, 'the search on a phone');
  await shoot(page, 'search-phone');
  await close(page);
});

test('places are clicked on the board, several, for every fact of a place of every kind', async () => {
  const { rules } = await ask('{ rules { kind title facts { name argument words } } }');
  const page = await open(browser, '/search');
  for (const { kind, title, facts } of rules.filter((each) => IS_ALL || ['tri', 'thrones'].includes(each.kind))) {
    const ofPlaces = facts.filter(({ argument }) => argument === 'PLACE');
    await page.locator('#kinds').getByText(title, { exact: true }).click();
    await page.waitForURL(`**/search?kind=${kind}`);
    await page.waitForFunction((count) => document.querySelectorAll('#facts dt').length === count, facts.length);
    await page.waitForSelector('#found[aria-busy=false]', { state: 'attached' });
    for (const { name, words } of ofPlaces) {
      await page.fill('#where', '');
      if (ofPlaces.length > 1) await page.selectOption('#condition-fact', name);
      const found = await page.locator('.condition-board [data-place]').evaluateAll((elements) => {
        const points = new Map();
        for (const element of elements.slice(Math.floor(elements.length / 2)).concat(elements)) {
          element.scrollIntoView({ block: 'center' });
          const { left, top, width, height } = element.getBoundingClientRect();
          const point = [left + width / 2, top + height / 2];
          const hit = document.elementsFromPoint(...point).find((one) => one.closest('.condition-board') && one.hasAttribute('data-place'));
          if (hit && !points.has(hit.getAttribute('data-place'))) points.set(hit.getAttribute('data-place'), point);
          if (points.size > 1) break;
        }
        scrollTo(0, 0);
        return [...points.keys()];
      });
      assert.equal(found.length, 2, `${kind} has places to click`);
      const click = async (place) => {
        const at = await page.locator(`.condition-board [data-place="${place}"]`).first().evaluate((element) => {
          element.scrollIntoView({ block: 'center' });
          const { left, top, width, height } = element.getBoundingClientRect();
          return [left + width / 2, top + height / 2];
        });
        await page.mouse.click(...at);
      };
      const value = words.length > 0 ? `"${words[1]}"` : '1';
      for (const place of found) await click(place);
      assert.equal(await page.inputValue('#where'), found.map((place) => `${name}(${place}) = ${value}`).join(' and '));
      await click(found[0]);
      assert.equal(await page.inputValue('#where'), `${name}(${found[1]}) = ${value}`, 'again: removed');
      if (words.length > 0) await page.selectOption('#condition-value-0', words.at(-1));
      else await page.locator('#condition-value-0').fill('2');
      await page.selectOption('#condition-compare-0', '!=');
      await becomes(() => page.inputValue('#where'), `${name}(${found[1]}) != ${words.length > 0 ? `"${words.at(-1)}"` : '2'}`);
    }
    if (ofPlaces.length === 0) continue;
    await accessible(page, `${kind}: a place on the board`);
    await shoot(page, `search-place-${kind}`);
    // What was put together is a search.
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await searched(page);
    assert.equal(await page.textContent('#wrong'), '');
  }
  await close(page);
});

test('what is written becomes rows, and rows can be added, changed and removed', async () => {
  const page = await open(browser, '/search?kind=tri', SCREENS.phone);
  // Some browsers report each choice that arrow keys pass: none of them adds anything.
  await page.selectOption('#condition-other', 'keys');
  await page.selectOption('#condition-other', 'islands');
  assert.equal(await page.inputValue('#where'), '');
  await page.locator('#condition-add').press('Enter');
  await becomes(() => page.inputValue('#where'), 'islands(1) >= 1');
  await page.fill('#where', 'islands(1) >= 4 and not over');
  await page.getByText('written by hand').waitFor();
  await page.fill('#where', 'islands(1) >= 4 and over');
  await becomes(() => page.locator('.condition-rows li').count(), 2);
  await page.locator('#condition-value-0').fill('3');
  await page.locator('#condition-value-0').blur();
  assert.equal(await page.inputValue('#where'), 'islands(1) >= 3 and over');
  await page.getByRole('button', { name: 'Remove over' }).press('Enter');
  await becomes(() => page.inputValue('#where'), 'islands(1) >= 3');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'condition-remove-0', 'the focus is on the row before');
  await accessible(page, 'rows on a phone');
  await shoot(page, 'search-rows-phone');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await searched(page);
  assert.ok(await page.locator('.hits a').first().evaluate((hit) => hit.getBoundingClientRect().top < innerHeight), 'results are in view');
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
