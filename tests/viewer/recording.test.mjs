// Recording games at the table, on a phone, against a running service.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_SHOTS=dir] node --test recording.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { MODULES } from '../../web-viewer/rules/modules.js';
import { IS_ALL, SCREENS, accessible, ask, becomes, close, launch, open, rewriteAnswers, shoot, shut, thorough, token } from './service.mjs';
import { cut, example, legal, logOf, newGame, recorded, shows, tapAction, tapPlace, usable } from './recorder.mjs';
import { signedIn } from './tournament.mjs';

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

/** On a busy machine, the rules take long to compile. */
const COMPILING = { timeout: 60_000 };

const SEATED = [{ name: 'Ada Lovelace' }, { name: 'Bela Bartók' }];

async function phoneAt(id, screen = SCREENS.phone) {
  const phone = await signedIn(browser, `/record/${id}`, screen);
  await phone.locator('#turn').waitFor();
  return phone;
}

/** The page again, after it was closed. */
const reopened = (context, path) => async () => {
  const page = await context.newPage();
  page.wrongs = [];
  await page.goto(path);
  return page;
};
const leave = (context, path) => reopened(context, path)();

/** Nothing went wrong but what a cut network makes go wrong. */
async function closeAfterCuts(phone) {
  phone.wrongs = phone.wrongs.filter((wrong) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket/.test(wrong));
  await close(phone);
}

/** Records the plies of an example by taps, with the network cut before three of them. */
async function recordAgain(phone, id, moves, record = tapAction) {
  const cuts = [1, 2, 3].map((part) => Math.floor((moves.length * part) / 4));
  let page = phone;
  for (const [index, move] of moves.entries()) {
    if (cuts.includes(index)) page = await cut(page, () => record(page, id, move), index === cuts[1] ? leave : null);
    else await record(page, id, move);
    await shows(page, index + 1);
  }
  return page;
}

for (const kind of IS_ALL ? ['triangulate', 'tri', 'triforce'] : ['triangulate']) {
  test(`a whole game of ${kind} is recorded by taps, with the network cut three times`, async () => {
    const { moves, seats, setup } = await example(kind);
    const id = await newGame({ kind, setup, seats: seats.map(({ name }) => ({ name })) });
    const phone = await recordAgain(await phoneAt(id), id, moves);
    const log = await logOf(id);
    assert.deepEqual(log.played, moves.map(({ by, action }) => `${by} ${action}`));
    assert.deepEqual(log.types.filter((type) => !['acted', 'ended'].includes(type)), ['created'], 'nothing twice, nothing taken back');
    assert.ok(log.verification.valid);
    await accessible(phone, `a game of ${kind} that was recorded`);
    await shoot(phone, `recorded-${kind}`);
    await closeAfterCuts(phone);
  });
}

thorough('a whole game of thrones is recorded by taps, with the network cut three times', async () => {
  const { id: played, moves, seats } = await example('thrones');
  const setUp = moves.findIndex(({ action }) => !action.startsWith('setup:'));
  const { game } = await ask('query At($id: ID!, $ply: Int) { game(id: $id) { position(ply: $ply) { position } } }', { id: played, ply: setUp }, token());
  const id = await newGame({ kind: 'thrones', position: game.position.position, open: true, seats: seats.map(({ name }) => ({ name })) });
  const phone = await recordAgain(await phoneAt(id), id, moves.slice(setUp));
  const log = await logOf(id);
  assert.deepEqual(log.played, moves.slice(setUp).map(({ by, action }) => `${by} ${action}`));
  assert.ok(log.verification.valid);
  await accessible(phone, 'a game of thrones that was recorded');
  await closeAfterCuts(phone);
});

test('Triforce Building is recorded on one phone that goes from hand to hand, and shows nobody what another seat knows', async () => {
  const { moves: all, seats, setup } = await example('triforce-building');
  const moves = IS_ALL ? all : all.slice(0, 4);
  const id = await newGame({ kind: 'triforce-building', setup, seats: seats.map(({ name }) => ({ name })) });
  const submit = async (phone, _, { by, action }) => {
    const { name } = seats[Number(by.slice(5)) - 1];
    await phone.locator('.who button, #hand-over').first().waitFor();
    if (await phone.locator('.who').count() > 0) await phone.locator('.who button').getByText(name, { exact: true }).tap();
    await phone.getByText(`Hand the phone to ${name}`).waitFor();
    assert.equal(await phone.locator('[data-action]').count(), 0, 'nothing is listed before');
    await phone.locator('#hand-over').tap();
    await phone.locator('#uncover').waitFor();
    assert.equal(await phone.locator('#board svg').count(), 0, 'nothing is shown before');
    await phone.locator('#uncover').tap();
    await phone.locator('#hide').waitFor();
    if (await phone.locator(`[data-action="${action}"]`).count() > 0) await phone.locator(`[data-action="${action}"]`).tap();
    else {
      await phone.fill('#action', action);
      await phone.locator('#typed button').tap();
    }
    await phone.locator('#hand').getByText('has acted').waitFor();
    assert.equal(await phone.locator('#board svg').count(), 0, 'nothing is shown afterwards');
    await phone.locator('#hand').getByText('Nothing of it is shown here any more').waitFor();
    const kept = await phone.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    assert.ok(!kept.includes('"act"'), 'no submission is kept on the device');
    await phone.locator('#hand-back').tap();
  };
  const phone = await phoneAt(id);
  for (const [index, move] of moves.entries()) {
    await submit(phone, id, move);
    await shows(phone, index + 1);
    if (index === 0) {
      await shoot(phone, 'record-after-submission');
      await accessible(phone, 'a submission was made');
    }
  }
  const log = await logOf(id);
  assert.deepEqual(log.played, moves.map(({ by, action }) => `${by} ${action}`));
  assert.ok(log.types.includes('sealed') || log.events.nodes.some(({ body }) => body.sealed || body.commitment), 'submissions were sealed');
  if (IS_ALL) assert.equal(log.status, 'FINISHED');
  await close(phone);
});

