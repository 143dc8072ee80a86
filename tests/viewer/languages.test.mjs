// Pages in each language: which one a reader gets, that a choice lasts, and that nothing is mirrored or cut off.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, afterEach, before, test } from 'node:test';

import { newGame } from './recorder.mjs';
import { BASE, IS_ALL, KINDS, accessible, ask, becomes, close, finishedGame, launch, open, shut, thorough, token } from './service.mjs';

const QUIET_MS = 5_000;

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
  await page.waitForSelector('#badge[data-state=unknown]');
  assert.equal(await languageOf(page), 'de ltr');
  assert.equal(await page.locator('#languages').count(), 0);
  await page.goto(`/embed/${id}`);
  assert.equal(await languageOf(page), 'en ltr');
  await close(page);
});

for (const path of ['/', '/statistics?kind=tri', ...IS_ALL ? ['/about', '/rules/thrones', '/ratings', '/search?kind=tri', '/nowhere'] : []]) {
  test(`${path} in Hebrew is laid out from right to left, on any screen`, async () => {
    const page = await open(browser, path, { locale: 'he-IL' });
    await page.waitForLoadState('networkidle');
    assert.equal(await languageOf(page), 'he rtl');
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await accessible(page, `${path} at ${width}`);
    }
    if (path === '/nowhere') page.wrongs = [];
    await close(page);
  });
}

/** Every page about something, with what is opened on it: its tabs, and the panel to play from; of games and tournaments, the oldest. */
async function pages() {
  const { tournaments, players, games } = await ask('{ tournaments(first: 100) { nodes { id } } players(first: 1) { nodes { id } } games(filter: { status: RUNNING }, orderBy: CREATED_ASC, first: 3) { nodes { id } } }');
  const replays = await Promise.all(KINDS.map(finishedGame));
  const views = ['now', 'pairings', 'standings', 'groups', 'bracket', 'crosstable', 'players', 'about'];
  return [
    '/', '/about', '/rules/thrones', '/tournaments', '/ratings?kind=tri', '/statistics?kind=tri', '/search?kind=tri&where=islands(1)+%3E%3D+4', `/players/${players.nodes[0].id}`, '/games/new', '/tournaments/new', '/nowhere',
    ...replays.map(({ id }) => `/games/${id}#5`), `/games/${replays[1].id}/beside#3-9`,
    ...games.nodes.flatMap(({ id }) => [`/games/${id}`, `/record/${id}`]),
    ...tournaments.nodes.slice(-2).flatMap(({ id }) => [...views.map((view) => `/tournaments/${id}?view=${view}`), `/tournaments/${id}/organise`]),
  ];
}

/**
 * What a page shows in Latin letters without saying so: sentences outside `lang="en"`, unless people wrote them, and what is not kept apart from
 * the Hebrew around it. Notation and drawings have their own direction.
 */
const unsaid = () => {
  const found = [];
  const isHebrew = (text) => /[\u0590-\u05ff]/.test(text);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim();
    const element = walker.currentNode.parentElement;
    if (!/[A-Za-z]{2}/.test(text) || element.closest('svg, script, style, noscript, code, pre, kbd') || !element.checkVisibility()) continue;
    const isOf = `${text} in ${element.outerHTML.slice(0, 160)}`;
    if (isHebrew(text)) {
      if (element.closest('[lang="en"]')) found.push(`Hebrew as English: ${isOf}`);
      // People give reasons in any language.
      if (/[a-z]+ [a-z]+ [a-z]+/.test(text) && !element.closest('.detail, .what')) found.push(`English in Hebrew: ${isOf}`);
      continue;
    }
    if (/[a-z]+ [a-z]+ [a-z]+/.test(text) && !element.closest('[lang="en"], bdi, [dir="auto"]')) found.push(`English: ${isOf}`);
    let block = element;
    let isApart = false;
    for (; getComputedStyle(block).display === 'inline'; block = block.parentElement) isApart ||= block.hasAttribute('dir') || getComputedStyle(block).unicodeBidi.includes('isolate');
    if (!isApart && !block.hasAttribute('dir') && isHebrew(block.textContent)) found.push(`not apart: ${isOf}`);
  }
  return found;
};

/** Waits until a page asks nothing more; one that goes on asking is looked at as it is. */
const quiet = (page) => page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => {});

