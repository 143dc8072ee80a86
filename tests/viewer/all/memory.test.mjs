// A long session: thousands of steps leave nothing behind.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { close, finishedGame, launch, open } from '../service.mjs';

const STEPS = 3000;
const WARM_UP = 300;
/** Of what is used after the warm-up: lists that grow by a row a step, or a listener a step, are far above it. */
const GROWTH_MAX = 1.1;

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

/** Steps to and fro through the whole game, without waiting for frames: what was drawn around the board waits for one. */
function step(page, times) {
  return page.evaluate(async (count) => {
    const slider = document.querySelector('#slider');
    const last = Number(slider.max);
    let [at, by] = [Number(slider.value), 1];
    for (let left = count; left > 0; left -= 1) {
      if (at + by < 0 || at + by > last) by = -by;
      at += by;
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: by > 0 ? 'ArrowRight' : 'ArrowLeft', bubbles: true, cancelable: true }));
      // The board is drawn at once; what else happens does so between steps.
      await (left % 10 ? null : new Promise((done) => { setTimeout(done); }));
    }
    return at;
  }, times);
}

test(`${STEPS} steps leave no more memory, elements or listeners behind than the first ${WARM_UP}`, async () => {
  const { id } = await finishedGame('tri');
  const page = await open(browser, `/games/${id}#0`);
  await page.waitForSelector('#badge[data-state=verified]');
  await page.waitForLoadState('networkidle');
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('Performance.enable');
  const measured = async (at) => {
    await page.waitForSelector(`#board svg[aria-label="Board after ply ${at}"]`);
    // Announcements and animations come to an end.
    await page.waitForTimeout(1000);
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const of = (wanted) => metrics.find(({ name }) => name === wanted).value;
    return { heap: usedSize, nodes: of('Nodes'), listeners: of('JSEventListeners') };
  };
  const first = await measured(await step(page, WARM_UP));
  const last = await measured(await step(page, STEPS));
  for (const [what, count] of Object.entries(last)) assert.ok(count < first[what] * GROWTH_MAX, `${what}: ${count} after ${STEPS} steps, ${first[what]} before`);
  await close(page);
});