/** What each role sees of a game with secrets is asked as everybody would ask; see the leak tests. */
async function openly(id) {
  const { game } = await ask('query Open($id: ID!) { game(id: $id) { position(viewer: "public") { legalActions } } }', { id }, token());
  return game.position.legalActions ?? [];
}

/** A token of a recorder. */
async function recorderToken() {
  return (await ask('mutation { createToken(input: { role: "recorder", label: "taps" }) { token } }', {}, token())).createToken.token;
}

const TAPS_A_PLY = 2.2;

for (const who of IS_ALL ? ['an administrator', 'a recorder', 'the link of the table'] : ['a recorder']) {
  test(`Thrones is recorded on the open board by ${who}: only set-ups and favours cover the screen`, async () => {
    const { moves: all, seats } = await example('thrones');
    const id = await newGame({ kind: 'thrones', seats: seats.map(({ name }) => ({ name })) });
    const setUp = all.findIndex(({ action }) => !action.startsWith('setup:'));
    const moves = IS_ALL ? all : all.slice(0, Math.max(setUp + 6, all.findIndex(({ action }) => action.startsWith('favor:')) + 2));
    await recorded(id, moves.slice(0, setUp));
    const phone = who === 'the link of the table' ? await byLink(id) : who === 'a recorder' ? await open(browser, '', SCREENS.phone) : await phoneAt(id);
    if (who === 'a recorder') {
      await phone.context().addInitScript((value) => localStorage.setItem('plybook.token', value), await recorderToken());
      await phone.goto(`/record/${id}`);
    }
    await phone.locator('#turn').waitFor();
    await phone.evaluate(() => { globalThis.taps = 0; addEventListener('pointerdown', () => { globalThis.taps += 1; }, true); });
    for (const [index, { by, action }] of moves.entries()) {
      if (index < setUp) continue;
      if (action.startsWith('favor:')) {
        const { name } = seats[Number(by.slice(5)) - 1];
        await phone.locator('#hand-over').waitFor();
        if (await phone.locator('.who').count() > 0) await phone.locator('.who button').getByText(name, { exact: true }).tap();
        assert.equal(await phone.locator('[data-action]').count(), 0, 'no favour is listed before');
        await phone.locator('#hand-over').tap();
        await phone.locator('#uncover').tap();
        await phone.locator(`[data-action="${action}"]`).tap();
        await phone.locator('#hand').getByText('Nothing of it is shown here any more').waitFor();
        await phone.locator('#hand-back').tap();
      } else {
        assert.equal(await phone.locator('#hand-over').count(), 0, `${action} is entered on the open board`);
        await tapAction(phone, id, { by, action }, await openly(id));
      }
      await shows(phone, index + 1);
    }
    const taps = await phone.evaluate(() => globalThis.taps) / (moves.length - setUp);
    if (IS_ALL) assert.ok(taps <= TAPS_A_PLY, `${taps.toFixed(2)} taps a ply`);
    const log = await logOf(id);
    assert.deepEqual(log.played, moves.map(({ by, action }) => `${by} ${action}`));
    assert.ok(log.verification.valid);
    await close(phone);
  });
}

test('on the open board of a game with secrets, what waits is kept, and a refusal does not say why', async () => {
  const { moves, seats } = await example('thrones');
  const setUp = moves.findIndex(({ action }) => !action.startsWith('setup:'));
  const turn = moves.findIndex(({ action }, index) => index >= setUp && !action.startsWith('favor:'));
  const id = await newGame({ kind: 'thrones', seats: seats.map(({ name }) => ({ name })) });
  await recorded(id, moves.slice(0, turn));
  const phone = await phoneAt(id);
  await enter(phone, 'deceive:a1-a2');
  await phone.locator('#refused').getByText('The reason is withheld').waitFor();
  assert.equal(await phone.locator('#refused button').count(), 0, 'and nothing like it is offered');
  await phone.locator('#action').fill('');
  const again = await cut(phone, () => tapAction(phone, id, moves[turn]), leave);
  await shows(again, turn + 1);
  assert.deepEqual((await logOf(id)).played.at(-1), `${moves[turn].by} ${moves[turn].action}`);
  await closeAfterCuts(again);
});

test('what two recorders write down alike is recorded once, and nobody is asked', async () => {
  const id = await begun('triangulate', 2);
  const phone = await phoneAt(id);
  const [action] = await legal(id, 'seat:1');
  await cut(phone, async () => {
    await enter(phone, action);
    assert.equal(await elsewhere(id), action);
  });
  await shows(phone, 3);
  await enter(phone, (await legal(id, 'seat:2'))[0]);
  await shows(phone, 4);
  assert.equal((await logOf(id)).ply, 4);
  await closeAfterCuts(phone);
});

