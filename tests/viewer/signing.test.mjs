// Signing in the browser: keys, games in which everything is signed, heads on slips, against a running service.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_SHOTS=dir] node --test signing.test.mjs

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, test } from 'node:test';

import { toHex } from '../../web-viewer/model/sha256.js';
import { bytesOf, commitmentTo } from '../../web-viewer/model/statement.js';
import { Rules } from '../../web-viewer/rules/index.js';
import { MODULES } from '../../web-viewer/rules/modules.js';
import { BASE, IS_ALL, SCREENS, accessible, ask, close, launch, open, shoot, shut, token } from './service.mjs';
import { cut, example, legal, logOf, newGame, shows, tapAction, usable } from './recorder.mjs';
import { created, decide, paired, signedIn, step, take, unique } from './tournament.mjs';

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const SEATED = [{ name: 'Ada Lovelace' }, { name: 'Bela Bartók' }];
const REQUIRED = { signatures: 'REQUIRED' };

async function phoneAt(id) {
  const phone = await signedIn(browser, `/record/${id}`, SCREENS.phone);
  await phone.locator('#turn').waitFor();
  return phone;
}

/** The page of a seat, of the table, or of whoever has this token. */
const byToken = (id, secret) => open(browser, `/record/${id}#token=${secret}`, SCREENS.phone);

/** Makes a key where the page asks for one. */
async function madeHere(phone) {
  await phone.locator('#make-key-here').tap();
  await phone.locator('#unsigned').waitFor({ state: 'detached' });
}

/** What the module of the rules and the service find in a log: who signed how much. */
async function verified(id, tries = 20) {
  const text = await (await fetch(`${BASE}/games/${id}/log.ndjson`, { headers: { authorization: `Bearer ${token()}` } })).text();
  const { kind } = JSON.parse(text.slice(0, text.indexOf('\n'))).body;
  const rules = await Rules.load(kind, readFileSync(new URL(`../../web-viewer/rules/${MODULES.get(kind)}`, import.meta.url)));
  const [found] = rules.open(text).logs;
  assert.ok(found.valid, found.problem);
  const { game } = await ask('query V($id: ID!) { game(id: $id) { verification { valid head unsigned signers { key events player { name } } } } }', { id }, token());
  const { verification } = game;
  // The service may have published a seed between the two.
  if (verification.head !== found.head && tries > 1) return verified(id, tries - 1);
  assert.deepEqual([verification.valid, verification.head, verification.unsigned], [true, found.head, found.unsigned], 'both verifiers agree');
  assert.deepEqual(verification.signers.map(({ key, events }) => [key, events]), found.signers.map(({ key, events }) => [key, events]));
  return { ...found, signers: verification.signers };
}

async function createdPlayer(name) {
  const { createPlayer } = await ask('mutation P($name: String!) { createPlayer(input: { name: $name }) { id name } }', { name: unique(name) }, token());
  const { createToken } = await ask('mutation T($player: ID!) { createToken(input: { role: "player", player: $player, label: "signing test" }) { token } }', { player: createPlayer.id }, token());
  return { ...createPlayer, token: createToken.token };
}

/** What the browser keeps of its key, and whether it would give it away. */
function keptKey(page) {
  return page.evaluate(() => new Promise((resolve, reject) => {
    const opening = indexedDB.open('plybook', 1);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const asked = opening.result.transaction('keys').objectStore('keys').get('device');
      asked.onsuccess = async () => {
        const { privateKey, publicKey } = asked.result;
        const exported = await crypto.subtle.exportKey('pkcs8', privateKey).then(() => 'given away', ({ name }) => name);
        resolve({ exported, extractable: privateKey.extractable, publicKey, type: privateKey.type });
      };
    };
  }));
}

