// The browser's verifier judges every case of tests/data/format, and whatever else stands in a log.
// `node --test verify.test.mjs`, no install needed.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { canonical } from '../../web-viewer/model/canonical.js';
import { Chain, lines, verifyLine, verifyLog } from '../../web-viewer/model/verify.js';

const DATA = new URL('../data/', import.meta.url);
const { authors, bases, cases, free } = JSON.parse(readFileSync(new URL('format/cases.json', DATA), 'utf8'));

const read = (name) => readFileSync(new URL(`${name}.ndjson`, DATA));
const base = (name) => [...lines(read(name))].map((line) => JSON.parse(new TextDecoder().decode(line)));
const isOfGame = (name) => base(name)[0].type === 'created';
const logs = new Map(readdirSync(new URL('records/', DATA)).map((file) => {
  const log = read(`records/${file.replace('.ndjson', '')}`);
  return [JSON.parse(log.subarray(0, log.indexOf(0x0a))).game, log];
}));

/** The value that a JSON pointer points at. */
const pointed = (value, pointer) => pointer.split('/').slice(1).reduce((inner, name) => inner[name], value);
const apart = (pointer) => [pointer.slice(0, pointer.lastIndexOf('/')), pointer.slice(pointer.lastIndexOf('/') + 1)];

/** A base changed as a case says, as bytes. */
function changed(name, { cut, swap, at, set = {}, remove = [], by, drop, add = [], raw }) {
  const events = base(name).slice(0, cut);
  if (swap) {
    const [one, other] = swap.map((seq) => events[seq]);
    [one.at, other.at] = [other.at, one.at];
    [events[swap[0]], events[swap[1]]] = [other, one];
  }
  const place = at ?? events.length - 1;
  for (const [pointer, value] of Object.entries(set)) {
    const [parent, member] = apart(pointer);
    pointed(events[place], parent)[member] = value;
  }
  for (const pointer of remove) {
    const [parent, member] = apart(pointer);
    assert.ok(delete pointed(events[place], parent)[member]);
  }
  if (by !== undefined) events[place].by = by;
  if (drop) events.splice(place, 1);
  const added = at === undefined || add.length === 0 ? events.length : at;
  add.forEach(([author, type, body], index) => {
    const time = events[Math.max(0, added + index - 1)];
    events.splice(added + index, 0, { ...time, by: author, type, body });
  });
  return chained(events, raw);
}

/** A log of these events, with numbers and hashes computed again. */
function chained(events, raw) {
  let { prev } = events[0];
  const texts = events.map((event, seq) => {
    const text = written({ ...event, seq, prev });
    prev = createHash('sha256').update('plybook/event/v1\0').update(text).digest('hex');
    if (raw?.[0] !== seq) return text;
    assert.ok(text.includes(raw[1]), text);
    return text.replace(raw[1], () => raw[2]);
  });
  return Buffer.from(texts.map((text) => `${text}\n`).join(''));
}

/** The text of any value, canonical or not: members in order, no spaces. */
function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${written(value[key])}`).join(',')}}`;
}

async function judged(name, bytes) {
  const chain = new Chain(base(name)[0].game);
  const found = await verifyLog(chain, bytes);
  const { valid, kind, firstBad } = found.valid ? await verifyLine(chain, found, (id) => logs.get(id)) : found;
  return valid ? null : [kind, firstBad];
}

test('every case is judged as it must be', async () => {
  let tried = 0;
  for (const [name, list] of Object.entries(cases).filter(([of]) => isOfGame(of))) {
    for (const one of list.flatMap((of) => (Array.isArray(of.by) ? of.by.map((by) => ({ ...of, by })) : [of]))) {
      assert.deepEqual(await judged(name, changed(name, one)), one.error ?? null, `${name}: ${one.what} ${one.by ?? ''}`);
      tried += 1;
    }
  }
  assert.ok(tried > 200, `${tried} cases`);
});

test('every base is good, and nobody else is the author of its events', async () => {
  for (const name of bases.filter(isOfGame)) {
    assert.equal(await judged(name, read(name)), null, name);
    for (const [seq, { type, body }] of base(name).entries()) {
      const more = type === 'ended' ? body.decided_by : type === 'acted' && body.fair ? 'fair' : type === 'deadline_set' && body.reason ? 'reason' : '';
      const own = authors[`${type} ${more}`.trim()];
      for (const by of ['service', 'arbiter', 'chance', 'seat:1', 'seat:13'].filter((one) => !own.includes(one.split(':')[0]))) {
        assert.deepEqual(await judged(name, changed(name, { at: seq, by })), ['author', seq], `${name}: ${seq} ${type} by ${by}`);
      }
    }
  }
});