/** A game with some actions recorded by the API. */
async function begun(kind, count, seats = SEATED) {
  const id = await newGame({ kind, seats });
  for (let ply = 0; ply < count; ply += 1) await elsewhere(id);
  return id;
}

/** Another recorder records the first legal action. */
async function elsewhere(id) {
  const { game } = await ask('query Now($id: ID!) { game(id: $id) { position { legalActions } } }', { id });
  const [action] = game.position.legalActions;
  await ask('mutation Act($id: ID!, $action: String!) { act(game: $id, action: $action) { id } }', { id, action }, token());
  return action;
}

const enter = async (phone, action) => {
  await phone.fill('#action', action);
  await phone.locator('#typed button').tap();
};

test('what others record is seen, and an entry that they have overtaken is never sent unasked', async () => {
  const id = await begun('triangulate', 0);
  const phone = await phoneAt(id);
  const mine = (await legal(id, 'seat:1'))[3];
  await phone.context().setOffline(true);
  await enter(phone, mine);
  await phone.getByText('1 entry waits for the connection').waitFor();
  await accessible(phone, 'an entry that waits');
  await shoot(phone, 'record-waiting');
  await elsewhere(id);
  await phone.context().setOffline(false);
  await phone.getByText('Somebody else has recorded more').waitFor();
  await phone.getByText('Somebody else has recorded ply 1').waitFor();
  await accessible(phone, 'an entry that was overtaken');
  await shoot(phone, 'record-overtaken');
  assert.equal((await logOf(id)).played.length, 1);
  await phone.reload();
  await phone.getByText('Somebody else has recorded more').waitFor();
  // Sent after theirs, it is not legal any more: the other seat is to act.
  await phone.locator('#anew').tap();
  await phone.locator('#refused').waitFor();
  assert.equal(await phone.inputValue('#action'), mine, 'it can be corrected');
  await shows(phone, 1);
  assert.equal((await logOf(id)).played.length, 1);
  await elsewhere(id);
  await phone.locator('#ply-2').waitFor();
  await closeAfterCuts(phone);
});

test('several entries made without a connection are sent in order, once each, also after the page was closed', async () => {
  const { moves } = await example('triangulate');
  const id = await newGame({ kind: 'triangulate', seats: SEATED });
  const phone = await phoneAt(id);
  const context = phone.context();
  await context.setOffline(true);
  for (const { action } of moves.slice(0, 3)) await enter(phone, action);
  await phone.getByText('3 entries wait for the connection').waitFor();
  await accessible(phone, 'several entries that wait');
  await enter(phone, 'h8-h1');
  await phone.locator('#discard-last').tap();
  await phone.getByText('3 entries wait for the connection').waitFor();
  await phone.close();
  await context.setOffline(false);
  const again = await leave(context, `/record/${id}`);
  await shows(again, 3);
  assert.deepEqual((await logOf(id)).played, moves.slice(0, 3).map(({ by, action }) => `${by} ${action}`));
  assert.equal(await again.evaluate((key) => localStorage.getItem(key), `plybook.entries.${id}`), null, 'nothing is left on the device');
  await close(again);
});

test('a page that was opened once opens without a connection, with the game as it was and what waits', async () => {
  const { moves } = await example('triangulate');
  const id = await newGame({ kind: 'triangulate', seats: SEATED });
  const phone = await phoneAt(id, { ...SCREENS.phone, serviceWorkers: 'allow' });
  const context = phone.context();
  await enter(phone, moves[0].action);
  await shows(phone, 1);
  await phone.waitForFunction(async () => Boolean(await caches.match(document.querySelector('script[type=module]').src)));
  assert.equal(await phone.evaluate(async () => (await caches.keys()).length), 1);
  await context.setOffline(true);
  await enter(phone, moves[1].action);
  await phone.getByText('1 entry waits for the connection').waitFor();
  await phone.reload();
  await phone.getByText('1 entry waits for the connection').waitFor();
  await phone.locator('#ply-1').waitFor();
  await phone.locator('.live[data-state=offline]').waitFor();
  await enter(phone, moves[2].action);
  await phone.getByText('2 entries wait for the connection').waitFor();
  await accessible(phone, 'the recorder’s page, opened without a connection');
  await shoot(phone, 'record-offline');
  await context.setOffline(false);
  await shows(phone, 3);
  assert.deepEqual((await logOf(id)).played, moves.slice(0, 3).map(({ by, action }) => `${by} ${action}`));
  await ask('mutation R($id: ID!) { resign(game: $id, seat: 1) { id } }', { id }, token());
  await phone.waitForFunction((key) => localStorage.getItem(key) === null, `plybook.seen.${id}`);
  await closeAfterCuts(phone);
});

