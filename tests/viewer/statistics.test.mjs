// The modules of statistics and explorer that need no DOM. `node --test statistics.test.mjs`, no install needed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import * as charts from '../../web-viewer/figures/charts.js';
import { Explored, isMove, others } from '../../web-viewer/replay/requests/explored.js';
import { between, brief } from '../../web-viewer/model/format.js';
import * as heat from '../../web-viewer/figures/heat.js';
import { analysisSections, heatSection } from '../../web-viewer/figures/report.js';
import * as results from '../../web-viewer/figures/results.js';
import * as scale from '../../web-viewer/figures/scale.js';
import * as filters from '../../web-viewer/model/filter-url.js';
import { idIn } from '../../web-viewer/model/url.js';

const SPREAD = {
  count: 4, min: 12, max: 71, mean: 40.5, median: 33, p10: 12, p90: 71,
  histogram: [{ key: '0', count: 1 }, { key: '20', count: 2 }, { key: '40', count: 0 }, { key: '60', count: 1 }],
};
const ANALYSIS = {
  games: 3, accuracy: 81.5, accuracyBySeat: [83, null],
  phases: [{ actions: 9, dubious: 2, mistakes: 1, blunders: 0 }, { actions: 8, dubious: 0, mistakes: 0, blunders: 3 }, { actions: 0, dubious: 0, mistakes: 0, blunders: 0 }],
  chances: [{ ply: 0, games: 3, chances: [0.5, 0.375], draw: 0.125 }, { ply: 1, games: 2, chances: [0.25, 0.75], draw: 0 }],
};
const WORDS = { words: String, step: scale.niceStep, noun: 'games' };

// --- scale

test('steps are 1, 2 or 5 times a power of ten, and cover the span', () => {
  for (const [span, count, step] of [[10, 10, 1], [11, 10, 2], [100, 4, 50], [1, 5, 0.2], [0.3, 3, 0.1], [7000, 7, 1000], [0, 5, 1]]) {
    assert.equal(Number(scale.niceStep(span, count).toPrecision(6)), step, `${span} by ${count}`);
  }
  for (let span = 1; span < 3000; span += 7) assert.ok(scale.niceStep(span, 7) * 7 >= span * (1 - 1e-9), String(span));
  assert.deepEqual([3000, 61_000, 700_000, 8_000_000].map((span) => scale.timeStep(span, 4)), [1000, 30_000, 300_000, 3_600_000]);
});

test('ticks lie within their range and are written in the usual way', () => {
  assert.deepEqual(scale.ticks(3, 21, 5), [5, 10, 15, 20]);
  assert.deepEqual(scale.ticks(0, 0.5, 0.1), [0, 0.1, 0.2, 0.3, 0.4, 0.5]);
  assert.deepEqual(scale.ticks(4, 4, 1), [4]);
});

test('bins have a width, even a single one', () => {
  assert.deepEqual(scale.bins(SPREAD.histogram).map(({ from, to, count }) => [from, to, count]), [[0, 20, 1], [20, 40, 2], [40, 60, 0], [60, 80, 1]]);
  assert.deepEqual(scale.bins([{ key: '0.1', count: 1 }, { key: '0.2', count: 1 }]).map(({ to }) => to), [0.2, 0.3]);
  assert.deepEqual(scale.bins([{ key: '75', count: 9 }], 75), [{ from: 75, to: 76, count: 9 }]);
  assert.equal(scale.bins([{ key: '70', count: 9 }], 77)[0].to, 80);
  assert.deepEqual(scale.bins([]), []);
});

test('empty months are filled in, and many months become years', () => {
  assert.deepEqual(scale.months([{ key: '2025-11', count: 2 }, { key: '2026-02', count: 1 }]), [
    { label: '2025-11', count: 2 }, { label: '2025-12', count: 0 }, { label: '2026-01', count: 0 }, { label: '2026-02', count: 1 },
  ]);
  assert.deepEqual(scale.months([{ key: '2020-01', count: 1 }, { key: '2020-05', count: 2 }, { key: '2024-01', count: 4 }]), [
    { label: '2020', count: 3 }, { label: '2021', count: 0 }, { label: '2022', count: 0 }, { label: '2023', count: 0 }, { label: '2024', count: 4 },
  ]);
  assert.deepEqual(scale.months([]), []);
});

// --- charts

