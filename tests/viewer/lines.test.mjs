// Variations and playing on the replay page, in Chromium, against a running service.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_SHOTS=dir] node --test lines.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { SCREENS, SEVERAL, accessible, ask, becomes, close, finishedGame, finishedGames, launch, open, shareLine, shoot, shut, thorough, token } from './service.mjs';

let browser;
let game;
/** Plies of the game with several other actions, one for each test. */
let free;

before(async () => {
  browser = await launch();
  // Not the game that the tests of the replay use: these tests leave lines behind.
  game = (await finishedGames()).at(-1);
  const { game: { positions } } = await ask('query($id: ID!) { game(id: $id) { positions(from: 3) { ply legalActions } } }', { id: game.id });
  const { lines } = await tree(game.id);
  const isFree = (ply) => ply < game.ply - 2 && !lines.some((line) => line.ply === ply);
  free = positions.filter(({ ply, legalActions }) => isFree(ply) && legalActions.length > 4).map(({ ply }) => ply);
  assert.ok(free.length > 20, `${free.length} plies to leave the game at`);
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const shown = (page, number) => page.waitForSelector(`#board svg[aria-label="Board after ply ${number}"]`);
const current = (page) => page.locator('.moves [aria-current=step]');
/** The address, once the reader rests. */
const rested = async (page) => { await page.clock.runFor(700); return new URL(page.url()); };
const lineOf = async (page) => (await rested(page)).searchParams.get('line');
const hash = async (page) => (await rested(page)).hash;
const said = (page, text) => page.waitForFunction((want) => document.querySelector('#announce').textContent.includes(want), text);
/** The actions that may be played, once those of this place are listed. */
const offer = (page) => page.locator('#act-list:not(.stale) li');
const place = (page, name) => page.locator(`#board > :not([aria-hidden]) [data-place="${name}"]`).first();

/** The replay at a place, signed in by default, once its lines and actions are loaded. */
async function replay(address, { screen = SCREENS.light, key = token() } = {}) {
  const page = await open(browser, '', screen);
  await page.clock.install();
  if (key) await page.addInitScript((value) => localStorage.setItem('plybook.token', value), key);
  await page.goto(`/games/${address}`);
  await page.waitForSelector('#board svg');
  await page.waitForFunction(() => document.querySelector('#panel-moves .hint').textContent === '' && !document.querySelector('.note-quiet'));
  if (key) await page.waitForFunction(() => document.querySelector('#act-text').placeholder !== 'Loading…');
  return page;
}

/** The legal actions at a ply, without the mainline's own. */
async function others(id, ply) {
  const { game: found } = await ask('query($id: ID!, $ply: Int) { game(id: $id) { position(ply: $ply) { toAct legalActions } moves { nodes { ply action } } } }', { id, ply });
  const played = found.moves.nodes.find((move) => move.ply === ply + 1)?.action;
  return { played, legal: found.position.legalActions.filter((action) => action !== played), by: found.position.toAct[0] };
}

const fork = async (id, ply, actions) => (
  await ask('mutation($id: ID!, $ply: Int!, $actions: [String!]) { fork(game: $id, ply: $ply, actions: $actions) { id ply } }', { id, ply, actions }, token())).fork;
const arranged = (line, change) => (
  ask('mutation($line: ID!, $name: String, $hidden: Boolean, $promote: Boolean) { arrangeLine(line: $line, name: $name, hidden: $hidden, promote: $promote) { id } }', { line, ...change }, token()));
const tree = async (id) => (await ask('query Tree($id: ID!, $after: String) { game(id: $id) { tree(maxNodes: 2000, after: $after) { lines { id name parent ply hidden plies last } nodes { id parent ply action by comment glyphs same lines } next totalLines } } }', { id })).game.tree;

/** A line of `count` actions, each the first legal one that is not the mainline's. */
async function played(id, ply, count, name) {
  const { legal } = await others(id, ply);
  const line = await fork(id, ply, [legal[0]]);
  const actions = [legal[0]];
  for (let index = 1; index < count; index++) {
    const next = (await others(line.id, ply + index)).legal[0];
    await ask('mutation($id: ID!, $action: String!) { act(game: $id, action: $action) { ply } }', { id: line.id, action: next }, token());
    actions.push(next);
  }
  if (name) await arranged(line.id, { name });
  return { id: line.id, ply, actions };
}

// --- playing

test('two clicks on the board start a line, and leave the record unchanged', async () => {
  const at = free.shift();
  const { legal } = await others(game.id, at);
  const action = legal.find((one) => /^\w\d-\w\d$/.test(one));
  const [from, to] = action.split('-');
  const page = await replay(`${game.id}#${at}`);
  await place(page, from).click({ force: true });
  await page.waitForSelector('#board .mark-picked');
  const offered = await offer(page).allTextContents();
  assert.ok(offered.length > 0 && offered.every((one) => one.includes(from)), offered.join());
  assert.equal(await page.locator('#board .mark-offered').count() > 0, true);
  await shoot(page, 'lines-picked');
  await accessible(page, 'picked');
  await place(page, to).click({ force: true });
  await shown(page, at + 1);
  await page.waitForURL((url) => url.hash.startsWith(`#${at + 1}&tried=${at}`));
  const line = await shareLine(page);
  await becomes(() => page.evaluate(() => document.activeElement.id), 'panel-moves', 'the button that opened the dialog is gone');
  await page.waitForFunction((node) => document.querySelector('.moves [aria-current]')?.dataset.node === node, `${line}:${at + 1}`);
  assert.match(await current(page).textContent(), new RegExp(action));
  assert.equal(await page.locator('#board .marks').count(), 0);
  const found = await tree(game.id);
  assert.deepEqual(found.nodes.find(({ id }) => id === `${line}:${at + 1}`).parent, `${game.id}:${at}`);
  const { game: after } = await ask('query($id: ID!) { game(id: $id) { head { seq hash } ply } }', { id: game.id });
  assert.deepEqual([after.head, after.ply], [game.head, game.ply]);
  await close(page);
});

test('playing the recorded action just goes to it', async () => {
  const at = free.shift();
  const { played: action } = await others(game.id, at);
  const [from, to] = action.split('-');
  const page = await replay(`${game.id}#${at}`);
  const before = (await tree(game.id)).totalLines;
  await place(page, from).click({ force: true });
  await place(page, to).click({ force: true });
  await shown(page, at + 1);
  await becomes(() => lineOf(page), null);
  assert.equal((await tree(game.id)).totalLines, before);
  await close(page);
});

test('a line can be played and continued with the keyboard alone', async () => {
  const at = free.shift();
  const { legal } = await others(game.id, at);
  const page = await replay(`${game.id}#${at}`);
  await page.keyboard.press('b');
  await page.waitForFunction(() => document.activeElement?.id === 'act-text');
  await page.keyboard.type(legal[1]);
  await page.keyboard.press('Enter');
  await shown(page, at + 1);
  await becomes(() => page.inputValue('#act-text'), '');
  await offer(page).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const active = await page.locator('#act-text').getAttribute('aria-activedescendant');
  const second = await page.locator(`#${active}`).textContent();
  await page.keyboard.press('Enter');
  await shown(page, at + 2);
  const line = await shareLine(page);
  const found = await tree(game.id);
  assert.equal(found.nodes.find(({ id }) => id === `${line}:${at + 2}`).action, second);
  await close(page);
});

test('leaving a ply and coming back at once still offers its actions', async () => {
  const page = await replay(`${game.id}#${game.ply}`);
  await page.evaluate(async () => {
    // At the end nobody is to act, so nothing else is requested in between.
    for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowLeft']) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      await new Promise((done) => setTimeout(done, 20));
    }
  });
  await shown(page, game.ply - 1);
  await page.waitForFunction(() => document.querySelector('#act-text').placeholder.startsWith('one of'));
  await close(page);
});

test('a line can be played by touch', async () => {
  const at = free.shift();
  const page = await replay(`${game.id}#${at}`, { screen: SCREENS.phone });
  const { played: mainline } = await others(game.id, at);
  const option = offer(page).filter({ hasNotText: mainline }).first();
  const action = await option.textContent();
  await option.tap();
  await shown(page, at + 1);
  assert.match(await current(page).textContent(), new RegExp(action.replace('+', '\\+')));
  await accessible(page, 'phone with a line');
  await shoot(page, 'lines-phone');
  await close(page);
});

test('an illegal action is refused with a reason, and the typed text stays', async () => {
  const at = free.shift();
  const page = await replay(`${game.id}#${at}`);
  const before = (await tree(game.id)).totalLines;
  await page.fill('#act-text', 'a1-h8');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText(/^a1-h8 is not legal: /).waitFor();
  assert.equal(await page.inputValue('#act-text'), 'a1-h8');
  assert.equal((await tree(game.id)).totalLines, before);
  await accessible(page, 'refusal');
  page.wrongs = [];
  await close(page);
});

test('when two people continue a line, the second one is told', async () => {
  const at = free.shift();
  const line = await played(game.id, at, 1);
  const page = await replay(`${game.id}?line=${line.id}#${at + 1}`);
  const { legal } = await others(line.id, at + 1);
  await ask('mutation($id: ID!, $action: String!) { act(game: $id, action: $action) { ply } }', { id: line.id, action: legal[0] }, token());
  await page.fill('#act-text', legal[1]);
  await page.keyboard.press('Enter');
  await page.getByText(/^Somebody else continued this line/).waitFor();
  assert.equal(await hash(page), `#${at + 1}`);
  await page.locator(`a[data-node="${line.id}:${at + 2}"]`).waitFor();
  assert.equal(await page.inputValue('#act-text'), legal[1]);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.hash.startsWith(`#${at + 2}&tried=${at + 1}`));
  page.wrongs = [];
  await close(page);
});

