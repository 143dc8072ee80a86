// The cards of the statistics page, made from what the service answers.

import { errorWords } from './api.js';
import { columns, compact, histogram, spark } from './charts.js';
import { chip, h, s } from './dom.js';
import { bar, card, chart, figure, resultsBar, shown } from './figures.js';
import { between, brief, capital, counted, day, nameWords, outcomeWords, reasonWords, seatName } from './format.js';
import { STEPS, heatScene, legend, steps } from './heat.js';
import { heatSection, luckSections, monthsSection, spreadSections } from './report.js';
import { isShared, parts, percent, resultWords } from './results.js';
import { shapes } from './scene.js';
import { bins, months, niceStep, timeStep } from './scale.js';

const CHART_HEIGHT = 190;
const FEW = 4; // months that are told in a table rather than drawn
const TOLD = ['length', 'branchingFactor']; // measures that have cards of their own
const MONTH = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' });

/**
 * The cards before and after those that have a life of their own.
 * @param {any} statistics
 * @param {{seats: number, rivals: {results: import('./results.js').Results, names: {player: string, opponent: string}} | null, luckOf: string}} about
 *   seats: that every game has; luckOf: the player whose luck it is, empty for everybody
 */
export function cards(statistics, { seats, rivals, luckOf }) {
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
    after: () => [...luckCards(statistics.luck, luckOf), measuresCard(statistics.measures)].filter(Boolean),
  };
}

function headline({ games, finished, results, plies, durationMs, branching }, seats) {
  const wins = parts(results, games, seats).filter(({ kind, count }) => kind === 'win' && count > 0);
  const best = wins.reduce((most, part) => (most && most.count >= part.count ? most : part), wins[0]);
  const tile = (name, value, more) => h('div', { class: 'tile' }, h('dt', {}, name), h('dd', {}, h('b', {}, value), h('span', {}, more)));
  return h('dl', { class: 'tiles', 'aria-label': 'In short' },
    tile('Games', games.toLocaleString(), `${finished.toLocaleString()} finished`),
    best && tile('Most wins', best.name, `${percent(best.share)} of games with a result`),
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
  }, bars(['Result', '', 'Games', 'Share'], rows));
}

function reasonsCard({ reasons, finished }) {
  if (reasons.length === 0) return null;
  const most = Math.max(...reasons.map(({ count }) => count));
  const rows = reasons.map(({ key, count }) => h('tr', {},
    h('th', { scope: 'row' }, capital(reasonWords(key))),
    h('td', { class: 'wide' }, bar(count / most)),
    h('td', { class: 'number' }, count.toLocaleString()),
    h('td', { class: 'number soft' }, finished ? percent(count / finished) : '')));
  return card({ title: 'How games end', name: 'half' }, bars(['Reason', '', 'Games', 'Share'], rows));
}

function bars(heads, rows) {
  return h('table', { class: 'bars' },
    h('thead', {}, h('tr', {}, ...heads.map((name) => (name ? h('th', { scope: 'col' }, name) : h('td', {}))))),
    h('tbody', {}, ...rows));
}

function spreadCard(title, id, about, spread, { words, step, unit }) {
  if (spread.count === 0) return card({ title, name: 'third' }, h('p', { class: 'none' }, 'Nothing to tell yet.'));
  const all = bins(spread.histogram, spread.max);
  const label = `${title}: ${counted(spread.count, 'game')}, from ${words(spread.min)} to ${words(spread.max)}, median ${words(spread.median)}, 8 in 10 between ${words(spread.p10)} and ${words(spread.p90)}`;
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
    return card({ title, name: 'wide' }, bars([title.endsWith('year') ? 'Year' : 'Month', '', 'Games'], all.map(({ label, count }) => h('tr', {},
      h('th', { scope: 'row' }, words(label)), h('td', { class: 'wide' }, bar(count / most.count)), h('td', { class: 'number' }, count.toLocaleString())))));
  }
  return card({ title, name: 'wide', sections: [monthsSection(statistics)] },
    chart(`${title}, ${words(all[0].label)} to ${words(all.at(-1).label)}; most in ${words(most.label)}: ${most.count.toLocaleString()}`,
      (width) => columns(all, { width, height: 170, words, noun: 'games' })));
}

// --- openings

/**
 * What was played first, or from the position that is looked at.
 * @param {any} state
 * @param {any} acts
 */
