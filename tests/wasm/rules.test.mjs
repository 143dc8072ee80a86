// The rules as WebAssembly modules, compared with the program: every game in tests/data, of every kind, through both.
// `tests/run` builds what this needs: the program, and the example `answer` of rules/wasm. `tests/run all` compares every ply
// rather than each third, and builds the modules again, for which it installs Debian's compiler.
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
import { gunzipSync } from 'node:zlib';

import { Rules, RulesError } from '../../web-viewer/rules/index.js';
import { MODULES } from '../../web-viewer/rules/modules.js';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const DATA = join(TOP, 'tests/data');
const PACKAGE = join(TOP, 'web-viewer/rules');
const TARGET = join(process.env.CARGO_TARGET_DIR ?? join(TOP, 'target'), 'debug');
const PROGRAM = join(TARGET, 'plybook-with-example');
const IS_ALL = process.env.PLYBOOK_TESTS === 'all';
const PARTS = ['scene', 'text', 'legal', 'form', 'position'];

const info = JSON.parse(readFileSync(join(PACKAGE, 'modules.json'), 'utf8'));
const rules = await modulesIn(PACKAGE, MODULES);
const kinds = [...rules.values()].flatMap((module) => module.kinds());

/** The modules in a folder, by kind. */
async function modulesIn(folder, names) {
  const modules = [...names].map(async ([kind, name]) => /** @type {const} */ ([kind, await Rules.load(kind, readFileSync(join(folder, name)))]));
  return new Map(await Promise.all(modules));
}

const files = (folder, ending) => (existsSync(join(DATA, folder)) ? readdirSync(join(DATA, folder)) : [])
  .filter((name) => name.endsWith(ending)).map((name) => join(DATA, folder, name));
const records = [...files('records', '.ndjson'), ...kinds.flatMap(({ kind }) => files(`${kind}/records`, '.ndjson'))];
const ofGames = records.filter((path) => kinds.some(({ kind }) => first(path).body.kind === kind));

function first(path) {
  return JSON.parse(readFileSync(path, 'utf8').split('\n')[0]);
}

/** The module that judges a log. */
const rulesOf = (path) => rules.get(first(path).body.kind);

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

/** Every game of a kind that is written down, at its first plies, at every fifth from then on, and at its end. */
function foldings(kind) {
  return ['playthroughs', 'endings'].flatMap((folder) => files(`${kind}/${folder}`, '.txt').flatMap((path) => {
    const { actions, ...start } = written(path);
    const plies = [...actions.keys(), actions.length].filter((ply) => ply < 12 || ply % 5 === 0 || ply === actions.length);
    return plies.map((ply) => request({ do: 'fold', kind, ...start, actions: actions.slice(0, ply), parts: PARTS }));
  }));
}

/** The requests that open a log and ask for all of its positions, for those who see all, nothing, and one seat. */
function replaying(path) {
  const { game } = first(path);
  const text = readFileSync(path, 'utf8');
  const plies = Math.min(255, Math.max(0, text.split('\n').length - 3));
  const some = [...Array(plies + 1).keys()].filter((ply) => IS_ALL || ply % 3 === 0 || ply === plies);
  const asked = ['all', 'public', '1'].flatMap((viewer) => some.map((ply) => request({ do: 'positions', game, from: ply, to: ply, viewer, parts: PARTS })));
  return [request({ do: 'close' }), request({ do: 'open', text }), ...asked];
}