test('without a connection, the rules show what waits and say what is legal after it', async () => {
  for (const kind of IS_ALL ? ['triangulate', 'tri', 'triforce'] : ['tri']) {
    const { moves, seats, setup } = await example(kind);
    const id = await newGame({ kind, setup, seats: seats.map(({ name }) => ({ name })) });
    const phone = await phoneAt(id, { ...SCREENS.phone, serviceWorkers: 'allow' });
    const context = phone.context();
    await phone.waitForFunction(async (name) => Boolean(await caches.match(`/static/rules/${name}`)), MODULES.get(kind));
    await context.setOffline(true);
    for (const [index, { action }] of moves.slice(0, 4).entries()) {
      if (index === 2) {
        // The rules come from the device then, like the page.
        await phone.reload();
        await phone.locator('#board svg[aria-label="Board after ply 2"]').waitFor(COMPILING);
      }
      await enter(phone, action);
      await phone.locator(`#board svg[aria-label="Board after ply ${index + 1}"]`).waitFor(COMPILING);
      await phone.getByText('The board includes entries that are not recorded yet.').waitFor();
      assert.equal(await phone.locator('#board.stale').count(), 0);
    }
    await accessible(phone, `entries of ${kind} that wait`);
    await shoot(phone, `record-foreseen-${kind}`);
    const drawn = () => phone.locator('#board svg').evaluate((svg) => [...svg.querySelectorAll('title, text')].map(({ textContent }) => textContent));
    const foreseen = await drawn();
    await enter(phone, 'no such action');
    await phone.getByText('Legal actions are not known until the waiting entries are recorded.').waitFor();
    await phone.locator('#discard-last').tap();
    await phone.getByText('The board includes entries that are not recorded yet').waitFor();
    await context.setOffline(false);
    await shows(phone, 4);
    await phone.locator('#board svg[aria-label="Board after ply 4"]').waitFor();
    assert.deepEqual(await drawn(), foreseen, `${kind}: the service draws what the rules have foreseen`);
    assert.deepEqual((await logOf(id)).played, moves.slice(0, 4).map(({ by, action }) => `${by} ${action}`));
    await closeAfterCuts(phone);
  }
});

test('of entries that were made without a connection, one that is not legal holds up the rest', async () => {
  const id = await begun('triangulate', 0);
  const phone = await phoneAt(id);
  await phone.context().setOffline(true);
  await enter(phone, 'h8-h1');
  await enter(phone, 'b1-b2');
  await phone.context().setOffline(false);
  await phone.getByText('Not recorded', { exact: true }).waitFor();
  await phone.getByText('h8-h1 is not legal').waitFor();
  await accessible(phone, 'entries that were refused');
  await shoot(phone, 'record-refused');
  assert.equal((await logOf(id)).played.length, 0);
  await phone.getByRole('button', { name: 'Discard all 2' }).tap();
  await shows(phone, 0);
  await closeAfterCuts(phone);
});

test('an entry whose answer was lost is recorded once', async () => {
  const id = await begun('tri', 0);
  const phone = await phoneAt(id);
  let lost = 0;
  await phone.route('**/graphql', async (route) => {
    if (lost > 0 || !route.request().postDataJSON()?.query.startsWith('mutation Record')) return route.fallback();
    lost += 1;
    await route.fetch();
    return route.abort('internetdisconnected');
  });
  await phone.locator('[data-action]').first().tap();
  await shows(phone, 1);
  assert.deepEqual((await logOf(id)).types, ['created', 'acted']);
  assert.equal(lost, 1);
  await closeAfterCuts(phone);
});

test('what follows an entry is not sent if somebody else has recorded in between', async () => {
  const { moves } = await example('triangulate');
  const id = await newGame({ kind: 'triangulate', seats: SEATED });
  const phone = await phoneAt(id);
  await phone.context().setOffline(true);
  for (const { action } of [moves[0], moves[1], moves[2]]) await enter(phone, action);
  // The first was recorded after all, though its answer never came; then somebody went on.
  const key = await phone.evaluate((name) => JSON.parse(localStorage.getItem(name)).entries[0].key, `plybook.entries.${id}`);
  await ask('mutation Act($id: ID!, $action: String!, $key: IdempotencyKey) { act(game: $id, seat: 1, action: $action, expectedPly: null, expectedSeq: 0, idempotencyKey: $key) { id } }', { id, action: moves[0].action, key }, token());
  await elsewhere(id);
  await phone.context().setOffline(false);
  await phone.getByText('Somebody else has recorded more').waitFor();
  assert.equal((await logOf(id)).played.length, 2);
  assert.equal(await phone.locator('#waiting li').count(), 2, 'the first is recorded, the others are held');
  await phone.locator('#discard').tap();
  await shows(phone, 2);
  await closeAfterCuts(phone);
});

/** The page by the link of a table or a seat, without signing in. */
async function byLink(id, seat = null) {
  const { issueGameTokens } = await ask('mutation Links($id: ID!) { issueGameTokens(game: $id) { seat token } }', { id }, token());
  return open(browser, `/record/${id}#token=${issueGameTokens.find((each) => each.seat === seat).token}`, SCREENS.phone);
}

test('one’s own last entry is taken back, nobody else’s', async () => {
  const id = await begun('triangulate', 1);
  const phone = await byLink(id);
  await phone.locator('#ply-1').waitFor();
  assert.equal(await phone.locator('#undo').getAttribute('aria-disabled'), 'true');
  const [first] = await legal(id, 'seat:2');
  await enter(phone, first);
  await shows(phone, 2);
  await phone.reload();
  await phone.locator('#undo[aria-disabled=false]').tap();
  await phone.locator('#ply-2').waitFor({ state: 'detached' });
  const log = await logOf(id);
  assert.deepEqual(log.types, ['created', 'acted', 'acted', 'taken_back']);
  await enter(phone, first);
  await shows(phone, 2);
  await elsewhere(id);
  await phone.locator('#ply-3').waitFor();
  assert.equal(await phone.locator('#undo').getAttribute('aria-disabled'), 'true');
  const chief = await phoneAt(id);
  await chief.locator('#undo[aria-disabled=false]').tap();
  await phone.locator('#ply-3').waitFor({ state: 'detached' });
  await close(phone);
  await close(chief);
});