test('a histogram: bars as high as their counts, side by side, within the frame', () => {
  const { shapes, width, height } = charts.histogram(scale.bins(SPREAD.histogram), SPREAD, { width: 300, height: 190, ...WORDS });
  const bars = shapes.filter(({ attributes }) => attributes.class === 'bar').map(({ attributes }) => attributes);
  assert.equal(bars.length, 4);
  assert.ok(Math.abs(bars[1].height - 2 * bars[0].height) < 0.02 && bars[2].height === 0);
  for (const [index, bar] of bars.entries()) {
    assert.ok(bar.x >= 0 && bar.x + bar.width <= width && bar.y >= 0 && bar.y + bar.height <= height);
    if (index) assert.ok(bar.x >= bars[index - 1].x + bars[index - 1].width);
  }
  const median = shapes.find(({ attributes }) => attributes.class === 'median').attributes;
  assert.ok(median.x1 > bars[1].x && median.x1 < bars[1].x + bars[1].width);
  const band = shapes.find(({ attributes }) => attributes.class === 'band').attributes;
  assert.ok(band.x > bars[0].x && band.x + band.width > bars[3].x);
  assert.ok(shapes.some(({ text }) => text === 'median 33'));
  assert.ok(shapes.some(({ title }) => title === '20 – 40: 2 games'));
});

test('whole numbers are in the middle of their bins', () => {
  const marks = { min: 0, max: 2, median: 1, p10: 0, p90: 2 };
  const { shapes } = charts.histogram(scale.bins([{ key: '0', count: 1 }, { key: '1', count: 3 }, { key: '2', count: 1 }]), marks, { width: 300, height: 190, ...WORDS });
  const of = (name) => shapes.filter(({ attributes }) => attributes.class === name).map(({ attributes }) => attributes);
  const middles = of('bar').map(({ x, width }) => x + width / 2);
  assert.ok(Math.abs(of('median')[0].x1 - middles[1]) < 0.02);
  assert.deepEqual(of('tick').map(({ x1 }) => Math.round(x1)), middles.map(Math.round));
});

test('an axis does not say the same twice', () => {
  const spread = { min: 870_000, max: 960_000, median: 940_000, p10: 880_000, p90: 955_000 };
  const { shapes } = charts.histogram(scale.bins([{ key: '860000', count: 1 }, { key: '880000', count: 2 }, { key: '900000', count: 2 }, { key: '920000', count: 2 }, { key: '940000', count: 2 }]), spread, { width: 400, height: 190, words: brief, step: scale.timeStep });
  const labels = shapes.filter(({ attributes: { class: name } }) => name === 'middle').map(({ text }) => text);
  assert.deepEqual(labels, [...new Set(labels)]);
});

test('labels stay within a chart of any width', () => {
  for (const width of [120, 240, 333, 900]) {
    for (const marks of [SPREAD, { ...SPREAD, median: 12 }, { ...SPREAD, median: 71 }]) {
      const { shapes } = charts.histogram(scale.bins(SPREAD.histogram), marks, { width, height: 190, ...WORDS });
      for (const { text, attributes } of shapes) {
        if (!text) continue;
        const half = (text.length * 5.5) / (attributes.class.includes('middle') ? 2 : 1);
        const [left, right] = attributes.class.includes('middle') ? [half, half] : attributes.class.includes('end') ? [half, 0] : [0, half];
        assert.ok(attributes.x - left >= -4 && attributes.x + right <= width + 4, `${text} at ${attributes.x} of ${width}`);
      }
    }
  }
});

test('numbers in few characters', () => {
  assert.deepEqual([0, 0.123456, 7, 999, 1000, 1250, 34_400, 123_456, 999_499, 5_600_000].map((value) => charts.compact(value)), [
    '0', '0.123', '7', '999', '1k', '1.3k', '34k', '123k', '999k', '5.6M',
  ]);
  assert.equal(charts.compact(1250, 3), '1.25k');
});

test('spans of time as in speech', () => {
  assert.deepEqual([0, 900, 9900, 59_000, 90_000, 120_000, 1_463_000, 3_600_000, 4_320_000, 200_000_000].map(brief), [
    '0 s', '0.9 s', '9.9 s', '59 s', '1 min 30 s', '2 min', '24 min', '1 h', '1 h 12 min', '2.3 d',
  ]);
  assert.deepEqual([between('20 min', '29 min'), between('40 min', '1 h 12 min'), between('5', '9'), between('50 s', '2 min')], [
    '20 – 29 min', '40 min – 1 h 12 min', '5 – 9', '50 s – 2 min',
  ]);
});

