// What the engine says of the games that were analysed.

import { common } from '../words/common.js';
import { statistics as words } from '../words/statistics.js';
import { number } from '../words/locale.js';
import { chip, h } from '../base/dom.js';
import { courses } from './curve.js';
import { bar, barsTable, card, chart, figure } from './figures.js';
import { analysisSections } from './report.js';
import { percent } from './results.js';

/** The mean chances end where fewer than this share of the games went on. */
const SHARE_LEAST = 0.25;
const MARKS = [['actions', common.actions], ['dubious', '?!'], ['mistakes', '?'], ['blunders', '??']];
const THIRDS = [words.thirds.first, words.thirds.second, words.thirds.last];

/**
 * @param {any} analysis null for a player who is not known
 * @param {string} playerName whose play it is, empty for everybody
 */
export function analysisCard(analysis, playerName) {
  if (!analysis) return null;
  const title = playerName ? words.playTitleOf(playerName) : words.playTitle;
  if (analysis.games === 0) {
    return card({ title, name: 'wide' }, h('p', { class: 'none' }, words.playNone));
  }
  const { accuracy } = analysis;
  return card({
    title,
    name: 'wide analysis-card',
    aside: accuracy != null && h('strong', {}, words.accuracyIs(figure(accuracy))),
    about: words.playAbout(analysis.games),
    sections: analysisSections(analysis),
  }, h('div', { class: 'split' }, h('div', {}, accuracyTable(analysis), marksTable(analysis)), chances(analysis)));
}

function accuracyTable({ accuracyBySeat }) {
  const known = accuracyBySeat.map((value, index) => ({ value, seat: index + 1 })).filter(({ value }) => value != null);
  if (known.length === 0) return h('p', { class: 'none' }, words.noChoice);
  return barsTable([common.seat, '', common.accuracy], known.map(({ value, seat }) => h('tr', {},
    h('th', { scope: 'row' }, chip(seat), common.seatNumber(seat)),
    h('td', { class: 'wide' }, bar(value / 100, `seat-${seat}`)),
    h('td', { class: 'number' }, `${figure(value)} %`))));
}

/** How often the engine marked an action, by thirds of the games. */
function marksTable({ phases }) {
  return h('table', { class: 'bars marked' },
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, words.third), ...MARKS.map(([, name]) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, ...phases.map((phase, index) => h('tr', {},
      h('th', { scope: 'row' }, THIRDS[index]),
      ...MARKS.map(([name]) => h('td', { class: 'number' }, number(phase[name]), name !== 'actions' && phase.actions > 0 && h('span', { class: 'soft' }, ` ${percent(phase[name] / phase.actions)}`)))))));
}

function chances({ games: count, chances: all }) {
  const points = all.filter((at) => at.games >= count * SHARE_LEAST);
  if (points.length === 0) return null;
  const [first, last] = [points[0], points[points.length - 1]];
  const said = ({ chances: each, draw }) => [...each.map((chance, index) => words.seatChance(index + 1, percent(chance))), ...(draw > 0 ? [words.drawChance(percent(draw))] : [])].join(', ');
  const label = words.chancesSaid(first.ply, said(first), last.ply, said(last));
  const seats = first.chances.map((_, index) => h('li', {}, chip(index + 1), common.seatNumber(index + 1)));
  return h('div', {},
    h('h3', {}, words.chances),
    chart(label, (width) => courses(points, { width, height: 210 })),
    h('ul', { class: 'legend' }, ...seats, points.some(({ draw }) => draw > 0) && h('li', {}, chip(0, '='), common.draw)),
    h('p', { class: 'hint' }, words.upTo));
}
