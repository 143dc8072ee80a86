// Stepping in Chromium: what a step costs and shows, in every kind; keys, gestures, layouts, failures.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { IS_ALL, KINDS, SCREENS, accessible, ask, close, finishedGame, launch, open, rewriteAnswers, shoot, shut, thorough, token } from './service.mjs';

let browser;
/** @type {Record<string, {id: string, ply: number, seats: {name: string}[]}>} a finished game of each kind */ const games = {};

before(async () => {
  browser = await launch();
  for (const kind of new Set(['triangulate', 'tri', 'thrones', ...KINDS])) games[kind] = await finishedGame(kind);
});
afterEach(() => Promise.all(browser.contexts().map(shut)));
after(() => browser?.close());

const shown = (page, number) => page.waitForSelector(`#board svg[aria-label="Board after ply ${number}"]`);
const badge = (page, state) => page.waitForSelector(`#badge[data-state=${state}]`);
const ply = (page) => page.locator('#slider').inputValue().then(Number);
const loaded = async (page) => {
  await page.waitForSelector('#board svg');
  await badge(page, 'verified');
};

async function openKind(kind, hash, screen = SCREENS.light) {
  const page = await open(browser, `/games/${games[kind].id}${hash}`, screen);
  await loaded(page);
  return page;
}

test('the list of moves shows the place, wherever the reader goes', async () => {
  for (const kind of ['tri', 'thrones']) {
    const last = games[kind].ply;
    const page = await openKind(kind, `#${last}`);
    const inView = () => page.waitForFunction(() => {
      const [list, link] = ['#panel-moves', '#panel-moves [aria-current]'].map((place) => document.querySelector(place)?.getBoundingClientRect());
      return link && link.top >= list.top && link.bottom <= list.bottom;
    });
    await shown(page, last);
    await inView();
    for (const [key, ply] of [['Home', 0], ['End', last], ['ArrowLeft', last - 1], ['Home', 0]]) {
      await page.keyboard.press(key);
      await shown(page, ply);
      await inView();
    }
    await close(page);
  }
});

// --- what a step costs

/** How many functions of the viewer are called while the reader steps. */
async function callsOf(page, act) {
  const session = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  await act();
  const { result } = await session.send('Profiler.takePreciseCoverage');
  await session.detach();
  const own = result.filter(({ url }) => url.includes('/static/'));
  return own.flatMap(({ functions }) => functions).reduce((sum, { ranges }) => sum + ranges[0].count, 0);
}

