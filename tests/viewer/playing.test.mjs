// Playing from a position by taps alone, in every kind of game: trays, paths, dice and places, against a running service.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_SHOTS=dir] node --test playing.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { click, mentions } from '../../web-viewer/model/play.js';
import { lay, tapPlace } from './recorder.mjs';
import { KINDS, SCREENS, accessible, ask, becomes, close, finishedGame, launch, open, shareLine, shoot, shut, token } from './service.mjs';

let browser;

before(async () => { browser = await launch(); });
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const shown = (page, ply) => page.waitForSelector(`#board svg[aria-label="Board after ply ${ply}"]`);
const typed = (page) => page.locator('#act-text').inputValue();

/** A replay on a phone with its panel open; signed in unless `key` is empty. */
async function replay(address, { key = token(), screen = SCREENS.phone } = {}) {
  const page = await open(browser, '', screen);
  if (key) await page.addInitScript((value) => localStorage.setItem('plybook.token', value), key);
  await page.goto(`/games/${address}`);
  await page.waitForSelector('#board svg');
  if (!key) await page.locator('#act-open').tap();
  return page;
}

const FORM = `form(seat: $seat)`;

/** What may be done at a ply of a log. */
async function legal(id, ply, seat = null) {
  const { game } = await ask(`query($id: ID!, $ply: Int!, $seat: Int) { game(id: $id) { position(ply: $ply) { toAct legalActions(seat: $seat) prompts { seat dice { seat dice } } ${FORM} } } }`, { id, ply, seat }, token());
  return game.position;
}

/** Taps an action: its places, then itself in the list if several are left. */
async function tapAction(page, action, actions) {
  const option = page.locator(`#act-list:not(.stale) [data-action="${action}"]`);
  const places = await page.evaluate(() => [...new Set([...document.querySelectorAll('#board > :not([aria-hidden]) [data-place]')].map((element) => element.getAttribute('data-place')))]);
  let picked = [];
  for (const place of places.filter((each) => mentions(action, each)).sort((one, other) => action.indexOf(one) - action.indexOf(other))) {
    const next = click(actions, picked, [place]);
    if (next.play && next.play !== action) break;
    await tapPlace(page, place);
    if (next.play) return;
    picked = next.picked;
    await page.locator('.act-picked button').first().waitFor();
  }
  await option.tap();
}

async function tapDice(page, hands) {
  for (const { seat, dice } of hands) for (const [index] of dice.entries()) await page.locator(`[data-die="${seat}:${index}"][data-face="2"]`).tap();
  await page.locator('#enter-dice').tap();
}

/** Both set-ups of a game of Thrones, as they were played. */
async function setUps(id) {
  const { game } = await ask('query($id: ID!) { game(id: $id) { moves(first: 2) { nodes { ply by action } } } }', { id }, token());
  return game.moves.nodes;
}

test('another set-up of Thrones is laid from trays, on either side of the board, and is on the line', async () => {
  const { id } = await finishedGame('thrones');
  const [, { by, action }] = await setUps(id);
  const seat = Number(by.slice(5));
  const { form: { trays } } = await legal(id, 1, seat);
  const page = await replay(`${id}#1`);
  await page.locator('#trays').waitFor();
  await lay(page, trays, action);
  await page.getByText('Nothing is missing').waitFor();
  assert.equal(await typed(page), action);
  await accessible(page, 'a set-up that is laid');
  await page.locator('#board').scrollIntoViewIfNeeded();
  await shoot(page, 'playing-trays');
  // Two pieces change places, so that it is another set-up; laid on the flipped board, everything is where its place is.
  const army = trays[1].slots.flatMap(({ place }) => { const at = new RegExp(`:(?:[A-Z][a-i]\\d)*([A-Z])${place}`).exec(action); return at ? [[place, at[1]]] : []; });
  const [one, other] = [army[0], army.find(([, letter]) => letter !== army[0][1])];
  await page.locator('#flip').tap();
  await page.locator('[data-tray="1"]').tap();
  await tapPlace(page, one[0]);
  await page.locator('.mark-picked').waitFor();
  await tapPlace(page, other[0]);
  const laid = page.locator(`[data-laid="${other[0]}"][data-letter="${one[1]}"]`);
  await laid.waitFor({ state: 'attached' });
  const middle = async (of) => { const { x, y, width, height } = await of.boundingBox(); return [x + width / 2, y + height / 2]; };
  const [piece, space] = [await middle(laid), await middle(page.locator(`#board > :not([aria-hidden]) [data-place="${other[0]}"]`).first())];
  assert.ok(Math.hypot(piece[0] - space[0], piece[1] - space[1]) < 5, `${piece} is on ${space}`);
  await shoot(page, 'playing-trays-flipped');
  const changed = await typed(page);
  assert.notEqual(changed, action);
  await page.locator('#unlay').tap();
  await becomes(() => typed(page), action);
  await tapPlace(page, one[0]);
  await tapPlace(page, other[0]);
  await becomes(() => typed(page), changed);
  await page.locator('#enter-laid').tap();
  await shown(page, 2);
  await becomes(() => page.locator('[data-laid], #trays').count(), 0, 'nothing of it is left');
  const { game } = await ask('query($id: ID!) { game(id: $id) { moves(first: 2) { nodes { by action } } } }', { id: await shareLine(page) }, token());
  assert.deepEqual(game.moves.nodes[1], { by, action: changed });
  await close(page);
});