test('a game in which everything is signed is recorded by taps, with the network cut three times', async () => {
  const { moves: all, seats, setup } = await example('triangulate');
  const moves = IS_ALL ? all : all.slice(0, 8);
  const id = await newGame({ kind: 'triangulate', setup, seats: seats.map(({ name }) => ({ name })), ...REQUIRED });
  let phone = await phoneAt(id);
  await phone.locator('#unsigned').getByText('this device has no key yet').waitFor();
  await accessible(phone, 'a game that is signed, on a device without a key');
  await shoot(phone, 'signing-no-key');
  // What is entered before waits for the key, and no request is refused.
  await tapAction(phone, id, moves[0]);
  await phone.getByText('1 entry waits to be signed').waitFor();
  assert.equal((await logOf(id)).played.length, 0);
  await madeHere(phone);
  await shows(phone, 1);
  const { exported, extractable, publicKey, type } = await keptKey(phone);
  assert.deepEqual([exported, extractable, type], ['InvalidAccessError', false, 'private']);
  const cuts = [1, 2, 3].map((part) => Math.max(1, Math.floor((moves.length * part) / 4)));
  const leave = async (context, path) => {
    const page = await context.newPage();
    page.wrongs = [];
    await page.goto(path);
    return page;
  };
  for (const [index, move] of [...moves.entries()].slice(1)) {
    const record = () => tapAction(phone, id, move);
    if (cuts.includes(index)) phone = await cut(phone, record, index === cuts[1] ? leave : null);
    else await record();
    await shows(phone, index + 1);
  }
  const log = await logOf(id);
  assert.deepEqual(log.played, moves.map(({ by, action }) => `${by} ${action}`));
  const found = await verified(id);
  assert.deepEqual([found.unsigned, found.signers], [0, [{ key: publicKey, events: moves.length, player: null }]]);
  const kept = await phone.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href);
  assert.doesNotMatch(kept, /private|pkcs8|"d":/i);
  phone.wrongs = phone.wrongs.filter((wrong) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket/.test(wrong));
  await close(phone);
});

test('an entry whose answer was lost is recorded once, with the signature that was sent first', async () => {
  const id = await newGame({ kind: 'triangulate', seats: SEATED, ...REQUIRED });
  const phone = await phoneAt(id);
  await madeHere(phone);
  const sent = [];
  await phone.route('**/graphql', async (route) => {
    const { query = '', variables = {} } = route.request().postDataJSON() ?? {};
    if (!query.startsWith('mutation Record')) return route.fallback();
    sent.push([variables.key, variables.signature]);
    if (sent.length > 1) return route.fallback();
    await route.fetch();
    return route.abort('internetdisconnected');
  });
  const [action] = await legal(id, 'seat:1');
  await phone.fill('#action', action);
  await phone.locator('#typed button').tap();
  await shows(phone, 1);
  assert.deepEqual((await logOf(id)).types, ['created', 'acted']);
  assert.ok(sent.length > 1);
  assert.deepEqual(sent[1], sent[0]);
  assert.match(sent[0][1], /^[0-9a-f]{64}:[0-9a-f]{128}$/);
  assert.equal((await verified(id)).unsigned, 0);
  phone.wrongs = phone.wrongs.filter((wrong) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(wrong));
  await close(phone);
});

/** Somebody else with a key, who needs no browser. */
async function signer() {
  const pair = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
  const publicKey = toHex(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)));
  return async (id, type, by, body) => {
    const { game: { signingPlace: { seq, prev } } } = await ask('query Place($id: ID!) { game(id: $id) { signingPlace { seq prev } } }', { id }, token());
    const bytes = await crypto.subtle.sign('Ed25519', pair.privateKey, bytesOf({ body, by, game: id, prev, seq, type }));
    return `${publicKey}:${toHex(new Uint8Array(bytes))}`;
  };
}

async function handTo(phone, name) {
  const who = phone.locator('.who button').getByText(name, { exact: true });
  await phone.locator('.who button, #hand-over').first().waitFor();
  if (await phone.locator('.who').count() > 0) await who.tap();
  await phone.locator('#hand-over').tap();
  await phone.locator('#uncover').tap();
  await phone.locator('#hide').waitFor();
}