test('seats that submit at once do not get in each other’s way', async () => {
  const { moves, seats, setup } = await example('triforce-building');
  const id = await newGame({ kind: 'triforce-building', setup, seats: seats.map(({ name }) => ({ name })) });
  const phone = await byLink(id, 1);
  await phone.locator('[data-action]').first().waitFor();
  await phone.context().setOffline(true);
  await enter(phone, moves[0].action);
  await phone.locator('#waiting').waitFor();
  await ask('mutation Act($id: ID!, $action: String!) { act(game: $id, seat: 2, action: $action) { id } }', { id, action: moves[1].action }, token());
  await phone.context().setOffline(false);
  await phone.locator('#waiting').waitFor({ state: 'detached' });
  const log = await logOf(id);
  assert.deepEqual(log.played, [`seat:2 ${moves[1].action}`, `seat:1 ${moves[0].action}`]);
  await phone.getByText('Somebody else is to act.').waitFor();
  await closeAfterCuts(phone);
});

test('while a draw awaits answers of several players, it is said who has agreed and who has yet to', async () => {
  const id = await newGame({ kind: 'triforce', seats: [...SEATED, { name: 'Carl Gauß' }, { name: 'Dora Maar' }] });
  const phone = await phoneAt(id);
  await phone.locator('#tool-offer').tap();
  assert.equal(await phone.locator('#tool-resign').count(), 0, 'nobody would act for who has resigned, and nobody has won');
  await phone.locator('.panel [data-seat="2"]').tap();
  const offer = phone.locator('#draw-offer p');
  await becomes(() => offer.textContent(), 'Bela Bartók offers a draw. Yet to answer: Ada Lovelace, Carl Gauß and Dora Maar.');
  await phone.getByRole('button', { name: 'Carl Gauß accepts' }).tap();
  await becomes(() => offer.textContent(), 'Bela Bartók offers a draw. Agreed: Carl Gauß. Yet to answer: Ada Lovelace and Dora Maar.');
  assert.equal(await phone.getByRole('button', { name: /^Carl Gauß/ }).count(), 0, 'who has agreed is asked no more');
  await accessible(phone, 'a draw that some have agreed to');
  await usable(phone);
  await shoot(phone, 'record-draw');
  for (const name of ['Ada Lovelace', 'Dora Maar']) await phone.getByRole('button', { name: `${name} accepts` }).tap();
  await phone.locator('#turn').getByText('Draw').waitFor();
  await close(phone);
});

test('a draw is offered, declined, offered again and accepted; comments; every target is large enough', async () => {
  const id = await begun('triangulate', 3);
  const phone = await phoneAt(id);
  await phone.locator('#tool-offer').tap();
  await accessible(phone, 'who offers a draw');
  await phone.locator('.panel [data-seat="1"]').tap();
  await phone.getByText('Ada Lovelace offers a draw.').waitFor();
  await phone.getByRole('button', { name: 'Bela Bartók declines' }).tap();
  await phone.locator('#draw-offer').waitFor({ state: 'detached' });
  await phone.locator('#tool-comment').tap();
  await phone.fill('#comment', 'Both are short of time.');
  await accessible(phone, 'a comment');
  await usable(phone);
  await phone.locator('.panel .primary').tap();
  await phone.locator('#ply-3').getByText('Both are short of time.').waitFor();
  await phone.locator('#tool-offer').tap();
  await phone.locator('.panel [data-seat="2"]').tap();
  await phone.getByRole('button', { name: 'Ada Lovelace accepts' }).tap();
  await phone.locator('#turn').getByText('Draw').waitFor();
  await accessible(phone, 'a game that is over');
  await shoot(phone, 'record-over');
  const log = await logOf(id);
  assert.deepEqual([log.status, log.outcome.winners, log.outcome.reason], ['FINISHED', [], 'agreement']);
  assert.equal(await phone.locator('#typed').count(), 0);
  await close(phone);
});

test('somebody resigns, somebody is out of time', async () => {
  const resigned = await begun('tri', 2);
  const phone = await phoneAt(resigned);
  await phone.locator('#tool-resign').tap();
  await phone.getByRole('button', { name: 'Cancel' }).tap();
  assert.equal((await logOf(resigned)).status, 'RUNNING');
  await phone.locator('#tool-resign').tap();
  await phone.locator('.panel [data-seat="2"]').tap();
  await phone.locator('#turn').getByText('Ada Lovelace won').waitFor();
  assert.deepEqual((await logOf(resigned)).outcome, { winners: [1], reason: 'resignation' });
  // An arbiter undoes what ended it by mistake.
  await phone.locator('#reopen').tap();
  await phone.locator('#undo[aria-disabled=false]').waitFor();
  assert.equal((await logOf(resigned)).status, 'RUNNING');
  await phone.locator('#tool-resign').tap();
  await phone.locator('.panel [data-seat="2"]').tap();
  await phone.locator('#turn').getByText('Ada Lovelace won').waitFor();
  const late = await begun('tri', 2);
  const other = await phoneAt(late);
  await other.locator('#tool-flag').tap();
  await other.locator('.panel [data-seat="1"]').tap();
  await other.locator('#turn').getByText('Bela Bartók won').waitFor();
  assert.deepEqual((await logOf(late)).outcome, { winners: [2], reason: 'time' });
  await close(phone);
  await close(other);
});

