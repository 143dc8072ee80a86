// A Saturday of a club, run entirely from the console in Chromium, against a running service: what goes wrong in a Swiss
// tournament of 24, then a knock-out, groups, a round robin and pods. Places are computed by tests/python/standings.py, and
// pairings by bbpPairings, if PLYBOOK_BBP names its program.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_BBP=bbpPairings.exe] [PLYBOOK_SHOTS=dir] node --test all/saturday.test.mjs

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';

import { BASE, SCREENS, accessible, close, launch, open, shoot, shut } from '../service.mjs';
import { finished, formed, opened, ranked, signedIn, step, take, unique } from '../tournament.mjs';

const FOLDER = mkdtempSync(join(tmpdir(), 'plybook-saturday-'));
let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

// --- what the organiser does

const toast = (page, text) => page.locator('#toast').getByText(text).waitFor();
const dialog = (page) => page.getByRole('dialog');

async function created(page, name, fields, ticks) {
  await page.goto('/tournaments/new');
  return formed(page, name, fields, ticks);
}

/** Enters players with falling ratings: half of them pasted, half from a file of a spreadsheet. */
async function entered(page, count) {
  const all = Array.from({ length: count }, (_, index) => ({ name: unique(`P${index + 1} "Q" Ö`), rating: 2400 - 30 * index }));
  const half = Math.ceil(count / 2);
  await page.click('.paste summary');
  await page.fill('#paste-text', all.slice(0, half).map(({ name, rating }) => `${name}\t${rating}`).join('\n'));
  await page.click(`text=Enter ${half} players`);
  await page.waitForSelector(`#entrant-${half}`);
  const rows = all.slice(half).map(({ name, rating }, index) => `"${name.replaceAll('"', '""')}";${rating};"Club; ${index}";AUT`);
  if (!await page.locator('#paste-file').isVisible()) await page.click('.paste summary');
  await page.setInputFiles('#paste-file', { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(`\ufeffName;Elo;Verein;Land\r\n${rows.join('\r\n')}\r\n`) });
  await page.click(`text=Enter ${count - half} players`);
  await page.waitForSelector(`#entrant-${count}`);
  return all.map(({ name }) => name);
}

const row = (page, table) => page.locator(`[data-table="${table}"]`);

async function result(page, table, key) {
  await row(page, table).locator('.score-button').first().focus();
  await page.keyboard.press(key);
  await row(page, table).locator('.score-button[aria-pressed=true]').waitFor();
}

/** Enters the results that are missing, in turn from these keys. */
async function results(page, keys) {
  const waiting = await page.locator('.table-row.waits').evaluateAll((all) => all.filter((each) => !each.textContent.includes('adjourned')).map((each) => each.dataset.table));
  for (const [index, table] of waiting.entries()) await result(page, table, keys[index % keys.length]);
}

async function more(page, table, text) {
  await row(page, table).locator('[aria-label^="More"]').click();
  await dialog(page).getByRole('button', { name: text }).first().click();
}

// --- what others see and compute

const file = async (id, name) => {
  const answer = await fetch(`${BASE}/tournaments/${id}/files/${name}`);
  assert.equal(answer.status, 200, name);
  return answer.text();
};

/** The cells of a table, without its head. */
async function table(id, name) {
  const text = (await file(id, name)).replace('\ufeff', '').trimEnd();
  return text.split('\r\n').slice(1).map((line) => [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain));
}

