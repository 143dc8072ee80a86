// Learning from the mistakes of a game: the questions of a lesson, what is hidden and what counts as right, in Chromium, with an
// analysis and evaluations of the test's own; and once with the service's.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { helped, hintWords, isGood, mistakes, question, worth } from '../../web-viewer/model/lesson.js';
import { legal, newGame } from './recorder.mjs';
import { KINDS, SCREENS, accessible, ask, becomes, close, finishedGame, launch, open, shoot, shut, thorough, token } from './service.mjs';

// --- the meaning

test('the mistakes of a seat are its doubtful actions, never a roll', () => {
  const plies = ['?!', '??', null, '!!', '?', '?'].map((glyph, ply) => ({ ply, glyph, best: ply === 5 ? null : 'a1' }));
  const moves = [1, 2, 1, 1, 1, 1].map((seat) => ({ by: `seat:${seat}` }));
  assert.deepEqual([...mistakes({ plies }, moves)], [[1, [0, 4]], [2, [1]]]);
  assert.deepEqual([...mistakes({ plies }, plies.map(() => ({ by: 'chance' })))], []);
  assert.deepEqual([...mistakes(null, moves)], []);
});

test('help begins with the place that the action begins at, and ends with all of it', () => {
  const asked = question({ seat: 1, plies: [3, 7] }, 1);
  assert.deepEqual([asked.ply, asked.isOpen, asked.found, asked.given], [7, true, 0, '']);
  assert.equal(hintWords(asked, 'e4-e5'), '');
  const first = helped(asked, 'e4-e5', ['e4', 'e5']);
  assert.equal(hintWords(first, 'e4-e5'), 'The best action begins with e4.');
  assert.equal(hintWords(helped(first, 'e4-e5', ['e4', 'e5']), 'e4-e5'), 'The best action: e4-e5.');
  assert.equal(helped(asked, 'setup:p q', []).given, 'setup', 'an action that names no place begins with its first word');
  assert.equal(helped(asked, '+M', []).given, '+M');
  assert.equal(helped(asked, 'pass', []).given, 'pass', 'and one of a single word is all of it');
});

test('an action is good if it loses less than a doubtful one, and a draw is shared', () => {
  assert.equal(worth({ chances: [0.5, 0.3], draw: 0.2 }, 2), 0.4);
  assert.deepEqual([[0.09, 2], [0.1, 2], [0.06, 3], [0.07, 3], [-0.2, 2]].map(([loss, seats]) => isGood(loss, seats)), [true, false, true, false, true]);
});

// --- in the browser

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const shown = (page, number) => page.waitForSelector(`#board svg[aria-label="Board after ply ${number}"]`);
const lesson = (page) => page.getByRole('region', { name: 'Learn from the mistakes' });
const linesOf = async (id) => (await ask('query($id: ID!) { game(id: $id) { tree(maxNodes: 10) { totalLines } } }', { id })).game.tree.totalLines;