/** The same game with its plies repeated over and over. */
async function lengthened(page, times) {
  await rewriteAnswers(page, 'Game', (answer) => { answer.data.game.ply *= times; return answer; });
  let ply = 0;
  let round = 0;
  let all = [];
  await page.route('**/graphql', async (route) => {
    const sent = route.request().postDataJSON();
    // What is looked for at rest is no part of a step.
    if (/^query (Standing|Analysis)\(/.test(sent.query)) return route.abort();
    if (sent.query.startsWith('query Moves')) {
      sent.variables.first = 100;
      if (round > 0) sent.variables.after = null;
      const response = await route.fetch({ postData: JSON.stringify(sent) });
      const answer = await response.json();
      const { moves } = answer.data.game;
      if (round === 0) all = moves.nodes;
      round += 1;
      moves.nodes = all.map((move) => ({ ...move, ply: (ply += 1), seq: ply }));
      moves.pageInfo = { hasNextPage: round < times, endCursor: String(round) };
      return route.fulfill({ response, json: answer });
    }
    if (!sent.query.startsWith('query Positions')) return route.fallback();
    const { from, to } = sent.variables;
    const response = await route.fetch({ postData: JSON.stringify({ ...sent, variables: { ...sent.variables, from: 1, to: 16 } }) });
    const answer = await response.json();
    const { positions, scenes } = answer.data.game;
    const repeated = (list) => Array.from({ length: to - from + 1 }, (_, index) => ({ ...list[(from + index) % list.length], ply: from + index }));
    answer.data.game.positions = repeated(positions);
    scenes.frames = repeated(scenes.frames);
    return route.fulfill({ response, json: answer });
  });
}

/** How many elements get a style or a place again while the reader steps. */
async function renderedBy(page, act) {
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  await act();
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  return traceEvents.reduce((sum, { args }) => sum + (args.elementCount ?? 0) + (args.beginData?.dirtyObjects ?? 0), 0);
}

thorough('the cost of a step does not depend on the length of the game', async () => {
  const game = games.tri;
  const costs = async (times) => {
    const page = await open(browser, '', { ...SCREENS.light, reducedMotion: 'reduce' });
    await lengthened(page, times);
    const last = Math.min(game.ply, 100) * times;
    await page.goto(`/games/${game.id}#${last - 30}`);
    await page.waitForFunction((count) => document.querySelectorAll('.moves a').length >= count, last + 1);
    await shown(page, last - 30);
    let at = last - 30;
    const step = async () => {
      for (const until = at + 10; at < until;) {
        await page.keyboard.press('ArrowRight');
        await shown(page, at += 1);
      }
    };
    const counts = { calls: await callsOf(page, step), rendered: await renderedBy(page, step) };
    const changed = await page.evaluate(() => document.querySelectorAll('.moves [aria-current]').length);
    assert.equal(changed, 1);
    await shut(page.context());
    return counts;
  };
  const [short, long] = [await costs(1), await costs(15)];
  for (const [what, count] of Object.entries(long)) {
    assert.ok(count > 0 && count < short[what] * 1.5, `${what}: ${count} for ten steps in a long game, ${short[what]} in a short one`);
  }
});

test('what a step changes is drawn with the elements that are there, in the order of the picture', async () => {
  for (const kind of KINDS) {
    const page = await openKind(kind, '#0');
    await shown(page, 0);
    const layer = (of) => of.locator('#board > :not([aria-hidden]) > g').first().evaluate((g) => [...g.children].map((element) => (
      [element.tagName, ...[...element.attributes].map(({ name, value }) => `${name}=${value}`).sort(), element.innerHTML].join(' '))));
    const last = Math.min(games[kind].ply, 60);
    // A jump and a step on, a jump and a step back.
    for (const [from, at] of [[0, 13], [13, 14], [0, last], [last, last - 1]]) {
      for (const ply of [from, at]) {
        await page.evaluate((to) => { location.hash = `#${to}`; }, ply);
        await shown(page, ply);
      }
      const stepped = await layer(page);
      await page.reload();
      await shown(page, at);
      assert.deepEqual(stepped, await layer(page), `${kind}, ply ${at}`);
    }
    await close(page);
  }
});

test('a step on shows what was drawn ahead of it, which nobody could see, hear or tap until then', async () => {
  for (const kind of KINDS) {
    // Without ghosts of what is taken away.
    const page = await openKind(kind, '#9', { ...SCREENS.light, reducedMotion: 'reduce' });
    await shown(page, 9);
    const sheets = () => page.evaluate(() => [...document.querySelectorAll('#board > svg')].map((svg) => svg.firstElementChild.innerHTML));
    const ahead = (await sheets())[1];
    const out = await page.locator('#board').evaluate((board) => {
      const { left, top, width, height } = board.getBoundingClientRect();
      const points = Array.from({ length: 100 }, (_, index) => [left + (width * (index % 10 + 0.5)) / 10, top + (height * (Math.floor(index / 10) + 0.5)) / 10]);
      return points.filter(([x, y]) => !document.elementFromPoint(x, y).closest('#board > :not([aria-hidden])')).length;
    });
    assert.equal(out, 0, `${kind}: what is seen covers what is not`);
    assert.match(await page.locator('#board').ariaSnapshot(), /^[^\n]*\n? *- img "Board after ply 9"[^\n]*$/, kind);
    const changed = (by) => page.evaluate(async (key) => {
      const watch = new MutationObserver(() => {});
      watch.observe(document.querySelector('#board'), { subtree: true, childList: true, attributes: true, characterData: true });
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      await null;
      return watch.takeRecords().map(({ target: { nodeName }, attributeName }) => `${nodeName} ${attributeName}`);
    }, by);
    const swapped = ['svg aria-hidden', 'svg aria-hidden'];
    assert.deepEqual(await changed('ArrowRight'), swapped, kind);
    await shown(page, 10);
    const [behind, seen] = await sheets();
    assert.equal(seen, ahead, kind);
    assert.notEqual(behind, ahead, `${kind}: the other sheet is for the next step`);
    await page.keyboard.press('ArrowLeft');
    await shown(page, 9);
    assert.deepEqual(await changed('ArrowLeft'), swapped, `${kind}: whoever steps back goes on doing so`);
    await close(page);
  }
});

test('a step back from a step on shows the position again, also where the board changed its shape', async () => {
  const page = await openWidened();
  await shown(page, 0);
  const seen = () => page.locator('#board > :not([aria-hidden]) > g').first().innerHTML();
  const before = await seen();
  await page.evaluate(async () => {
    for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowRight', 'ArrowLeft']) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      await null;
    }
  });
  await shown(page, 0);
  assert.equal(await seen(), before);
  await close(page);
});