test('secrets are signed as commitments; one that was made without a connection is signed again after another seat has acted', async () => {
  const id = await newGame({ kind: 'thrones', seats: SEATED, ...REQUIRED });
  const { one, two } = await ask('query Examples($id: ID!) { one: game(id: $id) { position(viewer: "1") { prompts { seat example } } } two: game(id: $id) { position(viewer: "2") { prompts { seat example } } } }', { id }, token());
  const setUps = [one, two].map(({ position }, index) => position.prompts.find(({ seat }) => seat === index + 1).example);
  const phone = await phoneAt(id);
  await madeHere(phone);
  await handTo(phone, SEATED[0].name);
  await phone.context().setOffline(true);
  await phone.fill('#action', setUps[0]);
  await phone.locator('#typed button').tap();
  await phone.locator('#hand').getByText('It is being sent.').waitFor();
  // Meanwhile the other seat submits elsewhere: what the phone signed first, or would have, no longer fits.
  const sign = await signer();
  const salt = '5a'.repeat(32);
  const signature = await sign(id, 'sealed', 'seat:2', { commitment: await commitmentTo(id, 'seat:2', { salt, content: setUps[1] }) });
  await ask('mutation Act($id: ID!, $action: String!, $signature: Signature, $salt: Hash) { act(game: $id, seat: 2, action: $action, signature: $signature, salt: $salt) { id } }', { id, action: setUps[1], signature, salt }, token());
  const kept = await phone.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  assert.ok(!kept.includes(setUps[0]) && !/"salt\\*":/.test(kept), 'neither the secret nor its salt is kept in the clear');
  await phone.context().setOffline(false);
  await phone.locator('#hand').getByText('Nothing of it is shown here any more').waitFor();
  await phone.locator('#hand-back').tap();
  await shows(phone, 2);
  const { played } = await logOf(id);
  assert.deepEqual(played, [`seat:2 ${setUps[1]}`, `seat:1 ${setUps[0]}`]);
  // What follows the events that were revealed is signed at the place of the first of them.
  for (let ply = 2; ply < 5; ply += 1) {
    const { game: { position: { toAct: [by] } } } = await ask('query Now($id: ID!) { game(id: $id) { position { toAct } } }', { id }, token());
    if (by === 'chance') {
      await phone.locator('#roll').tap();
    } else {
      // What is open is recorded on the open board.
      const action = (await legal(id, by))[0];
      const isSecret = action.startsWith('favor:');
      if (isSecret) await handTo(phone, SEATED[Number(by.slice(5)) - 1].name);
      await phone.fill('#action', action);
      await phone.locator('#typed button').tap();
      if (isSecret) await phone.locator('#hand-back').tap();
    }
    await shows(phone, ply + 1);
  }
  // The table plays on, and one resigns.
  await phone.locator('#tool-comment').tap();
  await phone.fill('#comment', 'signed, too');
  await phone.getByRole('button', { name: 'Enter', exact: true }).last().tap();
  await phone.locator('#waiting').waitFor({ state: 'detached' });
  await phone.locator('#tool-resign').tap();
  await phone.locator('#panel [data-seat="2"]').tap();
  await phone.locator('#turn').getByText('Ada Lovelace won').waitFor();
  const found = await verified(id);
  assert.deepEqual([found.unsigned, found.signers.length], [0, 2]);
  const { types } = await logOf(id);
  assert.ok(types.filter((type) => type === 'sealed').length >= 2);
  assert.deepEqual([types.filter((type) => type === 'annotated').length, types.at(-1)], [1, 'ended']);
  phone.wrongs = phone.wrongs.filter((wrong) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket/.test(wrong));
  await close(phone);
});

test('a player who leaves a game that goes on signs that; what is submitted for the seat from then on, nobody signs', async () => {
  const { seats, setup } = await example('triforce-building');
  const id = await newGame({ kind: 'triforce-building', setup, seats: seats.map(({ name }) => ({ name })), ...REQUIRED });
  const { issueGameTokens } = await ask('mutation Links($id: ID!) { issueGameTokens(game: $id) { seat token } }', { id }, token());
  const phone = await byToken(id, issueGameTokens.find(({ seat }) => seat === 2).token);
  await madeHere(phone);
  await phone.locator('#tool-resign').tap();
  await phone.locator('#panel [data-seat="2"]').tap();
  await phone.getByText('Somebody else is to act.').waitFor();
  const found = await verified(id);
  const { types } = await logOf(id);
  assert.deepEqual([found.signers.length, types.filter((type) => type === 'resigned').length], [1, 1]);
  assert.equal(types.at(-1), 'sealed', 'the service submits for the seat');
  await close(phone);
});

