// What a step costs in a long game of each kind: processor time of the page's main thread from the key until it hands over the frame that
// shows the board after the step, and that of the whole step, with what stands around the board; times 4, as on a processor four times
// slower. It is counted, not waited for, so that whatever else runs matters little.
//
//     PLYBOOK_URL=… PLYBOOK_TOKEN=… PLYBOOK=target/release/plybook node tests/viewer/steps.mjs [KIND …]
//
// Random games of up to 1,520 plies are recorded for it. Games of Triforce Building are short, so the longest is taken.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ask, launch, open, token } from './service.mjs';

const KINDS = ['triangulate', 'tri', 'triforce', 'triforce-building', 'thrones'];
const PLIES_MAX = 1520;
const STEPS = 100;
const SLOWER = 4;
const BATCH = 200;
const PAUSE_MS = 700;
/**
 * The browser's timeline (`disabled-by-default-devtools.timeline`) is left out: while that is recorded, each frame counts all elements of
 * the page, 0.8 ms in a long game.
 */
const TRACED = ['devtools.timeline', 'toplevel', 'benchmark'];
/** After so long, nothing of a step is left to do: the browser is told the address last. */
const REST_MS = 690;

/** The longest of 150 random games, recorded. */
async function longGame(kind) {
  const seats = Array.from({ length: kind === 'triforce' ? 3 : 2 }, (_, index) => ({ name: `Player ${index + 1}` }));
  const { createGame: { id, setup } } = await ask('mutation($input: CreateGame!) { createGame(input: $input) { id setup } }', { input: { kind, seats, tags: { test: true } } }, token());
  const actions = randomActions(kind, setup);
  for (let from = 0; from < actions.length; from += BATCH) {
    await ask('mutation($id: ID!, $actions: [ActInput!]!) { actAll(game: $id, actions: $actions) { ply } }', { id, actions: actions.slice(from, from + BATCH) }, token());
  }
  return { id, ply: actions.length };
}

function randomActions(kind, setup) {
  const folder = mkdtempSync(join(tmpdir(), 'steps-'));
  const file = join(folder, 'setup.json');
  writeFileSync(file, JSON.stringify(setup));
  const options = ['--setup', file, '--games', '150', '--seed', '3', '--actions-max', String(PLIES_MAX)];
  const games = execFileSync(process.env.PLYBOOK ?? 'plybook', ['random', kind, ...options], { encoding: 'utf8', maxBuffer: 1 << 28 });
  rmSync(folder, { recursive: true });
  const longest = games.trim().split('\n').map((line) => line.split(' ')).reduce((one, other) => (one.length < other.length ? other : one));
  return longest.map((text) => {
    const [, seat, action] = /^(?:(\d+):)?(.+)$/.exec(text);
    return { seat: seat ? Number(seat) : null, action };
  });
}

async function longest(kind) {
  const { games } = await ask('query($kind: String!) { games(filter: { kind: $kind }, orderBy: PLY_DESC, first: 1) { nodes { id ply } } }', { kind });
  return games.nodes[0];
}

/**
 * What steps near the end of a game cost, in milliseconds, sorted.
 * @returns {Promise<{board: number[], all: number[]}>} board: until the first frame after the key, which has the board, is handed over;
 *   all: until the page rests
 */
async function costs(browser, { id, ply }) {
  const page = await open(browser, '');
  // Moving pieces takes more frames, which all kinds and lengths have in common.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const from = Math.max(0, ply - STEPS - 10);
  await page.goto(`/games/${id}#${from}`);
  await page.waitForSelector('#badge[data-state=verified]', { timeout: 120_000 });
  await page.waitForFunction((count) => document.querySelectorAll('.moves a').length > count, ply);
  // The game has been looked through for the slider's marks.
  await page.waitForLoadState('networkidle');
  await step(page, 5);
  await browser.startTracing(page, { categories: TRACED });
  await step(page, Math.min(STEPS, ply - from - 5));
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  await page.context().close();
  const keys = traceEvents.filter(({ name, args }) => name === 'EventDispatch' && args.data.type === 'keydown');
  const thread = traceEvents.filter(({ pid, tid, ph }) => pid === keys[0].pid && tid === keys[0].tid && ph === 'X').sort((one, other) => one.ts - other.ts);
  const tasks = thread.filter(({ name }) => name === 'ThreadControllerImpl::RunTask');
  // What the first task does before the key, and the last one once the frame is handed over, is no part of the step.
  const spent = (from, to) => tasks.filter(({ ts, dur }) => ts + dur > from.ts && ts <= to.ts)
    .reduce((sum, { tts, tdur }) => sum + (SLOWER * (Math.min(tts + tdur, to.tts) - Math.max(tts, from.tts))) / 1000, 0);
  const until = (end) => keys.map((key) => spent(key, end(key))).sort((one, other) => one - other);
  return {
    board: until(({ ts }) => thread.find((event) => event.name === 'ProxyMain::BeginMainFrame::commit' && event.ts > ts)),
    all: until(({ ts }) => ({ ts: ts + REST_MS * 1000, tts: Infinity })),
  };
}

function step(page, times) {
  return page.evaluate(async ([count, ms]) => {
    for (let left = count; left > 0; left -= 1) {
      await new Promise((resolve) => { setTimeout(resolve, ms); });
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
    }
    await new Promise((resolve) => { setTimeout(resolve, ms); });
  }, [times, PAUSE_MS]);
}

/** The least of them that so many are not above. */
const at = (sorted, share) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)].toFixed(0);

const browser = await launch();
console.log('| kind | plies | board, fastest, ms | median | p95 | whole step, median ms | p95 |\n|---|---:|---:|---:|---:|---:|---:|');
for (const kind of process.argv.length > 2 ? process.argv.slice(2) : KINDS) {
  const game = kind === 'triforce-building' ? await longest(kind) : await longGame(kind);
  const { board, all } = await costs(browser, game);
  console.log(`| ${kind} | ${game.ply} | ${at(board, 0)} | ${at(board, 0.5)} | ${at(board, 0.95)} | ${at(all, 0.5)} | ${at(all, 0.95)} |`);
}
await browser.close();