test('dice are tapped as they lie, or rolled fairly', async () => {
  const { moves, setup, seats } = await example('triforce');
  const before = moves.findIndex(({ action }) => action.startsWith('roll:'));
  const id = await newGame({ kind: 'triforce', setup, seats: seats.map(({ name }) => ({ name })) });
  await recorded(id, moves.slice(0, before));
  const phone = await phoneAt(id);
  await phone.locator('#dice').waitFor();
  assert.equal(await phone.locator('#enter-dice').getAttribute('aria-disabled'), 'true');
  await accessible(phone, 'dice');
  await usable(phone);
  await shoot(phone, 'record-dice');
  await phone.locator('#roll').tap();
  await shows(phone, before + 1);
  const { game } = await ask('query Fair($id: ID!) { game(id: $id) { moves(last: 1) { nodes { by action fair } } } }', { id }, token());
  assert.deepEqual([game.moves.nodes[0].by, game.moves.nodes[0].fair], ['chance', true]);
  await phone.locator('#undo').waitFor();
  await close(phone);
});

test('what has only just appeared takes no tap', async () => {
  const id = await newGame({ kind: 'triforce', seats: [...SEATED, { name: 'Carl Gauß' }] });
  const phone = await phoneAt(id);
  const button = phone.locator('[data-action]').first();
  await button.tap({ trial: true });
  const tapped = await button.getAttribute('data-action');
  const { x, y, width, height } = await button.boundingBox();
  const at = [x + width / 2, y + height / 2];
  await phone.touchscreen.tap(...at);
  await phone.waitForFunction((was) => document.querySelector('[data-action]')?.dataset.action !== was, tapped);
  await phone.touchscreen.tap(...at);
  await shows(phone, 1);
  // The next tap that counts is one that somebody chose.
  const chosen = await phone.locator('[data-action]').last().getAttribute('data-action');
  await phone.locator('[data-action]').last().tap();
  await shows(phone, 2);
  const { played } = await logOf(id);
  assert.equal(played.length, 2);
  assert.match(played[1], new RegExp(`${chosen.replace(/\W/g, '\\$&')}$`));
  await close(phone);
});

test('the page says how far a turn is, and what the seat has that looks', async () => {
  const triforce = await phoneAt(await newGame({ kind: 'triforce', seats: [...SEATED, { name: 'Chen' }] }));
  await triforce.locator('#turn').getByText('Ada Lovelace to act, 0 of 3 actions used.').waitFor();
  await close(triforce);
  const id = await newGame({ kind: 'triforce-building', seats: [...'ABCDEFG'].map((name) => ({ name })), setup: { players: 7, side: 4 } });
  const OWN = /^Round 1 of 10: 0 of 7 have submitted\. A is on [\d.]+, priority 7, 1 garnet\.$/;
  const own = await byLink(id, 1);
  await own.locator('#turn').getByText(OWN).waitFor();
  await close(own);
  const shared = await phoneAt(id);
  await shared.locator('#turn').getByText(/^Round 1 of 10: 0 of 7 have submitted\.$/).waitFor();
  await shared.locator('#hand-over').tap();
  await shared.locator('#uncover').tap();
  await shared.locator('#turn').getByText(OWN).waitFor();
  await close(shared);
});

test('what is said moves neither the board nor the buttons', async () => {
  const { seats, setup } = await example('triforce-building');
  const id = await newGame({ kind: 'triforce-building', setup, seats: seats.map(({ name }) => ({ name })) });
  const phone = await byLink(id, 1);
  await phone.locator('#drawn').waitFor();
  const places = async () => Promise.all(['#board svg', '#unlay', '#tool-comment'].map(async (each) => (await phone.locator(each).boundingBox()).y + await phone.evaluate(() => scrollY)));
  const before = await places();
  const far = await phone.evaluate(() => {
    const marked = [...document.querySelectorAll('.marks circle')].map((mark) => [mark.getAttribute('cx'), mark.getAttribute('cy')].map(Number));
    const away = (shape) => { const { x, y } = shape.getBBox(); return Math.min(...marked.map(([cx, cy]) => Math.hypot(cx - x, cy - y))); };
    return [...document.querySelectorAll('#board [data-place]')].sort((one, other) => away(other) - away(one))[0].getAttribute('data-place');
  });
  await tapPlace(phone, far);
  await phone.locator('#said').getByText('No step leads to').waitFor();
  assert.deepEqual(await places(), before);
  await close(phone);
});

