// Helpers of the tournaments' browser tests: signing in, tournaments by the API, the console's next step.

import { SCREENS, ask, open, token, until } from './service.mjs';

export const TINY = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
export const NAMES = ['Ada Lovelace', 'Bela Bartók', 'Carl Gauß', 'Dora Maar', 'Emmy Noether', 'Fritz Lang', 'Greta Garbo', 'Hedy Lamarr'];

export const unique = (name) => `${name} ${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;

/** A page signed in with a token. */
export async function signedIn(browser, path, screen = SCREENS.light) {
  const page = await open(browser, '', screen);
  await page.context().addInitScript((value) => localStorage.setItem('plybook.token', value), token());
  await page.goto(path);
  return page;
}

/** Creates a tournament by the API, by default a Swiss of three rounds. */
export async function created(name, players = NAMES, options = {}) {
  const input = { name: unique(name), kind: 'triangulate', format: 'SWISS', rounds: options.format ? null : 3, place: 'Vienna', ...options };
  const { createTournament } = await ask('mutation Create($input: CreateTournament!) { createTournament(input: $input) { id name } }', { input }, token());
  const { id } = createTournament;
  const entrants = players.map((player, index) => ({ name: unique(player), rating: 2000 - 50 * index, club: index % 2 ? 'Club A' : null }));
  if (entrants.length > 0) await ask('mutation Add($id: ID!, $entrants: [EntrantInput!]) { addEntrants(tournament: $id, entrants: $entrants) { id } }', { id, entrants }, token());
  return createTournament;
}

/** A decision by the API, such as `openRound(round: 1) { number }`. */
export function decide(id, text) {
  return ask(`mutation Decide($id: ID!) { ${text.replaceAll('(', '(tournament: $id ')} }`, { id }, token());
}

/** Pairs the next round by the API. */
export async function paired(id) {
  await decide(id, 'pairRound() { number }');
  await until(async () => (await ask('query Paired($id: ID!) { tournament(id: $id) { currentRound { status } } }', { id })).tournament.currentRound?.status === 'PAIRED');
}

/** Waits until the console offers this as the next step. */
export const step = (page, text) => page.waitForFunction((want) => document.querySelector('#next-step')?.textContent === want && document.querySelector('#next-step').getAttribute('aria-disabled') === 'false', text);
export const names = (page, selector) => page.locator(selector).allTextContents();

export async function take(page, text) {
  await step(page, text);
  await page.click('#next-step');
}

/** Creates a tournament with the form, from the page for a new one; returns its id. */
export async function formed(page, name, fields, ticks = []) {
  await page.locator(`option[value=${fields.kind}]`).waitFor({ state: 'attached' });
  await page.fill('[name=name]', unique(name));
  for (const [field, value] of Object.entries(fields)) {
    const control = page.locator(`[name=${field}]`);
    if (await control.evaluate((element) => element.nodeName === 'SELECT')) await control.selectOption(value);
    else await control.fill(value);
  }
  for (const tick of ticks) await page.check(`[name=${tick}]`);
  await page.click('#create');
  await page.waitForURL('**/organise');
  return /tournaments\/([^/]+)/.exec(page.url())[1];
}

/** Pairs and opens the next round. */
export async function opened(page, round) {
  await take(page, `Pair round ${round}`);
  await take(page, `Open round ${round}`);
  await page.locator('.table-row').first().waitFor();
}

/** Enters the ranking of a table of several seats: by default in the order of the seats. */
export async function ranked(page, table, order = null) {
  await page.click(`[data-table="${table}"] .score-button`);
  const seats = page.locator('.ranking-seats button');
  for (const seat of order ?? Array.from({ length: await seats.count() }, (_, index) => index + 1)) await seats.nth(seat - 1).click();
  await page.getByRole('button', { name: 'Enter', exact: true }).click();
  await page.waitForFunction((number) => document.querySelector(`[data-table="${number}"]`).classList.contains('has-result'), table);
}

export async function finished(page) {
  await take(page, 'Finish the tournament');
  await page.getByText('The tournament is finished.').first().waitFor();
}