test('whoever steps away leaves what was laid behind', async () => {
  const { id } = await finishedGame('thrones');
  const page = await replay(`${id}#0`);
  await page.locator('#trays [data-piece]').first().tap();
  await page.locator('.mark-offered').first().waitFor();
  await tapPlace(page, 'e2');
  await page.locator('[data-laid="e2"]').waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await becomes(() => page.locator('[data-laid]').count(), 0, 'Escape puts it back');
  await page.locator('#trays [data-piece]').first().tap();
  await tapPlace(page, 'e2');
  await page.locator('[data-laid="e2"]').waitFor({ state: 'attached' });
  await page.keyboard.press('End');
  await becomes(() => page.locator('[data-laid], #trays').count(), 0);
  await page.keyboard.press('Home');
  await page.locator('#trays').waitFor();
  assert.equal(await typed(page), '');
  assert.equal(await page.locator('[data-laid]').count(), 0);
  await close(page);
});

test('a path of Triforce Building is drawn by taps, also to where somebody else stands', async () => {
  const { id } = await finishedGame('triforce-building');
  const page = await replay(`${id}#0`);
  await page.locator('#drawn').waitFor();
  const { toAct } = await legal(id, 0);
  const forms = await Promise.all(toAct.map(async (by) => ({ by, routes: (await legal(id, 0, Number(by.slice(5)))).form.routes })));
  const starts = new Map(forms.map(({ by, routes }) => [routes[0].places[0], by]));
  // Two steps, the second one to where somebody else stands, if a board has that.
  const two = forms.flatMap(({ by, routes }) => routes.filter(({ places }) => places.length === 3 && places[2] !== places[0] && !starts.has(places[1])).map((route) => ({ by, ...route })));
  const { by, places } = two.find((route) => starts.has(route.places[2])) ?? two[0];
  await page.selectOption('#act-who', by);
  await page.locator('#drawn-path').getByText(`From ${places[0]}: `).waitFor();
  await tapPlace(page, places[1]);
  await page.locator('.mark-path').waitFor({ state: 'attached' });
  await tapPlace(page, places[2]);
  await page.locator('#drawn-path').getByText(`From ${places.join(' to ')}`).waitFor();
  assert.equal(await page.locator('#act-who').inputValue(), by);
  await accessible(page, 'a path');
  await shoot(page, 'playing-path');
  const action = await typed(page);
  await page.locator(`#drawn [data-action="${action}"]`).tap();
  await shown(page, 1);
  const { game } = await ask('query($id: ID!) { game(id: $id) { moves(first: 1) { nodes { by action } } } }', { id: await page.locator('#line-share').count() ? await shareLine(page) : id }, token());
  assert.deepEqual(game.moves.nodes[0], { by, action });
  await close(page);
});

test('without a token, dice are entered by their faces', async () => {
  const { id } = await finishedGame('triforce');
  const { game: { moves } } = await ask('query($id: ID!) { game(id: $id) { moves(first: 500) { nodes { ply by } } } }', { id });
  const { ply } = moves.nodes.find(({ by }) => by === 'chance');
  const page = await replay(`${id}#${ply - 1}`, { key: '' });
  const { prompts: [{ dice }] } = await legal(id, ply - 1);
  await page.locator('#dice').waitFor();
  assert.equal(await page.locator('#enter-dice').getAttribute('aria-disabled'), 'true');
  await accessible(page, 'dice by their faces');
  await shoot(page, 'playing-dice');
  await tapDice(page, dice);
  await shown(page, ply);
  await becomes(() => page.locator('#dice').count(), 0);
  await page.locator('.moves [aria-current=step]').getByText(`roll:${dice.map(({ seat, dice: all }) => `${seat}=${all.map(() => 2).join('+')}`).join(',')}`).waitFor();
  await close(page);
});

test('what puts actions together is loaded only where something is', async () => {
  const { id } = await finishedGame('tri');
  const asked = [];
  const page = await open(browser, '');
  page.on('request', (request) => /bundles.*\.js$/.test(request.url()) && asked.push(request.url().replace(/.*\//, '')));
  await page.addInitScript((value) => localStorage.setItem('plybook.token', value), token());
  await page.goto(`/games/${id}#3`);
  await page.locator('#act-list:not(.stale) li').first().waitFor();
  assert.ok(!asked.some((name) => name.includes('entering')), asked.join());
  const { id: other } = await finishedGame('thrones');
  await page.goto(`/games/${other}#0`);
  await page.locator('#trays').waitFor();
  assert.equal(asked.filter((name) => name === 'game.replay.view.entering.js').length, 1, asked.join());
  await close(page);
});

for (const kind of KINDS) {
  test(`eight plies of ${kind} are played from its middle by taps`, async () => {
    const { id, ply: end } = await finishedGame(kind);
    const from = Math.max(2, Math.floor(end / 2));
    const { fork: { id: line } } = await ask('mutation Fork($id: ID!, $ply: Int!) { fork(game: $id, ply: $ply) { id } }', { id, ply: from }, token());
    const page = await replay(`${id}?line=${line}#${from}`);
    for (let ply = from; ply < from + 8; ply += 1) {
      const { toAct, prompts } = await legal(line, ply);
      if (toAct.length === 0) break;
      if (toAct[0] === 'chance') await tapDice(page, prompts[0].dice);
      else {
        const { legalActions } = await legal(line, ply, Number(toAct[0].slice(5)));
        await page.locator('#act-list:not(.stale) li').first().waitFor();
        await tapAction(page, legalActions[Math.floor(legalActions.length / 2)], legalActions);
      }
      await shown(page, ply + 1);
    }
    await close(page);
  });
}
