// Who signs what, and what is signed. `node --test signing-unit.test.mjs`, no install needed.

import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { comparedHead } from '../../web-viewer/model/compare.js';
import { anew, entryOf, isStale, refused, withSigned } from '../../web-viewer/model/entries.js';
import { recording } from '../../web-viewer/model/record-queries.js';
import { currentKeys, deedOf, isSignedHere, rulingDeed, signingProblem } from '../../web-viewer/model/signing.js';
import { bytesOf, commitmentTo } from '../../web-viewer/model/statement.js';
import { headOf, placeAddress, plyOf } from '../../web-viewer/model/url.js';
import { derive } from '../../web-viewer/record/derive.js';
import { first, update } from '../../web-viewer/record/update.js';

const OURS = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);
const player = (...keys) => ({ id: 'p', keys: keys.map(([key, until = null]) => ({ key, until })) });
const seats = [{ number: 1, player: player([OURS]) }, { number: 2, player: null }];
const two = { seats, toAct: ['seat:1'], closable: false, ownSeat: 0, sealed: ['setup:', 'favor:'] };

test('what an entry is recorded as is known before it is sent', () => {
  const deed = (entry, game = two) => deedOf(entryOf(entry, 'key'), game);
  assert.deepEqual(deed({ type: 'act', seat: 2, action: 'b1-b2' }), { type: 'acted', by: 'seat:2', body: { action: 'b1-b2' } });
  assert.deepEqual(deed({ type: 'act', action: 'b1-b2', clock: 61_000 }), { type: 'acted', by: 'seat:1', body: { action: 'b1-b2', clock_ms: 61_000 } }, 'whoever is to act');
  assert.deepEqual(deed({ type: 'act', action: 'roll:1=7' }, { ...two, toAct: ['chance'] }), { type: 'acted', by: 'chance', body: { action: 'roll:1=7' } });
  assert.deepEqual(deed({ type: 'act', seat: 1, action: 'setup:abc', clock: 5 }), { type: 'sealed', by: 'seat:1', body: { clock_ms: 5 }, content: 'setup:abc' });
  assert.deepEqual(deed({ type: 'act', seat: 1, action: 'LUR' }, { ...two, sealed: [''] }).type, 'sealed', 'where everything is');
  assert.equal(deed({ type: 'act', action: 'x' }, { ...two, toAct: ['seat:1', 'seat:2'] }), null, 'nobody knows who acts');
  assert.deepEqual(deed({ type: 'resign', seat: 1 }), { type: 'ended', by: 'seat:1', body: { decided_by: 'resignation', outcome: { reason: 'resignation', winners: [2] } } });
  assert.deepEqual(deed({ type: 'resign', seat: 1 }, { ...two, closable: true }), { type: 'resigned', by: 'seat:1', body: {} });
  assert.deepEqual(deed({ type: 'flag', seat: 2 }), { type: 'ended', by: 'arbiter', body: { decided_by: 'time', outcome: { reason: 'time', winners: [1] } } });
  assert.deepEqual(deed({ type: 'offer', seat: 2 }), { type: 'draw_offered', by: 'seat:2', body: {} });
  assert.deepEqual(deed({ type: 'answer', seat: 1, accept: false }), { type: 'draw_answered', by: 'seat:1', body: { accept: false } });
  assert.deepEqual(deed({ type: 'undo', ply: 7 }), { type: 'taken_back', by: 'arbiter', body: { to_ply: 6, reason: 'entered by mistake' } });
  assert.deepEqual(deed({ type: 'reopen' }), { type: 'reopened', by: 'arbiter', body: { reason: 'ended by mistake' } });
  assert.deepEqual(deed({ type: 'comment', ply: 3, comment: 'ö' }), { type: 'annotated', by: 'arbiter', body: { ply: 3, comment: 'ö' } });
  assert.equal(deed({ type: 'comment', ply: 3, comment: 'ö' }, { ...two, ownSeat: 2 }).by, 'seat:2');
  assert.deepEqual([deed({ type: 'roll' }), deed({ type: 'deadline' })], [null, null]);
  const outcome = { winners: [], reason: 'late' };
  assert.deepEqual(rulingDeed('RUNNING', outcome), { type: 'ended', by: 'arbiter', body: { decided_by: 'arbiter', outcome } });
  assert.deepEqual(rulingDeed('FINISHED', outcome), { type: 'corrected', by: 'arbiter', body: { outcome, reason: 'late' } });
});

