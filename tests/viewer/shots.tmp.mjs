import { ask, launch, open, close, SCREENS } from './service.mjs';
const browser = await launch();
const out = process.env.OUT;
for (const kind of ['triforce-building', 'thrones']) {
  const { games } = await ask(`{ games(filter: {kind: "${kind}"}, first: 20) { nodes { id ply status outcome { reason } } } }`);
  console.log(kind, JSON.stringify(games.nodes));
  const game = games.nodes.find((g) => g.status === 'FINISHED' && g.outcome.reason !== 'agreement') ?? games.nodes.find((g) => g.status === 'FINISHED');
  const ply = kind === 'thrones' ? [1, 6] : [5, 26, 40];
  for (const viewer of ['', '2', 'public']) for (const p of ply) {
    const page = await open(browser, `/games/${game.id}${viewer ? `?viewer=${viewer}` : ''}#${p}`);
    await page.waitForSelector('#board svg'); await page.waitForTimeout(700);
    await page.screenshot({ path: `${out}/${kind}-${viewer || 'me'}-${p}.png` });
    console.log(kind, viewer, p, await page.inputValue('#viewer').catch(() => 'none'), (await page.locator('#panel-moves .text').allTextContents()).slice(0, 9).join(' ').slice(0, 200));
    await close(page);
  }
  // The selector itself.
  const page = await open(browser, `/games/${game.id}#${ply[1]}`);
  await page.waitForSelector('#viewer-choice:not([hidden])');
  await page.selectOption('#viewer', '2'); await page.waitForTimeout(900);
  console.log('selected', page.url(), (await page.locator('#panel-moves .text').allTextContents()).slice(0, 9).join(' ').slice(0, 160));
  await page.selectOption('#viewer', 'all'); await page.waitForTimeout(900);
  console.log('selected', page.url(), (await page.locator('#panel-moves .text').allTextContents()).slice(0, 9).join(' ').slice(0, 160));
  await close(page);
  const run = games.nodes.find((g) => g.status === 'RUNNING');
  if (run) {
    const page = await open(browser, `/games/${run.id}`);
    await page.waitForSelector('#board svg'); await page.waitForTimeout(700);
    await page.screenshot({ path: `${out}/${kind}-running.png` });
    await page.selectOption('#viewer', '2'); await page.waitForTimeout(900);
    console.log('forbidden:', await page.locator('#notice').textContent());
    page.wrongs = [];
    await close(page);
  }
}
await browser.close();