test('a step keeps the elements of the board that it does not change, draws the board first, and what stands around it once that is painted', async () => {
  for (const kind of KINDS) {
    const page = await openKind(kind, '#9');
    await shown(page, 9);
    const elements = '#board > svg > g:first-child > *';
    await page.evaluate((all) => { globalThis.old = new Set(document.querySelectorAll(all)); }, elements);
    const [before, atOnce] = await page.evaluate(async () => {
      const seen = () => ({
        board: document.querySelector('#board > :not([aria-hidden]) > g').innerHTML,
        around: [document.querySelector('#ply').textContent, document.querySelector('.moves [aria-current]').dataset.ply],
        name: document.querySelector('#board > :not([aria-hidden])').getAttribute('aria-label'),
      });
      const found = seen();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
      await null;
      return [found, seen()];
    });
    assert.notEqual(atOnce.board, before.board, kind);
    assert.deepEqual(atOnce.around, before.around, `${kind}: nothing else was drawn before the frame`);
    assert.deepEqual([before.name, atOnce.name], ['Board after ply 9', null], kind);
    await shown(page, 10);
    assert.equal(await page.locator('#board > :not([aria-hidden]) > g').first().innerHTML(), atOnce.board, kind);
    assert.equal(await page.locator('.moves [aria-current]').getAttribute('data-ply'), '10', 'what names the board comes last');
    const kept = await page.locator(elements).evaluateAll((now) => now.filter((element) => globalThis.old.has(element)).length / now.length);
    assert.ok(kept > 0.4, `${kind}: ${Math.round(kept * 100)} % of the elements stayed`);
    await close(page);
  }
});

test('the positions further on are requested once the step is drawn', async () => {
  const page = await openKind('tri', '#19');
  await shown(page, 19);
  const atOnce = await page.evaluate(async () => {
    const { fetch } = globalThis;
    let asked = 0;
    globalThis.fetch = (...request) => { asked += 1; return fetch(...request); };
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    await new Promise(queueMicrotask);
    const before = asked;
    while (asked === 0) await new Promise((done) => { setTimeout(done, 10); });
    return before;
  });
  assert.equal(atOnce, 0);
  await shown(page, 20);
  await close(page);
});

test('steps that follow each other faster than a reader reads share what is drawn around the board', async () => {
  const page = await openKind('tri', '#0');
  await shown(page, 0);
  const [boards, captions, elapsed] = await page.evaluate(async () => {
    const seen = new Set();
    let changes = 0;
    new MutationObserver(() => { changes += 1; }).observe(document.querySelector('#ply'), { subtree: true, childList: true, characterData: true });
    const begun = performance.now();
    for (let index = 0; index < 30; index += 1) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
      await new Promise((done) => { requestAnimationFrame(() => done(null)); });
      seen.add(document.querySelector('#board > :not([aria-hidden]) > g').innerHTML);
    }
    return [seen.size, changes, performance.now() - begun];
  });
  assert.equal(boards, 30, 'each position is drawn');
  assert.ok(captions > 0 && captions <= elapsed / 100 + 2, `${captions} captions in ${elapsed} ms`);
  await shown(page, 30);
  await close(page);
});

test('a page that paints no frames is drawn at once', async () => {
  const page = await openKind('tri', '#9');
  await shown(page, 9);
  const label = await page.evaluate(async () => {
    Object.defineProperty(document, 'hidden', { get: () => true });
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
    await null;
    return document.querySelector('#board > :not([aria-hidden])').getAttribute('aria-label');
  });
  assert.equal(label, 'Board after ply 10');
  await close(page);
});

test('the address changes once the reader rests, or leaves', async () => {
  const page = await open(browser, '');
  await page.addInitScript(() => {
    globalThis.replaced = [];
    const replace = history.replaceState.bind(history);
    history.replaceState = (...args) => {
      globalThis.replaced.push(args[2]);
      return replace(...args);
    };
  });
  const { id } = games.tri;
  await page.goto(`/games/${id}#0`);
  await loaded(page);
  const step = (times) => page.evaluate(async (count) => {
    for (let left = count; left > 0; left -= 1) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
      await new Promise((done) => { requestAnimationFrame(() => done(null)); });
    }
  }, times);
  await step(15);
  assert.deepEqual(await page.evaluate(() => globalThis.replaced), []);
  await page.waitForURL('**#15');
  assert.deepEqual(await page.evaluate(() => globalThis.replaced), [`/games/${id}#15`]);
  await step(5);
  await page.evaluate(() => { location.assign('/ratings'); });
  await page.waitForURL('**/ratings');
  await page.goBack();
  await shown(page, 20);
  assert.ok(page.url().endsWith('#20'), page.url());
  await close(page);
});

