// Deadlines in Chromium, against a running service: counted down, moved by the arbiter, and told in the replay.
//
//     PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=… [PLYBOOK_SHOTS=dir] node --test deadline.test.mjs

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { deadlineOf, opening, timeLeft } from '../../web-viewer/model/deadline.js';
import { SCREENS, accessible, close, launch, open, shoot, shut } from './service.mjs';
import { logOf, newGame } from './recorder.mjs';
import { signedIn } from './tournament.mjs';

let browser;

before(async () => {
  browser = await launch();
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const SEATS = Array.from({ length: 7 }, (_, index) => ({ name: `Player ${index + 1}` }));
const withDeadlines = (deadlines, drawLate = false) => newGame({ kind: 'triforce-building', setup: { players: 7, drawLate, ...(deadlines && { deadlines }) }, seats: SEATS });

test('what is left of a round, in words', () => {
  const now = Date.parse('2026-12-01T12:00:00Z');
  const left = (opens, due) => timeLeft({ opens, due }, now);
  assert.equal(left(null, '2026-12-01T12:00:59.500Z'), '1 min left for this round');
  assert.equal(left(null, '2026-12-02T11:30:00Z'), '23 h 30 min left for this round');
  assert.equal(left('2026-12-01T12:05:00Z', '2026-12-02T12:05:00Z'), 'The round opens in 5 min');
  assert.equal(left('2026-12-01T11:00:00Z', '2026-12-01T12:00:00Z'), 'Time is up: the round is being closed');
  assert.equal(left(null, null), '');
  assert.equal(timeLeft(null, now), '');
  const due = '2026-12-01T13:00:00Z';
  assert.equal(timeLeft(opening({ due }, ['chance']), now), 'The round opens in 1 h');
  assert.equal(timeLeft(opening({ due }, ['chance']), Date.parse(due) + 200), 'The round opens in 0 s', 'the draw is made within a second');
  assert.deepEqual([opening({ due }, ['seat:1']), opening({ due }, []), opening(null, ['chance'])], [{ due }, { due }, null]);
  const set = (due) => ({ type: 'deadline_set', body: { due } });
  assert.deepEqual(deadlineOf([set('a'), { type: 'acted', body: {} }, set('b')]), { due: 'b' });
  assert.equal(deadlineOf([{ type: 'acted', body: {} }]), null);
});

test('the time for a round is counted down where it is recorded and where it is watched', async () => {
  const id = await withDeadlines({ before: '1h', round: '24h' });
  const phone = await signedIn(browser, `/record/${id}`, SCREENS.phone);
  await phone.getByText(/^The round opens in (59 min|60 min|1 h)/).waitFor();
  assert.match(await phone.locator('time.countdown').getAttribute('title'), /^opens .*, due /);
  await accessible(phone, 'a deadline on a phone');
  await shoot(phone, 'deadline-phone');
  const drawn = await withDeadlines({ before: '1h', round: '24h' }, true);
  await phone.goto(`/record/${drawn}`);
  await phone.getByText(/^The round opens in (59 min|60 min|1 h)/).waitFor();
  await close(phone);
  const page = await open(browser, `/games/${drawn}`);
  const countdown = page.locator('#facts time.countdown');
  await countdown.waitFor();
  assert.match(await countdown.textContent(), /^The round opens in /);
  await accessible(page, 'a deadline in the replay');
  await shoot(page, 'deadline-replay');
  await close(page);
});

test('a round that is due is closed, and who watches sees it', async () => {
  const id = await withDeadlines({ round: '3s' });
  const page = await open(browser, `/games/${id}`);
  await page.locator('#facts time.countdown').waitFor();
  // A busy machine may show the page only after a round or two.
  const plies = () => page.locator('#slider').evaluate(({ max }) => Number(max));
  const before = await plies();
  await page.waitForFunction((least) => Number(document.querySelector('#slider').max) >= least, before + 7);
  await close(page);
  const log = await logOf(id);
  assert.ok(log.verification.valid);
  assert.deepEqual(log.types.slice(0, 10), ['created', 'deadline_set', ...Array(7).fill('sealed'), 'deadline_set']);
});

test('the arbiter sets, moves and lifts a deadline', async () => {
  const id = await withDeadlines(null);
  const phone = await signedIn(browser, `/record/${id}`, SCREENS.phone);
  const set = async (due, reason) => {
    await phone.click('#tool-deadline');
    await phone.fill('#due', due);
    await phone.fill('#reason', reason);
    await phone.getByRole('button', { name: 'Set the deadline' }).click();
  };
  await set('2100-01-01T18:00', 'A strike of trains');
  await phone.locator('#deadline').getByText(/ d left for this round$/).waitFor();
  await phone.click('#tool-deadline');
  await accessible(phone, 'the form of a deadline');
  await shoot(phone, 'deadline-form');
  await phone.click('#tool-deadline');
  await set('', 'Everybody is here');
  await phone.locator('#deadline').waitFor({ state: 'detached' });
  await set('2001-01-01T18:00', 'Too late');
  await phone.getByText(/is over already; give a later time/).waitFor();
  await close(phone);
  assert.deepEqual((await logOf(id)).types, ['created', 'deadline_set', 'deadline_set']);
  const page = await open(browser, `/games/${id}`);
  await page.getByText(/^Due /).first().waitFor();
  await page.getByText('A strike of trains').first().waitFor();
  await page.getByText('No deadline').first().waitFor();
  await close(page);
});
