// The cards of the statistics page, built from the service's answers.

import { analysisCard } from './analysis-card.js';
import { columns, histogram, spark } from './charts.js';
import { chip, h, s } from '../base/dom.js';
import { bar, barsTable, card, chart, figure, shown } from './figures.js';
import { between, brief, capital, counted, nameWords, reasonWords } from '../model/format.js';
import { luckSections, monthsSection, spreadSections } from './report.js';
import { isShared, parts, percent } from './results.js';
import { bins, months, niceStep, timeStep } from './scale.js';

const CHART_HEIGHT = 190;
const FEW = 4; // months that are told in a table rather than drawn
const TOLD = ['length', 'branchingFactor']; // measures that have cards of their own
const MONTH = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' });

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
      spreadCard('Length', 'plies', 'Plies of the mainline.', statistics.plies, { words: figure, step: niceStep, unit: 'count' }),
      spreadCard('Duration', 'duration', 'From the first event to the last.', statistics.durationMs, { words: brief, step: timeStep, unit: 'ms' }),
      spreadCard('Choices', 'branching', 'Legal actions per ply, the mean of a game.', statistics.branching, { words: figure, step: niceStep, unit: 'number' }),
      monthsCard(statistics),
    ].filter(Boolean),
    after: () => [analysisCard(statistics.analysis, playerName), ...luckCards(statistics.luck, playerName), measuresCard(statistics.measures)].filter(Boolean),
  };
}

function headline({ games, finished, results, plies, durationMs, branching }, seats) {
  const wins = parts(results, games, seats).filter(({ kind, count }) => kind === 'win' && count > 0);
  const best = wins.reduce((most, part) => (most && most.count >= part.count ? most : part), wins[0]);
  const tile = (name, value, more) => h('div', { class: 'tile' }, h('dt', {}, name), h('dd', {}, h('b', {}, value), h('span', {}, more)));
  return h('dl', { class: 'tiles', 'aria-label': 'In short' },
    tile('Games', games.toLocaleString(), `${finished.toLocaleString()} finished`),
    best && tile('Most wins', best.name, `${percent(best.share)} of games decided`),
    plies.count > 0 && tile('Median length', counted(plies.median, 'ply', 'plies'), `8 in 10: ${between(figure(plies.p10), figure(plies.p90))}`),
    durationMs.count > 0 && tile('Median duration', brief(durationMs.median), `8 in 10: ${between(brief(durationMs.p10), brief(durationMs.p90))}`),
    branching.count > 0 && tile('Choices per ply', figure(branching.mean), `8 in 10: ${between(figure(branching.p10), figure(branching.p90))}`));
}

function resultsCard({ results, games }, seats) {
  const found = parts(results, games, seats);
  const shared = isShared(results, games);
  const most = Math.max(...found.map(({ share }) => share), 0.01);
  const rows = found.map(({ seat, name, count, share, kind }) => h('tr', {},
    h('th', { scope: 'row' }, kind === 'win' ? chip(seat) : chip(0, kind === 'draw' ? '=' : '?'), name),
    h('td', { class: 'wide' }, bar(share / most, kind === 'win' ? `seat-${seat}` : kind === 'draw' ? 'drawn' : 'undecided')),
    h('td', { class: 'number' }, count.toLocaleString()),
    h('td', { class: 'number soft' }, percent(share))));
  return card({
    title: 'Results by seat',
    name: 'half',
    about: shared ? 'Several seats can win one game, so the shares add up to more than 100 %.' : '',
  }, barsTable(['Result', '', 'Games', 'Share'], rows));
}

function reasonsCard({ reasons, finished }) {
  if (reasons.length === 0) return null;
  const most = Math.max(...reasons.map(({ count }) => count));
  const rows = reasons.map(({ key, count }) => h('tr', {},
    h('th', { scope: 'row' }, capital(reasonWords(key))),
    h('td', { class: 'wide' }, bar(count / most)),
    h('td', { class: 'number' }, count.toLocaleString()),
    h('td', { class: 'number soft' }, finished ? percent(count / finished) : '')));
  return card({ title: 'How games end', name: 'half' }, barsTable(['Reason', '', 'Games', 'Share'], rows));
}

function spreadCard(title, id, about, spread, { words, step, unit }) {
  if (spread.count === 0) return card({ title, name: 'third' }, h('p', { class: 'none' }, 'No figures yet.'));
  const all = bins(spread.histogram, spread.max);
  const label = `${title}: ${counted(spread.count, 'game')}, from ${words(spread.min)} to ${words(spread.max)}, ` +
    `median ${words(spread.median)}, 8 in 10 between ${words(spread.p10)} and ${words(spread.p90)}`;
  return card({ title, name: 'third', about, sections: spreadSections(id, title, spread, unit) },
    chart(label, (width) => histogram(all, spread, { width, height: CHART_HEIGHT, words, step, noun: 'games' })),
    marks(spread, words));
}

