// What the replay page loads, and how long it takes, cold: requests and compressed bytes until its first position is drawn and until
// nothing more comes; the median of the times.
//
//     PLYBOOK_URL=… node tests/viewer/loading.mjs [KIND …]

import { pathToFileURL } from 'node:url';

import { finishedGame, launch, open, shut } from './service.mjs';

const KINDS = ['triangulate', 'tri', 'triforce', 'triforce-building', 'thrones'];
const ROUNDS = 9;

/** What a page loads, and when its first position is drawn: a step of the page, however busy the machine is. */
export function watched(page) {
  return page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('#board svg[aria-label="Board after ply 0"]')) return;
      globalThis.drawnAt = performance.now();
      observer.disconnect();
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
}

/**
 * The requests of a page that began before the first position was drawn, and all; bytes as they came over the wire, without headers.
 * What is in the cache takes none.
 */
export async function loadedBy(page) {
  const all = await page.evaluate(() => performance.getEntries().filter(({ entryType }) => ['navigation', 'resource'].includes(entryType))
    .map(({ name, startTime, encodedBodySize, transferSize }) => ({ name: name.replace(location.origin, ''), bytes: transferSize && encodedBodySize, isFirst: startTime < globalThis.drawnAt })));
  const first = all.filter(({ bytes, isFirst }) => isFirst && bytes > 0);
  return { all, first };
}

/** Loads the replay of a game into an empty cache. */
async function measured(browser, id) {
  const page = await open(browser, '');
  await watched(page);
  await page.goto(`/games/${id}`);
  await page.waitForSelector('#badge[data-state=verified]');
  await page.waitForLoadState('networkidle');
  const [loaded, drawnAt] = [await loadedBy(page), await page.evaluate(() => globalThis.drawnAt)];
  await shut(page.context());
  return { ...loaded, drawnAt };
}

async function measureAll(kinds) {
  const browser = await launch();
  console.log('| kind | plies | requests | bytes | requests until quiet | bytes until quiet | drawn after, ms |\n|---|---:|---:|---:|---:|---:|---:|');
  for (const kind of kinds) {
    const { id, ply } = await finishedGame(kind);
    const found = [];
    for (let round = 0; round < ROUNDS; round += 1) found.push(await measured(browser, id));
    const [{ all, first }] = found;
    const loaded = all.filter(({ bytes }) => bytes > 0);
    const bytesOf = (requests) => requests.reduce((sum, { bytes }) => sum + bytes, 0).toLocaleString('en');
    const times = found.map(({ drawnAt }) => drawnAt).sort((one, other) => one - other);
    console.log(`| ${kind} | ${ply} | ${first.length} | ${bytesOf(first)} | ${loaded.length} | ${bytesOf(loaded)} | ${Math.round(times[ROUNDS >> 1])} |`);
  }
  await browser.close();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await measureAll(process.argv.length > 2 ? process.argv.slice(2) : KINDS);