/** A finished game, with an analysis in which one seat went wrong twice, and what else is legal there. */
async function studied(kind) {
  const { id, head, ply: last } = await finishedGame(kind);
  const { game } = await ask('query($id: ID!) { game(id: $id) { moves(first: 40) { nodes { by action } } } }', { id });
  const moves = game.moves.nodes;
  const asked = [];
  for (let ply = 1; ply < Math.min(moves.length, last) && asked.length < 2; ply += 1) {
    const { by, action } = moves[ply];
    if (by === 'chance' || (asked.length > 0 && by !== asked[0].by)) continue;
    const { game: { position } } = await ask('query($id: ID!, $ply: Int!, $seat: Int!) { game(id: $id) { position(ply: $ply) { legalActions(seat: $seat) } } }', { id, ply, seat: Number(by.slice(5)) }, token());
    const others = (position.legalActions ?? []).filter((each) => each !== action);
    if (others.length >= 3) asked.push({ ply, by, action, best: others[0], good: others[1], bad: others[2] });
  }
  assert.equal(asked.length, 2, `${kind}: two plies with a choice`);
  const seats = (await ask('query($id: ID!) { game(id: $id) { seats { number name } } }', { id })).game.seats;
  const even = seats.map(() => 1 / seats.length);
  const plies = Array.from({ length: last + 1 }, (_, ply) => {
    const mistake = asked.find((each) => each.ply === ply);
    return { ply, chances: even, draw: 0, best: mistake?.best ?? null, line: mistake ? [mistake.best] : [], lossOfPlayed: mistake ? 0.3 : null, luck: null, glyph: mistake ? '??' : null };
  });
  const analysis = { engine: '1', playouts: 500, head: head.hash, stale: false, done: plies.length, total: plies.length, state: 'DONE', accuracy: seats.map(() => 50), turningPoints: [asked[0].ply], plies };
  return { id, kind, analysis, asked, even, seat: Number(asked[0].by.slice(5)), name: seats[Number(asked[0].by.slice(5)) - 1].name };
}

/** The page of a game with this analysis; evaluations are `loss` less than the best action is worth. */
async function opened({ analysis, asked, even, id, seat }, { screen = SCREENS.light, signedIn = true, evaluate = null } = {}) {
  const page = await open(browser, '', screen);
  await page.addInitScript(() => localStorage.setItem('plybook.settings', JSON.stringify({ results: true })));
  page.evaluations = [];
  if (signedIn) await page.addInitScript((own) => localStorage.setItem('plybook.token', own), token());
  await page.route('**/graphql', (route) => {
    const { query, variables } = route.request().postDataJSON();
    if (query.startsWith('query Analysis(')) return route.fulfill({ json: { data: { game: { analysis } } } });
    if (!query.startsWith('query Evaluate(')) return route.fallback();
    page.evaluations.push(variables);
    if (evaluate) return route.fulfill({ json: evaluate });
    const answer = variables.actions.at(-1);
    const isGoodOne = asked.some(({ good }) => answer.endsWith(`:${good}`));
    // The best action is worth 0.3 more than the played one, which led to equal chances.
    const chances = even.map((share, index) => share + (index === seat - 1 ? (isGoodOne ? 0.29 : -0.1) : 0));
    return route.fulfill({ json: { data: { evaluate: { chances, draw: 0, seat: null, best: null, line: [], playouts: variables.playouts, engine: '1', proof: null, actions: [] } } } });
  });
  await page.goto(`/games/${id}#0`);
  await page.waitForSelector('#badge[data-state=verified]');
  await page.keyboard.press('a');
  return page;
}

async function typed(page, action) {
  await page.waitForFunction(() => document.querySelector('#act-text')?.placeholder.startsWith('one of'));
  await page.fill('#act-text', action);
  await page.press('#act-text', 'Enter');
}