// --- results

test('shares refer to games with a result, even with several winners', () => {
  const plain = results.parts({ wins: [2, 1], draws: 1, other: 4 }, 8);
  assert.deepEqual(plain.map(({ name, count, share }) => [name, count, share]), [['Seat 1', 2, 0.5], ['Seat 2', 1, 0.25], ['Draw', 1, 0.25], ['No result', 4, 0]]);
  assert.equal(results.isShared({ wins: [2, 1], draws: 1, other: 4 }, 8), false);
  const shared = { wins: [4, 3, 0], draws: 0, other: 0 };
  assert.equal(results.isShared(shared, 4), true);
  assert.deepEqual(results.parts(shared, 4).map(({ share }) => share), [1, 0.75, 0]);
  assert.deepEqual(results.parts({ wins: [0, 0, 4, 0, 0, 0], draws: 0, other: 0 }, 4, 2).map(({ count }) => count), [0, 0, 4]);
  assert.deepEqual(results.parts({ wins: [0, 0, 0], draws: 0, other: 0 }, 0, 2).length, 2);
  assert.deepEqual(results.parts({ wins: [0, 0], draws: 0, other: 0 }, 0).map(({ share }) => share), [0, 0]);
  assert.equal(results.resultWords({ wins: [2, 0, 1], draws: 1, other: 3 }), 'seat 1 won 2, seat 3 won 1, 1 drawn, 3 without a result');
  assert.equal(results.resultWords({ wins: [], draws: 0, other: 0 }), 'no results');
  assert.deepEqual([0, 0.004, 0.03, 0.0996, 0.5, 1].map(results.percent), ['0 %', '0.4 %', '3 %', '10 %', '50 %', '100 %']);
});

test('the opponents of a player', () => {
  const seat = (id) => ({ name: id.toUpperCase(), player: id === 'guest' ? null : { id } });
  const games = [['tri', 'me', 'b'], ['x', 'c', 'me'], ['x', 'me', 'c', 'guest'], ['y', 'c', 'me']].map(([kind, ...ids]) => ({ kind, seats: ids.map(seat) }));
  assert.deepEqual(results.opponents(games, 'me'), [{ id: 'c', name: 'C', games: 3, kind: 'x' }, { id: 'b', name: 'B', games: 1, kind: 'tri' }]);
  assert.deepEqual(results.opponents([], 'me'), []);
});

// --- heat

test('the steps of colours cover every count once', () => {
  for (const values of [[1], [1, 2], [3, 7, 23], [1, 1, 1, 1, 900], [5000, 4000, 3000], Array.from({ length: 80 }, (_, n) => n * n)]) {
    const ranges = heat.steps(values);
    assert.ok(ranges.length >= 1 && ranges.length <= heat.STEPS);
    assert.equal(ranges[0].from, 1);
    assert.equal(ranges.at(-1).to, null);
    for (const [index, { from }] of ranges.entries()) if (index) assert.equal(from, ranges[index - 1].to + 1);
    const steps = [...values].sort((a, b) => a - b).map((value) => heat.stepOf(value, ranges));
    assert.deepEqual(steps, [...steps].sort((a, b) => a - b), 'more is never paler');
    assert.equal(heat.stepOf(Math.max(...values), ranges), heat.STEPS, 'the most has the strongest colour');
    assert.equal(heat.stepOf(0, ranges), 0);
    assert.equal(heat.legend(ranges).length, ranges.length + 1);
  }
  assert.deepEqual(heat.steps([0, 0]), []);
  assert.deepEqual(heat.legend(heat.steps([3, 7, 14])).map(({ text }) => text), ['0', '1–2', '3–4', '5–6', '7–8', '9–10', '11–12', '13+']);
});

test('steps grow if few places have nearly everything', () => {
  const ranges = heat.steps([1, 2, 2, 3, 4, 1000]);
  assert.equal(ranges.at(-1).from, 1000);
  assert.ok(heat.stepOf(4, ranges) < heat.STEPS);
});