test('without a token, a line is kept in the page only', async () => {
  const at = free.shift();
  const page = await replay(`${game.id}#${at}`, { key: '' });
  const before = (await tree(game.id)).totalLines;
  await page.click('#act-open');
  await page.getByText('Only you see what you try here.').waitFor();
  await offer(page).first().click();
  await shown(page, at + 1);
  await offer(page).first().click();
  await shown(page, at + 2);
  await page.getByText('only you see this').waitFor();
  assert.equal(await page.locator('.variation .name').getByText('Tried here').count(), 1);
  assert.match(await hash(page), /&tried=/, 'its address has it');
  await page.click('#line-share');
  await becomes(() => page.getByLabel('Address').inputValue(), page.url());
  await page.keyboard.press('Escape');
  assert.equal((await tree(game.id)).totalLines, before);
  await accessible(page, 'not saved');
  await close(page);
});

test('what is tried in a game that began from a position goes on from there, also without the rules', async () => {
  const { game: { position: { position } } } = await ask('query At($id: ID!) { game(id: $id) { position(ply: 6) { position } } }', { id: game.id });
  const { createGame: { id } } = await ask('mutation Create($input: CreateGame!) { createGame(input: $input) { id } }', { input: { kind: game.kind, position, seats: [{ name: 'Ada' }, { name: 'Bela' }] } }, token());
  const page = await open(browser, '');
  await page.route('**/*.wasm*', (route) => route.abort());
  await page.goto(`/games/${id}`);
  await page.click('#act-open');
  for (const ply of [1, 2]) {
    await offer(page).first().click();
    await shown(page, ply);
  }
  await page.click('#tab-explorer');
  await page.locator('#panel-explorer').getByText(/reached this position/).first().waitFor();
  page.wrongs = page.wrongs.filter((text) => !/ERR_FAILED/.test(text));
  await close(page);
});

