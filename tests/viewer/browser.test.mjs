// The viewer's pages in Chromium, against a running service.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_SHOTS=dir] node --test browser.test.mjs

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, test } from 'node:test';

import { SCREENS, SEVERAL, accessible, ask, becomes, close, finishedGame, launch, open, rewriteAnswers, shoot, shut, thorough, token } from './service.mjs';
import { MODULES } from '../../web-viewer/rules/modules.js';

let browser;
let game;

before(async () => {
  browser = await launch();
  game = await finishedGame();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const LINKS = '.games a[href^="/games/"]';
const rows = (page) => page.locator('.games tbody tr');
const ply = (page) => page.locator('#slider').inputValue().then(Number);
const badge = (page, state) => page.waitForSelector(`#badge[data-state=${state}]`);
const shown = (page, number) => page.waitForSelector(`#board svg[aria-label="Board after ply ${number}"]`);
const loaded = async (page, state = 'verified') => {
  await page.waitForSelector('#board svg');
  await badge(page, state);
  await page.waitForFunction(() => document.querySelector('#panel-moves .hint').textContent === '');
};

async function settled(page) {
  await page.waitForSelector('#games[aria-busy=false]');
}

async function openGame(hash = '', screen = SCREENS.light) {
  const page = await open(browser, `/games/${game.id}${hash}`, screen);
  await loaded(page);
  return page;
}

// --- list

test('the list shows the games, newest first, and how many there are', async () => {
  const { games } = await ask('{ games(filter: {origin: RECORDED}, first: 25) { totalCount nodes { id } } }');
  const page = await open(browser, '/');
  await rows(page).first().waitFor();
  assert.equal(await rows(page).count(), games.nodes.length);
  assert.match(await page.locator('#total').textContent(), new RegExp(`^${games.totalCount.toLocaleString()} games?$`));
  assert.equal(await page.locator(LINKS).first().getAttribute('href'), `/games/${games.nodes[0].id}`);
  await close(page);
});

test('filters narrow the list, are in the address, and survive reload and back', async () => {
  const { games } = await ask('{ games(filter: {origin: RECORDED, status: FINISHED, kind: "triangulate"}) { totalCount } }');
  const page = await open(browser, '/');
  await page.locator('[name=kind] option[value=triangulate]').waitFor({ state: 'attached' });
  await page.selectOption('[name=kind]', 'triangulate');
  await page.selectOption('[name=status]', 'FINISHED');
  await settled(page);
  const found = `${games.totalCount} game${games.totalCount === 1 ? '' : 's'} found`;
  await page.waitForFunction((text) => document.querySelector('#total').textContent === text, found);
  assert.equal(new URL(page.url()).search, '?kind=triangulate&status=FINISHED');
  assert.equal(await page.locator('.status.running').count(), 0);
  await page.reload();
  await settled(page);
  assert.equal(await page.locator('[name=status]').inputValue(), 'FINISHED');
  await page.goBack();
  await settled(page);
  assert.equal(new URL(page.url()).search, '?kind=triangulate');
  await page.click('#clear');
  await settled(page);
  assert.equal(new URL(page.url()).search, '');
  await close(page);
});

test('a player is found by name', async () => {
  const [{ player: { id, name } }] = game.seats;
  // Rows name everybody who sits at a table of two; of longer tables they count the rest.
  const page = await open(browser, '/?kind=triangulate');
  await page.fill('[name=player]', name.toUpperCase());
  await page.waitForURL((url) => url.searchParams.get('player') === id);
  await settled(page);
  assert.ok(await rows(page).count() > 0);
  for (const text of await rows(page).allTextContents()) assert.ok(text.includes(name), text);
  await page.reload();
  await page.waitForFunction((want) => document.querySelector('[name=player]').value === want, name);
  await page.fill('[name=player]', 'nobody-is-called-this');
  await page.getByText('No player has this in the name').waitFor();
  await page.fill('[name=player]', '');
  await page.waitForFunction(() => location.search === '?kind=triangulate');
  await close(page);
});

test('each game in the list has a small board, loaded once it is near, with few requests', async () => {
  const page = await open(browser, '');
  const asked = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('/graphql')) return;
    const { query, variables } = request.postDataJSON();
    if (query.startsWith('query Thumbnails')) asked.push(variables.ids);
  });
  await page.goto('/');
  const boards = page.locator('.thumb svg');
  await boards.first().waitFor();
  const count = await rows(page).count();
  assert.ok(count > 12 && asked.flat().length < count, `${asked.flat().length} boards of ${count} are near`);
  for (let index = 0; index < count; index += 5) await rows(page).nth(index).scrollIntoViewIfNeeded();
  await rows(page).last().scrollIntoViewIfNeeded();
  await page.waitForFunction((all) => document.querySelectorAll('.thumb svg').length === all, count);
  const ids = asked.flat();
  assert.equal(new Set(ids).size, ids.length, 'each once');
  assert.ok(asked.length <= count / 2, `${asked.length} requests`);
  const [{ position }] = (await ask('query($ids: [ID!]!) { nodes(ids: $ids) { ... on Game { position { scene } } } }', { ids: ids.slice(0, 1) })).nodes;
  assert.equal(await page.locator(`[data-game="${ids[0]}"] svg > *`).count(), position.scene.items.length);
  await page.selectOption('[name=kind]', 'tri');
  await settled(page);
  await page.waitForFunction(() => document.querySelectorAll('.thumb svg').length > 3 && [...document.querySelectorAll('.thumb svg')].every((svg) => svg.classList.contains('tri')));
  await close(page);
});