export function openingsCard({ statistics, explored, error, url, search }, acts) {
  if (error) return card({ title: 'Openings', name: 'wide' }, h('p', { class: 'none', role: 'alert' }, 'Nothing is known of this position. ', opening(url, search, acts, '', '', 'Back to the start')));
  const actions = explored ? explored.actions : statistics.firstActions;
  if (!explored && actions.length === 0) return null;
  const games = explored ? explored.games : actions.reduce((sum, action) => sum + action.games, 0);
  const line = url.line ? url.line.split(' ') : [];
  const path = explored && h('p', { class: 'path' }, opening(url, search, acts, '', '', 'Start'), ...line.map((action) => h('span', {}, h('span', { class: 'action', title: action }, action))));
  return card({ title: explored ? 'Openings' : 'First actions', name: 'wide openings', about: explored ? '' : 'What games begin with; follow one to see what comes next.' },
    path,
    h('div', { class: explored ? 'split' : '' },
      explored && h('div', { class: 'seen' }, picture(explored.position.scene, explored.position.text), h('p', { class: 'hint' }, `${counted(explored.games, 'game')}: ${resultWords(explored.results)}`)),
      h('div', {},
        actions.length ? actionsTable(actions, games, (action) => opening(url, search, acts, action.positionKey, [...line, action.action].join(' '), action.action)) : h('p', { class: 'none' }, 'No game went on from here.'),
        explored && gameList('Games', explored.recentGames, explored.position.ply))));
}

/** A link to the openings after an action. */
function opening(url, search, acts, at, line, text) {
  return h('a', {
    class: 'action',
    title: text.length > 20 ? text : null,
    href: location.pathname + search({ ...url, at, line }),
    onclick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      acts.at(at, line);
    },
  }, text);
}

function actionsTable(actions, games, link) {
  const rows = actions.map((action) => h('tr', {},
    h('th', { scope: 'row' }, link(action)),
    h('td', { class: 'number' }, action.games.toLocaleString()),
    h('td', { class: 'number soft' }, percent(games ? action.games / games : 0)),
    h('td', { class: 'wide' }, resultsBar(action.results, isShared(action.results, action.games), action.games)),
    h('td', { class: 'number soft date' }, action.lastPlayed ? day(action.lastPlayed) : '')));
  return h('div', { class: 'scrolls tall', tabindex: '0', role: 'group', 'aria-label': 'Actions' },
    h('table', { class: 'bars' },
      h('thead', {}, h('tr', {}, ...['Action', 'Games', 'Share', 'Results by seat', 'Last played'].map((name) => h('th', { scope: 'col', class: name.startsWith('Results') && 'wide' }, name)))),
      h('tbody', {}, ...rows)));
}

/**
 * Games as links to a ply.
 * @param {string} title @param {any[]} games @param {number} ply
 */
function gameList(title, games, ply) {
  return games.length > 0 && h('div', { class: 'found' }, h('h3', {}, title), h('ul', {}, ...games.map((game) => h('li', {},
    h('a', { href: `/games/${game.id}#${ply}` }, seatNames(game)),
    h('span', { class: 'hint' }, `${outcomeWords(game)} · ${day(game.createdAt)}`)))));
}

function seatNames({ seats }) {
  const names = seats.slice(0, 4).map(({ number }) => seatName(seats, number));
  return `${names.join(' – ')}${seats.length > 4 ? ` and ${seats.length - 4} more` : ''}`;
}

function picture(scene, label) {
  return s('svg', { class: 'scene', role: 'img', 'aria-label': label, viewBox: scene.view.join(' ') }, ...drawing(scene));
}

function drawing(scene) {
  return shapes(scene).map(({ tag, attributes, text, title }) => {
    const element = s(tag, attributes, text);
    if (title) element.append(s('title', {}, title));
    return element;
  });
}

// --- heat

/**
 * The board coloured by numbers.
 * @param {any} state
 * @param {any} acts
 */
export function heatCard({ heat, error, numbers }, acts) {
  if (error) return card({ title: 'Board', name: 'wide' }, h('p', { class: 'none', role: 'alert' }, errorWords(error)));
  if (!heat || heat.names.length === 0) return null;
  const choice = h('select', { id: 'what', onchange: ({ target }) => acts.what(target.value) },
    ...heat.names.map(({ name }) => h('option', { value: name, selected: name === heat.what }, nameWords(name))));
  const toggle = h('label', { class: 'check' }, h('input', { type: 'checkbox', id: 'numbers', checked: numbers, onchange: acts.numbers }), 'Numbers');
  const most = Object.entries(heat.places).sort(([, a], [, b]) => b - a).slice(0, 10);
  return card({
    title: 'Board',
    name: 'wide board-card',
    aside: h('div', { class: 'aside' }, h('label', { class: 'hidden', for: 'what' }, 'What is counted'), choice, heat.scene && toggle),
    about: heat.about,
    sections: [heatSection(heat)],
  }, heat.total ? h('div', { class: 'split' },
    heat.scene && heatBoard(heat, numbers),
    h('div', {}, heat.scene && heatLegend(heat), mostTable(most, heat))) : h('p', { class: 'none' }, 'None in these games.'));
}