test('if several are to act, the seat is chosen', async () => {
  const { id } = await finishedGame('triforce-building');
  const page = await replay(`${id}#0`);
  await page.selectOption('#act-who', 'seat:3');
  const { game: { position } } = await ask('query($id: ID!) { game(id: $id) { position(ply: 0) { legalActions(seat: 3) } } }', { id });
  const action = position.legalActions.find((one) => one !== '-');
  await offer(page).filter({ hasText: new RegExp(`^${action}$`) }).click();
  await shown(page, 1);
  const own = await shareLine(page);
  const found = await tree(id);
  const node = found.nodes.find((one) => one.id === `${own}:1`);
  assert.deepEqual([node.by, node.action], ['seat:3', `3:${action}`]);
  assert.match(await current(page).textContent(), new RegExp(`^1.*${action}$`, 's'));
  await shoot(page, 'lines-seats');
  await accessible(page, 'seats');
  await close(page);
});

test('dice are rolled by the service, or entered by hand', async () => {
  const { id } = await finishedGame('triforce');
  const { game: { moves } } = await ask('query($id: ID!) { game(id: $id) { moves(first: 500) { nodes { ply by action } } } }', { id });
  const roll = moves.nodes.find(({ by }) => by === 'chance');
  const page = await replay(`${id}#${roll.ply - 1}`);
  await page.getByText(/^Dice to roll: /).waitFor();
  await accessible(page, 'dice');
  await shoot(page, 'lines-dice');
  await page.fill('#act-text', roll.action);
  await page.keyboard.press('Enter');
  await shown(page, roll.ply);
  await becomes(() => lineOf(page), null, 'what was rolled in the game leads to it');
  await page.keyboard.press('ArrowLeft');
  await page.getByText(/^Dice to roll: /).waitFor();
  await page.click('#act-roll');
  await page.waitForURL((url) => url.searchParams.has('line') && url.hash === `#${roll.ply}`);
  const { game: line } = await ask('query($id: ID!) { game(id: $id) { hidden moves(first: 500) { nodes { ply by } } } }', { id: await lineOf(page) });
  assert.deepEqual([line.hidden, line.moves.nodes.at(-1)], [true, { ply: roll.ply, by: 'chance' }], 'a line that is in no list');
  await close(page);
});