test('this device signs where everything is signed, and otherwise for the player whose key it has', () => {
  const recorder = { role: 'recorder', player: null };
  const own = { role: 'player', player: player([OURS]) };
  const other = { role: 'player', player: player([OTHER], [OURS, '2026-01-01']) };
  assert.deepEqual(currentKeys(other.player), [OTHER], 'removed keys no longer count');
  const signs = (signatures, me, key, by) => isSignedHere(signatures, me, key, by, seats);
  assert.ok(signs('REQUIRED', recorder, OURS, 'seat:2'));
  assert.ok(!signs('REQUIRED', recorder, '', 'seat:2'));
  assert.ok(signs('OPTIONAL', recorder, OURS, 'seat:1'), 'recorded for the player whose key it is');
  assert.ok(!signs('OPTIONAL', recorder, OURS, 'seat:2') && !signs('OPTIONAL', recorder, OURS, 'arbiter') && !signs('OPTIONAL', recorder, OTHER, 'seat:1'));
  assert.ok(signs('OPTIONAL', own, OURS, 'seat:1') && !signs('OPTIONAL', other, OURS, 'seat:1'));
  assert.equal(signingProblem('REQUIRED', recorder, ''), 'NO_KEY');
  assert.equal(signingProblem('REQUIRED', recorder, OURS), '');
  assert.equal(signingProblem('REQUIRED', other, OURS), 'KEY_NOT_REGISTERED');
  assert.equal(signingProblem('REQUIRED', own, OURS), '');
  assert.equal(signingProblem('OPTIONAL', own, ''), '');
  assert.equal(signingProblem('REQUIRED', { role: 'spectator' }, ''), '', 'who records nothing needs no key');
});

test('an entry keeps its signature until the service answers, and is signed again once the game has gone on', () => {
  const signed = { signature: 'x', salt: null, after: 4 };
  const queue = withSigned({ entries: [entryOf({}, 'one'), entryOf({}, 'two')], after: 4 }, 'one', signed);
  assert.deepEqual(queue.entries.map((each) => each.signed), [signed, null]);
  const conflict = refused(queue, 'one', { code: 'LOG_CONFLICT', message: '' });
  assert.deepEqual(conflict.entries[0].signed, signed);
  assert.equal(anew(conflict, 6, () => 'new').entries[0].signed, null, 'it follows something else now');
  const game = { head: { seq: 6 }, status: 'RUNNING', position: { toAct: [], prompts: [], legalActions: [] }, moves: { nodes: [] }, seats };
  const state = { ...first({ id: 'g', queue }), game };
  assert.deepEqual([update(state, 'follows').queue.entries[0].signed, update(state, 'follows').queue.after], [null, 6], 'only comments came between');
  assert.equal(update(state, 'signed', 'one', null).queue.entries[0].signed, null);
});

test('nothing is signed that others have overtaken', () => {
  const game = (seq, ply, ...moves) => ({ head: { seq }, ply, moves: { nodes: moves.map(([at, by]) => ({ ply: at, by })) } });
  assert.ok(!isStale(entryOf({}, 'k'), game(4, 2), 4) && isStale(entryOf({}, 'k'), game(5, 3, [3, 'seat:2']), 4));
  const atOnce = entryOf({ atOnce: true, ply: 2, seat: 1 }, 'k');
  assert.ok(!isStale(atOnce, game(6, 4, [3, 'seat:2'], [4, 'seat:3']), 4), 'they act at the same time');
  assert.ok(isStale(atOnce, game(6, 4, [3, 'seat:2'], [4, 'seat:1']), 4), 'something was submitted for this seat');
  assert.ok(isStale(atOnce, game(6, 1), 4), 'it was taken back');
});

