// The engine beside any position, in Chromium: with answers of the test's own, and once with the service's.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { legal, newGame } from './recorder.mjs';
import { IS_ALL, SCREENS, accessible, ask, close, finishedGame, launch, open, shoot, shut, token, until } from './service.mjs';

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const shown = (page, number) => page.waitForSelector(`#board svg[aria-label="Board after ply ${number}"]`);
const engine = (page) => page.getByRole('region', { name: 'The engine' });

/** A page whose engine is the test's, which may take its time to answer: the best actions are the first that are legal where the game stood at ply 2. */
async function opened(game, { screen = SCREENS.light, signedIn = true, answer, hash = '#2' }) {
  const page = await open(browser, '', screen);
  page.asked = [];
  page.failed = [];
  page.on('requestfailed', (request) => request.postData()?.includes('query Evaluate(') && page.failed.push(request.postDataJSON().variables));
  if (signedIn) await page.addInitScript((own) => localStorage.setItem('plybook.token', own), token());
  await page.route('**/graphql', async (route) => {
    const { query, variables } = route.request().postDataJSON();
    if (query.startsWith('query Analysis(')) return route.fulfill({ json: { data: { game: { analysis: null } } } });
    if (!query.startsWith('query Evaluate(')) return route.fallback();
    page.asked.push(variables);
    const json = await answer(variables);
    return route.fulfill({ json }).catch(() => {});
  });
  await page.goto(`/games/${game.id}${hash}`);
  await page.waitForSelector('#badge[data-state=verified]');
  return page;
}

async function known(kind) {
  const { id } = await finishedGame(kind);
  const { game } = await ask(`query($id: ID!) { game(id: $id) { id kind ply setup seats { number name } moves(first: 40) { nodes { by action } }
    positions(from: 0, to: 39) { ply toAct } } }`, { id }, token());
  const { ply } = game.positions.find(({ ply: at, toAct }) => at > 0 && toAct.length === 1 && toAct[0] !== 'chance');
  const seat = Number(game.moves.nodes[ply].by.slice(5));
  const actions = (await ask('query($id: ID!, $ply: Int!) { game(id: $id) { position(ply: $ply) { legalActions } } }', { id, ply }, token())).game.position.legalActions ?? [game.moves.nodes[ply].action];
  const chances = (share) => game.seats.map(({ number }) => (number === seat ? share : (1 - share) / (game.seats.length - 1)));
  const evaluate = { chances: chances(0.62), draw: 0, seat, best: actions[0], line: actions.slice(0, 3), playouts: 2000, engine: '1', proof: { winner: seat, plies: 3 }, actions: actions.slice(0, 5).map((action, index) => ({ action, chances: chances(0.62 + index / 50), draw: 0 })) };
  return { ...game, at: ply, seat, actions, evaluate };
}

for (const kind of IS_ALL ? ['triangulate', 'triforce', 'triforce-building', 'thrones'] : ['thrones']) {
  test(`${kind}: the engine looks at a position, and a click plays what it would play as a line`, async () => {
    const game = await known(kind);
    const page = await opened(game, { hash: `#${game.at}`, answer: () => ({ data: { evaluate: game.evaluate } }) });
    await page.keyboard.press('Shift+E');
    const box = engine(page);
    assert.equal(await box.getByRole('switch', { name: 'Engine' }).getAttribute('aria-checked'), 'true');
    await box.locator('.best-actions button').first().waitFor();
    assert.deepEqual(page.asked, [{ kind, setup: game.setup, position: null, playouts: null, seat: null,
      actions: game.moves.nodes.slice(0, game.at).map(({ by, action }) => `${by.replace('seat:', '')}:${action}`) }]);
    assert.match(await box.locator('.chance-list').textContent(), /62 %/);
    await box.getByText(`${game.seats[game.seat - 1].name} wins within 3 plies, however the others play.`).waitFor();
    await box.getByText('Engine 1, 2,000 playouts. The most searched action comes first; a higher figure further down is less certain.').waitFor();
    assert.deepEqual((await box.locator('.best-actions .share').allTextContents()).slice(0, 2), ['62 %', '64 %'].slice(0, game.actions.length), 'as searched');
    assert.equal(await box.locator('.best-actions button').count(), Math.min(5, game.actions.length));
    await accessible(page, `${kind}: the engine`);
    await shoot(page, `engine-${kind}`);
    const lines = async () => (await ask('query($id: ID!) { game(id: $id) { tree(maxNodes: 10) { totalLines } } }', { id: game.id }, token())).game.tree.totalLines;
    const before = await lines();
    await box.locator('.best-actions button').last().click();
    await shown(page, game.at + 1);
    // What is tried is the reader's own: it is in the address, and no line of the game. What was played next is nothing that is tried.
    const chosen = game.evaluate.actions.at(-1).action;
    const isPlayed = chosen === game.moves.nodes[game.at].action;
    await page.waitForURL((url) => (isPlayed ? url.hash === `#${game.at + 1}` : url.hash.startsWith(`#${game.at + 1}&tried=${game.at}`) && decodeURIComponent(url.hash).endsWith(` ${game.seat}:${chosen}`)));
    assert.equal(await lines(), before);
    await close(page);
  });
}

