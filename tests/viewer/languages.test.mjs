// Pages in each language: which one a reader gets, that a choice lasts, and that nothing is mirrored or cut off.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { BASE, accessible, close, finishedGame, launch, open, shut } from './service.mjs';

const NARROW = { viewport: { width: 320, height: 740 } };

let browser;
before(async () => { browser = await launch(); });
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

async function answered(path, accepted) {
  const headers = { accept: 'text/html', ...accepted === undefined ? {} : { 'accept-language': accepted } };
  const answer = await fetch(`${BASE}${path}`, { headers });
  const html = await answer.text();
  return { answer, html, language: /<html lang="(\w+)" dir="(\w+)">/.exec(html)?.[1] };
}

const languageOf = (page) => page.evaluate(() => `${document.documentElement.lang} ${document.documentElement.dir}`);

test('the address decides, then what the browser prefers, then it is English', async () => {
  for (const [path, accepted, language] of [
    ['/', '*', 'en'], ['/', 'de', 'de'], ['/', 'de-AT,de;q=0.9,en;q=0.8', 'de'], ['/', 'fr, he;q=0.5, de;q=0.1', 'he'], ['/', 'iw', 'he'], ['/', 'DE', 'de'],
    ['/', 'fr', 'en'], ['/', 'de;q=0, he;q=0.1', 'he'], ['/', 'en;q=0.5, de;q=0.5', 'en'], ['/?lang=he', 'de', 'he'], ['/?lang=fr', 'de', 'de'], ['/?kind=tri&lang=de', 'en', 'de'], ['/nowhere', 'de', 'de'],
  ]) {
    const { answer, html, language: found } = await answered(path, accepted);
    assert.equal(found, language, `${path} ${accepted}`);
    assert.equal(answer.headers.get('content-language'), language);
    assert.match(answer.headers.get('vary'), /accept-language/i);
    assert.doesNotMatch(html, /\{\{/);
  }
});

test('a header that is not in form is passed over', async () => {
  for (const accepted of ['', ',,,;;q=', 'de;q=2', 'x'.repeat(4000), `${'a-'.repeat(2000)}de`, 'de;q=0.99999999999', '*;q=1;q=0', '\u00e4\u00f6', `${'fr,'.repeat(1500)}xx`]) {
    const { answer, language } = await answered('/', accepted);
    assert.ok(answer.status === 200 && ['en', 'de'].includes(language), JSON.stringify(accepted).slice(0, 40));
  }
});

test('each language has versions and a script of its own', async () => {
  const [english, german, again] = await Promise.all([answered('/?lang=en'), answered('/?lang=de'), answered('/?lang=de')]);
  assert.notEqual(english.answer.headers.get('etag'), german.answer.headers.get('etag'));
  assert.equal(german.answer.headers.get('etag'), again.answer.headers.get('etag'));
  const script = (html) => /<script type="module" src="([^"]+)"/.exec(html)[1];
  const text = await (await fetch(`${BASE}${script(german.html)}`)).text();
  assert.match(text, /'Anmelden'/);
  assert.doesNotMatch(text, /'Sign in'/);
});

test('a choice lasts, leaves the address as it is, and can be changed', async () => {
  const page = await open(browser, '/ratings?kind=tri');
  assert.equal(await languageOf(page), 'en ltr');
  await page.locator('#languages').getByText('Deutsch').click();
  await page.getByRole('heading', { name: 'Wertungen' }).waitFor();
  assert.equal(page.url(), `${BASE}/ratings?kind=tri`);
  await page.reload();
  await page.getByRole('heading', { name: 'Wertungen' }).waitFor();
  await page.goto('/table#token=plybook_not-a-token');
  await page.waitForFunction(() => document.documentElement.lang === 'de' && !location.href.includes('token') && !location.href.includes('lang'));
  assert.equal(await page.locator('#languages [aria-current]').textContent(), 'Deutsch');
  await page.locator('#languages').getByText('English').click();
  await page.waitForFunction(() => document.documentElement.lang === 'en' && !location.href.includes('lang'));
});

test('a frame in another page has the language that its address asks for, and keeps none', async () => {
  const { id } = await finishedGame('tri');
  const page = await open(browser, '');
  await page.addInitScript(() => localStorage.setItem('plybook.language', 'he'));
  await page.goto(`/embed/${id}?lang=de`);
  await page.waitForSelector('#badge[data-state=verified]');
  assert.equal(await languageOf(page), 'de ltr');
  assert.equal(await page.locator('#languages').count(), 0);
  await page.goto(`/embed/${id}`);
  assert.equal(await languageOf(page), 'en ltr');
  await close(page);
});

for (const path of ['/', '/ratings', '/statistics?kind=tri', '/search?kind=tri', '/nowhere']) {
  test(`${path} in Hebrew is laid out from right to left, on any screen`, async () => {
    for (const screen of [NARROW, {}]) {
      const page = await open(browser, '', { viewport: { width: 1280, height: 800 }, ...screen, locale: 'he-IL' });
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      assert.equal(await languageOf(page), 'he rtl');
      await accessible(page, `${path} at ${screen.viewport?.width ?? 1280}`);
      if (path === '/nowhere') page.wrongs = [];
      await close(page);
    }
  });
}