test('a step writes only what it changes', async () => {
  for (const kind of KINDS) {
    const page = await open(browser, '');
    await page.clock.install();
    await page.goto(`/games/${games[kind].id}#9`);
    await loaded(page);
    await shown(page, 9);
    await page.clock.runFor(700);
    await page.evaluate(() => {
      globalThis.seen = [];
      new MutationObserver((records) => globalThis.seen.push(...records)).observe(document, { subtree: true, childList: true, attributes: true, attributeOldValue: true });
    });
    for (const ply of [10, 11, 12]) {
      await page.keyboard.press('ArrowRight');
      await shown(page, ply);
      await page.clock.runFor(500);
    }
    const needless = await page.evaluate(() => {
      const { seen } = globalThis;
      const isSame = ({ attributeName, oldValue, target, type }, index) => {
        if (type !== 'attributes') return false;
        const next = seen.slice(index + 1).find((other) => other.target === target && other.attributeName === attributeName);
        return oldValue === (next ? next.oldValue : target.getAttribute(attributeName));
      };
      const hasTitle = (nodes) => [...nodes].some(({ nodeName }) => nodeName === 'title');
      const isMadeAgain = ({ addedNodes, target }) => hasTitle(addedNodes) && seen.some((other) => other.target === target && hasTitle(other.removedNodes));
      return seen.filter((record, index) => isSame(record, index) || isMadeAgain(record))
        .map(({ attributeName, target }) => `${target.nodeName} ${target.id || target.getAttribute('class')}: ${attributeName ?? 'title'}`);
    });
    assert.deepEqual(needless, [], kind);
    await close(page);
  }
});

// --- marks on the slider

test('captures and rolls are marked on the slider in every kind; a click leads there, and so do keys', async () => {
  let captures = 0;
  for (const kind of KINDS) {
    const page = await openKind(kind, '#0');
    await page.waitForSelector('#slips .slip.end');
    const { game } = await ask('query($id: ID!) { game(id: $id) { moves(first: 500) { nodes { ply by } } } }', { id: games[kind].id });
    const rolls = game.moves.nodes.filter(({ by }) => by === 'chance').length;
    const marked = () => page.evaluate(() => [...document.querySelectorAll('#slips .slip')].map(({ className, dataset, title }) => ({ kind: className.slice(5), ply: Number(dataset.ply), title })));
    if (rolls > 0) await page.waitForSelector('#slips .slip:is(.dice, .capture)');
    await page.waitForTimeout(1000);
    const marks = await marked();
    captures += marks.filter((mark) => mark.kind === 'capture').length;
    for (const { ply: at, kind: what, title } of marks) {
      assert.ok(title.startsWith(`Ply ${at}: `) && title.length > 12, title);
      if (what === 'dice') assert.equal(game.moves.nodes[at - 1].by, 'chance');
    }
    if (marks.length > 1) {
      const [first, second] = marks;
      await page.locator(`.slip[data-ply="${second.ply}"]`).first().click({ force: true });
      await shown(page, second.ply);
      await page.keyboard.press(',');
      await page.waitForFunction((ply) => Number(document.querySelector('#slider').value) < ply, second.ply);
      await page.keyboard.press('Home');
      await page.keyboard.press('.');
      await page.waitForFunction((ply) => Number(document.querySelector('#slider').value) <= ply && document.querySelector('#slider').value !== '0', first.ply);
      const [capture] = marks.filter((mark) => mark.kind === 'capture');
      if (capture) {
        await page.evaluate((ply) => { location.hash = `#${ply}`; }, capture.ply);
        await shown(page, capture.ply);
        assert.ok(capture.title.includes(await page.locator('#told').textContent()), `${kind}: the mark says what the caption says`);
      }
    }
    await accessible(page, `${kind}: marks on the slider`);
    await close(page);
  }
  assert.ok(captures > 0, 'some game of the demo has captures');
});

// --- failures

test('a wrong token is refused before it is stored; one that is no longer valid is dropped, and the page goes on without it', async () => {
  const page = await openKind('triangulate', '#1');
  await page.click('#sign-in');
  await page.fill('#token', 'no-such-token');
  await page.keyboard.press('Enter');
  await page.getByText('The service does not know this token.').waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem('plybook.token')), null);
  await page.keyboard.press('Escape');
  // Stored as the new page begins: the page that is left may still send requests, and would drop the token unseen.
  await page.addInitScript(() => localStorage.setItem('plybook.token', 'was-known-once'));
  await page.reload();
  await loaded(page);
  await page.getByText('is no longer valid').waitFor();
  assert.equal(await page.locator('#sign-in').textContent(), 'Sign in');
  assert.equal(await page.evaluate(() => localStorage.getItem('plybook.token')), null);
  await accessible(page, 'a token that is no longer valid');
  page.wrongs = page.wrongs.filter((text) => !text.includes('401'));
  await close(page);
});

test('an address with an invalid ply or seat is corrected', async () => {
  const { id } = games.thrones;
  const page = await open(browser, '');
  for (const hash of ['#-1', '#abc', '#99999999']) {
    await page.goto('about:blank');
    await page.goto(`/games/${id}${hash}`);
    await loaded(page);
    await page.waitForURL(`**/games/${id}#0`);
  }
  await page.goto(`/games/${id}?viewer=7#2`);
  await shown(page, 2);
  await page.waitForURL(`**/games/${id}#2`);
  assert.equal(await page.locator('#notice').isHidden(), true);
  await page.evaluate(() => { location.hash = '#nonsense'; });
  await page.waitForURL(`**/games/${id}#2`);
  await close(page);
});