/** A report file: names and ratings by number, the seats and results of each round, byes. */
function reportOf(text) {
  const codes = { 1: 10, '=': 5, 0: 0, '+': 10, '-': 0 };
  const entrants = text.split('\r\n').filter((line) => line.startsWith('001')).map((line) => ({ name: line.slice(14, 47).trim(), rating: Number(line.slice(48, 52)) || null, cells: line.slice(91).match(/.{1,10}/g) ?? [] }));
  const rounds = Array.from({ length: Math.max(...entrants.map(({ cells }) => cells.length)) }, (_, round) => {
    const of = ({ cells }) => /^\s*(\d{4}|\d+) ([wb-]) (.)/.exec(cells[round] ?? '') ?? [];
    const tables = entrants.flatMap((entrant, index) => {
      const [, other, seat, code] = of(entrant);
      if (seat !== 'w') return [];
      const theirs = of(entrants[other - 1])[3];
      return [{ seats: [index + 1, Number(other)], points: code in codes ? [codes[code], codes[theirs]] : null, forfeit: '+-'.includes(code) }];
    });
    const byes = entrants.flatMap((entrant, index) => {
      const [, other, , code] = of(entrant);
      const [kind, points] = { H: ['half', 5], F: ['full', 10], U: ['pairing', 10], Z: ['zero', 0] }[code] ?? [];
      return other === '0000' && kind ? [{ entrant: index + 1, kind, points }] : [];
    });
    return { tables, byes };
  });
  return { entrants, rounds };
}

/** Places and points by another program, by name. */
function computed({ entrants, rounds }, { entered = {}, withdrew = {}, roundRobin = false, tieBreaks }) {
  const told = {
    round_robin: roundRobin, seats: 2, after: rounds.length, rounds_planned: rounds.length, beaten: false, win: 10, draw: 5, loss: 0, tie_breaks: tieBreaks, rounds,
    entrants: entrants.map(({ name, rating }) => ({ rating, entered_after: entered[name] ?? 0, withdrew_after: withdrew[name] ?? null })),
  };
  const out = execFileSync('python3', [new URL('../../python/standings.py', import.meta.url).pathname], { input: JSON.stringify(told), encoding: 'utf8' });
  return JSON.parse(out).map(({ entrant, place, points, figures }) => [String(place), entrants[entrant - 1].name, points, ...figures].join(' '));
}

const standings = async (id) => (await table(id, 'standings.csv')).map(([place, , name, , , , ...figures]) => [place, name, ...figures].join(' '));

/** Has bbpPairings pair the next round from both report files, as sets of names. */
function byBbp(texts) {
  return texts.filter(() => process.env.PLYBOOK_BBP).map((text, index) => {
    const path = join(FOLDER, `${index}.trf`);
    writeFileSync(path, text);
    const out = execFileSync(process.env.PLYBOOK_BBP, ['--dutch', path, '-p', join(FOLDER, 'out')], { encoding: 'utf8' });
    assert.doesNotMatch(out, /rror/, out);
    const { entrants } = reportOf(text);
    const lines = execFileSync('cat', [join(FOLDER, 'out')], { encoding: 'utf8' }).trim().split(/\r?\n/).slice(1);
    return lines.map((line) => line.split(' ').map((number) => entrants[number - 1]?.name ?? 'bye').join(' – ')).sort();
  });
}

/** Pairs a round, and compares it with what another program makes of the report files. */
async function paired(page, id, round, { isAdjourned = false, out = '' } = {}) {
  await step(page, `Pair round ${round}`);
  // A game without a result is a draw only in the file for pairing.
  const texts = await Promise.all(['report-trf16.trf', ...isAdjourned ? [] : ['report.trf']].map((name) => file(id, name)));
  await take(page, `Pair round ${round}`);
  await step(page, `Open round ${round}`);
  const ours = (await table(id, `pairings.csv?round=${round}`)).filter((cells) => cells[0] || (cells.at(-1) === 'bye' && cells[2] !== out)).map((cells) => `${cells[2]} – ${cells[0] ? cells[5] : 'bye'}`).sort();
  for (const theirs of byBbp(texts)) assert.deepEqual(theirs, ours, `round ${round}`);
}

/** Looks at a page in several widths. */
async function sized(page, name, widths = [320, 390, 1280]) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 1000 ? 800 : Math.round(width * 0.5625) });
    await accessible(page, `${name}, ${width}`);
    await shoot(page, `saturday-${name.replaceAll(/\W+/g, '-')}-${width}`);
  }
}