test('a list without its small boards is still a list', async () => {
  const page = await open(browser, '');
  await rewriteAnswers(page, 'Thumbnails', () => ({ errors: [{ message: 'too busy', extensions: { code: 'OVERLOADED' } }] }));
  await page.goto('/');
  await rows(page).first().waitFor();
  assert.equal(await page.locator('.thumb svg').count(), 0);
  await close(page);
});

test('an empty list says so and offers the way back', async () => {
  const page = await open(browser, '/?since=2100-01-01');
  await page.getByText('No game matches these filters.').waitFor();
  await accessible(page, 'empty list');
  await page.getByRole('button', { name: 'Show all games' }).click();
  await rows(page).first().waitFor();
  await close(page);
});

test('pages lead on and back', async () => {
  const page = await open(browser, '');
  await page.route('**/graphql', (route) => {
    const sent = route.request().postDataJSON();
    for (const name of ['first', 'last']) if (sent.variables[name]) sent.variables[name] = 2;
    return route.continue({ postData: JSON.stringify(sent) });
  });
  const heads = async () => {
    await settled(page);
    return page.locator(LINKS).evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  };
  const turned = (name, old) => Promise.all([
    page.waitForFunction(([links, href]) => document.querySelector(links)?.getAttribute('href') !== href, [LINKS, old[0]]),
    page.click(`#${name}`),
  ]);
  await page.goto('/');
  await rows(page).first().waitFor();
  const one = await heads();
  assert.equal(await page.locator('#previous').getAttribute('aria-disabled'), 'true');
  await turned('next', one);
  const two = await heads();
  assert.equal(two.filter((href) => one.includes(href)).length, 0);
  assert.match(page.url(), /\?after=/);
  await turned('previous', two);
  assert.deepEqual(await heads(), one);
  await page.goBack();
  await page.waitForFunction(([links, href]) => document.querySelector(links)?.getAttribute('href') === href, [LINKS, two[0]]);
  await close(page);
});

test('a failure is shown and can be retried', async () => {
  const page = await open(browser, '');
  await page.route('**/graphql', (route) => route.abort());
  await page.goto('/');
  await page.getByText('The service cannot be reached.').waitFor();
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Try again' }).click();
  await rows(page).first().waitFor();
  page.wrongs = page.wrongs.filter((text) => !text.includes('ERR_FAILED'));
  await close(page);
});