for (const kind of KINDS.filter((name) => name !== 'triforce-building')) {
  test(`${kind}: a lesson asks, hides the answer, judges and counts`, async () => {
    const game = await studied(kind);
    const [first, second] = game.asked;
    const before = await linesOf(game.id);
    const page = await opened(game);
    await page.locator('#chances:not([hidden])').waitFor();
    await page.getByRole('button', { name: '2 mistakes' }).click();
    await shown(page, first.ply);
    const box = lesson(page);
    await box.getByText(`${game.name} to play at ply ${first.ply}: find something better than`).waitFor();
    assert.ok(await page.evaluate(() => document.activeElement.classList.contains('question')), 'the question is read');
    await box.getByText('Mistake 1 of 2. Done: 0 of 2 found.').waitFor();
    // Nothing gives the answer away.
    assert.equal(await page.locator('#chances').isHidden(), true);
    assert.equal(await page.locator('.moves .engine, #slips .mistake, #board .mark-advice, .moments, .chance-list').count(), 0);
    assert.doesNotMatch(await page.locator('#panel-analysis').textContent(), /Best:|blunder/);
    await accessible(page, `${kind}: a question`);
    await shoot(page, `lesson-${kind}`);
    // What was played, and what loses, is wrong; the place is asked about as the record has it.
    await typed(page, first.action);
    await box.getByText('that is not it, try again. This is what was played.').waitFor();
    assert.equal(page.evaluations.length, 0);
    await typed(page, first.bad);
    await box.getByText('that is not it, try again. It loses 40 %.').waitFor();
    assert.equal(page.evaluations[0].playouts, 500, 'as many as in the analysis');
    assert.equal(page.evaluations[0].actions.length, first.ply + 1);
    assert.equal(await page.inputValue('#act-text'), '');
    // Hints, one at a time.
    await box.getByRole('button', { name: 'Hint' }).click();
    await box.getByText(/The best action/).waitFor();
    if (await box.getByRole('button', { name: 'The whole action' }).isVisible()) {
      assert.equal(await page.locator('#board .mark-advice.head').count(), 0, 'no arrow yet');
      await box.getByRole('button', { name: 'The whole action' }).click();
    }
    await box.getByText('The best action:').waitFor();
    await shoot(page, `lesson-${kind}-hint`);
    // Away from the question, lines are as always; the question waits.
    await page.keyboard.press('ArrowRight');
    await box.getByRole('button', { name: 'Back to the question' }).click();
    await shown(page, first.ply);
    // Nearly as good is right.
    await typed(page, first.good);
    await box.getByText('found! It loses 1 %, which is nearly as good as the best action.').waitFor();
    await box.getByText('Done: 1 of 2 found.').waitFor();
    await page.locator('.chance-list').waitFor();
    await accessible(page, `${kind}: an answer`);
    await shoot(page, `lesson-${kind}-found`);
    await box.getByRole('button', { name: 'Next mistake' }).click();
    await shown(page, second.ply);
    await box.getByText('Mistake 2 of 2.').waitFor();
    await typed(page, second.best);
    await box.getByText('found! This is what the engine would play.').waitFor();
    await box.getByRole('button', { name: 'Finish' }).click();
    await box.waitFor({ state: 'hidden' });
    await page.locator('#chances:not([hidden])').waitFor();
    assert.equal(await linesOf(game.id), before, 'no line is left behind');
    await close(page);
  });
}

test('the board answers too; the solution can be shown, and Esc ends the lesson', async () => {
  const game = await studied('tri');
  const [first] = game.asked;
  const page = await opened(game, { screen: SCREENS.phone });
  await page.getByRole('button', { name: '2 mistakes' }).tap();
  await shown(page, first.ply);
  const box = lesson(page);
  await box.getByText('find something better than').waitFor();
  assert.ok(await page.locator('#board').evaluate((board) => board.getBoundingClientRect().top >= 0 && board.getBoundingClientRect().bottom <= innerHeight), 'the board is in view');
  await accessible(page, 'a question on a phone');
  await shoot(page, 'lesson-phone');
  await box.getByRole('button', { name: 'Show the solution' }).press('Enter');
  await box.getByText(/^Best: /).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.className), 'question', 'the button is gone');
  await page.locator('#board .mark-advice').first().waitFor();
  await shoot(page, 'lesson-phone-solution');
  assert.match(await box.textContent(), /Done: 0 of 2 found/);
  await box.getByRole('button', { name: 'Next mistake' }).tap();
  await box.getByText('Mistake 2 of 2.').waitFor();
  await page.waitForFunction((ply) => document.querySelector('#announce').textContent.startsWith(`Ply ${ply}.`), game.asked[1].ply);
  // What was clicked is dropped first.
  await page.locator('#act-text').focus();
  await page.keyboard.type('x');
  await page.keyboard.press('Escape');
  await becomes(() => box.isVisible(), true);
  await page.locator('#board').focus();
  await page.keyboard.press('Escape');
  await box.waitFor({ state: 'hidden' });
  await page.waitForFunction(() => document.querySelector('#announce').textContent === 'The lesson has ended.');
  await close(page);
});