test('the dice of six seats fit a phone, with the button that enters them, and a fair roll comes first', async () => {
  const { moves, setup, seats } = await example('triforce');
  const before = moves.findIndex(({ action }) => action.startsWith('roll:'));
  const id = await newGame({ kind: 'triforce', setup, seats: seats.map(({ name }) => ({ name })) });
  await recorded(id, moves.slice(0, before));
  const phone = await signedIn(browser, '', { ...SCREENS.phone, viewport: { width: 390, height: 844 } });
  await rewriteAnswers(phone, 'Standing', (answer) => {
    const [prompt] = answer.data.game.position.prompts;
    prompt.dice = [1, 2, 3, 4, 5, 6].map((seat) => ({ seat, dice: ['d12'] }));
    return answer;
  });
  await phone.goto(`/record/${id}`);
  await phone.locator('#dice').waitFor();
  const [roll, enter, last] = await Promise.all(['#roll', '#enter-dice', '[data-face="12"]'].map((each) => phone.locator(each).boundingBox()));
  assert.ok(Math.max(enter.y + enter.height, last.y + last.height) <= 844, `they end at ${enter.y + enter.height} and ${last.y + last.height}`);
  assert.ok(roll.y < last.y, 'a fair roll comes first');
  for (const seat of [1, 2, 3]) await phone.locator(`[data-die="${seat}:0"][data-face="${seat + 6}"]`).tap();
  await phone.locator('[data-thrown="2:0"]').tap();
  await phone.locator('[data-die="2:0"][data-face="5"]').tap();
  await becomes(() => phone.locator('[data-thrown]').allInnerTexts().then((all) => all.map((text) => text.split(/\s+/).at(-1))), ['7', '5', '9', '–', '–', '–'], 'a face is mended, and the next die without one follows');
  await phone.locator('[data-die="4:0"]').first().waitFor();
  await accessible(phone, 'the dice of six seats');
  await usable(phone);
  await shoot(phone, 'record-six-dice');
  await close(phone);
});

test('by keyboard alone on a desktop: typed, narrowed down, entered', async () => {
  const id = await begun('triangulate', 0);
  const page = await phoneAt(id, SCREENS.light);
  await page.locator('#action').press('Tab');
  await page.locator('#board').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.locator('#said').getByText('b1, Ada Lovelace’s frog.').waitFor();
  await page.locator('#action').focus();
  const actions = await legal(id, 'seat:1');
  const place = actions[0].split('-')[0];
  await page.keyboard.type(place);
  await page.locator('[data-action]').first().waitFor();
  const offered = await page.locator('[data-action]').allTextContents();
  assert.deepEqual([...offered].sort(), actions.filter((action) => action.includes(place)).sort());
  await page.locator('[data-action]').first().focus();
  await page.keyboard.press('Enter');
  await shows(page, 1);
  await page.fill('#action', 'z9-z9');
  await page.locator('#action').press('Enter');
  await page.getByText('z9-z9 is not legal').waitFor();
  await accessible(page, 'a refusal on a desktop');
  await shoot(page, 'record-desktop');
  assert.equal(await page.inputValue('#action'), 'z9-z9', 'what was typed can be corrected');
  assert.equal(await page.locator('#waiting').count(), 0);
  await page.fill('#action', (await legal(id, 'seat:2'))[0]);
  await page.locator('#action').press('Enter');
  await shows(page, 2);
  await close(page);
});

test('by keyboard, the focus stays near a button that is gone once it was pressed', async () => {
  const id = await begun('triangulate', 1);
  const page = await phoneAt(id, SCREENS.light);
  const press = async (selector, focused) => {
    await page.locator(selector).first().press('Enter');
    await becomes(() => page.evaluate(() => document.activeElement.id), focused, selector);
  };
  await page.fill('#action', (await legal(id, 'seat:2'))[0]);
  await press('[data-action]', 'entry');
  await shows(page, 2);
  await press('#tool-resign', 'tool-resign');
  await press('#panel .quiet', 'tool-resign');
  await press('#tool-offer', 'tool-offer');
  await press('#panel [data-seat="1"]', 'tools-place');
  await page.locator('#draw-offer button').last().waitFor();
  await press('#draw-offer button:last-child', 'tools-place');
  await page.locator('#tool-offer').waitFor();
  const secret = await newGame({ kind: 'triforce-building', seats: Array.from({ length: 7 }, (_, index) => ({ name: `Player ${index + 1}` })), setup: { players: 7, side: 4 } });
  await page.goto(`/record/${secret}`);
  await press('#hand-over', 'hand-place');
  await press('#hand-back', 'entry');
  await close(page);
});

test('a seat’s link plays and sees its own seat only; it is not signed in, and shows nobody else’s tools', async () => {
  const id = await newGame({ kind: 'thrones', seats: SEATED });
  const { issueGameTokens } = await ask('mutation Links($id: ID!) { issueGameTokens(game: $id) { seat token } }', { id }, token());
  const link = (seat) => `/record/${id}#token=${issueGameTokens.find((each) => each.seat === seat).token}`;
  const phone = await open(browser, link(2), SCREENS.phone);
  await phone.locator('#typed').waitFor();
  assert.equal(new URL(phone.url()).hash, '', 'the token does not stay in the address');
  assert.equal(await phone.locator('#hand-over, .who, #tool-flag, #tool-links').count(), 0);
  await phone.locator('#tool-resign').tap();
  await becomes(() => phone.locator('.panel [data-seat]').allTextContents(), ['Bela Bartók']);
  await accessible(phone, 'the page of a seat');
  await phone.reload();
  await phone.locator('#typed').waitFor();
  const table = await open(browser, link(null), SCREENS.phone);
  await table.locator('#hand-over').tap();
  await table.locator('#uncover').tap();
  await table.getByText('This device may not show what this seat knows').waitFor();
  await table.fill('#action', 'setup:nothing');
  await table.locator('#typed button').tap();
  await table.getByText('What was entered is not legal here. Nothing is recorded.').waitFor();
  assert.ok(!(await table.locator('main').innerText()).includes('setup:nothing'), 'what was entered is covered again');
  await accessible(table, 'a submission that was refused');
  await table.locator('#uncover').tap();
  await table.locator('#typed').waitFor();
  assert.equal(await table.inputValue('#action'), 'setup:nothing', 'the seat can mend it');
  await table.locator('#refused').waitFor();
  await accessible(table, 'the phone of a table in the hand of a seat');
  await shoot(table, 'record-hand');
  const none = await open(browser, `/record/${id}`, SCREENS.phone);
  await none.getByText('open the link of its table or of a seat').waitFor();
  assert.equal(await none.locator('#typed, #hand-over').count(), 0);
  for (const page of [phone, table, none]) await close(page);
});

