// What a step costs in a long game of each kind: processor time of the page's main thread from the key to the frame that shows the
// board after the step, and that of the whole step, with what stands around the board; times 4, as on a processor four times slower.
// It is counted, not waited for, so that whatever else runs matters little.
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
const STEPS = 60;
const SLOWER = 4;
const BATCH = 200;
const PAUSE_MS = 700;
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
 * @returns {Promise<{board: number[], all: number[]}>} board: until the first frame after the key, which has the board; all: until the
 *   page rests
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
  await browser.startTracing(page, { categories: ['blink.user_timing', 'toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'] });
  await step(page, Math.min(STEPS, ply - from - 5));
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  await page.context().close();
  const steps = traceEvents.filter(({ name }) => name === 'step');
  const thread = traceEvents.filter(({ pid, tid, ph }) => pid === steps[0].pid && tid === steps[0].tid && ph === 'X').sort((one, other) => one.ts - other.ts);
  const tasks = thread.filter(({ name }) => name === 'RunTask');
  // The task in which the key is pressed counts from there: what this script does before is no part of the step.
  const until = (end) => steps.map(({ ts, tts }) => tasks.filter((task) => task.ts + task.dur > ts && task.ts <= end(ts))
    .reduce((sum, task) => sum + (SLOWER * (task.tts + task.tdur - Math.max(task.tts, tts))) / 1000, 0)).sort((one, other) => one - other);
  return { board: until((ts) => thread.find(({ name, ts: at }) => name === 'Commit' && at > ts).ts), all: until((ts) => ts + REST_MS * 1000) };
}

function step(page, times) {
  return page.evaluate(async ([count, ms]) => {
    for (let left = count; left > 0; left -= 1) {
      await new Promise((resolve) => { setTimeout(resolve, ms); });
      performance.mark('step');
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
    }
    await new Promise((resolve) => { setTimeout(resolve, ms); });
  }, [times, PAUSE_MS]);
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(0);

const browser = await launch();
console.log('| kind | plies | board, fastest, ms | median | p95 | whole step, median ms | p95 |\n|---|---:|---:|---:|---:|---:|---:|');
for (const kind of process.argv.length > 2 ? process.argv.slice(2) : KINDS) {
  const game = kind === 'triforce-building' ? await longest(kind) : await longGame(kind);
  const { board, all } = await costs(browser, game);
  console.log(`| ${kind} | ${game.ply} | ${at(board, 0)} | ${at(board, 0.5)} | ${at(board, 0.95)} | ${at(all, 0.5)} | ${at(all, 0.95)} |`);
}
await browser.close();