function marks(spread, words) {
  const pairs = [['Mean', spread.mean], ['Median', spread.median], ['p10 – p90', null], ['Range', null]];
  const range = { 'p10 – p90': [spread.p10, spread.p90], Range: [spread.min, spread.max] };
  return h('dl', { class: 'marks' }, ...pairs.map(([name, value]) => h('div', {},
    h('dt', {}, name), h('dd', {}, range[name] ? between(...range[name].map(words)) : words(value)))));
}

function monthsCard(statistics) {
  const all = months(statistics.byMonth);
  if (all.length === 0) return null;
  const words = (label) => (label.length === 4 ? label : MONTH.format(new Date(`${label}-01T00:00:00Z`)));
  const title = all[0].label.length === 4 ? 'Games by year' : 'Games by month';
  const most = all.reduce((one, other) => (other.count > one.count ? other : one));
  if (all.length <= FEW) {
    return card({ title, name: 'wide' }, barsTable([title.endsWith('year') ? 'Year' : 'Month', '', 'Games'], all.map(({ label, count }) => h('tr', {},
      h('th', { scope: 'row' }, words(label)), h('td', { class: 'wide' }, bar(count / most.count)), h('td', { class: 'number' }, count.toLocaleString())))));
  }
  return card({ title, name: 'wide', sections: [monthsSection(statistics)] },
    chart(`${title}, ${words(all[0].label)} to ${words(all.at(-1).label)}; most in ${words(most.label)}: ${most.count.toLocaleString()}`,
      (width) => columns(all, { width, height: 170, words, noun: 'games' })));
}

function luckCards(luck, playerName) {
  const all = luck.map(({ name, description, seats }) => ({ name, description, seats: seats.filter(({ count }) => count > 0) }));
  const told = all.filter(({ seats }) => seats.length > 0);
  return told.map(({ name, description, seats }, index) => {
    const most = Math.max(...seats.flatMap(({ expected, actual }) => [expected, actual]), 1e-9);
    const rows = seats.map(({ seat, count, expected, actual }) => h('tr', {},
      h('th', { scope: 'row' }, chip(seat), `Seat ${seat}`),
      h('td', { class: 'wide' }, luckBar(expected / most, actual / most, seat)),
      h('td', { class: 'number' }, figure(actual)),
      h('td', { class: 'number soft' }, figure(expected)),
      h('td', { class: 'number difference' }, signed(actual - expected)),
      h('td', { class: 'number soft' }, count.toLocaleString())));
    const width = index === told.length - 1 && index % 2 === 0 ? 'wide' : 'half';
    const sections = luckSections([{ name, seats }]);
    const title = `${playerName ? `Luck of ${playerName}` : 'Luck'}: ${nameWords(name).toLowerCase()}`;
    return card({ title, name: `${width} luck-card`, about: description, sections },
      barsTable(['Seat', '', 'Actual', 'Expected', '±', 'Times'], rows));
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
  const silent = measures.filter(({ value }) => value == null).map(({ name }) => nameWords(name).toLowerCase());
  return card({ title: 'Measures', name: 'wide', about: 'Means over games; the small pictures show how games differ, with the median as a line.' },
    h('ul', { class: 'measures' }, ...measures.filter(({ value }) => value != null).map(measure)),
    silent.length > 0 && h('p', { class: 'hint silent' }, `Not known for these games: ${silent.join(', ')}.`));
}

function measure({ name, description, value, distribution }) {
  const words = figure;
  const told = distribution?.count > 0;
  const spread = told && `median ${words(distribution.median)} · ${words(distribution.min)} – ${words(distribution.max)}`;
  const varies = told && distribution.min < distribution.max;
  const label = told ? `${nameWords(name)}: from ${words(distribution.min)} to ${words(distribution.max)}, median ${words(distribution.median)}` : '';
  return h('li', {},
    h('h3', {}, nameWords(name)),
    h('p', { class: 'value' }, words(value)),
    h('p', { class: 'hint' }, description),
    varies && chart(label, (width) => spark(bins(distribution.histogram, distribution.max), distribution, { width, height: 62, words })),
    told && h('p', { class: 'hint spread' }, varies ? spread : 'the same in every game'));
}

function againstCard({ results: { wins, draws, other }, names }) {
  const sides = [names.player || 'Player', names.opponent || 'Opponent'];
  const games = wins.reduce((sum, count) => sum + count, 0) + draws + other;
  const won = sides.map((name, index) => [name, wins[index] ?? 0, `seat-${index + 1}`]);
  const rows = [...won, ['Draws', draws, 'drawn'], ...(other ? [['Other', other, 'undecided']] : [])];
  return card({ title: `${sides[0]} against ${sides[1]}`, name: 'wide', about: `All their games of this kind: ${counted(games, 'game')}.` },
    barsTable(['Won by', '', 'Games', 'Share'], rows.map(([name, count, look]) => h('tr', {},
      h('th', { scope: 'row' }, name),
      h('td', { class: 'wide' }, bar(games ? count / games : 0, look)),
      h('td', { class: 'number' }, count.toLocaleString()),
      h('td', { class: 'number soft' }, percent(games ? count / games : 0))))));
}

function signed(value) {
  const text = shown(Math.abs(value), 'number');
  return value < 0 && text !== '0' ? `−${text}` : text === '0' ? '0' : `+${text}`;
}