test('a page that contradicts the record shows a clear warning', async () => {
  const tampered = async (operation, change) => {
    const page = await open(browser, '');
    await rewriteAnswers(page, operation, change);
    await page.goto(`/games/${games.triangulate.id}#1`);
    await badge(page, 'failed');
    const text = await page.locator('#alarm').textContent();
    await accessible(page, 'alarm');
    await shut(page.context());
    return text;
  };
  const move = await tampered('Moves', (answer) => {
    const [, second] = answer.data.game.moves.nodes;
    if (second?.ply === 2) second.action = 'a1-a2';
    return answer;
  });
  assert.match(move, /Do not trust this page.*Ply 2 is shown as a1-a2/);
  const result = await tampered('Game', (answer) => {
    answer.data.game.outcome = { winners: [], ranking: null, reason: 'agreement', decidedBy: 'RULES' };
    return answer;
  });
  assert.match(result, /shows nobody as winning/);
});

test('a resignation is announced to watchers, and plies that arrive while they look elsewhere are counted', async () => {
  const key = token();
  const input = { kind: 'triangulate', seats: [{ name: 'Stays Here' }, { name: 'Goes Away' }] };
  const { createGame: { id } } = await ask('mutation($input: CreateGame!) { createGame(input: $input) { id } }', { input }, key);
  const act = async () => {
    const { game: { position } } = await ask('query($id: ID!) { game(id: $id) { position { toAct legalActions } } }', { id });
    const variables = { id, seat: Number(position.toAct[0].slice(5)), action: position.legalActions[0] };
    await ask('mutation($id: ID!, $seat: Int, $action: String!) { act(game: $id, seat: $seat, action: $action) { ply } }', variables, key);
  };
  await act();
  const page = await open(browser, `/games/${id}`);
  await page.waitForSelector('#live[data-state=live]');
  await shown(page, 1);
  await page.keyboard.press('Home');
  await shown(page, 0);
  await act();
  await act();
  await page.getByRole('button', { name: '2 new plies' }).click();
  await shown(page, 3);
  await page.locator('#fresh').waitFor({ state: 'hidden' });
  await ask('mutation($id: ID!) { resign(game: $id, seat: 2) { ply } }', { id }, key);
  await page.waitForFunction(() => /Stays Here won: resignation/.test(document.querySelector('#announce').textContent));
  assert.match(await page.locator('#news').textContent(), /resign/);
  await badge(page, 'verified');
  assert.equal(await page.locator('#alarm').innerText(), '');
  await close(page);
});

// --- keys and gestures

test('keys step by turns and by the turns of a seat, go to a ply, and change the viewer', async () => {
  const page = await openKind('thrones', '#5');
  await shown(page, 5);
  const press = async (key, at) => { await page.keyboard.press(key); await shown(page, at); };
  const { game: { moves: { nodes } } } = await ask('query($id: ID!) { game(id: $id) { moves(first: 60) { nodes { ply by } } } }', { id: games.thrones.id });
  const by = (number) => nodes[number - 1].by;
  const next = nodes.find((move) => move.ply > 5 && move.by !== by(5)).ply;
  await press('ArrowDown', next);
  await press(']', nodes.find((move) => move.ply > next && move.by === by(next)).ply);
  await press('[', next);
  await page.keyboard.press('g');
  await page.getByRole('dialog', { name: 'Go to a ply' }).waitFor();
  await accessible(page, 'go to');
  await page.fill('#go-to', '12');
  await press('Enter', 12);
  await page.keyboard.press('2');
  await page.waitForFunction(() => document.querySelector('#viewer')?.value === '2');
  await page.keyboard.press('0');
  await page.waitForFunction(() => document.querySelector('#viewer')?.value === 'public');
  await page.keyboard.press('0');
  await page.waitForFunction(() => document.querySelector('#viewer')?.value === 'all');
  await page.keyboard.press('e');
  await page.waitForSelector('#tab-explorer[aria-selected=true]');
  await page.keyboard.press('e');
  await page.waitForSelector('#tab-moves[aria-selected=true]');
  await page.keyboard.press('b');
  await page.waitForSelector('#act-open[aria-expanded=true]');
  await close(page);
});