test('what others record is seen first: an entry that was overtaken is not signed and sent unasked', async () => {
  const id = await newGame({ kind: 'triangulate', seats: SEATED, ...REQUIRED });
  const phone = await phoneAt(id);
  await madeHere(phone);
  await phone.context().setOffline(true);
  const [mine, theirs] = await legal(id, 'seat:1');
  await phone.fill('#action', mine);
  await phone.locator('#typed button').tap();
  await phone.getByText('1 entry waits for the connection').waitFor();
  const sign = await signer();
  const act = 'mutation Act($id: ID!, $action: String!, $signature: Signature) { act(game: $id, action: $action, signature: $signature) { id } }';
  await ask(act, { id, action: theirs, signature: await sign(id, 'acted', 'seat:1', { action: theirs }) }, token());
  await phone.context().setOffline(false);
  await phone.getByText('Somebody else has recorded more').waitFor();
  assert.deepEqual((await logOf(id)).played, [`seat:1 ${theirs}`]);
  await phone.locator('#discard').tap();
  // A comment in between is no obstacle: the entry is signed again behind it.
  const reply = (await legal(id, 'seat:2'))[0];
  await phone.context().setOffline(true);
  await phone.fill('#action', reply);
  await phone.locator('#typed button').tap();
  await phone.getByText('1 entry waits for the connection').waitFor();
  const note = { ply: 1, comment: 'hm' };
  await ask('mutation Note($id: ID!, $signature: Signature) { annotate(game: $id, ply: 1, comment: "hm", signature: $signature) { id } }', { id, signature: await sign(id, 'annotated', 'arbiter', note) }, token());
  await phone.context().setOffline(false);
  await shows(phone, 2);
  assert.deepEqual((await logOf(id)).types, ['created', 'acted', 'annotated', 'acted']);
  // Offers, answers and takebacks are signed as well.
  await phone.locator('#undo[aria-disabled=false]').tap();
  await phone.locator('#ply-2').waitFor({ state: 'detached' });
  await phone.locator('#tool-offer').tap();
  await phone.locator('#panel [data-seat="1"]').tap();
  await phone.getByRole('button', { name: 'Bela Bartók declines' }).tap();
  await phone.locator('#draw-offer').waitFor({ state: 'detached' });
  await phone.locator('#tool-flag').tap();
  await phone.locator('#panel [data-seat="2"]').tap();
  await phone.locator('#turn').getByText('Ada Lovelace won').waitFor();
  const found = await verified(id);
  assert.deepEqual([found.unsigned, found.events], [0, 8]);
  phone.wrongs = phone.wrongs.filter((wrong) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket/.test(wrong));
  await close(phone);
});