// --- replay

test('deep link, keys, buttons and slider step through a game', async () => {
  const page = await openGame('#3');
  await shown(page, 3);
  await becomes(() => ply(page), 3);
  await page.keyboard.press('ArrowRight');
  await shown(page, 4);
  await page.waitForURL('**#4');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await shown(page, 2);
  await page.keyboard.press('Home');
  await shown(page, 0);
  await becomes(() => page.locator('#prev').getAttribute('aria-disabled'), 'true');
  await page.keyboard.press('ArrowLeft');
  await becomes(() => ply(page), 0);
  await page.keyboard.press('End');
  await shown(page, game.ply);
  await page.click('#first');
  await page.click('#next');
  await shown(page, 1);
  await page.click('#last');
  await page.click('#prev');
  await shown(page, game.ply - 1);
  await page.locator('#slider').fill('5');
  await shown(page, 5);
  await page.waitForURL('**#5');
  await page.evaluate(() => { location.hash = '#2'; });
  await shown(page, 2);
  await close(page);
});

test('the moves are listed, the current one is marked, a click goes there', async () => {
  const page = await openGame('#1');
  await page.locator(`.moves a[data-ply="${game.ply}"]`).waitFor();
  assert.equal(await page.locator('.moves a[data-ply]').count(), game.ply + 1);
  const [, , third] = game.moves.nodes;
  const link = page.locator('.moves a[data-ply="3"]');
  assert.ok((await link.textContent()).includes(third.action));
  await link.click();
  await shown(page, 3);
  await becomes(() => page.locator('.moves [aria-current=step]').getAttribute('data-ply'), '3');
  await close(page);
});

test('screen readers hear what happened, and the position on demand', async () => {
  const page = await openGame('#0');
  await page.keyboard.press('ArrowRight');
  const [{ action }] = game.moves.nodes;
  const { game: { seats, position } } = await ask('query($id: ID!) { game(id: $id) { seats { name } position(ply: 1) { text } } }', { id: game.id });
  const [from, to] = action.split('-');
  await page.waitForFunction(([name, one, two]) => document.querySelector('#announce').textContent.startsWith(`Ply 1. ${name} moves the frog from ${one} to ${two}`), [seats[0].name, from, to]);
  assert.ok((await page.locator('#announce').textContent()).length < 120);
  assert.ok((await page.locator('#told').textContent()).includes(`from ${from} to ${to}`));
  await page.keyboard.press('w');
  await page.waitForFunction((text) => document.querySelector('#announce').textContent === text, position.text);
  await page.click('#tab-words');
  await becomes(() => page.locator('.words').textContent(), position.text);
  await close(page);
});

test('space plays and pauses, at the speed chosen', async () => {
  const page = await openGame('#0');
  await page.clock.install();
  await page.selectOption('#speed', '250');
  await page.locator('#board').focus();
  await page.keyboard.press(' ');
  await becomes(() => page.locator('#play').getAttribute('aria-label'), 'Pause');
  await page.waitForFunction(() => Number(document.querySelector('#slider').value) >= 3);
  await page.keyboard.press(' ');
  const paused = await ply(page);
  await page.clock.runFor(500);
  assert.equal(await ply(page), paused);
  await page.keyboard.press('End');
  await page.keyboard.press(' ');
  await page.waitForFunction((last) => { const at = Number(document.querySelector('#slider').value); return at > 0 && at < last; }, game.ply);
  await close(page);
});