test('the wheel, a swipe and a held button step as far as intended', async () => {
  const page = await openKind('triangulate', '#3', SCREENS.light);
  await shown(page, 3);
  await page.locator('#board').hover();
  await page.mouse.wheel(0, 100);
  await shown(page, 4);
  await page.mouse.wheel(0, -100);
  await shown(page, 3);
  const swipe = (from, to) => page.locator('#board').evaluate((board, [start, end]) => {
    const touch = (x) => new Touch({ identifier: 1, target: board, clientX: x, clientY: 200 });
    board.dispatchEvent(new TouchEvent('touchstart', { touches: [touch(start)], changedTouches: [touch(start)] }));
    board.dispatchEvent(new TouchEvent('touchend', { touches: [], changedTouches: [touch(end)] }));
  }, [from, to]);
  await swipe(300, 200);
  await shown(page, 4);
  await swipe(200, 300);
  await shown(page, 3);
  await swipe(200, 220);
  assert.equal(await ply(page), 3);
  await page.locator('#next').hover();
  await page.mouse.down();
  await page.waitForFunction(() => Number(document.querySelector('#slider').value) >= 7);
  await page.mouse.up();
  const at = await ply(page);
  await page.locator('#next').click();
  await page.waitForFunction((before) => Number(document.querySelector('#slider').value) > before, at);
  await close(page);
});

test('preferences are remembered', async () => {
  const page = await openKind('triangulate', '#0');
  await page.selectOption('#speed', '125');
  await page.keyboard.press('?');
  await page.getByLabel('Step with the wheel over the board').uncheck();
  assert.equal(await page.locator('#board > :not([aria-hidden]) text.label').first().isVisible(), true);
  await page.getByLabel('Show coordinates').uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await loaded(page);
  assert.equal(await page.locator('#board > :not([aria-hidden]) text.label').first().isVisible(), false);
  assert.equal(await page.locator('#speed').inputValue(), '125');
  await page.locator('#board').hover();
  await page.mouse.wheel(0, 100);
  assert.equal(await ply(page), 0);
  await close(page);
});

