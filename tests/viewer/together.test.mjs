// Actions put together on the board by taps alone, on a phone, against a running service: set-ups from trays, and paths.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_SHOTS=dir] node --test together.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { placedBy } from '../../web-viewer/entry/placing.js';
import { SCREENS, accessible, ask, becomes, close, launch, open, shoot, shut, token } from './service.mjs';
import { lay, logOf, newGame, shows, tapPlace, usable } from './recorder.mjs';
import { signedIn } from './tournament.mjs';

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const SEATED = [{ name: 'Ada Lovelace' }, { name: 'Bela Bartók' }];
const typed = (phone) => phone.locator('#action').inputValue();

/** How a seat's action is put together, and a legal one. */
async function asked(id, seat) {
  const { game } = await ask(`query Form($id: ID!, $seat: Int!, $viewer: String!) { game(id: $id) { position(viewer: $viewer) {
    form(seat: $seat)
    prompts { seat example } } } }`, { id, seat, viewer: String(seat) }, token());
  const { form, prompts } = game.position;
  return { ...form, example: prompts.find((prompt) => prompt.seat === seat)?.example };
}

async function handTo(phone, name) {
  const who = phone.locator('.who button').getByText(name, { exact: true });
  await phone.locator('.who button, #hand-over').first().waitFor();
  if (await phone.locator('.who').count() > 0) await who.tap();
  await phone.locator('#hand-over').tap();
  await phone.locator('#uncover').tap();
  await phone.locator('#hide').waitFor();
}

test('the set-ups of Thrones are laid by taps on one phone that goes from hand to hand', async () => {
  const id = await newGame({ kind: 'thrones', seats: SEATED });
  const phone = await signedIn(browser, `/record/${id}`, SCREENS.phone);
  await phone.locator('#turn').waitFor();
  assert.equal(await phone.locator('#trays').count(), 0, 'nothing to lay before the phone is handed on');
  for (const [seat, { name }] of SEATED.entries()) {
    const { example, trays } = await asked(id, seat + 1);
    await handTo(phone, name);
    await lay(phone, trays, example);
    await phone.getByText('Nothing is missing').waitFor();
    assert.equal(await typed(phone), example, 'what is typed says the same');
    if (seat === 0) {
      await phone.locator('#board').scrollIntoViewIfNeeded();
      await shoot(phone, 'thrones-set-up');
      await usable(phone);
      await accessible(phone, 'a set-up that is laid');
      // Covered and uncovered again, nothing is lost, and nothing is shown in between.
      await phone.locator('#hide').tap();
      await becomes(() => phone.locator('[data-laid], #trays').count(), 0);
      await phone.locator('#uncover').tap();
      await phone.locator('[data-laid]').first().waitFor({ state: 'attached' });
      assert.equal(await typed(phone), example);
    }
    await phone.locator('#enter-laid').tap();
    await phone.locator('#hand').getByText('Nothing of it is shown here any more').waitFor();
    assert.equal(await phone.locator('[data-laid], #trays').count(), 0, 'nothing is shown afterwards');
    // Once both are in, everybody knows them.
    if (seat === 0) assert.ok(!(await phone.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).includes(example), 'nothing is kept on the device that others can read');
    await phone.locator('#hand-back').tap();
    await shows(phone, seat + 1);
  }
  const { events, verification } = await logOf(id);
  assert.deepEqual(events.nodes.map(({ type }) => type).filter((type) => type === 'sealed'), ['sealed', 'sealed']);
  assert.ok(verification.valid);
  await close(phone);
});

