// The page of players in Chromium, against a running service.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_SHOTS=dir] node --test players.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { SCREENS, accessible, ask, close, launch, open, shoot, shut } from './service.mjs';
import { TINY, signedIn, unique } from './tournament.mjs';

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const player = async (id) => (await ask('query Player($id: ID!) { player(id: $id) { name club country mergedInto { id } } }', { id })).player;

test('players are imported after a preview, found, edited, merged and split again', async () => {
  const mark = unique('X').slice(2).replace(/\d/g, 'q');
  const page = await signedIn(browser, '/players');
  await page.locator('#importer summary').click();
  await page.setInputFiles('#import-file', { name: 'club.csv', mimeType: 'text/csv', buffer: Buffer.from(`\ufeffname\tclub\tcountry\nÅngström${mark}, Zoë\tVäxjö\tSE\nAngstrom${mark} Z.\t\tXX\n`, 'utf16le') });
  await page.getByText('is not a country').waitFor();
  assert.equal(await page.locator('#bring').getAttribute('aria-disabled'), 'true', 'a line is wrong');
  await accessible(page, 'a list that is looked at');
  await page.fill('#import-text', `name,club,country\n"Ångström${mark}, Zoë",Växjö,SE\n"Angstrom${mark} Z.",,\n`);
  await page.getByRole('button', { name: 'Register 2, change 0' }).dblclick();
  await page.getByText('Registered: 2; changed: 0.').waitFor();

  await page.fill('[name=search]', `angstrom${mark}`);
  await page.locator('#players tbody tr').nth(1).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('#players tbody tr').length === 2);
  const ids = await page.locator('#players tbody tr').evaluateAll((rows) => rows.map((row) => row.id.slice('player-'.length)));
  const [short, long] = ids;
  assert.equal((await player(long)).club, 'Växjö');
  await page.getByRole('button', { name: `Edit Angstrom${mark} Z.` }).click();
  await page.fill('#edit-club', 'Lund');
  await page.fill('#edit-country', 'SWE');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('was changed.').waitFor();
  assert.deepEqual(await player(short), { name: `Angstrom${mark} Z.`, club: 'Lund', country: 'SE', mergedInto: null });
  await page.locator('#said button').click();
  await page.getByText('Undone.').waitFor();
  assert.equal((await player(short)).club, null);

  for (const box of await page.locator('#players input[type=checkbox]').all()) await box.check();
  await accessible(page, 'two players to be merged');
  await shoot(page, 'players');
  await page.click('#merge');
  await page.getByRole('dialog').getByRole('button', { name: 'Zoë' }).click();
  await page.getByText('is merged into').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('#players tbody tr').length === 1);
  assert.equal((await player(short)).mergedInto.id, long);
  await page.locator('#said button').click();
  await page.waitForFunction(() => document.querySelectorAll('#players tbody tr').length === 2);
  assert.equal((await player(short)).mergedInto, null);
  await page.setViewportSize(TINY.viewport);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing scrolls sideways');
  await close(page);

  // Everybody reads the list; nobody else changes it.
  const reader = await open(browser, `/players?search=angstrom${mark}`, SCREENS.phone);
  await reader.locator('#players tbody tr').nth(1).waitFor();
  assert.equal(await reader.locator('#players button, #import details').count(), 0);
  await accessible(reader, 'players');
  await close(reader);
});