test('a held key draws every position that it passes', async () => {
  const page = await open(browser, '');
  await page.addInitScript(() => {
    globalThis.seen = new Set();
    const watch = () => {
      const drawn = document.querySelector('#board > :not([aria-hidden]) > g')?.innerHTML;
      if (drawn) globalThis.seen.add(drawn);
    };
    addEventListener('DOMContentLoaded', () => new MutationObserver(watch).observe(document, { subtree: true, childList: true, attributes: true }));
  });
  await page.goto(`/games/${games.tri.id}#0`);
  await loaded(page);
  const last = Math.min(games.tri.ply, 60);
  while (await ply(page) < last) {
    await page.evaluate(() => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', repeat: true, bubbles: true })));
  }
  await shown(page, await ply(page));
  assert.ok(await page.evaluate(() => globalThis.seen.size) > last, 'all of them were drawn: no two of this game look the same');
  await close(page);
});

/** A game of which every other position is wider and higher. */
async function openWidened() {
  const page = await open(browser, '');
  await rewriteAnswers(page, 'Positions', (answer, { from }) => {
    const { frames } = answer.data.game.scenes;
    frames.forEach(({ view }, index) => { if ((from + index) % 2) { view[2] += 900; view[3] += 500; } });
    return answer;
  });
  await page.goto(`/games/${games.triangulate.id}#0`);
  await loaded(page);
  return page;
}

test('a board keeps its frame while what is shown fills most of it', async () => {
  const page = await openWidened();
  const seen = [];
  for (let at = 0; at <= 4; at += 1) {
    if (at > 0) await page.keyboard.press('ArrowRight');
    await shown(page, at);
    seen.push(await page.locator('#board').evaluate((board) => `${board.querySelector(':scope > :not([aria-hidden])').getAttribute('viewBox')} ${board.clientWidth} ${board.clientHeight}`));
  }
  assert.notEqual(seen[1], seen[0], 'it grows');
  assert.deepEqual(seen.slice(2), Array(3).fill(seen[1]), 'and stays');
  await close(page);
});

test('a wide board uses the full width; one of another shape gets another size, and nothing on it another style', async () => {
  const page = await openKind('tri', '#9');
  await shown(page, 9);
  const [{ width, height }, ratio] = [await box(page, '#board'), await page.locator('#board > :not([aria-hidden])').evaluate((svg) => svg.viewBox.baseVal.width / svg.viewBox.baseVal.height)];
  assert.ok(Math.abs(width / height - ratio) < 0.05, 'no empty sides');
  assert.ok(height > 430 || width > 780, `${width} × ${height}`);
  const board = () => page.locator('#board').evaluate((element) => element.clientWidth);
  const wide = await board();
  const inherited = await page.evaluate(() => {
    document.querySelector('.stage').style.setProperty('--ratio', '.5');
    return ['--ratio', '--side'].map((name) => getComputedStyle(document.querySelector('#board > :not([aria-hidden])')).getPropertyValue(name));
  });
  assert.deepEqual(inherited, ['', '']);
  assert.ok(await board() < wide, 'the board is narrower');
  await close(page);
});

// --- what is shown

test('steps are animated in every kind, unless the reader prefers reduced motion', async () => {
  for (const reducedMotion of ['no-preference', 'reduce']) {
    for (const kind of KINDS) {
      const page = await open(browser, '', { ...SCREENS.light, reducedMotion });
      await page.addInitScript(() => {
        globalThis.spans = [];
        const { animate } = Element.prototype;
        Element.prototype.animate = function counted(frames, options) {
          if (options.duration !== undefined) globalThis.spans.push(options.duration);
          return animate.call(this, frames, options);
        };
      });
      await page.clock.install();
      await page.goto(`/games/${games[kind].id}#6`);
      await loaded(page);
      for (let at = 7; at <= 14; at += 1) {
        await page.clock.runFor(200);
        await page.keyboard.press('ArrowRight');
        await shown(page, at);
      }
      const spans = await page.evaluate(() => globalThis.spans);
      if (reducedMotion === 'reduce') assert.deepEqual(spans, [], kind);
      else assert.ok(spans.length > 0 && Math.max(...spans) <= 200, `${kind}: ${spans}`);
      await close(page);
    }
  }
});

test('on a flipped board, everything upright stays upright, in every kind', async () => {
  for (const kind of KINDS) {
    const page = await openKind(kind, '#12');
    await shown(page, 12);
    // Pictures are identified by the positions of their points within their own box.
    const pictures = () => page.locator('#board > :not([aria-hidden])').evaluate((svg) => [...svg.querySelectorAll('.tree, .peak, .wall, .emblem, .pawn, .shade, polygon.size-l, polygon.size-m, polygon.size-s')].map((shape) => {
      const { x, y } = shape.getBBox();
      return [...shape.points ?? []].map((point) => `${Math.round(point.x - x)},${Math.round(point.y - y)}`).join(' ');
    }));
    const upright = await pictures();
    const told = await page.locator('#seats').textContent();
    await page.keyboard.press('f');
    await page.waitForSelector('#flip[aria-pressed=true]');
    await page.waitForFunction(() => document.querySelector('#board svg'));
    assert.deepEqual(await pictures(), upright, kind);
    assert.equal(await page.locator('#seats').textContent(), told);
    // Numbers and small letters of spaces are shown only where somebody may play.
    const out = await page.locator('#board > :not([aria-hidden])').evaluate((svg) => {
      svg.parentElement.classList.add('playable');
      const frame = svg.getBoundingClientRect();
      const isOut = ({ left, right, top, bottom }) => left < frame.left - 1 || right > frame.right + 1 || top < frame.top - 1 || bottom > frame.bottom + 1;
      return [...svg.querySelectorAll('text, .piece')].filter((shape) => isOut(shape.getBoundingClientRect())).map((shape) => shape.outerHTML);
    });
    assert.deepEqual(out, [], `${kind}: all is in view`);
    await shoot(page, `flip-${kind}`);
    await close(page);
  }
});

test('figures stand beside the board as text, with the names of the seats', async () => {
  for (const kind of KINDS) {
    const page = await openKind(kind, '#10');
    await shown(page, 10);
    const { seats } = games[kind];
    const rows = page.locator('#seats tbody tr:not(.other)');
    assert.equal(await rows.count(), seats.length);
    for (const [index, { name }] of seats.entries()) assert.ok((await rows.nth(index).textContent()).includes(name));
    assert.ok(await page.locator('#seats thead th').count() >= 3, `${kind} has columns`);
    assert.match(await page.locator('#status').textContent(), /\S/);
    assert.doesNotMatch(await page.locator('.caption').textContent(), /\bseat \d/i, `${kind} says names`);
    await accessible(page, kind);
    await close(page);
  }
});

test('the slider has marks where something was noted', async () => {
  const page = await open(browser, '');
  await rewriteAnswers(page, 'Moves', (answer) => {
    const [move] = answer.data.game.moves.nodes;
    if (move?.ply === 1) Object.assign(move, { glyphs: ['??'], comment: 'Oh no' });
    return answer;
  });
  await page.goto(`/games/${games.triangulate.id}#0`);
  await loaded(page);
  await page.waitForSelector('#slips .slip.mistake[data-ply="1"]', { state: 'attached' });
  await page.waitForSelector('#slips .slip.end', { state: 'attached' });
  await close(page);
});

// --- on every screen

const wide = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const box = (page, selector) => page.locator(selector).boundingBox();

test('on a phone the board and its controls come first', async () => {
  for (const kind of KINDS) {
    const page = await openKind(kind, '#5', { ...SCREENS.phone, viewport: { width: 320, height: 640 } });
    const [board, controls, about] = [await box(page, '#board'), await box(page, '.controls'), await box(page, '.about')];
    assert.ok(board.y < 120 && board.width >= 300, `${kind}: the board is at ${board.y}, ${board.width} wide`);
    assert.ok(controls.y + controls.height <= 640, `${kind}: the controls end at ${controls.y + controls.height}`);
    assert.ok(about.y > board.y + board.height && controls.y > board.y + board.height);
    assert.equal(await wide(page), 0, kind);
    await shoot(page, `phone-${kind}`);
    await page.locator('#share').tap();
    await page.waitForFunction(() => document.querySelector('#panel-files button')?.getBoundingClientRect().bottom < document.querySelector('.controls').getBoundingClientRect().top);
    await close(page);
  }
});

/** Phones, tablets and windows, upright and on their sides. */
const SIZES = IS_ALL ? [[320, 568], [320, 640], [360, 740], [390, 844], [320, 480], [740, 340], [768, 1024], [820, 1180], [1024, 768], [1180, 820], [1280, 720], [1280, 800], [1920, 1080]] : [[360, 740], [740, 340]];

/** As many taps at one place. */
const TAPS = IS_ALL ? 40 : 15;

test('a button that steps stays where it is: taps at one place are as many steps', async () => {
  for (const kind of KINDS) {
    const { games: { nodes: [{ id }] } } = await ask('query($kind: String!) { games(filter: { kind: $kind, status: FINISHED, origin: RECORDED, minPly: 40 }, first: 1) { nodes { id } } }', { kind });
    const page = await open(browser, `/games/${id}#0`);
    await shown(page, 0);
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await page.keyboard.press('Home');
      await shown(page, 0);
      await page.locator('#next').scrollIntoViewIfNeeded();
      const { x, y, width: across, height: down } = await page.locator('#next').boundingBox();
      const at = { x: x + across / 2, y: y + down / 4 };
      for (let tap = 1; tap <= TAPS; tap += 1) {
        const hit = await page.evaluate((point) => {
          const button = document.elementFromPoint(point.x, point.y)?.closest('button');
          button?.click();
          return button?.id;
        }, at);
        assert.equal(hit, 'next', `${kind}, ${width} × ${height}, tap ${tap}`);
        await shown(page, tap);
      }
    }
    await close(page);
  }
});

