// The cards of the statistics page, built from the service's answers.

import { common } from '../words/common.js';
import { statistics as words } from '../words/statistics.js';
import { lists } from '../words/lists.js';
import { month, number } from '../words/locale.js';
import { analysisCard } from './analysis-card.js';
import { histogram } from './charts.js';
import { chip, h, s } from '../base/dom.js';
import { bar, barsTable, card, chart, figure, shown } from './figures.js';
import { between, brief, capital, nameInText, nameWords, reasonWords } from '../model/format.js';
import { luckSections, spreadSections } from './report.js';
import { termOnly } from '../model/terms.js';
import { isShared, parts, percent } from './results.js';
import { bins, months, niceStep, timeStep } from './scale.js';

const CHART_HEIGHT = 190;
const TOLD = ['length', 'branchingFactor']; // measures that have cards of their own

/**
 * The cards before and after the openings and the board.
 * @param {any} statistics
 * @param {{seats: number, rivals: {results: import('./results.js').Results, names: {player: string, opponent: string}} | null, playerName: string}} about
 *   seats: that every game has; playerName: whose luck and play it is, empty for everybody
 */
export function cards(statistics, { seats, rivals, playerName }) {
  return {
    before: () => [
      headline(statistics, seats),
      rivals && againstCard(rivals),
      resultsCard(statistics, seats),
      reasonsCard(statistics),
      spreadCard(words.length, words.lengthAbout, statistics.plies, { value: figure, step: niceStep, unit: 'count' }),
      spreadCard(common.duration, words.durationAbout, statistics.durationMs, { value: brief, step: timeStep, unit: 'ms' }),
      spreadCard(words.choices, words.choicesAbout, statistics.branching, { value: figure, step: niceStep, unit: 'number' }),
      monthsCard(statistics),
    ].filter(Boolean),
    after: () => [analysisCard(statistics.analysis, playerName), ...luckCards(statistics.luck, playerName), measuresCard(statistics.measures)].filter(Boolean),
  };
}

function headline({ games, finished, results, plies, durationMs, branching }, seats) {
  const wins = parts(results, games, seats).filter(({ kind, count }) => kind === 'win' && count > 0);
  const best = wins.reduce((most, part) => (most && most.count >= part.count ? most : part), wins[0]);
  const tile = (name, value, more) => h('div', { class: 'tile' }, h('dt', {}, name), h('dd', {}, h('b', {}, value), h('span', {}, more)));
  return h('dl', { class: 'tiles', 'aria-label': words.inShort },
    tile(common.games, number(games), words.finished(finished)),
    best && tile(words.mostWins, best.name, words.ofDecided(percent(best.share))),
    plies.count > 0 && tile(words.medianLength, lists.plies(plies.median), words.eightInTen(between(figure(plies.p10), figure(plies.p90)))),
    durationMs.count > 0 && tile(words.medianDuration, brief(durationMs.median), words.eightInTen(between(brief(durationMs.p10), brief(durationMs.p90)))),
    branching.count > 0 && tile(common.choicesPerPly, figure(branching.median), words.eightInTen(between(figure(branching.p10), figure(branching.p90)))));
}

function resultsCard({ results, games }, seats) {
  const found = parts(results, games, seats);
  const shared = isShared(results, games);
  const rows = found.map(({ seat, name, count, share, kind }) => h('tr', {},
    h('th', { scope: 'row' }, kind === 'win' ? chip(seat) : chip(0, kind === 'draw' ? '=' : '?'), name),
    h('td', { class: 'wide' }, bar(share, kind === 'win' ? `seat-${seat}` : kind === 'draw' ? 'drawn' : 'undecided')),
    h('td', { class: 'number' }, number(count)),
    h('td', { class: 'number soft' }, kind === 'other' ? '–' : percent(share))));
  return card({
    title: common.bySeat,
    name: 'half',
    about: shared ? words.isShared : '',
  }, barsTable([common.result, '', common.games, common.share], rows));
}

function reasonsCard({ reasons, finished }) {
  if (reasons.length === 0) return null;
  const rows = reasons.map(({ key, count }) => h('tr', {},
    h('th', { scope: 'row' }, capital(reasonWords(key))),
    h('td', { class: 'wide' }, bar(finished ? count / finished : 0)),
    h('td', { class: 'number' }, number(count)),
    h('td', { class: 'number soft' }, finished ? percent(count / finished) : '')));
  return card({ title: common.ends, name: 'half' }, barsTable([common.reason, '', common.games, common.share], rows));
}

function spreadCard(title, about, spread, { value, step, unit }) {
  if (spread.count === 0) return card({ title, name: 'third' }, h('p', { class: 'none' }, words.noFigures));
  const all = bins(spread.histogram, spread.max);
  const label = words.spread(title, lists.count(spread.count), ...[spread.min, spread.max, spread.median, spread.p10, spread.p90].map(value));
  return card({ title, name: 'third', about, sections: spreadSections(title, spread, unit) },
    chart(label, (width) => histogram(all, spread, { width, height: CHART_HEIGHT, words: value, step })),
    marks(spread, value));
}