thorough('every kind of game can be continued from the middle', async () => {
  const { rules } = await ask('{ rules { kind } }');
  for (const { kind } of rules) {
    const { games } = await ask('query($kind: String) { games(filter: {kind: $kind, status: FINISHED, origin: RECORDED}, first: 100) { nodes { id ply tags } } }', { kind });
    const one = games.nodes.find(({ ply, tags }) => ply >= 4 && !tags.test);
    if (!one) continue;
    const ply = Math.floor(one.ply / 2);
    const page = await replay(`${one.id}#${ply}`);
    if (await page.locator('#act-roll').isVisible()) await page.click('#act-roll');
    else await offer(page).last().click();
    await shown(page, ply + 1);
    await accessible(page, kind);
    await shoot(page, `lines-${kind}`);
    await close(page);
  }
});

test('actions of other games can be played from the explorer', async () => {
  const page = await replay(`${game.id}#0`);
  await page.click('#tab-explorer');
  const other = page.locator('#panel-explorer .actions button[data-key]').first();
  const action = await other.locator('.action').textContent();
  await other.click();
  await page.getByRole('button', { name: 'Play it here' }).click();
  await shown(page, 1);
  await page.click('#tab-moves');
  assert.ok((await current(page).textContent()).includes(action));
  assert.match(await hash(page), /&tried=0/);
  await close(page);
});

// --- walking

test('variations are entered and left with the keyboard, with announcements', async () => {
  const at = free.shift();
  const line = await played(game.id, at, 2, 'The other way');
  const page = await replay(`${game.id}#${at}`);
  await page.keyboard.press('Shift+ArrowRight');
  await page.waitForURL(`**?line=${line.id}#${at + 1}`);
  await said(page, 'Variation The other way, 2 of 2 here.');
  await page.keyboard.press('ArrowRight');
  await shown(page, at + 2);
  await becomes(() => page.locator('#slider').getAttribute('max'), String(at + 2));
  await page.keyboard.press('ArrowRight');
  assert.equal(await hash(page), `#${at + 2}`, 'the line ends here');
  await page.keyboard.press('Home');
  await shown(page, 0);
  await page.keyboard.press('End');
  await shown(page, at + 2);
  await becomes(() => lineOf(page), line.id);
  await page.keyboard.press('Shift+ArrowLeft');
  await page.waitForURL((url) => url.search === '' && url.hash === `#${at}`);
  await said(page, 'Back on the mainline.');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowDown');
  await page.waitForURL(`**?line=${line.id}#${at + 1}`);
  await page.keyboard.press('Shift+ArrowDown');
  await page.waitForURL((url) => url.search === '' && url.hash === `#${at + 1}`);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard' }).getByText('Into the variation that leaves here').waitFor();
  await close(page);
});