test('pieces are swapped, taken off and cleared, taps are undone, and typing moves them too', async () => {
  const id = await newGame({ kind: 'thrones', seats: SEATED });
  const { issueGameTokens } = await ask('mutation Links($id: ID!) { issueGameTokens(game: $id) { seat token } }', { id }, token());
  const { example, trays } = await asked(id, 2);
  const phone = await open(browser, `/record/${id}#token=${issueGameTokens.find(({ seat }) => seat === 2).token}`, SCREENS.phone);
  const laid = (place) => phone.locator(`[data-laid="${place}"]`);
  // The seat's own page: it lays without any handing over.
  await phone.locator('#trays').waitFor();
  await phone.locator('[data-piece="F"]').tap();
  await becomes(() => phone.locator('.mark-offered').count(), 21, 'the home fortress may not touch the edge');
  await tapPlace(phone, 'a9');
  await phone.getByText('Fortress cannot go to a9.').waitFor();
  await tapPlace(phone, 'e7');
  await phone.locator('[data-piece="p"]').tap();
  for (const place of ['a9', 'b9']) await tapPlace(phone, place);
  await phone.waitForFunction(() => document.querySelectorAll('[data-laid]').length === 3);
  assert.equal(await typed(phone), 'setup:pp......./........./....F..../.........::', 'rows from the back to the front');
  await phone.locator('[data-piece="p"]').tap();
  await tapPlace(phone, 'e7');
  await tapPlace(phone, 'b8');
  await phone.locator('[data-laid="b8"][data-letter="F"]').waitFor({ state: 'attached' });
  assert.equal(await laid('e7').count(), 0, 'it was moved');
  await phone.locator('#unlay').tap();
  await laid('e7').waitFor({ state: 'attached' });
  await tapPlace(phone, 'b9');
  await phone.locator('#take-off').tap();
  await becomes(() => laid('b9').count(), 0);
  // Elsewhere the other seat submits: what is laid here stays.
  const first = await asked(id, 1);
  await ask('mutation Act($id: ID!, $action: String!) { act(game: $id, seat: 1, action: $action) { ply } }', { id, action: first.example }, token());
  await phone.locator('#ply-1').waitFor();
  assert.match(await typed(phone), /^setup:p\.{8}/);
  await laid('e7').waitFor({ state: 'attached' });
  await phone.locator('#clear-tray').tap();
  await becomes(() => typed(phone), '');
  // Typed, it appears on the board; two pieces change places.
  await phone.fill('#action', example);
  await phone.getByText('Nothing is missing').waitFor();
  const army = [...placedBy(trays, example)[1]];
  const [one, other] = [army[0], army.find(([, letter]) => letter !== army[0][1])];
  await phone.locator('[data-tray="1"]').tap();
  await tapPlace(phone, one[0]);
  await phone.locator('.mark-picked').waitFor();
  await tapPlace(phone, other[0]);
  await phone.locator(`[data-laid="${one[0]}"][data-letter="${other[1]}"]`).waitFor({ state: 'attached' });
  const action = await typed(phone);
  assert.ok(action.includes(other[1] + one[0]) && action.includes(one[1] + other[0]));
  await phone.fill('#action', 'setup:nonsense');
  await phone.locator('#foreign').waitFor();
  await accessible(phone, 'what cannot be shown on the board');
  await phone.locator('#clear-all').tap();
  await phone.fill('#action', action);
  await phone.locator('#typed button').tap();
  await shows(phone, 2);
  const { played } = await logOf(id);
  assert.equal(played[1], `seat:2 ${action}`);
  await close(phone);
});

test('by keys, what is laid on a place is said, in the language of the page', async () => {
  const id = await newGame({ kind: 'thrones', seats: [{ name: 'Ada' }, { name: 'Bela' }] });
  const { issueGameTokens } = await ask('mutation Links($id: ID!) { issueGameTokens(game: $id) { seat token } }', { id }, token());
  const page = await open(browser, `/record/${id}?lang=de#token=${issueGameTokens.find(({ seat }) => seat === 1).token}`);
  const says = (text) => page.locator('#said').getByText(text, { exact: true }).waitFor();
  await page.locator('[data-piece="f"]').press('Enter');
  await page.locator('#board').focus();
  await page.keyboard.press('ArrowRight');
  await says('a1, noch unbekannt.');
  await page.keyboard.press('Enter');
  await says('a1, Wald.');
  await page.keyboard.press('ArrowRight');
  await says('b1, noch unbekannt.');
  await page.keyboard.press('ArrowLeft');
  await says('a1, Wald.');
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await says('Heimatplättchen: auf a6 nicht erlaubt.');
  await close(page);
});