test('it waits until the reader rests, hangs up when the reader goes on, and asks once about each position', async () => {
  const game = await known('triangulate');
  // An answer that is held back comes when the test lets it.
  let letGo = () => {};
  let held = null;
  const hold = () => { held = new Promise((resolve) => { letGo = resolve; }); };
  const page = await opened(game, { hash: '#1', answer: async () => { await held; return { data: { evaluate: game.evaluate } }; } });
  const gone = () => page.waitForFunction(() => document.querySelector('.best-actions') === null);
  await page.keyboard.press('a');
  await engine(page).getByRole('switch', { name: 'Engine' }).click();
  await page.locator('.best-actions').waitFor();
  hold();
  // All in one task, so that the speed of the machine does not matter.
  await page.evaluate(() => { for (let steps = 0; steps < 5; steps += 1) document.querySelector('#next').click(); });
  await shown(page, 6);
  await gone();
  letGo();
  await page.locator('.best-actions').waitFor();
  assert.deepEqual(page.asked.map(({ actions }) => actions.length), [1, 6], 'nothing on the way');
  hold();
  await page.keyboard.press('ArrowRight');
  await gone();
  await until(() => page.asked.length === 3);
  await page.keyboard.press('ArrowLeft');
  await page.locator('.best-actions').waitFor();
  assert.deepEqual(page.asked.map(({ actions }) => actions.length), [1, 6, 7], 'what is known is not asked again');
  await until(() => page.failed.length > 0);
  assert.deepEqual(page.failed.map(({ actions }) => actions.length), [7], 'nobody waits for the answer any more');
  letGo();
  // It stays on in this session, also in another game; then it is off.
  await page.reload();
  await page.waitForSelector('#badge[data-state=verified]');
  await page.keyboard.press('a');
  await page.locator('.best-actions').waitFor();
  await page.keyboard.press('Shift+E');
  await page.locator('.best-actions').waitFor({ state: 'detached' });
  assert.equal(await page.locator('#board .mark-advice').count(), 0);
  await close(page);
});

test('the arrow of the best action is on the board as long as the panel is open', async () => {
  const game = await known('triangulate');
  const page = await opened(game, { hash: `#${game.at}`, screen: SCREENS.dark, answer: () => ({ data: { evaluate: game.evaluate } }) });
  await page.keyboard.press('Shift+E');
  await page.waitForSelector('#board .mark-advice', { state: 'attached' });
  await accessible(page, 'the engine in the dark');
  await shoot(page, 'engine-dark');
  await page.click('#tab-moves');
  await page.locator('#board .mark-advice').first().waitFor({ state: 'detached' });
  await close(page);
});

test('errors are said, and can be tried again; whoever is not signed in is told so', async () => {
  const game = await known('tri');
  let isRefused = true;
  const refusal = { data: null, errors: [{ message: 'you play in a tournament game that is still running', extensions: { code: 'FORBIDDEN' } }] };
  const page = await opened(game, { hash: `#${game.at}`, screen: SCREENS.phone, answer: () => (isRefused ? refusal : { data: { evaluate: { ...game.evaluate, proof: null } } }) });
  await page.getByRole('tab', { name: 'Analysis' }).tap();
  await engine(page).getByRole('switch', { name: 'Engine' }).tap();
  await engine(page).getByText('Your token does not allow this: you play in a tournament game that is still running.').waitFor();
  await accessible(page, 'an engine that may not be asked');
  isRefused = false;
  await engine(page).getByRole('button', { name: 'Try again' }).tap();
  await page.locator('.best-actions').waitFor();
  await accessible(page, 'the engine on a phone');
  await engine(page).scrollIntoViewIfNeeded();
  await shoot(page, 'engine-phone');
  await close(page);
  const spectator = await opened(game, { hash: `#${game.at}`, signedIn: false, answer: () => assert.fail('it is not asked') });
  await spectator.keyboard.press('Shift+E');
  await engine(spectator).getByText('Sign in to have positions evaluated.').waitFor();
  await close(spectator);
});

test('where chance is to act or the game is over, there are chances and no actions', async () => {
  const game = await known('tri');
  const over = { ...game.evaluate, seat: null, best: null, line: [], actions: [], proof: { winner: 1, plies: 0 }, playouts: 0, chances: [1, 0] };
  const page = await opened(game, { hash: `#${game.ply}`, answer: () => ({ data: { evaluate: over } }) });
  await page.keyboard.press('Shift+E');
  await engine(page).getByText('The game is over.').waitFor();
  assert.match(await engine(page).textContent(), /100 %/);
  assert.equal(await page.locator('.best-actions').count(), 0);
  await close(page);
});

test('the service evaluates a position of a game and of a line', async () => {
  const id = await newGame({ kind: 'triangulate', seats: [{ name: 'Ada' }, { name: 'Bram' }] });
  for (let ply = 0; ply < 6; ply += 1) {
    const actions = await legal(id, '');
    if (actions.length > 0) await ask('mutation($id: ID!, $action: String!) { act(game: $id, action: $action) { ply } }', { id, action: actions[(ply * 7) % actions.length] }, token());
  }
  const { game: { ply } } = await ask('query($id: ID!) { game(id: $id) { ply } }', { id });
  const page = await open(browser, '');
  await page.addInitScript((own) => localStorage.setItem('plybook.token', own), token());
  await page.goto(`/games/${id}#${ply - 1}`);
  await page.waitForSelector('#badge[data-state=verified]');
  await page.keyboard.press('Shift+E');
  await engine(page).getByText(/Engine \d+, [\d,]+ playouts?\./).waitFor({ timeout: 60_000 });
  const shares = (await engine(page).locator('.chance-list .share').allTextContents()).map((text) => Number(text.replace(/[^0-9]/g, '')));
  assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100) <= 2, `${shares}`);
  // The last of the actions that it names is played as a line, where it goes on looking.
  await engine(page).locator('.best-actions button').last().click();
  await shown(page, ply);
  await page.waitForFunction(() => new URL(location.href).searchParams.has('line') || document.querySelector('.best-actions, .engine .hint') !== null);
  await engine(page).getByText(/Engine \d+, [\d,]+ playouts?\./).waitFor({ timeout: 60_000 });
  await close(page);
});
