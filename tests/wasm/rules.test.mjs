// The rules as a WebAssembly module, compared with the program: every game in tests/data, of every kind, through both.
// `tests/run` builds what this needs: the program, the example `answer` of rules/wasm, and Debian's compiler for the module.
//
//     node --test rules.test.mjs

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { Rules, RulesError } from '../../web-viewer/rules/index.js';
import { MODULE } from '../../web-viewer/rules/module.js';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const DATA = join(TOP, 'tests/data');
const PACKAGE = join(TOP, 'web-viewer/rules');
const TARGET = join(process.env.CARGO_TARGET_DIR ?? join(TOP, 'target'), 'debug');
const PROGRAM = join(TARGET, 'plybook-with-example');
const PARTS = ['scene', 'text', 'legal', 'position'];

const bytes = readFileSync(join(PACKAGE, MODULE));
const info = JSON.parse(readFileSync(join(PACKAGE, 'module.json'), 'utf8'));
const rules = await Rules.load(bytes);
const kinds = rules.kinds();

const files = (folder, ending) => (existsSync(join(DATA, folder)) ? readdirSync(join(DATA, folder)) : [])
  .filter((name) => name.endsWith(ending)).map((name) => join(DATA, folder, name));
const records = [...files('records', '.ndjson'), ...kinds.flatMap(({ kind }) => files(`${kind}/records`, '.ndjson'))];
const ofGames = records.filter((path) => kinds.some(({ kind }) => first(path).body.kind === kind));

function first(path) {
  return JSON.parse(readFileSync(path, 'utf8').split('\n')[0]);
}

/** The answers of the program's own code, which is compiled for this machine. */
function native(requests) {
  const input = requests.map((request) => `${request}\n`).join('');
  const out = execFileSync(join(TARGET, 'examples/answer'), { input, maxBuffer: 1 << 30, encoding: 'utf8' });
  return out.split('\n').slice(0, -1);
}

/** Asserts that a module gives the program's answers; returns them. */
function same(module, requests) {
  const [wanted, got] = [native(requests), requests.map((request) => module.answer(request))];
  assert.equal(got.length, wanted.length);
  // Not `deepEqual`: its report of a difference in megabytes takes minutes.
  const differs = got.findIndex((answer, index) => answer !== wanted[index]);
  assert.ok(differs < 0, `${requests[differs]?.slice(0, 300)}: ${got[differs]?.slice(0, 600)}, and the program says ${wanted[differs]?.slice(0, 600)}`);
  return wanted.map((answer) => JSON.parse(answer));
}

const request = (about) => JSON.stringify(about);

/** A game written down in a file of tests/data: its setup and its actions. */
function written(path) {
  const lines = readFileSync(path, 'utf8').split('\n');
  const member = (name) => lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1).trim();
  const [setup, position] = ['setup', 'position'].map((name) => (member(name) ? JSON.parse(member(name)) : undefined));
  return { setup, position, viewer: member('viewer'), actions: (member('actions') ?? '').split(/\s+/).filter(Boolean) };
}

/** Every game that is written down, of every kind, at its first plies, at every fifth from then on, and at its end. */
function foldings() {
  return kinds.flatMap(({ kind }) => ['playthroughs', 'endings'].flatMap((folder) => files(`${kind}/${folder}`, '.txt').flatMap((path) => {
    const { actions, ...start } = written(path);
    const plies = [...actions.keys(), actions.length].filter((ply) => ply < 12 || ply % 5 === 0 || ply === actions.length);
    return plies.map((ply) => request({ do: 'fold', kind, ...start, actions: actions.slice(0, ply), parts: PARTS }));
  })));
}

/** The requests that open a log and ask for all of its positions, for those who see all, nothing, and one seat. */
function replaying(path) {
  const { game } = first(path);
  const text = readFileSync(path, 'utf8');
  const plies = Math.min(255, Math.max(0, text.split('\n').length - 3));
  const asked = ['all', 'public', '1'].flatMap((viewer) => [...Array(plies + 1).keys()].map((ply) => request({ do: 'positions', game, from: ply, to: ply, viewer, parts: PARTS })));
  return [request({ do: 'close' }), request({ do: 'open', text }), ...asked];
}

/** What the module finds in these logs. */
function opened(paths) {
  rules.close();
  return rules.open(paths.map((path) => readFileSync(path, 'utf8')).join(''));
}

/** A log of these events, with numbers and hashes computed again. */
function chained(events) {
  let prev = '0'.repeat(64);
  return events.map((event, seq) => {
    const text = JSON.stringify({ ...event, seq, prev });
    prev = createHash('sha256').update('plybook/event/v1\0').update(text).digest('hex');
    return `${text}\n`;
  }).join('');
}