test('the list of moves is one tab stop, and arrow keys move within it', async () => {
  const at = free.shift();
  const line = await played(game.id, at, 2);
  const page = await replay(`${game.id}#${at + 1}`);
  assert.equal(await page.locator('.moves [tabindex="0"]').count(), 1);
  await current(page).focus();
  await page.keyboard.press('ArrowDown');
  await becomes(() => page.evaluate(() => document.activeElement.dataset.fold), `${line.id}:${at + 1}`);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await hash(page), `#${at + 1}`, 'the place stays while the focus moves');
  await page.keyboard.press('Enter');
  await shown(page, at + 2);
  await becomes(() => lineOf(page), line.id);
  await becomes(() => page.evaluate(() => document.activeElement.dataset.node), `${line.id}:${at + 2}`);
  await page.keyboard.press('ArrowLeft');
  await shown(page, at + 1);
  await becomes(() => page.evaluate(() => document.activeElement.dataset.node), `${line.id}:${at + 1}`, 'the focus follows the place');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await becomes(() => page.evaluate(() => document.activeElement.getAttribute('aria-expanded')), 'false');
  await close(page);
});

test('an address leads to a ply of a line', async () => {
  const at = free.shift();
  const line = await played(game.id, at, 3);
  const page = await replay(`${game.id}?line=${line.id}#${at + 2}`);
  await shown(page, at + 2);
  await becomes(() => current(page).getAttribute('data-node'), `${line.id}:${at + 2}`);
  await becomes(() => current(page).isVisible(), true);
  const { game: found } = await ask('query($id: ID!, $ply: Int) { game(id: $id) { position(ply: $ply) { text } } }', { id: line.id, ply: at + 2 });
  await page.click('#tab-words');
  await becomes(() => page.locator('.words').textContent(), found.position.text);
  await page.goto(`/games/${game.id}?line=00000000-0000-7000-8000-000000000000#${at + 2}`);
  await page.getByText('The line of this address is not listed here.').waitFor();
  assert.equal(await lineOf(page), null);
  await shown(page, at + 2);
  await close(page);
});

test('a line opened by itself names its game, and is verified with it', async () => {
  const at = free.shift();
  const line = await played(game.id, at, 2, 'By itself');
  const page = await replay(`${line.id}#${at + 1}`);
  await page.locator('#facts').getByText('By itself').waitFor();
  await page.getByText(/^Verified · /).waitFor();
  const link = page.getByRole('link', { name: `Line from ply ${at} of a game` });
  assert.equal(await link.getAttribute('href'), `/games/${game.id}?line=${line.id}#${at}`);
  await accessible(page, 'a line by itself');
  await shoot(page, 'lines-alone');
  // The engine asks for the actions from where the game began, whose log this page did not load.
  await page.click('#tab-analysis');
  await page.getByRole('switch', { name: 'Engine' }).click();
  await page.getByRole('region', { name: 'The engine' }).getByText('playouts').waitFor();
  await page.getByRole('switch', { name: 'Engine' }).click();
  await close(page);
  const other = await open(browser, '');
  await other.route(`**/games/${game.id}/log.ndjson`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(/"by":"seat:1"/, '"by":"seat:2"') });
  });
  await other.goto(`/games/${line.id}`);
  await other.waitForSelector('#badge[data-state=failed]');
  assert.equal(await other.locator('#badge-text').textContent(), 'Failed at seq 0');
  await close(other);
});

// --- arranging