test('no member of a body is null', async () => {
  for (const name of bases.filter(isOfGame)) {
    for (const [seq, { type, body }] of base(name).entries()) {
      for (const member of Object.keys(body).filter((one) => !free.includes(`${type} ${one}`))) {
        const found = await judged(name, changed(name, { at: seq, set: { [`/body/${member}`]: null } }));
        assert.deepEqual(found, ['form', seq], `${name}: ${seq} ${member}`);
      }
    }
  }
});

test('the logs of players and tournaments are not those of games', async () => {
  for (const name of bases.filter((of) => !isOfGame(of))) assert.deepEqual(await judged(name, read(name)), ['order', 0], name);
});

/** Every place in a value, as a list of names. */
function* places(value, at = []) {
  if (at.length > 0) yield at;
  if (typeof value !== 'object' || value === null) return;
  for (const name of Object.keys(value)) yield* places(value[name], [...at, name]);
}

const ANYTHING = [
  null, true, false, 0, -1, 1, 13, 255, 256, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 1.5, '', 'seat:1', 'x'.repeat(70), '0'.repeat(64), [], [[]], [null],
  {}, { a: 1 }, { __proto__: null, constructor: 1 }, JSON.parse('{"__proto__":{"a":1},"toString":2,"length":3}'), '\ud800',
];

test('whatever stands anywhere in an event, there is an answer', async () => {
  let [tried, refused] = [0, 0];
  const seen = new Set();
  for (const name of bases.filter(isOfGame)) {
    for (const [seq, event] of base(name).entries()) {
      const start = base(name).slice(0, seq + 2);
      for (const place of places(event)) {
        const key = `${event.type} ${place.join('/')}`;
        if (seen.has(key)) continue;
        seen.add(key);
        for (const value of ANYTHING) {
          const events = structuredClone(start);
          place.slice(0, -1).reduce((inner, one) => inner[one], events[seq])[place.at(-1)] = value;
          const found = await verifyLog(new Chain(events[0].game), chained(events));
          assert.ok(found.valid || (found.firstBad >= 0 && found.kind && found.problem), `${name} ${seq} ${place} ${JSON.stringify(value)}`);
          refused += found.valid ? 0 : 1;
          tried += 1;
        }
        const events = structuredClone(start);
        const parent = place.slice(0, -1).reduce((inner, one) => inner[one], events[seq]);
        if (Array.isArray(parent)) parent.splice(Number(place.at(-1)), 1);
        else delete parent[place.at(-1)];
        await verifyLog(new Chain(events[0]?.game ?? ''), chained(events));
      }
    }
  }
  assert.ok(tried > 4_000 && refused > tried / 2, `${tried} tried, ${refused} refused`);
});

test('it says which keys signed how much, and what it could not check', async () => {
  const log = read('records/signed');
  const { game } = base('records/signed')[0];
  const finding = await verifyLog(new Chain(game), log);
  assert.deepEqual([finding.valid, finding.signers.map(({ events }) => events), finding.unsigned, finding.unchecked], [true, [2, 2, 3], 4, 0]);
  const { importKey } = SubtleCrypto.prototype;
  SubtleCrypto.prototype.importKey = () => { throw new DOMException('no Ed25519', 'NotSupportedError'); };
  try {
    const { valid, unchecked } = await verifyLog(new Chain(game), log);
    assert.deepEqual([valid, unchecked], [true, 7]);
  } finally {
    SubtleCrypto.prototype.importKey = importKey;
  }
});

test('whatever a line is, there is an answer', async () => {
  const whole = read('records/draw-agreed').toString().split('\n').filter(Boolean);
  for (const value of [...ANYTHING.map(written), '', ' ', '{', '}', '[', '{}', '"', 'null', '['.repeat(60_000), '{"a":'.repeat(10_000), '\u0000', '\ufeff{}', 'x'.repeat(70_000)]) {
    const found = await verifyLog(new Chain(JSON.parse(whole[0]).game), Buffer.from(`${whole[0]}\n${value}\n${whole[1]}\n`));
    assert.ok(!found.valid && found.firstBad === 1, value.slice(0, 40));
  }
});
