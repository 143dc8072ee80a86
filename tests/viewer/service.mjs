// Helpers of the browser tests: the service under test, Chromium, axe.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';

import { chromium } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Every page compiles the rules, which it runs too shortly for optimised code to pay. */
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--js-flags=--liftoff-only'];

export const BASE = (process.env.PLYBOOK_URL ?? '').replace(/\/$/, '');
assert.ok(BASE, 'PLYBOOK_URL must name a running `plybook serve --demo`');

/** Whether everything is tested, as by `tests/run all`. */
export const IS_ALL = process.env.PLYBOOK_TESTS === 'all';

/** The kinds of games on which the same code is tested. */
export const KINDS = IS_ALL ? ['triangulate', 'tri', 'triforce', 'triforce-building', 'thrones'] : ['tri'];

/** A test that only `tests/run all` runs. */
export const thorough = (name, run) => test(name, { skip: !IS_ALL }, run);

export const SCREENS = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};

/** The screens on which a page is tested that is tested on several: by default the smallest, since most pages are looked at on a large one too. */
export const SEVERAL = Object.entries(SCREENS).filter(([name]) => IS_ALL || name === 'phone');

/** How long anything is waited for: it only costs time if it does not come, and the machine may be busy. */
const WAIT_MS = 90_000;

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell', args: ARGS });

/** Queries the service directly; fails on GraphQL errors. */
export async function ask(query, variables = {}, token = '') {
  const headers = { 'content-type': 'application/json', accept: 'application/graphql-response+json' };
  if (token) headers.authorization = `Bearer ${token}`;
  const response = await fetch(`${BASE}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
  const { data, errors } = await response.json();
  assert.equal(errors, undefined, JSON.stringify(errors));
  return data;
}

/** The token for tests that record. */
export function token() {
  assert.ok(process.env.PLYBOOK_TOKEN, 'PLYBOOK_TOKEN must hold an admin token');
  return process.env.PLYBOOK_TOKEN;
}

/** The finished games of the demo, played sensibly outside its tournaments, newest first; not those that tests record. */
export async function finishedGames(kind = 'triangulate') {
  const { games } = await ask(`query($kind: String) { games(filter: {kind: $kind, status: FINISHED, origin: RECORDED}, first: 100) {
    nodes { id kind createdAt ply tags tournament { id } seats { name number player { id name } } head { seq hash } moves(first: 5) { nodes { ply action text } } } } }`, { kind });
  const found = games.nodes.filter(({ ply, tags, tournament }) => ply >= 20 && tournament === null && !tags.test);
  assert.ok(found.length > 0, `the demo has a finished game of ${kind} of twenty plies or more`);
  return found;
}

/** The newest of them. */
export async function finishedGame(kind) {
  const [game] = await finishedGames(kind);
  return game;
}

/**
 * A page; its errors and CSP violations are collected in `page.wrongs`. Tests rewrite answers that a service worker would hide, and animations
 * only take time where they are not tested.
 */
export async function open(browser, path, screen = SCREENS.light) {
  const context = await browser.newContext({ serviceWorkers: 'block', reducedMotion: 'reduce', ...screen, baseURL: BASE });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  page.wrongs = [];
  page.on('pageerror', (error) => page.wrongs.push(error.stack));
  page.on('console', (message) => message.type() === 'error' && page.wrongs.push(message.text()));
  if (path) await page.goto(path);
  return page;
}

/** Closes a page and checks that it ran without errors. */
export async function close(page) {
  await shut(page.context());
  assert.deepEqual(page.wrongs, []);
}

/** Closes a context; answers that are still being rewritten no longer matter. */
export async function shut(context) {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
  await context.close();
}

/**
 * Checks for axe violations and horizontal scrolling, once what fades in is there: half faded, it has too little contrast. To look for contrast
 * takes longer than all the rest, so by default it is left to `tests/run all`.
 */
export async function accessible(page, what, contrast = IS_ALL) {
  await page.evaluate(() => Promise.allSettled(document.getAnimations()
    .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished)));
  if (!await page.evaluate(() => 'axe' in globalThis)) await page.evaluate(AXE);
  const found = await page.evaluate((enabled) => globalThis.axe.run({ resultTypes: ['violations'], rules: { 'color-contrast': { enabled } } }), contrast);
  const told = found.violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ').slice(0, 300)}`);
  assert.deepEqual(told, [], what);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(wide, 0, `${what} is wider than the screen`);
}

/** Makes a line of what was tried on the board, and answers with its id. */
export async function shareLine(page) {
  await page.locator('#line-share').click();
  await page.getByRole('button', { name: 'Share with the game' }).click();
  await page.waitForURL((url) => url.searchParams.has('line'));
  return new URL(page.url()).searchParams.get('line');
}

/** Waits until something holds that no page can be asked about. */
export async function until(holds) {
  for (const end = Date.now() + WAIT_MS; Date.now() < end;) {
    if (await holds()) return;
    await new Promise((done) => { setTimeout(done, 50); });
  }
  assert.fail('what was waited for did not come');
}

/** Checks what is read from a page once a tap has taken effect: it is a click for the page only after the tap is over for Playwright. */
export async function becomes(read, wanted, what) {
  await until(async () => isDeepStrictEqual(await read(), wanted)).catch(async () => assert.deepEqual(await read(), wanted, what));
}

/** Takes a screenshot if PLYBOOK_SHOTS names a folder. */
export async function shoot(page, name) {
  const folder = process.env.PLYBOOK_SHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** Rewrites the answers to queries of this name. */
export function rewriteAnswers(page, operation, change) {
  return page.route('**/graphql', async (route) => {
    const sent = route.request().postDataJSON();
    if (!sent.query.startsWith(`query ${operation}`)) return route.fallback();
    const response = await route.fetch();
    return route.fulfill({ response, json: change(await response.json(), sent.variables) });
  });
}