test('a player makes a key, registers it, signs with it, is named by the replay, and forgets it', async () => {
  const greta = await createdPlayer('Greta Key');
  const id = await newGame({ kind: 'triangulate', seats: [{ player: greta.id }, SEATED[1]], ...REQUIRED });
  const phone = await byToken(id, greta.token);
  await phone.locator('#make-key-here').tap();
  await phone.locator('#make-key').tap();
  await phone.locator('#register-key').waitFor();
  // The key is there, but it is nobody's yet.
  await phone.getByRole('button', { name: 'Close' }).tap();
  await phone.locator('#unsigned').getByText(`not registered with ${greta.name}`).waitFor();
  await phone.locator('#open-key-here').tap();
  await phone.locator('#register-key').waitFor();
  await accessible(phone, 'a key that is not registered');
  await shoot(phone, 'signing-register');
  await phone.locator('#register-key').tap();
  await phone.locator('#key-holder').getByText(greta.name).waitFor();
  const key = await phone.locator('#public-key').textContent();
  await phone.getByRole('button', { name: 'Close' }).tap();
  await phone.locator('#unsigned').waitFor({ state: 'detached' });
  const [action] = await legal(id, 'seat:1');
  await phone.fill('#action', action);
  await phone.locator('#typed button').tap();
  await shows(phone, 1);
  await phone.locator('#tool-settings').tap();
  await phone.locator('#key-hint').getByText(`this device’s key ${key.slice(0, 8)}…`).waitFor();
  await usable(phone);
  assert.deepEqual((await verified(id)).signers, [{ key, events: 1, player: { name: greta.name } }]);
  // The replay names her; her page shows the key.
  const reader = await open(browser, `/games/${id}`);
  await reader.locator('#badge[data-state=verified]').click();
  const signed = reader.locator('dialog .pairs dd', { hasText: '1 event with the key' });
  await signed.getByRole('link', { name: greta.name }).waitFor();
  assert.match(await signed.textContent(), new RegExp(key));
  await accessible(reader, 'the verification of a game that is signed');
  await shoot(reader, 'signing-verification');
  await reader.goto(`/players/${greta.id}`);
  await reader.locator('#keys').getByText(key).waitFor();
  assert.equal(await reader.locator('#add-key, [data-remove]').count(), 0, 'only the player and arbiters change keys');
  await close(reader);
  // Forgetting says what is lost, and can be called off.
  await phone.locator('#tool-key').tap();
  await phone.locator('#ask-forget').tap();
  await phone.locator('#forget-asked').getByText('It cannot be recovered').waitFor();
  await accessible(phone, 'a key that is about to be forgotten');
  await shoot(phone, 'signing-forget');
  await phone.locator('#keep-key').tap();
  await phone.locator('#public-key').waitFor();
  await phone.locator('#ask-forget').tap();
  await phone.locator('#forget-key').tap();
  await phone.locator('#make-key').waitFor();
  await phone.getByRole('button', { name: 'Close' }).tap();
  await phone.locator('#unsigned').waitFor();
  await close(phone);
});

test('where signatures are optional, the key signs for the player whose it is, and for nobody else', async () => {
  const hugo = await createdPlayer('Hugo Key');
  const id = await newGame({ kind: 'triangulate', seats: [SEATED[0], { player: hugo.id }] });
  const page = await open(browser, '', SCREENS.light);
  await page.context().addInitScript((value) => localStorage.setItem('plybook.token', value), hugo.token);
  await page.goto('/');
  await page.click('#sign-in');
  await page.click('#open-key');
  await page.click('#make-key');
  await page.click('#register-key');
  await page.locator('#key-holder').getByText(hugo.name).waitFor();
  const key = await page.locator('#public-key').textContent();
  await page.goto(`/players/${hugo.id}`);
  await page.locator('#keys').getByText('the key of this device').waitFor();
  await accessible(page, 'the keys of a player');
  await shoot(page, 'signing-player');
  await ask('mutation Act($id: ID!, $action: String!) { act(game: $id, action: $action) { id } }', { id, action: (await legal(id, 'seat:1'))[0] }, token());
  await page.goto(`/record/${id}`);
  await page.fill('#action', (await legal(id, 'seat:2'))[0]);
  await page.locator('#typed button').click();
  await shows(page, 2);
  const found = await verified(id);
  assert.deepEqual([found.unsigned, found.signers], [1, [{ key, events: 1, player: { name: hugo.name } }]]);
  // Removed from the player's log, it signs nothing any more.
  await page.goto(`/players/${hugo.id}`);
  await page.locator(`[data-remove="${key}"]`).click();
  await page.locator('#keys').getByText('until').waitFor();
  await page.locator('#add-own-key').waitFor();
  await ask('mutation Act($id: ID!, $action: String!) { act(game: $id, action: $action) { id } }', { id, action: (await legal(id, 'seat:1'))[0] }, token());
  await page.goto(`/record/${id}`);
  await page.fill('#action', (await legal(id, 'seat:2'))[0]);
  await page.locator('#typed button').click();
  await shows(page, 4);
  assert.deepEqual([(await verified(id)).unsigned, (await verified(id)).signers[0].events], [3, 1]);
  await close(page);
});