test('the empty board is coloured; places that it does not show are listed', () => {
  const square = (x, place, name = 'space') => ({ shape: 'POLYGON', points: [[x, 0], [x + 1000, 0], [x + 1000, 1000], [x, 1000]], class: name, place, title: place });
  const scene = {
    view: [-5000, -5000, 20_000, 20_000],
    items: [
      { shape: 'POLYGON', points: [[0, 0], [2000, 0], [2000, 1000]], class: 'board' }, square(0, 'a1'), square(1000, 'b1'),
      { shape: 'CIRCLE', at: [500, 500], r: 300, class: 'piece seat-1', place: 'a1' },
      { shape: 'TEXT', at: [500, 1300], size: 400, text: 'a', class: 'label' }, { shape: 'TEXT', at: [9000, 9000], size: 400, text: 'L', class: 'label' },
    ],
  };
  const words = (place, value) => `${place} ${value}`;
  const seen = heat.heatScene(scene, { a1: 12, hand: 3, box: 0 }, { words, numbers: true });
  assert.deepEqual(seen.items.map((item) => item.class), ['board', 'field heat-7', 'field heat-0', 'label', 'number ink-7', 'number ink-0']);
  assert.deepEqual(seen.items.filter(({ shape }) => shape === 'TEXT').map(({ text }) => text), ['a', '12', '0']);
  assert.equal(seen.items[1].title, 'a1 12');
  assert.deepEqual(seen.unseen, ['hand']);
  assert.deepEqual(seen.view, [-600, -600, 3200, 2200]);
  const onPlaces = { shape: 'TEXT', at: [500, 300], size: 200, text: 'x', class: 'label' };
  const named = heat.heatScene({ ...scene, items: [...scene.items.slice(0, 4), onPlaces] }, { a1: 1 }, { words, numbers: false });
  assert.deepEqual(named.items.filter(({ shape }) => shape === 'TEXT').map(({ text }) => text), ['a1', 'b1'], 'a board without coordinates gets names');
});