test('f turns the board by 180 degrees, and pieces stay upright', async () => {
  const page = await openGame('#2');
  const spaces = () => page.locator('#board > :not([aria-hidden]) .space').evaluateAll((all) => all.map(({ points }) => [...points].map(({ x, y }) => [x, y])));
  const view = (await page.locator('#board > :not([aria-hidden])').getAttribute('viewBox')).split(' ').map(Number);
  const before = await spaces();
  const shapes = () => page.locator('#board > :not([aria-hidden])').innerHTML();
  const drawn = await shapes();
  await page.keyboard.press('f');
  await page.waitForSelector('#flip[aria-pressed=true]');
  const turned = ([x, y]) => [2 * view[0] + view[2] - x, 2 * view[1] + view[3] - y];
  assert.deepEqual(await spaces(), before.map((points) => points.map(turned)));
  assert.equal(await page.locator('#board text[transform], #board [transform]').count(), 0);
  await page.keyboard.press('f');
  await page.waitForSelector('#flip[aria-pressed=false]');
  assert.equal(await shapes(), drawn);
  await close(page);
});

test('the question mark shows the keys', async () => {
  const page = await openGame();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard and settings' }).waitFor();
  await accessible(page, 'help');
  await page.keyboard.press('Escape');
  await becomes(() => page.getByRole('dialog').count(), 0);
  await page.click('#rules');
  await page.getByRole('dialog', { name: /Rules of/ }).waitFor();
  await accessible(page, 'rules');
  await close(page);
});

test('letters are switched off as keys, which is remembered', async () => {
  const { id } = await finishedGame('triangulate');
  const page = await open(browser, `/games/${id}#5`);
  const at = (ply) => page.waitForFunction((wanted) => document.getElementById('ply').textContent.startsWith(`${wanted} /`), ply);
  const isFlipped = () => page.locator('#flip').getAttribute('aria-pressed');
  await at(5);
  await page.keyboard.press('f');
  await becomes(() => isFlipped(), 'true');
  await page.keyboard.press('?');
  await page.getByLabel('Letters, digits and signs are keys').uncheck();
  await accessible(page, 'keys and settings');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('f');
  await page.keyboard.press('ArrowRight');
  await at(6);
  await becomes(() => isFlipped(), 'true');
  await page.waitForURL('**#6');
  await page.reload();
  await at(6);
  await page.keyboard.press('f');
  await page.keyboard.press('ArrowRight');
  await at(7);
  await becomes(() => isFlipped(), 'false');
  await close(page);
});

test('a turn is animated, unless the reader prefers reduced motion', async () => {
  const moving = async (reducedMotion) => {
    const page = await open(browser, '', { ...SCREENS.light, reducedMotion });
    await page.clock.install();
    await rewriteAnswers(page, 'Positions', (answer, { from }) => {
      const { items, frames } = answer.data.game.scenes;
      items.slice(0, 5).forEach((item) => { item.group = 'island:D'; });
      if (from === 0) frames[1].motion = { groups: ['island:D'], about: [4000, 4000], degrees: 90 };
      return answer;
    });
    await page.addInitScript(() => {
      globalThis.turned = 0;
      const { animate } = Element.prototype;
      Element.prototype.animate = function counted(frames, options) {
        if (String(frames[0]?.transform).includes('rotate')) globalThis.turned += 1;
        return animate.call(this, frames, options);
      };
    });
    await page.goto(`/games/${game.id}#0`);
    await shown(page, 0);
    const counts = [];
    for (const key of ['ArrowRight', 'ArrowLeft', 'End']) {
      // Steps in faster succession than an animation takes are not animated.
      await page.clock.runFor(200);
      await page.keyboard.press(key);
      await shown(page, { ArrowRight: 1, ArrowLeft: 0, End: game.ply }[key]);
      counts.push(await page.evaluate(() => globalThis.turned));
    }
    await close(page);
    return counts;
  };
  assert.deepEqual(await moving('no-preference'), [5, 10, 10]);
  assert.deepEqual(await moving('reduce'), [0, 0, 0]);
});