test('a browser that cannot have a key says why', async () => {
  const id = await newGame({ kind: 'triangulate', seats: SEATED, ...REQUIRED });
  const plain = await signedIn(browser, '', SCREENS.phone);
  await plain.context().addInitScript(() => Object.defineProperty(globalThis, 'isSecureContext', { value: false }));
  await plain.goto(`/record/${id}`);
  await plain.locator('#unsigned').getByText('not served over HTTPS').waitFor();
  assert.equal(await plain.locator('#make-key-here').count(), 0);
  await accessible(plain, 'a page without HTTPS');
  await close(plain);
  const old = await signedIn(browser, '', SCREENS.phone);
  await old.context().addInitScript(() => { SubtleCrypto.prototype.generateKey = () => Promise.reject(new DOMException('no', 'NotSupportedError')); });
  await old.goto(`/record/${id}`);
  await old.locator('#make-key-here').tap();
  await old.getByText('This browser does not support Ed25519').waitFor();
  await close(old);
});

test('a tournament in which everything is signed: the table agrees on a draw, the organiser rules, slips carry the heads', async () => {
  const { id } = await created('Signed Open', ['Ann Able', 'Bob Best', 'Cleo Cole', 'Dan Dale'], REQUIRED);
  await paired(id);
  await decide(id, 'openRound(round: 1) { number }');
  const { issueTableTokens } = await decide(id, 'issueTableTokens(round: 1) { table token names }');
  const { tournament } = await ask('query T($id: ID!) { tournament(id: $id) { signatures round(number: 1) { tables { number game { id signatures } } } } }', { id });
  const { tables } = tournament.round;
  assert.deepEqual([tournament.signatures, ...tables.map(({ game }) => game.signatures)], ['REQUIRED', 'REQUIRED', 'REQUIRED']);
  const phone = await open(browser, `/table#token=${issueTableTokens[0].token}`, SCREENS.phone);
  await phone.getByRole('link', { name: 'Record the game' }).tap();
  await madeHere(phone);
  await phone.fill('#action', (await legal(tables[0].game.id, 'seat:1'))[0]);
  await phone.locator('#typed button').tap();
  await shows(phone, 1);
  await phone.getByRole('link', { name: /^Table / }).tap();
  await phone.getByRole('link', { name: 'Continue recording the game (ply 1)' }).waitFor();
  await phone.locator('.choices button').nth(1).tap();
  await phone.locator('#confirm').tap();
  await phone.locator('.final').getByText('½–½').waitFor();
  assert.equal((await verified(tables[0].game.id)).unsigned, 0);
  await close(phone);
  // The other table's game is decided by the organiser, who has no key yet.
  const sign = await signer();
  const [action] = await legal(tables[1].game.id, 'seat:1');
  await ask('mutation Act($id: ID!, $action: String!, $signature: Signature) { act(game: $id, action: $action, signature: $signature) { id } }', { id: tables[1].game.id, action, signature: await sign(tables[1].game.id, 'acted', 'seat:1', { action }) }, token());
  const page = await signedIn(browser, `/tournaments/${id}/organise?tab=rounds&round=1`);
  const won = page.locator('[data-table="2"] .score-button').first();
  await won.click();
  await page.locator('#make-key').click();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await won.click();
  await page.locator('[data-table="2"].has-result').waitFor();
  assert.equal((await verified(tables[1].game.id)).unsigned, 0);
  // The slips of both results, whose codes lead to the games and name their heads.
  await page.getByRole('button', { name: 'Record slips' }).click();
  await page.locator('.slip').nth(1).waitFor();
  const { game } = await ask('query H($id: ID!, $base: String!) { game(id: $id) { head { hash qr(base: $base) { path } } } }', { id: tables[0].game.id, base: BASE });
  const first = page.locator('.slip').first();
  assert.equal(await first.locator('.slip-code').getAttribute('href'), `${BASE}/games/${tables[0].game.id}#head=${game.head.hash}`);
  assert.equal(await first.locator('.qr-modules').getAttribute('d'), game.head.qr.path);
  assert.equal((await first.locator('code').textContent()).replaceAll(' ', ''), game.head.hash.slice(0, 16));
  await first.getByText('½–½').waitFor();
  await accessible(page, 'slips of results');
  await shoot(page, 'signing-slips');
  await page.emulateMedia({ media: 'print' });
  await shoot(page, 'signing-slips-print');
  await page.emulateMedia({ media: 'screen' });
  await first.locator('.slip-code').click();
  await page.locator('#named[data-state=there]').getByText('Nothing came after it').waitFor();
  await shoot(page, 'signing-head-there');
  await close(page);
});