test('on its side, and at 400 %, the board can be read', async () => {
  const page = await openKind('thrones', '#5');
  for (const [name, viewport] of Object.entries({ side: { width: 740, height: 340 }, zoomed: { width: 320, height: 200 } })) {
    await page.setViewportSize(viewport);
    const board = await box(page, '#board');
    assert.ok(Math.min(board.width, board.height) >= 270, `${name}: ${board.width} × ${board.height}`);
    assert.equal(await wide(page), 0, name);
    await shoot(page, `short-${name}`);
  }
  await close(page);
});

test('with forced colours, marks and the current place stay visible, and pieces keep their colours', async () => {
  const page = await openKind('thrones', '#5', { ...SCREENS.light, forcedColors: 'active' });
  await page.waitForSelector('#slips .slip.end');
  const [mark, ground] = await page.evaluate(() => [getComputedStyle(document.querySelector('.slip.end'), '::before').backgroundColor, getComputedStyle(document.body).backgroundColor]);
  assert.notEqual(mark, ground);
  const backs = await page.evaluate(() => {
    const back = (selector) => getComputedStyle(document.querySelector(selector)).backgroundColor;
    return [back('.moves a[aria-current]'), back('.moves a[data-ply="4"]')];
  });
  assert.notEqual(backs[0], backs[1]);
  const fills = await page.evaluate(() => ['.piece.seat-1', '.piece.seat-2'].map((one) => getComputedStyle(document.querySelector(`#board > :not([aria-hidden]) ${one}`)).fill));
  assert.notEqual(fills[0], fills[1]);
  await shoot(page, 'forced');
  await close(page);
});

test('a printed page has the board, the facts and the moves', async () => {
  const page = await openKind('triangulate', '#5');
  await page.emulateMedia({ media: 'print' });
  for (const [selector, isSeen] of [['#board', true], ['.moves', true], ['#seats', true], ['.controls', false], ['#act-card', false], ['.tabs', false], ['.top', false]]) {
    assert.equal(await page.locator(selector).isVisible(), isSeen, selector);
  }
  const clipped = await page.locator('#panel-moves').evaluate((panel) => panel.scrollHeight - panel.clientHeight);
  assert.ok(clipped <= 1, 'all moves are printed');
  await close(page);
});

test('an address that is not a game is not found', async () => {
  const answer = await fetch(`${process.env.PLYBOOK_URL}/games/01a2.svg`, { headers: { accept: 'text/html' } });
  assert.equal(answer.status, 404);
  const page = await open(browser, '/nothing/here');
  await page.getByRole('heading', { name: 'Not found' }).waitFor();
  await accessible(page, 'not found');
  page.wrongs = page.wrongs.filter((text) => !text.includes('404'));
  await close(page);
});