function marks(spread, value) {
  const range = (from, to) => between(value(from), value(to));
  const pairs = [[common.mean, value(spread.mean)], [common.median, value(spread.median)], ['p10 – p90', range(spread.p10, spread.p90)], [words.range, range(spread.min, spread.max)]];
  return h('dl', { class: 'marks' }, ...pairs.map(([name, text]) => h('div', {}, h('dt', {}, name), h('dd', {}, text))));
}

function monthsCard(statistics) {
  const all = months(statistics.byMonth);
  if (all.length === 0) return null;
  const isByYear = all[0].label.length === 4;
  const named = (label) => (isByYear ? label : month(`${label}-01T00:00:00Z`));
  const title = isByYear ? words.byYear : common.byMonth;
  const most = all.reduce((one, other) => (other.count > one.count ? other : one));
  return card({ title, name: 'wide' }, h('div', { class: 'scrolls tall', tabindex: '0', role: 'group', 'aria-label': title }, barsTable([isByYear ? words.year : common.month, '', common.games], all.toReversed().map(({ label, count }) => h('tr', {},
    h('th', { scope: 'row' }, named(label)), h('td', { class: 'wide' }, bar(count / most.count)), h('td', { class: 'number' }, number(count)))))));
}

function luckCards(luck, playerName) {
  const all = luck.map(({ name, description, seats }) => ({ name, description, seats: seats.filter(({ count }) => count > 0) }));
  const told = all.filter(({ seats }) => seats.length > 0);
  return told.map(({ name, description, seats }, index) => {
    const most = Math.max(...seats.flatMap(({ expected, actual }) => [expected, actual]), 1e-9);
    const rows = seats.map(({ seat, count, expected, actual }) => h('tr', {},
      h('th', { scope: 'row' }, chip(seat), common.seatNumber(seat)),
      h('td', { class: 'wide' }, luckBar(expected / most, actual / most, seat)),
      h('td', { class: 'number' }, figure(actual)),
      h('td', { class: 'number soft' }, figure(expected)),
      h('td', { class: 'number difference' }, signed(actual - expected)),
      h('td', { class: 'number soft' }, number(count))));
    const width = index === told.length - 1 && index % 2 === 0 ? 'wide' : 'half';
    const sections = luckSections([{ name, seats }]);
    const what = nameInText(name);
    const title = playerName ? words.luckOf(playerName, what) : words.luck(what);
    return card({ title, name: `${width} luck-card`, about: termOnly(description), sections },
      barsTable([common.seat, '', words.actual, words.expected, '±', words.times], rows));
  });
}

/** The actual value as a bar, with the expected value as a mark across it. */
function luckBar(expected, actual, seat) {
  const mark = `${Math.min(99.4, expected * 100).toFixed(2)}%`;
  const made = bar(actual, `seat-${seat}`);
  made.classList.add('luck');
  made.append(s('line', { class: 'expected', x1: mark, x2: mark, y1: 0, y2: '100%' }));
  return made;
}

function measuresCard(all) {
  const measures = all.filter(({ name }) => !TOLD.includes(name));
  if (measures.length === 0) return null;
  const silent = measures.filter(({ value }) => value == null).map(({ name }) => nameInText(name));
  return card({ title: common.measures, name: 'wide', about: words.measuresAbout },
    h('ul', { class: 'measures' }, ...measures.filter(({ value }) => value != null).map(measure)),
    silent.length > 0 && h('p', { class: 'hint silent' }, common.notKnown(silent.join(', '))));
}

function measure({ name, description, value, distribution }) {
  const told = distribution?.count > 0;
  const spread = told && words.measureSpread(...[distribution.median, distribution.min, distribution.max].map(figure));
  const varies = told && distribution.min < distribution.max;
  return h('li', {},
    h('h3', {}, nameWords(name)),
    h('p', { class: 'value' }, figure(value)),
    termOnly(description) && h('p', { class: 'hint' }, termOnly(description)),
    told && h('p', { class: 'hint spread' }, varies ? spread : words.same));
}

function againstCard({ results: { wins, draws, other }, names }) {
  const sides = [names.player || common.player, names.opponent || words.opponent];
  const games = wins.reduce((sum, count) => sum + count, 0) + draws + other;
  const won = sides.map((name, index) => [name, wins[index] ?? 0, `seat-${index + 1}`]);
  const rows = [...won, [common.draws, draws, 'drawn'], ...(other ? [[words.other, other, 'undecided']] : [])];
  return card({ title: words.against(...sides), name: 'wide', about: words.againstAbout(lists.count(games)) },
    barsTable([words.wonBy, '', common.games, common.share], rows.map(([name, count, look]) => h('tr', {},
      h('th', { scope: 'row' }, name),
      h('td', { class: 'wide' }, bar(games ? count / games : 0, look)),
      h('td', { class: 'number' }, number(count)),
      h('td', { class: 'number soft' }, percent(games ? count / games : 0))))));
}

function signed(value) {
  const text = shown(Math.abs(value), 'number');
  return value < 0 && text !== '0' ? `−${text}` : text === '0' ? '0' : `+${text}`;
}