test('a line is named, commented, promoted, hidden and shown', async () => {
  const at = free.shift();
  const [first, second] = [await played(game.id, at, 2), await fork(game.id, at, [(await others(game.id, at)).legal[2]])];
  const page = await replay(`${game.id}?line=${second.id}#${at + 1}`);
  const order = () => page.locator('.variation .node').evaluateAll((links) => links.map((link) => link.dataset.node));
  await page.click('#line-arrange');
  await accessible(page, 'arrange');
  await page.fill('#line-new-name', '<b>Second</b>');
  await page.keyboard.press('Enter');
  await page.locator('.variation .name').getByText('<b>Second</b>').waitFor();
  await page.click('#line-comment');
  await accessible(page, 'comment');
  await page.fill('#comment-text', 'Worth a look');
  await page.getByLabel('interesting').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.variation .comment').getByText('Worth a look').first().waitFor();
  assert.match(await current(page).textContent(), /!\?$/);
  const { game: line } = await ask('query($id: ID!) { game(id: $id) { moves(last: 1) { nodes { comment glyphs } } } }', { id: second.id });
  assert.deepEqual(line.moves.nodes, [{ comment: 'Worth a look', glyphs: ['!?'] }]);

  const before = await order();
  assert.ok(before.indexOf(`${first.id}:${at + 1}`) < before.indexOf(`${second.id}:${at + 1}`));
  await page.click('#line-arrange');
  await page.getByRole('button', { name: 'Put first here' }).click();
  await page.waitForFunction(([one, two]) => {
    const nodes = [...document.querySelectorAll('.variation .node')].map((link) => link.dataset.node);
    return nodes.indexOf(two) < nodes.indexOf(one);
  }, [`${first.id}:${at + 1}`, `${second.id}:${at + 1}`]);

  await page.click('#line-arrange');
  await page.getByRole('button', { name: 'Hide it' }).click();
  await page.locator('.line-bar').getByText('hidden').waitFor();
  await page.click('#line-leave');
  await page.waitForFunction((id) => !document.querySelector(`[data-node="${id}"]`), `${second.id}:${at + 1}`);
  // By the keyboard: the list may still move under the mouse, even after the ply is loaded.
  await shown(page, at);
  await becomes(() => lineOf(page), null);
  await page.getByRole('button', { name: 'Show 1 hidden line' }).press('Enter');
  await page.locator(`[data-node="${second.id}:${at + 1}"]`).click();
  await shown(page, at + 1);
  await page.click('#line-arrange');
  await page.getByRole('button', { name: 'Show it again' }).click();
  await page.waitForFunction(() => !document.querySelector('.line-bar .tag'));
  assert.equal((await tree(game.id)).lines.find(({ id }) => id === second.id).hidden, false);
  await close(page);
});

// --- on every screen, and secrets

for (const [name, screen] of SEVERAL) {
  test(`variations and playing are accessible: ${name}`, async () => {
    const at = free.shift();
    const line = await played(game.id, at, 3, 'With a name');
    const page = await replay(`${game.id}?line=${line.id}#${at + 1}`, { screen });
    await offer(page).first().waitFor();
    await accessible(page, `lines, ${name}`);
    await shoot(page, `lines-${name}`);
    await page.keyboard.press('ArrowRight');
    await shown(page, at + 2);
    await close(page);
  });
}

// Last, because it creates a game, which the tests of the list might see.
test('a line from a running game with secrets says what it assumes', async () => {
  const { moves } = await finishedGame('thrones');
  const [first, second] = moves.nodes.map(({ action }) => action);
  const input = { kind: 'thrones', seats: [{ name: 'Secret One' }, { name: 'Secret Two' }] };
  const { createGame: { id } } = await ask('mutation($input: CreateGame!) { createGame(input: $input) { id } }', { input }, token());
  await ask('mutation($id: ID!, $action: String!) { act(game: $id, seat: 1, action: $action) { ply } }', { id, action: first }, token());
  const page = await replay(`${id}#1`);
  const field = page.getByLabel('Ply 1, Secret One');
  await field.waitFor();
  assert.equal(await field.inputValue(), first, 'what the reader knows is there');
  await accessible(page, 'assumed');
  await shoot(page, 'lines-assumed');
  await field.fill('');
  await page.fill('#act-text', second);
  await page.keyboard.press('Enter');
  await page.getByText('Choose an action to assume for each secret one.').waitFor();
  await field.fill(first);
  await page.click('#act-send');
  await page.waitForURL((url) => url.searchParams.has('line') && url.hash === '#2');
  await shown(page, 2);
  await page.getByText(/^Continues /).waitFor();
  const { game: line } = await ask('query($id: ID!) { game(id: $id) { moves { nodes { action } } } }', { id: await lineOf(page) });
  assert.deepEqual(line.moves.nodes.map(({ action }) => action), [first, second]);
  await close(page);
});
