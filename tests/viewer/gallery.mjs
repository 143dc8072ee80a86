// Makes docs/gallery: what the viewer looks like, of every kind and in both themes, as small pictures with a page.
//
//     PLYBOOK_URL=… PLYBOOK_TOKEN=… node tests/viewer/gallery.mjs
//
// Needs a running `plybook serve --demo`, whose games it shows. Look at all of it before committing.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';

import { BASE, SCREENS, finishedGame, launch, open } from './service.mjs';

const FOLDER = new URL('../../docs/gallery/', import.meta.url);
const KINDS = { triangulate: 'Triangulate', tri: 'TRI', triforce: 'Triforce', 'triforce-building': 'Triforce Building', thrones: 'Thrones' };
/** A part of the game where something is to be seen. */
const PART = 0.6;
const QUALITY = 0.8;
const WIDTHS = { board: 420, page: 900, phone: 300 };

const browser = await launch();
const encoder = await open(browser, '');
const games = {};
for (const kind of Object.keys(KINDS)) games[kind] = await finishedGame(kind);
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
let total = 0;

/** Saves a picture as WebP, at most so many pixels wide. */
async function save(name, png, width) {
  const text = await encoder.evaluate(async ([data, most, quality]) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const scale = Math.min(1, most / image.width);
    const canvas = Object.assign(document.createElement('canvas'), { width: Math.round(image.width * scale), height: Math.round(image.height * scale) });
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL('image/webp', quality).split(',')[1];
  }, [png.toString('base64'), width, QUALITY]);
  const bytes = Buffer.from(text, 'base64');
  total += bytes.length;
  writeFileSync(new URL(`${name}.webp`, FOLDER), bytes);
}

/** A page as it stands once everything is there; `take` gets the picture of it. */
async function shot(path, ready, { screen = SCREENS.light, of = '', full = false } = {}) {
  const page = await open(browser, path, { deviceScaleFactor: 2, ...screen });
  await page.waitForSelector(ready);
  await page.waitForTimeout(400);
  const png = await (of ? page.locator(of).screenshot() : page.screenshot({ fullPage: full }));
  await page.context().close();
  return png;
}

for (const [kind, { id, ply }] of Object.entries(games)) {
  const at = Math.round(ply * PART);
  for (const theme of ['light', 'dark']) {
    await save(`${kind}-${theme}`, await shot(`/games/${id}#${at}`, `#board svg[aria-label="Board after ply ${at}"]`, { screen: SCREENS[theme], of: '#board' }), WIDTHS.board);
  }
}
const { thrones, tri } = games;
const at = ({ ply }) => Math.round(ply * PART);
const VERIFIED = '#badge[data-state=verified]';
const views = [
  ['replay', 'The replay of a game', await shot(`/games/${thrones.id}#${at(thrones)}`, VERIFIED), WIDTHS.page],
  ['replay-phone', 'The same on a phone, dark', await shot(`/games/${tri.id}#${at(tri)}`, VERIFIED, { screen: { ...SCREENS.phone, colorScheme: 'dark' } }), WIDTHS.phone],
  ['beside', 'Two plies side by side, with the differences', await shot(`/games/${thrones.id}/beside#${at(thrones) - 6}-${at(thrones)}`, '#beside[aria-busy=false]'), WIDTHS.page],
  ['games', 'The list of games', await shot('/?kind=tri', '.thumb svg'), WIDTHS.page],
  ['statistics', 'The statistics of a kind, dark', await shot('/statistics?kind=thrones', '.chart svg', { screen: SCREENS.dark }), WIDTHS.page],
];
for (const [name, , png, width] of views) await save(name, png, width);
await browser.close();

const boards = Object.entries(KINDS).map(([kind, title]) => `| ${title} | ![${title}, light](${kind}-light.webp) | ![${title}, dark](${kind}-dark.webp) |`);
writeFileSync(new URL('README.md', FOLDER), `# Gallery

What the viewer looks like, made by \`tests/viewer/gallery.mjs\` from the games of \`plybook serve --demo\`.

| | light | dark |
|---|---|---|
${boards.join('\n')}

| | |
|---|---|
${views.map(([name, text]) => `| ${text} | ![${text}](${name}.webp) |`).join('\n')}
`);
console.log(`${Object.keys(KINDS).length * 2 + views.length} pictures of ${BASE}, ${Math.round(total / 1000)} kB`);