test('a set-up that the rules refuse says why, and is still there', async () => {
  const id = await newGame({ kind: 'thrones', setup: { variants: ['row-balancing'] }, seats: SEATED });
  const { example } = await asked(id, 1);
  const [back, second, ...rest] = example.slice('setup:'.length).split('/');
  // All of the water of the back row goes to the second one, for other tiles.
  let [one, two] = [[...back], [...second]];
  for (const [at, letter] of one.entries()) {
    const to = letter === 'w' ? two.findIndex((other) => !'wF'.includes(other)) : -1;
    if (to >= 0) [one[at], two[to]] = [two[to], one[at]];
  }
  const wrong = `setup:${[one.join(''), two.join(''), ...rest].join('/')}`;
  const { issueGameTokens } = await ask('mutation Links($id: ID!) { issueGameTokens(game: $id) { seat token } }', { id }, token());
  const phone = await open(browser, `/record/${id}#token=${issueGameTokens.find(({ seat }) => seat === 1).token}`, SCREENS.phone);
  await phone.locator('#trays').waitFor();
  await phone.fill('#action', wrong);
  await phone.locator('#typed button').tap();
  await phone.locator('#refused').getByText(/not legal: each home row holds plains, forest, water and mountain: row 1 has no water/).waitFor();
  assert.equal(await typed(phone), wrong);
  await phone.locator('[data-laid="a1"]').first().waitFor({ state: 'attached' });
  await shoot(phone, 'thrones-set-up-refused');
  assert.equal((await logOf(id)).ply, 0);
  await shut(phone.context());
});

test('on a phone that is handed on, a refused set-up and the reason are shown to its seat only', async () => {
  const id = await newGame({ kind: 'thrones', seats: SEATED });
  const { example } = await asked(id, 1);
  const phone = await signedIn(browser, `/record/${id}`, SCREENS.phone);
  await handTo(phone, 'Ada Lovelace');
  const wrong = example.replace(/^(setup:[^p]*)p/, '$1w');
  await phone.fill('#action', wrong);
  await phone.locator('#typed button').tap();
  await phone.getByText('What was entered is not legal here').waitFor();
  assert.equal(await phone.locator('[data-laid], #trays, #refused').count(), 0);
  await phone.locator('#uncover').tap();
  await phone.locator('#refused').getByText(/your homeland has 14 tiles of plains, and 13 are laid/).waitFor();
  await phone.getByText('Missing: Home tiles: plains').waitFor();
  assert.equal(await typed(phone), wrong);
  await shut(phone.context());
});

const STARTS = { players: 7, side: 4, starts: ['1.1', '2.1', '2.3', '3.1', '3.5', '4.1', '4.7'] };

test('a path of Triforce Building is drawn by taps: steps are shown, undone, and entered', async () => {
  const id = await newGame({ kind: 'triforce-building', setup: STARTS, seats: [...'ABCDEFG'].map((name) => ({ name })) });
  const { issueGameTokens } = await ask('mutation Links($id: ID!) { issueGameTokens(game: $id) { seat token } }', { id }, token());
  const phone = await open(browser, `/record/${id}#token=${issueGameTokens.find(({ seat }) => seat === 2).token}`, SCREENS.phone);
  await phone.locator('#drawn').waitFor();
  const offered = () => phone.locator('.mark-offered').count();
  assert.equal(await offered(), 2, 'right and down from 2.1');
  await tapPlace(phone, '2.2');
  await phone.locator('#drawn-path').getByText('From 2.1 to 2.2.').waitFor();
  assert.equal(await typed(phone), 'R');
  await tapPlace(phone, '4.4');
  await phone.getByText('No step leads to 4.4 from here.').waitFor();
  await tapPlace(phone, '2.1');
  await becomes(() => typed(phone), 'RL', 'there and back');
  await tapPlace(phone, '3.2');
  await phone.locator('#drawn-path').getByText('It cannot go on.').waitFor();
  assert.equal(await typed(phone), 'RLD');
  await shoot(phone, 'triforce-building-path');
  await usable(phone);
  await accessible(phone, 'a path that is drawn');
  await phone.locator('#unlay').tap();
  await becomes(() => typed(phone), 'RL');
  await tapPlace(phone, '2.1');
  await becomes(() => typed(phone), 'R', 'the end of the path again: a step less');
  await phone.fill('#action', 'DL');
  await phone.locator('#drawn-path').getByText('From 2.1 to 3.2 to 3.1.').waitFor();
  await phone.locator('[data-action="DL"]').tap();
  await shows(phone, 1);
  assert.deepEqual((await logOf(id)).played, ['seat:2 DL']);
  await close(phone);
});