/** What the module of the first finds in these logs. */
function opened(paths) {
  const module = rulesOf(paths[0]);
  module.close();
  return module.open(paths.map((path) => readFileSync(path, 'utf8')).join(''));
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
function compare(modules) {
  let [positions, folded] = [0, 0];
  for (const [kind, module] of modules) {
    const answers = same(module, foldings(kind));
    const wrong = answers.findIndex(({ ok }) => !ok);
    assert.ok(wrong < 0, `${foldings(kind)[wrong]?.slice(0, 300)} ${JSON.stringify(answers[wrong])}`);
    folded += answers.length;
  }
  assert.ok(folded > 500, `${folded} positions`);
  for (const path of ofGames) {
    const [, found, ...seen] = same(modules.get(first(path).body.kind), replaying(path));
    assert.ok(found.ok, path);
    positions += seen.filter(({ ok }) => ok).length;
  }
  assert.ok(positions > 1000, `${positions} positions of records`);
}

test('each kind has a module, which knows that kind', () => {
  assert.ok(kinds.length >= 5);
  assert.deepEqual(kinds.map(({ kind }) => kind), [...MODULES.keys()]);
  const served = JSON.parse(native([request({ do: 'kinds' })])[0]).ok;
  assert.deepEqual(kinds, served);
});

test('the committed modules say what the program says, of every game in tests/data', () => compare(rules));

test('positions and legal actions are those of `plybook rules`', () => {
  let plies = 0;
  for (const { kind } of kinds) {
    for (const path of files(`${kind}/playthroughs`, '.txt')) {
      const { actions, ...start } = written(path);
      const golden = readFileSync(path.replace(/txt$/, 'jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
      for (const { ply, position, legal, toAct, outcome } of golden) {
        if (ply >= 12 && ply % 5 && ply !== actions.length) continue;
        const viewer = outcome ? 'all' : start.viewer;
        const own = rules.get(kind).fold({ kind, ...start, viewer, actions: actions.slice(0, ply), parts: PARTS });
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
  const verdict = (module, text) => {
    module.close();
    const { valid, problem, logs } = module.open(text);
    const { status, stderr } = spawnSync(PROGRAM, ['verify', '-'], { input: text, encoding: 'utf8' });
    assert.equal(valid, status === 0, stderr);
    const why = problem ?? logs.find((log) => !log.valid)?.problem ?? '';
    assert.ok(stderr.includes(why), `${why}, and the program: ${stderr}`);
    valid ? good += 1 : bad += 1;
    return logs[0];
  };
  for (const path of ofGames.filter((one) => !first(one).body.fork)) {
    const text = readFileSync(path, 'utf8');
    const module = rulesOf(path);
    assert.ok(verdict(module, text).valid, path);
    const events = text.trim().split('\n').map((line) => JSON.parse(line));
    const acted = events.findIndex(({ type }) => type === 'acted');
    // The same log without its first action, hashes computed again: the rules object, or the order does.
    if (acted > 0 && acted + 1 < events.length) verdict(module, chained(events.toSpliced(acted, 1)));
    verdict(module, text.replace('"seq":1,', '"seq":2,'));
  }
  assert.ok(good > 30 && bad > 30, `${good} good, ${bad} bad`);
});

test('an action that is not legal is named, although every hash fits', () => {
  for (const { kind } of kinds) {
    const [path] = ofGames.filter((one) => first(one).body.kind === kind && !first(one).body.fork);
    const events = readFileSync(path, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
    const at = events.findIndex(({ type }) => type === 'acted' || type === 'ended');
    const twice = events.toSpliced(at, 0, { ...events[at], type: 'acted', body: { action: 'no such action' } });
    rules.get(kind).close();
    const [log] = rules.get(kind).open(chained(twice)).logs;
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
    assert.equal(rulesOf(line).positions({ game, from: 0, to: plies }).length, plies + 1);
  }
});

test('other actions are played from any ply, and refusals name the action', () => {
  const { actions, ...start } = written(files('triangulate/playthroughs', '.txt')[0]);
  const module = rules.get('triangulate');
  const folded = module.fold({ kind: 'triangulate', ...start, actions, parts: ['legal'] });
  assert.equal(folded.ply, actions.length);
  const path = ofGames.find((one) => first(one).body.kind === 'triangulate' && !first(one).body.fork);
  const { game } = first(path);
  module.close();
  module.open(readFileSync(path, 'utf8'));
  const [{ legal }] = module.positions({ game, from: 0, to: 0, parts: ['legal'] });
  const [other] = Object.values(legal)[0].actions.slice(-1);
  assert.equal(module.play({ game, ply: 0, actions: [other], parts: ['scene'] }).action, other);
  assert.throws(() => module.play({ game, ply: 0, actions: [other, other] }), (why) => why instanceof RulesError && why.code === 'ILLEGAL_ACTION' && why.action === 1);
  assert.throws(() => module.positions({ game, from: 0, to: 5000 }), { code: 'NOT_FOUND' });
  module.close();
  assert.throws(() => module.positions({ game, from: 0, to: 0 }), { code: 'NOT_FOUND' });
});

test('anything gets an answer', () => {
  const texts = ['', 'null', '[]', '{', '{"do":"open","text":""}', '{"do":"open","text":"{}"}', '{"do":"fold","kind":"","actions":[],"parts":[]}', '{"do":"no"}',
    `${'['.repeat(5000)}`, `{"do":"open","text":${JSON.stringify(`{"at":${'['.repeat(5000)}`)}}`, '"\ud800"', 'x'.repeat(1 << 20)];
  const ofKind = (kind) => {
    const own = [];
    for (const setup of [{ players: -1 }, { a: [] }, { seats: 1e9 }]) own.push(request({ do: 'fold', kind, setup, actions: [], parts: PARTS }));
    for (const position of [{}, [], 7, { game: kind }]) own.push(request({ do: 'fold', kind, position, actions: [], parts: PARTS }));
    for (const action of ['', '\0', '🂡', 'x'.repeat(4000), '1:'.repeat(50)]) own.push(request({ do: 'fold', kind, actions: [action], parts: [] }));
    return own;
  };
  // A random walk over the bytes of a good request; the same every time.
  let seed = 1;
  const random = (n) => (seed = (seed * 48271) % 0x7fffffff) % n;
  const good = request({ do: 'fold', kind: kinds[0].kind, setup: {}, actions: ['b1-b2'], viewer: 'all', parts: PARTS });
  for (let tries = 0; tries < 500; tries += 1) {
    const at = random(good.length);
    texts.push((good.slice(0, at) + String.fromCharCode(32 + random(90)) + good.slice(at + random(3))).replaceAll('\n', ' '));
  }
  const answers = kinds.flatMap(({ kind }, index) => same(rules.get(kind), [...index === 0 ? texts : [], ...ofKind(kind)]));
  assert.ok(answers.every((answer) => 'ok' in answer || answer.error.message), 'every refusal says why');
  assert.ok(answers.filter(({ error }) => error).length > 300);
  assert.deepEqual(kinds.flatMap(({ kind }) => rules.get(kind).kinds()), kinds);
});

test('the package names the modules that it has', () => {
  for (const [kind, name] of MODULES) {
    const packed = readFileSync(join(PACKAGE, name));
    const bytes = gunzipSync(packed);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    assert.deepEqual(info.games[kind], { sha256, bytes: bytes.length, gzip: packed.length });
    assert.equal(name, `${kind}-${sha256.slice(0, 16)}.wasm.gz`);
    assert.ok(packed.length < 320_000, `${kind}: compressed, a module stays below 320 kB`);
  }
  assert.deepEqual(readdirSync(PACKAGE).filter((name) => name.endsWith('.wasm.gz')).sort(), [...MODULES.values()].sort());
});

test('a module is loaded by its kind, and another kind is refused', async () => {
  const [[kind, name]] = MODULES;
  const bytes = gunzipSync(readFileSync(join(PACKAGE, name)));
  assert.equal((await Rules.load(kind, bytes)).kinds()[0].kind, kind);
  assert.equal((await Rules.load(kind, new WebAssembly.Module(bytes))).kinds()[0].kind, kind);
  await assert.rejects(Rules.load('chess'), { code: 'NOT_FOUND', message: /there are no rules of chess here, but of triangulate, / });
  await assert.rejects(Rules.load(kind, new Response('', { status: 503 })), { code: 'OFFLINE' });
});

test('the committed modules are what the sources give', { timeout: 1_800_000, skip: !IS_ALL && '`tests/run all wasm` builds them' }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plybook-'));
  after(() => rmSync(folder, { recursive: true }));
  execFileSync(join(PACKAGE, 'build'), [folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  const built = JSON.parse(readFileSync(join(folder, 'modules.json'), 'utf8'));
  const [tools, ownTools] = [built, info].map(({ rustc, binaryen, lld }) => [rustc, binaryen, lld].join(', '));
  // Another compiler gives other bytes; what they do must be the same.
  const hashes = ({ games }) => Object.fromEntries(Object.entries(games).map(([kind, { sha256 }]) => [kind, sha256]));
  if (tools === ownTools) assert.deepEqual(hashes(built), hashes(info), 'run web-viewer/rules/build and commit what it writes');
  else compare(await modulesIn(folder, Object.entries(built.games).map(([kind, { sha256 }]) => [kind, `${kind}-${sha256.slice(0, 16)}.wasm.gz`])));
});