test('in a signed tournament, what a decision takes away is declared void and signed first', async () => {
  const { id } = await created('Signed Voids', ['Ann Able', 'Bob Best'], REQUIRED);
  await paired(id);
  await decide(id, 'openRound(round: 1) { number }');
  const gameOf = async () => (await ask('query G($id: ID!) { tournament(id: $id) { round(number: 1) { status table(number: 1) { result game { id status } } } } }', { id })).tournament.round;
  const { table: { game: firstGame } } = await gameOf();
  const page = await signedIn(browser, `/tournaments/${id}/organise?tab=rounds&round=1`);
  await page.getByRole('button', { name: 'Undo the opening' }).click();
  await page.locator('#make-key').click();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Undo the opening' }).click();
  await step(page, 'Open round 1');
  assert.equal((await logOf(firstGame.id)).status, 'VOID');
  await take(page, 'Open round 1');
  await page.getByRole('button', { name: 'More for table 1' }).click();
  await page.getByRole('button', { name: /^Ann Able.*did not come$/ }).click();
  await page.locator('[data-table="1"].has-result').waitFor();
  const { table } = await gameOf();
  assert.notEqual(table.game.id, firstGame.id);
  assert.equal(table.game.status, 'VOID');
  for (const game of [firstGame.id, table.game.id]) {
    const found = await verified(game);
    assert.deepEqual([found.unsigned, found.signers.length, (await logOf(game)).types.at(-1)], [0, 1, 'voided']);
  }
  await close(page);
});

test('a link that names a head is compared with the log, and whoever opens it is told loudly if the log has no such event', async () => {
  const id = await newGame({ kind: 'triangulate', seats: SEATED });
  const act = async (by) => ask('mutation Act($id: ID!, $action: String!) { act(game: $id, action: $action) { id } }', { id, action: (await legal(id, by))[0] }, token());
  await act('seat:1');
  const { game: { head } } = await ask('query H($id: ID!) { game(id: $id) { head { seq hash } } }', { id });
  const page = await open(browser, `/games/${id}#head=${head.hash}`);
  await page.locator('#named[data-state=there]').getByText('Nothing came after it').waitFor();
  await act('seat:2');
  await page.locator('#named').getByText('1 event came after it').waitFor();
  assert.equal(await page.locator('#alarm').isVisible(), false);
  // It stays in the address, so that it is compared again after a reload.
  await page.keyboard.press('Home');
  await page.waitForFunction((hash) => location.hash === `#0&head=${hash}`, head.hash);
  await page.reload();
  await page.locator('#named[data-state=there]').waitFor();
  await accessible(page, 'a head that is there');
  const other = head.hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  await page.evaluate((hash) => { location.hash = `#head=${hash}`; }, other);
  await page.locator('#alarm').getByText('This is not the record that the link was made for').waitFor();
  await page.locator('#badge[data-state=failed]').getByText('Not the record that the link names').waitFor();
  assert.equal(await page.locator('#named').isVisible(), false);
  await accessible(page, 'a head that is not there');
  await shoot(page, 'signing-head-missing');
  await page.evaluate(() => { location.hash = '#head=0123'; });
  await page.locator('#alarm').getByText('open the whole link').waitFor();
  await close(page);
});