test('numbers are legible on every colour, and neighbouring colours differ', () => {
  const css = readFileSync(new URL('../../web-viewer/figures/charts.css', import.meta.url), 'utf8');
  const found = [...css.matchAll(/--(heat|ink)-(\d): (?:light-dark\()?(#[0-9a-f]{3,6})(?:, (#[0-9a-f]{3,6})\))?/g)];
  assert.equal(found.length, 2 * (heat.STEPS + 1));
  for (const isDark of [false, true]) {
    const scheme = found.map(([, name, step, usual, dark]) => ({ name, step: Number(step), light: light((isDark && dark) || usual) }));
    const of = (name) => scheme.filter((each) => each.name === name).sort((a, b) => a.step - b.step).map((each) => each.light);
    const [fields, inks] = [of('heat'), of('ink')];
    for (const [step, field] of fields.entries()) {
      assert.ok(contrast(field, inks[step]) >= 4.5, `step ${step}: ${contrast(field, inks[step]).toFixed(2)}`);
      if (step) assert.ok(contrast(field, fields[step - 1]) >= 1.1, `steps ${step - 1} and ${step}: ${contrast(field, fields[step - 1]).toFixed(2)}`);
    }
    const rising = Math.sign(fields.at(-1) - fields[0]);
    for (const [step, field] of fields.entries()) if (step) assert.equal(Math.sign(field - fields[step - 1]), rising, `step ${step} goes on`);
  }
});

function light(colour) {
  const hex = colour.length === 4 ? [...colour.slice(1)].map((digit) => digit + digit).join('') : colour.slice(1);
  const [r, g, b] = hex.match(/../g).map((pair) => parseInt(pair, 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

// --- tables

test('tables beside charts: places most first, then as one counts; nothing where no game is analysed', () => {
  assert.deepEqual(heatSection({ name: 'visits', total: 10, places: { a2: 3, a10: 3, b1: 4 } }).rows, [['b1', 4, 0.4], ['a2', 3, 0.3], ['a10', 3, 0.3]]);
  assert.deepEqual(analysisSections({ games: 0 }), []);
  assert.equal(analysisSections(ANALYSIS)[0].rows[0][1], 83);
});

// --- addresses

test('the state of the statistics round-trips through the address', () => {
  const key = 'ab'.repeat(32);
  const search = `?kind=tri&player=x&opponent=y&status=FINISHED&since=2026-11-01&reason=a-b&tag=event%3DOpen&tournament=t&what=captures&at=${key}&line=a1+b2`;
  const state = filters.parseStatistics(search);
  assert.deepEqual(state, {
    kind: 'tri', player: 'x', opponent: 'y', status: 'FINISHED', since: '2026-11-01', until: '', reason: 'a-b', tag: 'event=Open', tournament: 't', what: 'captures', at: key, line: 'a1 b2',
  });
  assert.deepEqual(filters.parseStatistics(filters.searchOf(state)), state);
  assert.equal(filters.searchOf(filters.parseStatistics('')), '');
  const { at, line, status } = filters.parseStatistics('?at=nokey&line=a1&status=nope');
  assert.deepEqual([at, line, status], ['', '', '']);
  assert.equal(filters.parseStatistics('?opponent=y').player, 'y');
  assert.equal(filters.parseStatistics('?player=y&opponent=y').opponent, '');
});

test('the filter of the statistics', () => {
  assert.deepEqual(filters.statisticsFilter(filters.parseStatistics('?kind=tri&player=x&reason=r&tag=t')), { reason: 'r', tags: ['t'], player: 'x' });
  assert.deepEqual(filters.statisticsFilter(filters.parseStatistics('?player=x&opponent=y')), { players: ['x', 'y'] });
  const { since, until } = filters.statisticsFilter(filters.parseStatistics('?since=2026-11-01&until=2026-11-01'));
  assert.equal(Date.parse(until) - Date.parse(since), 86_399_999);
  assert.equal(filters.isNarrowed(filters.parseStatistics('?kind=tri&what=x')), false);
  assert.equal(filters.isNarrowed(filters.parseStatistics('?tag=x')), true);
  assert.deepEqual([idIn('/players/a%20b'), idIn('/players'), idIn('/players/%'), idIn('/games/x/')], ['a b', '', '', 'x']);
});

// --- explorer

test('an action of the explorer is recognised as the game\'s own', () => {
  const move = { by: 'seat:3', action: 'LDL' };
  assert.deepEqual(['LDL', '3:LDL', '4:LDL', 'LD', '3:'].map((action) => isMove(action, move)), [true, true, false, false, false]);
  assert.equal(isMove('LDL', undefined), false);
});

test('games are listed once, and this one not at all', () => {
  const games = (...ids) => ids.map((id) => ({ id }));
  const { top, recent } = others(games('a', 'me', 'b'), games('c', 'a', 'me'), 'me');
  assert.deepEqual([top, recent].map((list) => list.map(({ id }) => id).join('')), ['ab', 'c']);
});

test('the explorer makes one request once the reader stops', async () => {
  const asked = [];
  let changes = 0;
  const explored = new Explored(async ({ ply }) => { asked.push(ply); return ply; }, () => { changes += 1; }, 10);
  for (const ply of [0, 1, 2, 3]) assert.equal(explored.want({ ply }, {}), undefined);
  await until(() => changes === 1);
  assert.deepEqual(asked, [3]);
  assert.equal(explored.want({ ply: 3 }, {}).answer, 3);
  explored.want({ ply: 3 }, { player: 'x' });
  await until(() => changes === 2);
  assert.deepEqual(asked, [3, 3], 'another filter is another question');
  explored.want({ ply: 4 }, {});
  explored.leave();
  explored.want({ ply: 3 }, {});
  await new Promise((done) => setTimeout(done, 30));
  assert.deepEqual(asked, [3, 3], 'nothing is asked for that nobody looks at');
});

test('failures are shown and can be retried; the cache is bounded', async () => {
  let fail = true;
  let changes = 0;
  const explored = new Explored(async ({ ply }) => { if (fail) throw new Error('down'); return ply; }, () => { changes += 1; }, 0);
  explored.want({ ply: 1 }, {});
  await until(() => changes === 1);
  assert.equal(explored.want({ ply: 1 }, {}).error.message, 'down');
  fail = false;
  explored.retry();
  explored.want({ ply: 1 }, {});
  await until(() => changes === 3);
  assert.equal(explored.want({ ply: 1 }, {}).answer, 1);
  for (let ply = 2; ply < 300; ply++) await explored.fetch(String(ply), { ply }, {});
  assert.ok(explored.found.size <= 200, String(explored.found.size));
});

/** Waits for a condition that must come true; gives up after a while, because a test must be able to fail. */
async function until(holds) {
  for (let tries = 0; tries < 2000; tries++) {
    if (holds()) return;
    await new Promise((done) => setTimeout(done, 2));
  }
  assert.fail('what was waited for did not come');
}