/** Looks at the public page, the projector and paper. */
async function looked(id, name, views) {
  const page = await open(browser, '');
  for (const view of views) {
    await page.goto(`/tournaments/${id}?view=${view}`);
    await page.waitForSelector('#content[aria-busy=false] > :not(.empty)');
    await sized(page, `${name} ${view}`);
  }
  await page.goto(`/tournaments/${id}?projector`);
  await page.locator('.beam tr, .beam-winners').first().waitFor();
  await sized(page, `${name} projector`, [1920]);
  await page.goto(`/tournaments/${id}?view=all`);
  await page.locator('.paper').first().waitFor();
  await page.emulateMedia({ media: 'print' });
  if (process.env.PLYBOOK_SHOTS) await page.pdf({ format: 'A4', path: join(process.env.PLYBOOK_SHOTS, `saturday-${name}.pdf`) });
  await close(page);
}

test('a Swiss tournament of 24 with everything that goes wrong on a Saturday', async () => {
  const page = await signedIn(browser, '/tournaments');
  const id = await created(page, 'Saturday', { kind: 'triangulate', rounds: '5', timeZone: 'America/Los_Angeles', startsAt: '2026-11-27T19:00' });
  const names = await entered(page, 24);
  await paired(page, id, 1);
  await take(page, 'Open round 1');
  await page.locator('.table-row').nth(11).waitFor();
  for (let number = 1; number <= 12; number++) await page.keyboard.press('1=2'[number % 3]);
  await take(page, 'Close round 1');

  // A late entry with half a point, a withdrawal, and a bye for round 3.
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Players' }).click();
  const late = unique('Late');
  await page.fill('#entry-name', late);
  await page.fill('#entry-rating', '2000');
  await page.fill('#entry-points', '½');
  await page.click('.entry button[type=submit]');
  await page.waitForSelector('#entrant-25');
  await page.click('#entrant-3 [aria-label^="Withdraw"]');
  await toast(page, 'has withdrawn');
  await page.click('#entrant-5 [aria-label^="Byes of"]');
  await page.selectOption('#bye-3', 'HALF');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await page.locator('#entrant-5').getByText('round 3: Half-point bye').waitFor();

  // Somebody does not come, two do not, and a result is entered the wrong way round.
  await paired(page, id, 2);
  await take(page, 'Open round 2');
  await page.locator('.table-row').first().waitFor();
  await more(page, 1, / did not come$/);
  await row(page, 1).getByText('forfeit').first().waitFor();
  await more(page, 2, 'Neither came');
  await row(page, 2).getByText('forfeit').first().waitFor();
  await result(page, 3, '2');
  await results(page, '1=12');
  await take(page, 'Close round 2');

  // A game is adjourned, a slip is lost, and a phone has no connection.
  await paired(page, id, 3, { out: names[4] });
  await take(page, 'Open round 3');
  await page.locator('.table-row').first().waitFor();
  await more(page, 4, 'Adjourn');
  await row(page, 4).getByText('adjourned').waitFor();
  await page.click('text=Table slips');
  await dialog(page).getByRole('button', { name: /^All/ }).click();
  await page.locator('.slip-code').nth(10).waitFor();
  const lost = await page.locator('.slip-code').nth(4).getAttribute('href');
  await more(page, 5, 'Slip for this table');
  await page.getByRole('button', { name: 'Table 5', exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll('.slip').length === 1);
  const link = await page.locator('.slip-code').getAttribute('href');
  assert.notEqual(link, lost);
  const phone = await open(browser, `/table#${link.split('#')[1]}`, SCREENS.phone);
  await phone.getByText('How did it end?').waitFor();
  await phone.route('**/graphql', (route) => route.abort());
  await phone.locator('.choices button').first().tap();
  await phone.locator('#confirm').tap();
  await phone.getByText('The result waits on this device').waitFor();
  await phone.unroute('**/graphql');
  await phone.locator('.final').getByText('1–0').waitFor();
  phone.wrongs = phone.wrongs.filter((text) => !/ERR_FAILED|WebSocket/.test(text));
  await close(phone);
  await row(page, 5).getByText('entered at the table').waitFor();
  await results(page, '=12');
  await take(page, 'Close round 3');

  // A pairing is changed by hand; then round 2 is corrected, and the adjourned game ends.
  await paired(page, id, 4, { isAdjourned: true });
  await page.click('text=Change by hand');
  await page.locator('[data-place="0.0"]').click();
  await page.locator('[data-place="1.0"]').click();
  await page.locator('.draft-acts .primary[aria-disabled=false]').click();
  await take(page, 'Open round 4');
  await page.locator('.table-row').first().waitFor();
  await results(page, '12=1');
  await page.getByRole('link', { name: 'Round 2, finished' }).click();
  await page.locator('.rounds [aria-current=true]', { hasText: '2' }).waitFor();
  await row(page, 3).locator('.score-button', { hasText: '1–0' }).click();
  await page.locator('#corrections').getByText('Table 3: 1–0 instead of 0–1').waitFor();
  await page.getByRole('link', { name: 'Round 3, finished' }).click();
  await row(page, 4).getByText('adjourned').waitFor();
  await row(page, 4).locator('.score-button', { hasText: '0–1' }).click();
  await page.locator('#corrections').getByText('Table 4').waitFor();
  await page.getByRole('link', { name: /^Round 4/ }).click();
  await take(page, 'Close round 4');
  await paired(page, id, 5);
  await take(page, 'Open round 5');
  await page.locator('.table-row').first().waitFor();
  await results(page, '1=2');
  await step(page, 'Close round 5');
  await sized(page, 'console');
  await take(page, 'Close round 5');
  await finished(page);
  await close(page);

  const text = await file(id, 'report.trf');
  assert.match(text, /^042 2026\/11\/27/m, 'the day in the hall');
  const report = reportOf(text);
  assert.equal(report.entrants.length, 25);
  assert.deepEqual(report.rounds.map(({ tables }) => tables.length), [12, 12, 11, 12, 12]);
  const options = { entered: { [late]: 1 }, withdrew: { [names[2]]: 1 }, tieBreaks: ['BH/C1', 'BH', 'SB', 'DE', 'WON'] };
  assert.deepEqual(await standings(id), computed(report, options));
  byBbp([text.replace(/^142 5/m, '142 6'), (await file(id, 'report-trf16.trf')).replace(/^XXR 5/m, 'XXR 6')]);
  await looked(id, 'swiss', ['pairings', 'pairings&by=name', 'standings', 'crosstable', 'about']);

  // It is on its players' pages.
  const reader = await open(browser, `/tournaments/${id}?player=1`);
  await reader.locator('a[href^="/players/"]').first().click();
  await reader.locator('#tournaments').getByText('Saturday').first().waitFor();
  await close(reader);

  // The report becomes a tournament again, with the same standings.
  const other = await signedIn(browser, '/tournaments/new');
  await other.locator('option[value=triangulate]').waitFor({ state: 'attached' });
  await other.selectOption('[name=kind]', 'triangulate');
  await other.fill('[name=timeZone]', 'America/Los_Angeles');
  await other.click('#report-import summary');
  await other.setInputFiles('#report-file', { name: 'report.trf', mimeType: 'text/plain', buffer: Buffer.from(text) });
  await other.locator('#report-about').getByText('5 rounds').first().waitFor();
  await sized(other, 'import');
  await other.click('#import-report[aria-disabled=false]');
  await other.waitForURL('**/organise');
  const [, copy] = /tournaments\/([^/]+)/.exec(other.url());
  assert.deepEqual((await file(copy, 'report.trf')).split('\r\n').filter((line) => line.startsWith('001')), text.split('\r\n').filter((line) => line.startsWith('001')));
  assert.deepEqual(await standings(copy), await standings(id));
  await close(other);
});

/** Has the better seed win at every table of two, and the seats in their order at larger ones; tells who sat where. */
async function seeded(page, names) {
  const seats = await page.locator('.table-row').evaluateAll((all) => all.map((each) => [...each.querySelectorAll('.names bdi')].map(({ textContent }) => textContent)));
  for (const [index, at] of seats.entries()) {
    if (await row(page, index + 1).getByText('forfeit').count() > 0) continue;
    if (at.length > 2) await ranked(page, index + 1);
    else await result(page, index + 1, names.indexOf(at[0]) < names.indexOf(at[1]) ? '1' : '2');
  }
  return seats;
}

/** Plays round after round until the tournament can be finished. */
async function played(page, names, before = async () => {}, during = async () => {}) {
  const rounds = [];
  for (let round = 1; ; round++) {
    await page.waitForFunction(() => /^(Pair round|Finish)/.test(document.querySelector('#next-step')?.textContent ?? ''));
    if (await page.locator('#next-step').textContent() === 'Finish the tournament') break;
    await before(round);
    await opened(page, round);
    await during(round);
    rounds.push(await seeded(page, names));
    await take(page, `Close round ${round}`);
  }
  await finished(page);
  return rounds;
}

/** The places of the standings, with the names that share them. */
async function places(id) {
  const found = (await table(id, 'standings.csv')).map(([place, , name]) => [place, name]);
  return [...new Set(found.map(([place]) => place))].map((place) => found.filter(([other]) => other === place).map(([, name]) => name));
}

test('a knock-out of 13, groups, a double round robin with a withdrawal, pods of 14 with an absentee', async () => {
  const page = await signedIn(browser, '/tournaments');
  const cup = await created(page, 'Cup', { kind: 'triangulate', format: 'KNOCKOUT' }, ['thirdPlace']);
  const seeds = await entered(page, 13);
  await played(page, seeds);
  assert.deepEqual((await places(cup)).map((names) => names.map((name) => seeds.indexOf(name) + 1)), [[1], [2], [3], [4], [5, 6, 7, 8], [9, 10, 11, 12, 13]]);
  await looked(cup, 'cup', ['bracket', 'standings']);

  const groups = await created(page, 'Groups', { kind: 'triangulate', format: 'GROUPS_KNOCKOUT', groups: '2', qualifiers: '2' });
  const ten = await entered(page, 10);
  await played(page, ten);
  // Numbers are dealt back and forth: 1, 4, 5, 8, 9 and 2, 3, 6, 7, 10.
  assert.deepEqual((await places(groups)).flat().slice(0, 2).map((name) => ten.indexOf(name) + 1), [1, 2]);
  await looked(groups, 'groups', ['groups', 'bracket']);

  const robin = await created(page, 'Robin', { kind: 'triangulate', format: 'ROUND_ROBIN' }, ['double']);
  const six = await entered(page, 6);
  await played(page, six, async (round) => {
    if (round !== 4) return;
    await page.goto(`/tournaments/${robin}/organise?tab=entrants`);
    await page.click('#entrant-4 [aria-label^="Withdraw"]');
    await toast(page, 'has withdrawn');
    await page.goto(`/tournaments/${robin}/organise`);
  });
  // What was played against number 4 counts for nobody.
  const scores = (await table(robin, 'standings.csv')).map(([, , name, , , , points]) => [six.indexOf(name) + 1, points]);
  assert.deepEqual(scores, [[1, '8.0'], [2, '6.0'], [3, '4.0'], [5, '2.0'], [6, '0.0'], [4, '0.0']]);
  await looked(robin, 'robin', ['crosstable', 'standings']);

  const pods = await created(page, 'Pods', { kind: 'triforce', seats: '4', rounds: '3' });
  const fourteen = await entered(page, 14);
  const rounds = await played(page, fourteen, async (round) => {
    if (round === 3) await sized(page, 'console of pods');
  }, async (round) => {
    if (round !== 1) return;
    await more(page, 1, / did not come$/);
    await toast(page, 'the others play without');
    await page.waitForFunction(() => document.querySelectorAll('[data-table="1"] .names bdi').length === 3);
  });
  const sums = new Map(fourteen.map((name) => [name, 0]));
  for (const seats of rounds.flat()) for (const [index, name] of seats.entries()) sums.set(name, sums.get(name) + 3 * (seats.length - 1 - index) / (seats.length - 1));
  assert.deepEqual(Object.fromEntries((await table(pods, 'standings.csv')).map(([, , name, , , , points]) => [name, Number(points)])), Object.fromEntries(sums));
  await looked(pods, 'pods', ['pairings', 'standings']);
  await close(page);
});