test('the recorder’s page says what is missing, and only where something is', () => {
  const game = { head: { seq: 0 }, status: 'RUNNING', ply: 0, position: { toAct: ['seat:1'], prompts: [], legalActions: [], scene: { items: [] } }, moves: { nodes: [] }, seats };
  const state = (signatures, publicKey) => ({ ...first({ id: 'g' }), me: { role: 'recorder' }, about: { signatures, seats }, game, publicKey });
  assert.equal(derive(state('REQUIRED', '')).unsigned, 'NO_KEY');
  assert.equal(derive(state('REQUIRED', OURS)).unsigned, '');
  assert.equal(derive(state('OPTIONAL', '')).unsigned, '');
});

test('the mutations take a signature where the service does', () => {
  for (const type of ['act', 'undo', 'resign', 'offer', 'answer', 'flag', 'comment']) assert.match(recording(type), /\$signature: Signature,.*signature: \$signature/s, type);
  for (const type of ['roll', 'deadline']) assert.doesNotMatch(recording(type), /signature/, type);
  assert.match(recording('act'), /salt: \$salt/);
});

test('what is signed is what was signed in the records that every version must read', () => {
  const log = readFileSync(new URL('../data/records/signed.ndjson', import.meta.url), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const signed = log.filter(({ signature }) => signature);
  assert.ok(signed.length > 5);
  for (const { body: { seed, ...body }, by, game, prev, seq, signature, type } of signed) {
    const [x, bytes] = signature.split(':').map((hex) => Buffer.from(hex, 'hex'));
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: x.toString('base64url') }, format: 'jwk' });
    assert.ok(verify(null, bytesOf({ body, by, game, prev, seq, type }), key, bytes), `event ${seq}`);
  }
});

test('commitments are those of the records that every version must read', async () => {
  const log = readFileSync(new URL('../data/records/signed-sealed.ndjson', import.meta.url), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const opened = log.filter(({ type }) => type === 'revealed');
  assert.ok(opened.length > 0);
  for (const { game, body: { of, salt, content } } of opened) {
    const { by, body } = log[of];
    assert.equal(await commitmentTo(game, by, { salt, content }), body.commitment ?? body.sealed_setup);
  }
});

test('a link names a ply, a head, or both', () => {
  const head = '0f'.repeat(32);
  assert.deepEqual([plyOf(`#head=${head}`), headOf(`#head=${head}`)], [null, head]);
  assert.deepEqual([plyOf(`#12&head=${head.toUpperCase()}`), headOf(`#12&head=${head.toUpperCase()}`)], [12, head]);
  assert.deepEqual([plyOf('#12'), headOf('#12'), headOf(''), headOf('#head='), headOf('#token=head')], [12, '', '', '', '']);
  assert.equal(placeAddress({ id: 'g', ply: 3, head }), `/games/g#3&head=${head}`);
  assert.equal(placeAddress({ id: 'g', ply: 3 }), '/games/g#3');
});

test('the event that a link names is looked for among the verified ones', () => {
  const events = /** @type {any} */ ([{ seq: 0, hash: 'x' }, { seq: 1, hash: 'y' }, { seq: 2, hash: 'z' }]);
  const valid = { valid: true, events: 3, head: 'z' };
  assert.equal(comparedHead('', events, valid, null), null);
  assert.deepEqual(comparedHead('y', events, valid, null), { state: 'there', seq: 1, since: 1 });
  assert.equal(comparedHead('w', events, valid, null).state, 'missing');
  assert.equal(comparedHead('y', events, null, null).state, 'waiting', 'not before the log is verified');
  assert.equal(comparedHead('y', [], null, new Error('offline')).state, 'unknown');
  assert.equal(comparedHead('z', events.slice(0, 1), { ...valid, valid: false, events: 1 }, null).state, 'missing', 'what is behind a fault does not count');
});