function heatBoard({ about, max, places, scene, total, what }, numbers) {
  const words = (place, value) => `${place}: ${value.toLocaleString()} ${nameWords(what).toLowerCase()}, ${percent(total ? value / total : 0)}`;
  const drawn = heatScene(scene, places, { words, numbers });
  const label = `${about} The most at one place: ${max.toLocaleString()} of ${total.toLocaleString()}.`;
  const elsewhere = drawn.unseen.length > 0 && h('p', { class: 'hint' }, `Not on this picture: ${drawn.unseen.map((place) => `${place} ${places[place].toLocaleString()}`).join(', ')}.`);
  return h('div', { class: 'seen' }, s('svg', { class: 'scene heat', role: 'img', 'aria-label': label, viewBox: drawn.view.join(' ') }, ...drawing(drawn)), elsewhere);
}

function heatLegend({ places }) {
  const ranges = steps(Object.values(places));
  return h('ul', { class: 'legend', 'aria-label': 'Colours' }, ...legend(ranges).map(({ step, text }) => (
    h('li', {}, s('svg', { class: 'swatch', 'aria-hidden': 'true' }, s('rect', { class: `field heat-${Math.min(step, STEPS)}`, width: '100%', height: '100%', rx: 3 })), text))));
}

function mostTable(most, { max, total, what }) {
  const rows = most.filter(([, value]) => value > 0).map(([place, value]) => h('tr', {},
    h('th', { scope: 'row' }, place),
    h('td', { class: 'wide' }, bar(value / max, 'warm')),
    h('td', { class: 'number' }, compact(value)),
    h('td', { class: 'number soft' }, percent(total ? value / total : 0))));
  return bars(['Most at', '', nameWords(what), 'Share'], rows);
}

// --- luck, measures, head to head

function luckCards(luck, luckOf) {
  const told = Object.entries(luck ?? {}).map(([name, { description, seats }]) => ({ name, description, seats: seats.filter(({ count }) => count > 0) }));
  const some = told.filter(({ seats }) => seats.length > 0);
  return some.map(({ name, description, seats }, index) => {
    const most = Math.max(...seats.flatMap(({ expected, actual }) => [expected, actual]), 1e-9);
    const rows = seats.map(({ seat, count, expected, actual }) => h('tr', {},
      h('th', { scope: 'row' }, chip(seat), `Seat ${seat}`),
      h('td', { class: 'wide' }, luckBar(expected / most, actual / most, seat)),
      h('td', { class: 'number' }, figure(actual)),
      h('td', { class: 'number soft' }, figure(expected)),
      h('td', { class: 'number difference' }, signed(actual - expected)),
      h('td', { class: 'number soft' }, count.toLocaleString())));
    const width = index === some.length - 1 && index % 2 === 0 ? 'wide' : 'half';
    return card({ title: `${luckOf ? `Luck of ${luckOf}` : 'Luck'}: ${nameWords(name).toLowerCase()}`, name: `${width} luck-card`, about: description, sections: luckSections({ [name]: { seats } }) }, bars(['Seat', '', 'Actual', 'Expected', '±', 'Times'], rows));
  });
}

/** What happened as a bar, what was to be expected as a mark across it. */
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
  return card({ title: 'Measures', name: 'wide', about: 'Means over games; the small pictures show how games differ, with the median as a line.' },
    h('ul', { class: 'measures' }, ...measures.map(measure)));
}

function measure({ name, description, value, distribution }) {
  const words = figure;
  const told = distribution?.count > 0;
  const label = told ? `${nameWords(name)}: from ${words(distribution.min)} to ${words(distribution.max)}, median ${words(distribution.median)}` : '';
  return h('li', {},
    h('h3', {}, nameWords(name)),
    h('p', { class: 'value' }, value == null ? '–' : words(value)),
    h('p', { class: 'hint' }, description),
    told && distribution.min < distribution.max && chart(label, (width) => spark(bins(distribution.histogram, distribution.max), distribution, { width, height: 62, words })),
    told && h('p', { class: 'hint spread' }, distribution.min < distribution.max ? `median ${words(distribution.median)} · ${words(distribution.min)} – ${words(distribution.max)}` : 'the same in every game'));
}

function againstCard({ results: { wins, draws, other }, names }) {
  const sides = [names.player || 'Player', names.opponent || 'Opponent'];
  const games = wins.reduce((sum, count) => sum + count, 0) + draws + other;
  const rows = [...sides.map((name, index) => [name, wins[index] ?? 0, ['seat-1', 'seat-2'][index]]), ['Draws', draws, 'drawn'], ...(other ? [['Other', other, 'undecided']] : [])];
  return card({ title: `${sides[0]} against ${sides[1]}`, name: 'wide', about: `All their games of this kind: ${counted(games, 'game')}.` },
    bars(['Won by', '', 'Games', 'Share'], rows.map(([name, count, look]) => h('tr', {},
      h('th', { scope: 'row' }, name),
      h('td', { class: 'wide' }, bar(games ? count / games : 0, look)),
      h('td', { class: 'number' }, count.toLocaleString()),
      h('td', { class: 'number soft' }, percent(games ? count / games : 0))))));
}

function signed(value) {
  const text = shown(Math.abs(value), 'number');
  return value < 0 && text !== '0' ? `−${text}` : text === '0' ? '0' : `+${text}`;
}