test('the viewer can be chosen in games with secrets, and a refusal is explained', async () => {
  const page = await open(browser, '');
  await rewriteAnswers(page, 'Game', (answer) => {
    answer.data.game.ruleSet.secrets = true;
    return answer;
  });
  const viewers = [];
  await rewriteAnswers(page, 'Positions', (answer, variables) => {
    viewers.push(variables.viewer);
    const refused = { errors: [{ message: 'not yours', extensions: { code: 'FORBIDDEN' } }], data: null };
    return variables.viewer === '2' ? refused : answer;
  });
  await page.goto(`/games/${game.id}#1`);
  await loaded(page);
  await page.selectOption('#viewer', '2');
  await page.getByText('You may not see what this viewer sees').waitFor();
  await page.waitForURL((url) => url.href.endsWith('?viewer=2#1'));
  await page.getByRole('button', { name: 'Show what I may see' }).click();
  await page.locator('#notice').waitFor({ state: 'hidden' });
  await shown(page, 1);
  assert.deepEqual([...new Set(viewers)], [null, '2']);
  await close(page);
});

test('a finished game with secrets can be viewed as a seat knew it, with the unknown marked', async () => {
  const { id } = await finishedGame('thrones');
  const page = await open(browser, `/games/${id}#1`);
  await shown(page, 1);
  const told = () => page.waitForFunction(() => /^setup:\w/.test(document.querySelector('#panel-moves a[data-ply="1"] .text')?.textContent));
  await told();
  const by = Number(await page.locator('#panel-moves a[data-ply="1"] .chip').textContent());
  await page.selectOption('#viewer', String(3 - by));
  await page.waitForFunction(() => document.querySelector('#panel-moves a[data-ply="1"] .text')?.textContent === 'setup:?');
  const marked = (count) => page.waitForFunction((number) => document.querySelectorAll('#board > :not([aria-hidden]) .space.hidden').length === number, count);
  await marked(81);
  // Texts for screen readers only have a different class: these are visible.
  const clip = await page.locator('#board > :not([aria-hidden]) .space.hidden').first().evaluate((space) => getComputedStyle(space).clipPath);
  assert.equal(clip, 'none');
  await page.waitForURL(/viewer=[12]#1$/);
  await page.selectOption('#viewer', 'all');
  // Four home rows and four tiles of the middle.
  await marked(81 - 36 - 4);
  await told();
  await close(page);
});

test('files can be downloaded', async () => {
  const page = await openGame('#2');
  await page.click('#tab-files');
  const take = async (name) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#panel-files').getByText(name, { exact: true }).click()]);
    return readFileSync(await download.path(), 'utf8');
  };
  assert.match(await take('Picture'), /^<svg[^]*<\/svg>$/);
  assert.match(await take('Record'), /^\s*\{/);
  const proof = JSON.parse(await take('Proof'));
  assert.deepEqual([proof.format, proof.record.game], ['plybook-proof/1', game.id]);
  assert.match(proof.checkpoint, /^plybook-[0-9a-f]{16}\n[0-9]+\n/);
  assert.ok((await take('Text')).includes(game.moves.nodes[0].action));
  assert.equal((await take('Log')).trim().split('\n').length, game.head.seq + 1);
  await close(page);
});

test('an unknown game is reported', async () => {
  const page = await open(browser, '/games/0192f0c1-2a3b-7c4d-8e5f-60718293a4b5');
  await page.getByText('There is no game with this address.').waitFor();
  await accessible(page, 'unknown game');
  await shut(page.context());
});

// --- signing in, and patching

test('a token is kept and sent', async () => {
  const page = await openGame();
  await page.click('#sign-in');
  await accessible(page, 'sign in');
  await page.fill('#token', token());
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.url().endsWith('/graphql') && sent.headers().authorization === `Bearer ${token()}`),
    page.keyboard.press('Enter'),
  ]);
  assert.ok(request);
  await page.locator('#sign-in', { hasText: 'Signed in' }).waitFor();
  await loaded(page);
  // One that is no longer valid is not dropped without a word.
  await page.addInitScript(() => localStorage.setItem('plybook.token', 'gone'));
  await page.reload();
  await page.locator('.signed-out').getByText('is no longer valid').waitFor();
  await page.locator('#sign-in', { hasText: 'Sign in' }).waitFor();
  page.wrongs = page.wrongs.filter((text) => !text.includes('401'));
  await close(page);
});