test('whoever is not signed in can find the best action; others are not compared; what is refused is said', async () => {
  const game = await studied('tri');
  const [first] = game.asked;
  const spectator = await opened(game, { signedIn: false, screen: SCREENS.dark, evaluate: { data: null, errors: [{ message: 'only players and recorders', extensions: { code: 'UNAUTHENTICATED' } }] } });
  await spectator.getByRole('button', { name: '2 mistakes' }).click();
  await typed(spectator, first.good);
  await lesson(spectator).getByText('It is not the engine’s best. Sign in to have others compared with it.').waitFor();
  await accessible(spectator, 'an answer that is not compared');
  await shoot(spectator, 'lesson-spectator');
  await typed(spectator, first.best);
  await lesson(spectator).getByText('found!').waitFor();
  assert.deepEqual(spectator.wrongs.filter((text) => !text.includes('401')), []);
  await shut(spectator.context());
  const refused = await opened(game, { evaluate: { data: null, errors: [{ message: 'too many', extensions: { code: 'RATE_LIMITED' } }] } });
  await refused.getByRole('button', { name: '2 mistakes' }).click();
  await typed(refused, first.bad);
  await lesson(refused).getByText('Too many positions were asked about; wait a moment, then try again.').waitFor();
  await typed(refused, 'no such action');
  await lesson(refused).getByText('no such action').waitFor();
  await close(refused);
});

thorough('the service analyses a game, and its engine judges an answer', async () => {
  const id = await newGame({ kind: 'triangulate', seats: [{ name: 'Ada' }, { name: 'Bram' }] });
  for (let ply = 0; ply < 20; ply += 1) {
    const actions = await legal(id, '');
    if (actions.length > 0) await ask('mutation($id: ID!, $action: String!) { act(game: $id, action: $action) { ply } }', { id, action: actions[(ply * 7) % actions.length] }, token());
  }
  await ask('mutation($id: ID!) { analyze(game: $id, playouts: 200) { state } }', { id }, token());
  const DONE = 'query($id: ID!) { game(id: $id) { moves(first: 50) { nodes { by action } } analysis { state plies { ply best glyph } } } }';
  const done = async (tries = 240) => {
    const { game } = await ask(DONE, { id }, token());
    if (game.analysis?.state === 'DONE' || tries === 0) return game;
    await new Promise((resolve) => { setTimeout(resolve, 500); });
    return done(tries - 1);
  };
  const { analysis, moves: { nodes: moves } } = await done();
  const [[seat, [ply]]] = mistakes(analysis, moves);
  const { best } = analysis.plies[ply];
  const { game: { position } } = await ask('query($id: ID!, $ply: Int!) { game(id: $id) { position(ply: $ply) { legalActions } } }', { id, ply }, token());
  const page = await open(browser, '');
  await page.addInitScript(() => localStorage.setItem('plybook.settings', JSON.stringify({ results: true })));
  await page.addInitScript((own) => localStorage.setItem('plybook.token', own), token());
  await page.goto(`/games/${id}#0`);
  await page.waitForSelector('#badge[data-state=verified]');
  await page.keyboard.press('a');
  await page.locator('.lessons button').first().click();
  await lesson(page).getByText(`${['Ada', 'Bram'][seat - 1]} to play at ply ${ply}: find something better than`).waitFor();
  const other = position.legalActions.find((action) => action !== best && action !== moves[ply].action);
  await typed(page, other);
  await lesson(page).getByText(/(that is not it, try again|found!) It loses/).waitFor({ timeout: 60_000 });
  if (await lesson(page).getByRole('button', { name: 'Show the solution' }).isVisible()) {
    await typed(page, best);
    await lesson(page).getByText('found! This is what the engine would play.').waitFor();
  }
  await lesson(page).getByText('1 of').first().waitFor();
  await close(page);
});