test('a submission that waits is kept on the device so that nobody reads it, and is sent after the page was closed', async () => {
  const { moves, seats, setup } = await example('triforce-building');
  const id = await newGame({ kind: 'triforce-building', setup, seats: seats.map(({ name }) => ({ name })) });
  const phone = await phoneAt(id);
  await phone.locator('#hand-over').tap();
  await phone.locator('#uncover').tap();
  await phone.locator('#hide').waitFor();
  await phone.locator('#hide').tap();
  await becomes(() => phone.locator('#board svg, [data-action]').count(), 0);
  await phone.locator('#uncover').tap();
  await phone.locator('[data-action]').first().waitFor();
  await phone.context().setOffline(true);
  const { action } = moves[0];
  await enter(phone, action);
  await phone.getByText('has acted. It is being sent.').waitFor();
  await phone.getByText('They are kept on this device, encrypted').waitFor();
  await phone.waitForFunction((name) => localStorage.getItem(name), `plybook.secret.${id}`);
  const kept = await phone.evaluate(() => Object.entries({ ...localStorage, ...sessionStorage }).filter(([name]) => !name.startsWith('plybook.seen.')));
  assert.ok(!JSON.stringify(kept).includes('entries'), 'what it says cannot be read');
  assert.ok(!(await phone.locator('main').innerText()).split(/[\s:,]+/).includes(action), action);
  const context = phone.context();
  await phone.close();
  assert.equal((await logOf(id)).ply, 0);
  const another = await open(browser, `/record/${id}`, SCREENS.phone);
  await another.evaluate(([name, value]) => localStorage.setItem(name, value), kept.find(([name]) => name.startsWith('plybook.secret.')));
  await another.reload();
  await another.getByText('open the link of its table').waitFor();
  assert.equal(await another.locator('#waiting').count(), 0, 'nor does it open without the token');
  await close(another);
  await context.setOffline(false);
  const again = await leave(context, `/record/${id}`);
  await shows(again, 1);
  assert.deepEqual((await logOf(id)).played, [`seat:1 ${action}`]);
  await again.waitForFunction((name) => !localStorage.getItem(name), `plybook.secret.${id}`);
  await closeAfterCuts(again);
});

test('clock times are noted with actions, and the buttons can be at the left', async () => {
  const id = await newGame({ kind: 'triangulate', seats: SEATED });
  const phone = await phoneAt(id);
  await phone.locator('#tool-settings').tap();
  await becomes(() => phone.locator('#clock').count(), 0);
  await phone.locator('#set-clocks').check();
  await phone.locator('#set-leftHanded').check();
  await accessible(phone, 'the settings of a recorder');
  await usable(phone);
  const place = async (selector) => (await phone.locator(selector).boundingBox()).x;
  assert.ok(await place('#typed button') < await place('#action'));
  await shoot(phone, 'record-left-handed');
  await phone.fill('#clock', '1:2');
  await enter(phone, 'e1-d1');
  await phone.getByText('1:2 is not a time').waitFor();
  assert.equal((await logOf(id)).played.length, 0);
  await phone.fill('#clock', '1:29:05');
  await enter(phone, 'e1-d1');
  await phone.locator('#ply-1').getByText('Clock 1:29:05').waitFor();
  assert.equal(await phone.inputValue('#clock'), '');
  await phone.reload();
  await phone.locator('#ply-1').waitFor();
  await enter(phone, (await legal(id, 'seat:2'))[0]);
  await shows(phone, 2);
  const { game } = await ask('query Clocks($id: ID!) { game(id: $id) { moves { nodes { clockMs } } } }', { id }, token());
  assert.deepEqual(game.moves.nodes.map(({ clockMs }) => clockMs), [5_345_000, null]);
  await shoot(phone, 'record-clocks');
  await close(phone);
});

test('the screen is kept awake while the game runs', async () => {
  const id = await begun('tri', 1);
  const phone = await signedIn(browser, '', SCREENS.phone);
  await phone.context().addInitScript(() => {
    globalThis.locks = [];
    Object.defineProperty(navigator, 'wakeLock', { value: { request: async (type) => { globalThis.locks.push(type); return { release: async () => { globalThis.locks.pop(); } }; } } });
  });
  await phone.goto(`/record/${id}`);
  await phone.waitForFunction(() => globalThis.locks?.length === 1);
  await ask('mutation R($id: ID!) { resign(game: $id, seat: 1) { id } }', { id }, token());
  await phone.waitForFunction(() => globalThis.locks.length === 0);
  await close(phone);
});

test('the replay of a running game leads whoever is signed in to the recorder’s page', async () => {
  const id = await begun('tri', 1);
  const page = await signedIn(browser, `/games/${id}`);
  const link = page.getByRole('link', { name: 'Record the game itself' });
  await link.waitFor();
  await accessible(page, 'a running game, signed in');
  await link.click();
  await page.locator('#ply-1').waitFor();
  await close(page);
});