/** The whole comparison. */
function compare(module) {
  const folded = same(module, foldings());
  assert.ok(folded.length > 500, `${folded.length} positions`);
  const wrong = folded.findIndex(({ ok }) => !ok);
  assert.ok(wrong < 0, `${foldings()[wrong]?.slice(0, 300)} ${JSON.stringify(folded[wrong])}`);
  let positions = 0;
  for (const path of ofGames) {
    const [, found, ...seen] = same(module, replaying(path));
    assert.ok(found.ok, path);
    positions += seen.filter(({ ok }) => ok).length;
  }
  assert.ok(positions > 1000, `${positions} positions of records`);
}

test('the module knows all kinds', () => {
  assert.ok(kinds.length >= 5);
  const served = JSON.parse(native([request({ do: 'kinds' })])[0]).ok;
  assert.deepEqual(kinds, served);
});

test('the committed module says what the program says, of every game in tests/data', () => compare(rules));

test('positions and legal actions are those of `plybook rules`', () => {
  let plies = 0;
  for (const { kind } of kinds) {
    for (const path of files(`${kind}/playthroughs`, '.txt')) {
      const { actions, ...start } = written(path);
      const golden = readFileSync(path.replace(/txt$/, 'jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
      for (const { ply, position, legal, toAct, outcome } of golden) {
        if (ply >= 12 && ply % 5 && ply !== actions.length) continue;
        const viewer = outcome ? 'all' : start.viewer;
        const own = rules.fold({ kind, ...start, viewer, actions: actions.slice(0, ply), parts: PARTS });
        const name = (actor) => actor.replace('seat:', '');
        const listed = Object.entries(own.legal).filter(([actor]) => name(actor) in legal).map(([actor, { actions: list }]) => [name(actor), list]);
        const told = { position: own.position, legal: Object.fromEntries(listed), toAct: own.toAct.map(name), outcome: own.outcome };
        assert.deepEqual(told, { position, legal, toAct: toAct.map(String), outcome }, `${path}, ply ${ply}`);
        plies += 1;
      }
    }
  }
  assert.ok(plies > 300, `${plies} plies`);
});

test('verdicts are those of `plybook verify`', () => {
  let [good, bad] = [0, 0];
  const folder = mkdtempSync(join(tmpdir(), 'plybook-'));
  after(() => rmSync(folder, { recursive: true }));
  const verdict = (text) => {
    rules.close();
    const { valid, problem, logs } = rules.open(text);
    const { status, stderr } = spawnSync(PROGRAM, ['verify', '-'], { input: text, encoding: 'utf8' });
    assert.equal(valid, status === 0, stderr);
    const why = problem ?? logs.find((log) => !log.valid)?.problem ?? '';
    assert.ok(stderr.includes(why), `${why}, and the program: ${stderr}`);
    valid ? good += 1 : bad += 1;
    return logs[0];
  };
  for (const path of ofGames.filter((one) => !first(one).body.fork)) {
    const text = readFileSync(path, 'utf8');
    assert.ok(verdict(text).valid, path);
    const events = text.trim().split('\n').map((line) => JSON.parse(line));
    const acted = events.findIndex(({ type }) => type === 'acted');
    // The same log without its first action, hashes computed again: the rules object, or the order does.
    if (acted > 0 && acted + 1 < events.length) verdict(chained(events.toSpliced(acted, 1)));
    verdict(text.replace('"seq":1,', '"seq":2,'));
  }
  assert.ok(good > 30 && bad > 30, `${good} good, ${bad} bad`);
});

test('an action that is not legal is named, although every hash fits', () => {
  for (const { kind } of kinds) {
    const [path] = ofGames.filter((one) => first(one).body.kind === kind && !first(one).body.fork);
    const events = readFileSync(path, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
    const at = events.findIndex(({ type }) => type === 'acted' || type === 'ended');
    const twice = events.toSpliced(at, 0, { ...events[at], type: 'acted', body: { action: 'no such action' } });
    rules.close();
    const [log] = rules.open(chained(twice)).logs;
    assert.equal(log.valid, false, path);
    assert.ok(log.firstBad <= at && log.problem && log.judged === undefined, JSON.stringify(log));
  }
});

test('a line is judged with the logs that it continues', () => {
  const byId = new Map(ofGames.map((path) => [first(path).game, path]));
  const lines = ofGames.filter((path) => first(path).body.fork);
  assert.ok(lines.length >= 3, lines.join(' '));
  for (const line of lines) {
    const paths = [line];
    for (let { fork } = first(line).body; fork; { fork } = first(paths[0]).body) paths.unshift(byId.get(fork.game));
    const [alone] = opened([line]).logs;
    assert.equal(alone.kind, 'line', `${line}: nothing is known of what it continues`);
    const { valid, logs } = opened(paths);
    assert.ok(valid && logs.length === paths.length && logs.every(({ judged }) => judged), JSON.stringify(logs));
    const { game, judged: { plies } } = logs.at(-1);
    assert.equal(rules.positions({ game, from: 0, to: plies }).length, plies + 1);
  }
});

test('other actions are played from any ply, and refusals name the action', () => {
  const { actions, ...start } = written(files('triangulate/playthroughs', '.txt')[0]);
  const folded = rules.fold({ kind: 'triangulate', ...start, actions, parts: ['legal'] });
  assert.equal(folded.ply, actions.length);
  const path = ofGames.find((one) => first(one).body.kind === 'triangulate' && !first(one).body.fork);
  const { game } = first(path);
  rules.close();
  rules.open(readFileSync(path, 'utf8'));
  const [{ legal }] = rules.positions({ game, from: 0, to: 0, parts: ['legal'] });
  const [other] = Object.values(legal)[0].actions.slice(-1);
  assert.equal(rules.play({ game, ply: 0, actions: [other], parts: ['scene'] }).action, other);
  assert.throws(() => rules.play({ game, ply: 0, actions: [other, other] }), (why) => why instanceof RulesError && why.code === 'ILLEGAL_ACTION' && why.action === 1);
  assert.throws(() => rules.positions({ game, from: 0, to: 5000 }), { code: 'NOT_FOUND' });
  rules.close();
  assert.throws(() => rules.positions({ game, from: 0, to: 0 }), { code: 'NOT_FOUND' });
});

test('anything gets an answer', () => {
  const texts = ['', 'null', '[]', '{', '{"do":"open","text":""}', '{"do":"open","text":"{}"}', '{"do":"fold","kind":"","actions":[],"parts":[]}', '{"do":"no"}',
    `${'['.repeat(5000)}`, `{"do":"open","text":${JSON.stringify(`{"at":${'['.repeat(5000)}`)}}`, '"\ud800"', 'x'.repeat(1 << 20)];
  for (const { kind } of kinds) {
    for (const setup of [{ players: -1 }, { a: [] }, { seats: 1e9 }]) texts.push(request({ do: 'fold', kind, setup, actions: [], parts: PARTS }));
    for (const position of [{}, [], 7, { game: kind }]) texts.push(request({ do: 'fold', kind, position, actions: [], parts: PARTS }));
    for (const action of ['', '\0', '🂡', 'x'.repeat(4000), '1:'.repeat(50)]) texts.push(request({ do: 'fold', kind, actions: [action], parts: [] }));
  }
  // A random walk over the bytes of a good request; the same every time.
  let seed = 1;
  const random = (n) => (seed = (seed * 48271) % 0x7fffffff) % n;
  const good = request({ do: 'fold', kind: kinds[0].kind, setup: {}, actions: ['b1-b2'], viewer: 'all', parts: PARTS });
  for (let tries = 0; tries < 500; tries += 1) {
    const at = random(good.length);
    texts.push((good.slice(0, at) + String.fromCharCode(32 + random(90)) + good.slice(at + random(3))).replaceAll('\n', ' '));
  }
  const answers = same(rules, texts);
  assert.ok(answers.every((answer) => 'ok' in answer || answer.error.message), 'every refusal says why');
  assert.ok(answers.filter(({ error }) => error).length > 300);
  assert.deepEqual(rules.kinds(), kinds);
});

test('the package names the module that it has', () => {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  assert.equal(info.sha256, sha256);
  assert.equal(MODULE, `rules-${sha256.slice(0, 16)}.wasm`);
  assert.equal(info.bytes, bytes.length);
  assert.ok(gzipSync(bytes, { level: 9 }).length < 450_000, 'compressed, the module stays below 450 kB');
  assert.deepEqual(readdirSync(PACKAGE).filter((name) => name.endsWith('.wasm')), [MODULE]);
});

test('the committed module is what the sources give', { timeout: 1_800_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plybook-'));
  after(() => rmSync(folder, { recursive: true }));
  execFileSync(join(PACKAGE, 'build'), [folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  const built = JSON.parse(readFileSync(join(folder, 'module.json'), 'utf8'));
  const [tools, ownTools] = [built, info].map(({ rustc, binaryen, lld }) => [rustc, binaryen, lld].join(', '));
  // Another compiler gives other bytes; what they do must be the same.
  if (tools === ownTools) assert.equal(built.sha256, info.sha256, 'run web-viewer/rules/build and commit what it writes');
  else compare(await Rules.load(readFileSync(join(folder, `rules-${built.sha256.slice(0, 16)}.wasm`))));
});