test('on one phone, a path is drawn by whoever has it, and leaves the page with them', async () => {
  const id = await newGame({ kind: 'triforce-building', setup: STARTS, seats: [...'ABCDEFG'].map((name) => ({ name })) });
  const phone = await signedIn(browser, `/record/${id}`, SCREENS.phone);
  await phone.locator('#turn').waitFor();
  assert.equal(await phone.locator('#drawn, .mark-offered').count(), 0);
  await handTo(phone, 'C');
  assert.equal(await phone.locator('[data-action="-"]').textContent(), 'Enter: stay');
  await tapPlace(phone, '2.2');
  await phone.locator('.mark-path').waitFor({ state: 'attached' });
  await phone.locator('[data-action="L"]').tap();
  await phone.locator('#hand').getByText('Nothing of it is shown here any more').waitFor();
  assert.equal(await phone.locator('#drawn, #board svg').count(), 0);
  await phone.locator('#hand-back').tap();
  await shows(phone, 1);
  await phone.locator('#turn').getByText(/^C: a secret submission\. /).waitFor();
  assert.equal(await phone.locator('.mark-path, .mark-offered').count(), 0);
  assert.deepEqual((await logOf(id)).played, ['seat:3 L']);
  await close(phone);
});

/** A page with the token of a recorder, who may not see what seats know. */
async function byRecorder(path) {
  const { createToken } = await ask('mutation { createToken(input: { role: "recorder", label: "taps" }) { token } }', {}, token());
  const phone = await open(browser, '', SCREENS.phone);
  await phone.context().addInitScript((value) => localStorage.setItem('plybook.token', value), createToken.token);
  await phone.goto(path);
  return phone;
}

test('with a recorder’s token, which does not show where a seat is, a path is drawn from where it is tapped', async () => {
  const id = await newGame({ kind: 'triforce-building', setup: STARTS, seats: [...'ABCDEFG'].map((name) => ({ name })) });
  const phone = await byRecorder(`/record/${id}`);
  await handTo(phone, 'C');
  await phone.getByText('This device may not show what this seat knows').waitFor();
  await phone.getByText('Tap where this seat is').waitFor();
  await becomes(() => phone.locator('.mark-offered').count(), 7, 'every taken cell');
  await tapPlace(phone, '4.4');
  await phone.getByText('Nobody can be on 4.4 now.').waitFor();
  await tapPlace(phone, '2.3');
  await phone.locator('#drawn-path').getByText('From 2.3: tap the next place').waitFor();
  await phone.getByRole('button', { name: 'Enter: stay', exact: true }).waitFor();
  await shoot(phone, 'triforce-building-recorder');
  await accessible(phone, 'a path that a recorder draws');
  await tapPlace(phone, '2.2');
  await phone.locator('#drawn-path').getByText('From 2.3 to 2.2.').waitFor();
  await phone.locator('#hide').tap();
  await phone.locator('#uncover').tap();
  await tapPlace(phone, '2.3');
  await phone.locator('#drawn-path').getByText('From 2.3 to 2.2.').waitFor();
  await phone.locator('[data-action="L"]').tap();
  await phone.locator('#hand-next').getByText('Hand the phone to A').tap();
  await phone.getByRole('button', { name: /I am A: show/ }).waitFor();
  await phone.locator('#hand-back').tap();
  await shows(phone, 1);
  assert.deepEqual((await logOf(id)).played, ['seat:3 L']);
  await close(phone);
});