thorough('in Hebrew pages, what is in English says so, and names are kept apart', async () => {
  const page = await open(browser, '', { viewport: { width: 1280, height: 900 }, locale: 'he-IL' });
  await page.addInitScript((secret) => localStorage.setItem('plybook.token', secret), token());
  const found = new Set();
  for (const path of await pages()) {
    await page.goto(path);
    await quiet(page);
    if (path === '/nowhere') page.wrongs = [];
    const tell = async (where) => (await page.evaluate(unsaid)).forEach((text) => found.add(`${where}: ${text}`));
    await tell(path);
    const tabs = page.locator('#replay [role=tab]');
    for (let index = 0; index < await tabs.count(); index++) {
      await tabs.nth(index).click();
      await quiet(page);
      await tell(`${path}, tab ${index + 1}`);
    }
    if (await page.locator('#act-open').isVisible()) {
      if (await page.locator('#act-open').getAttribute('aria-expanded') === 'false') await page.locator('#act-open').click();
      await page.locator('#act-body').waitFor();
      await tell(`${path}, playing`);
    }
  }
  assert.deepEqual([...found], []);
  await close(page);
});

/** What is refused in sentences of the page's language: how to get there, and where it is said. */
async function refusals() {
  const { id } = await finishedGame('triangulate');
  const running = await newGame({ kind: 'triangulate', seats: [{ name: 'Ada' }, { name: 'Bela' }] });
  const enter = async (page, field, text) => {
    await page.locator(field).fill(text);
    await page.locator(field).press('Enter');
  };
  return [
    [`/games/${id}#4`, async (page) => { await page.locator('#act-list:not(.stale) li').first().waitFor(); await enter(page, '#act-text', 'b1-b9'); }, '.act-error .bad'],
    [`/record/${running}`, (page) => enter(page, '#action', 'b1-b9'), '#refused .bad'],
    ['/search?kind=tri&where=islands(1)+%3E%3D', () => {}, '#wrong'],
    ['/tournaments/nothing', () => {}, '[role=alert] p'],
    [`/games/${id}/beside?with=nothing`, () => {}, '#notice'],
  ];
}

for (const language of ['de', 'he']) {
  (language === 'he' ? test : thorough)(`what the service refuses is marked as English in a sentence in ${language}`, async () => {
    const page = await open(browser, '');
    await page.addInitScript((secret) => localStorage.setItem('plybook.token', secret), token());
    for (const [path, refuse, where] of await refusals()) {
      await page.goto(`${path.replace(/#.*/, '')}${path.includes('?') ? '&' : '?'}lang=${language}${/#.*/.exec(path) ?? ''}`);
      await refuse(page);
      const told = page.locator(where).first();
      await told.locator('bdi[lang=en]').first().waitFor();
      const [all, english] = [await told.textContent(), await told.locator('bdi[lang=en]').first().textContent()];
      assert.match(english, /[a-z]+ [a-z]+/i, path);
      assert.doesNotMatch(all, /[\u2068\u2069]/, path);
      const own = all.replace(english, '').trim();
      assert.match(own, language === 'he' ? /[\u0590-\u05ff]/ : /\p{L}{2,} \p{L}{2,}/u, `${path} introduces it: ${all}`);
      if (language === 'he') assert.deepEqual((await page.evaluate(unsaid)).filter((text) => text.includes(english)), [], path);
    }
  });
}

for (const [language, next, previous] of [['he', 'ArrowLeft', 'ArrowRight'], ['de', 'ArrowRight', 'ArrowLeft']]) {
  test(`arrows lead to the tab on their side in ${language}`, async () => {
    const { id } = await finishedGame('tri');
    const page = await open(browser, `/games/${id}?lang=${language}`);
    await page.waitForSelector('#badge[data-state=verified]');
    const selected = () => page.locator('[role=tab][aria-selected=true]').evaluate((tab) => tab === document.activeElement && tab.id);
    const left = (tab) => page.locator(`#${tab}`).evaluate((element) => element.getBoundingClientRect().left);
    await page.locator('#tab-moves').click();
    await page.keyboard.press(next);
    await becomes(() => selected(), 'tab-explorer');
    await becomes(async () => await left('tab-explorer') < await left('tab-moves'), next === 'ArrowLeft', 'it is on that side');
    await page.keyboard.press(previous);
    await page.keyboard.press(previous);
    await becomes(() => selected(), 'tab-files');
    await page.keyboard.press(next);
    await becomes(() => selected(), 'tab-moves');
    await close(page);
  });
}

test('tie-breaks have a decimal comma in German', async () => {
  const { tournaments } = await ask('{ tournaments(first: 100) { nodes { id standings { tieBreaks { text } } } } }');
  const { id } = tournaments.nodes.find(({ standings }) => standings.some(({ tieBreaks }) => tieBreaks.some(({ text }) => /\d\.5$/.test(text))));
  const page = await open(browser, `/tournaments/${id}?lang=de#standings`);
  await page.locator('td.number').getByText(/^\d+,5$/).first().waitFor();
  assert.equal(await page.locator('td.number').getByText(/\d\.\d/).count(), 0);
  await close(page);
});