test('a patch keeps what has not changed: elements, the focus, listeners', async () => {
  const page = await open(browser, '/');
  const told = await page.evaluate(async () => {
    const load = (name) => import(`/static/base/${name}.js`);
    const [{ h }, { patch, row }] = await Promise.all([load('dom'), load('patch')]);
    const list = h('ul');
    document.body.append(list);
    let made = 0;
    let clicked = '';
    const item = (name, of) => row(name, [of], () => {
      made += 1;
      return h('li', {}, h('button', { type: 'button', class: of, onclick: () => { clicked = of; } }, name));
    });
    patch(list, ['a', 'b', 'c'].map((name) => item(name, 'old')));
    const [a, b, c] = list.children;
    b.firstChild.focus();
    patch(list, [item('d', 'old'), item('b', 'new'), item('c', 'old'), 'text', null, false, item('a', 'old')]);
    const kept = [list.children[1] === b, list.children[2] === c, list.children[3] === a, document.activeElement === b.firstChild];
    b.firstChild.click();
    const order = list.textContent;
    patch(list, [h('li', { id: 'x' }, 'x')]);
    patch(list, [h('li', {}, 'first'), h('li', { id: 'x', class: 'y' }, 'x')]);
    const html = list.outerHTML;
    patch(list, []);
    return { kept, order, made, clicked, html, left: list.childNodes.length };
  });
  const html = '<ul><li>first</li><li id="x" class="y">x</li></ul>';
  assert.deepEqual(told, { kept: [true, true, true, true], order: 'dbctexta', made: 5, clicked: 'new', html, left: 0 });
  await close(page);
});

// --- for everybody

for (const [name, screen] of SEVERAL) {
  test(`list and replay are accessible: ${name}`, async () => {
    const list = await open(browser, '/', screen);
    await rows(list).first().waitFor();
    await accessible(list, `list, ${name}`);
    await shoot(list, `list-${name}`);
    await close(list);
    const page = await openGame('#4', screen);
    await accessible(page, `replay, ${name}`);
    await shoot(page, `replay-${name}`);
    for (const tab of ['words', 'log', 'files']) {
      await page.click(`#tab-${tab}`);
      await accessible(page, `${tab}, ${name}`);
    }
    await shoot(page, `files-${name}`);
    await close(page);
  });
}

test('all of the replay can be reached with the keyboard', async () => {
  const page = await openGame('#1');
  const reached = new Set();
  for (let press = 0; press < 40; press++) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement?.id));
  }
  for (const id of ['sign-in', 'rules', 'badge', 'slider', 'first', 'play', 'speed', 'flip', 'help', 'tab-moves', 'panel-moves']) assert.ok(reached.has(id), id);
  await page.focus('#tab-moves');
  await page.keyboard.press('ArrowRight');
  await becomes(() => page.locator('#panel-explorer').isVisible(), true);
  await shown(page, 1);
  await close(page);
});

thorough('every kind of game of the demo can be replayed', async () => {
  const { rules } = await ask('{ rules { kind } }');
  for (const { kind } of rules) {
    const { games } = await ask('query($kind: String) { games(filter: {kind: $kind, status: FINISHED, minPly: 4}, first: 1) { nodes { id ply } } }', { kind });
    const [first] = games.nodes;
    if (!first) continue;
    const page = await open(browser, `/games/${first.id}#${Math.ceil(first.ply / 2)}`);
    // Without its rules, a page says that it has not judged the record.
    await loaded(page, MODULES.has(kind) ? 'verified' : 'unknown');
    await shown(page, Math.ceil(first.ply / 2));
    await page.keyboard.press('End');
    await shown(page, first.ply);
    await accessible(page, kind);
    await shoot(page, `kind-${kind}`);
    await close(page);
  }
});