/** Words of any letters in the tables of a language, and in the keys of its catalogue: what the service says in English. */
async function wordsIn(folder) {
  const top = new URL('../../web-viewer/words/', import.meta.url);
  const texts = await Promise.all(readdirSync(new URL(folder, top)).filter((name) => name.endsWith('.js') && !['locale.js', 'language.js'].includes(name)).map(async (name) => {
    const [table] = Object.values(await import(new URL(`${folder}${name}`, top)));
    const said = (entry) => (typeof entry === 'object' ? Object.values(entry).map(said).join(' ') : String(entry).replaceAll(/\$\{[^}]*\}|^\(.*?\) =>|\b(plural|number|count|one|other)\b/g, ' '));
    return name === 'terms.js' && folder !== '' ? [said(table), Object.keys(table).join(' ')] : [said(table), ''];
  }));
  const words = (index) => new Set(texts.map((each) => each[index]).join(' ').toLowerCase().match(/\p{L}{3,}/gu) ?? []);
  return { own: words(0), english: words(1) };
}

/** Names of games, formats, and things that have no other name; tags, whose names are the same everywhere. */
const NAMES = new Set(`plybook thrones triangulate tri triforce triforces building english deutsch json csv svg png html ndjson trf graphql api elo sha apache mit github designer
  event place arbiter started drawn rolled elimination club night demo dutch berger`.split(/\s+/));

for (const language of ['de', 'he']) {
  thorough(`no page in ${language} shows an English word but names`, async () => {
    const [{ own: english }, { own, english: keys }] = await Promise.all([wordsIn(''), wordsIn(`${language}/`)]);
    const foreign = [...new Set([...english, ...keys])].filter((word) => /^[a-z]+$/.test(word) && !own.has(word) && !NAMES.has(word));
    assert.ok(foreign.length > 500);
    const { rules, players, tournaments, games } = await ask('{ rules { title } players(first: 200) { nodes { name } } tournaments(first: 100) { nodes { name } } games(first: 200) { nodes { name tags seats { name } } } }');
    const people = [players, tournaments].flatMap(({ nodes }) => nodes.map(({ name }) => name)).concat(rules.map(({ title }) => title), games.nodes.flatMap(({ name, tags, seats }) => [name, ...Object.values(tags ?? {}), ...seats.map((seat) => seat.name)])).filter((name) => typeof name === 'string' && name).toSorted((one, other) => other.length - one.length);
    const page = await open(browser, '', { viewport: { width: 1280, height: 900 } });
    await page.addInitScript((secret) => localStorage.setItem('plybook.token', secret), token());
    const found = new Set();
    const look = async (where) => {
      const shown = await page.evaluate(() => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const texts = [];
        while (walker.nextNode()) {
          const element = walker.currentNode.parentElement;
          // Rules and refusals are in English and say so; notation, and what people wrote, is in no language.
          if (!element.closest('[lang=en], svg, script, noscript, code, pre, kbd, textarea, .comment, .act-list, .moves .text:not(.told), [role=option], .explored .name, .what, #moves bdi, .detail') && element.checkVisibility()) texts.push(walker.currentNode.data);
        }
        return texts;
      });
      for (const text of shown) {
        const bare = people.reduce((left, name) => left.replaceAll(name, ' '), text).replaceAll(/\S*[:=@]\S+|\b[A-Z]+\b/g, ' ').toLowerCase();
        for (const word of bare.match(/(?<![\p{L}\d-])[a-z]{3,}(?![\p{L}\d-])/gu) ?? []) if (foreign.includes(word)) found.add(`${where}: ${word} in “${text.trim().slice(0, 80)}”`);
      }
    };
    for (const path of [...await pages(), ...KINDS.map((kind) => `/statistics?kind=${kind}`)]) {
      await page.goto(`${path.replace(/#.*/, '')}${path.includes('?') ? '&' : '?'}lang=${language}${/#.*/.exec(path) ?? ''}`);
      await quiet(page);
      if (path === '/nowhere') page.wrongs = [];
      await look(path);
      for (const tab of await page.locator('#replay [role=tab]').all()) {
        await tab.click();
        await look(path);
      }
    }
    for (const kind of KINDS) {
      const { id, ply } = await finishedGame(kind);
      for (const at of [1, Math.round(ply / 3), ply - 1, ply]) {
        await page.goto(`/games/${id}?lang=${language}#${at}`);
        await page.waitForSelector('#badge[data-state=verified]');
        await look(`${kind} at ${at}`);
      }
      await page.goto(`/games/new?lang=${language}`);
      await page.locator(`#kind option[value=${kind}]`).waitFor({ state: 'attached' });
      await page.selectOption('#kind', kind);
      await page.locator('#seat-1').waitFor();
      await page.locator('#group-more > summary').click();
      await look(`a new game of ${kind}`);
    }
    assert.deepEqual([...found], []);
    await close(page);
  });
}
