// What the engine says of the games that were analysed.

import { chip, h } from '../base/dom.js';
import { counted } from '../model/format.js';
import { courses } from './curve.js';
import { bar, barsTable, card, chart, figure } from './figures.js';
import { analysisSections } from './report.js';
import { percent } from './results.js';

/** The mean chances end where fewer than this share of the games went on. */
const SHARE_LEAST = 0.25;
const MARKS = [['actions', 'Actions'], ['dubious', '?!'], ['mistakes', '?'], ['blunders', '??']];
const THIRDS = ['First', 'Second', 'Last'];

/**
 * @param {any} analysis null for a player who is not known
 * @param {string} playerName whose play it is, empty for everybody
 */
export function analysisCard(analysis, playerName) {
  if (!analysis) return null;
  const title = playerName ? `Play of ${playerName}` : 'Play';
  if (analysis.games === 0) {
    return card({ title, name: 'wide' }, h('p', { class: 'none' }, 'None of these games is analysed yet. Open one and choose Analyse beside its moves.'));
  }
  const { accuracy, games } = analysis;
  return card({
    title,
    name: 'wide analysis-card',
    aside: accuracy != null && h('strong', {}, `Accuracy ${figure(accuracy)} %`),
    about: `What the engine says of ${counted(games, 'analysed game')}.`,
    sections: analysisSections(analysis),
  }, h('div', { class: 'split' }, h('div', {}, accuracyTable(analysis), marksTable(analysis)), chances(analysis)));
}

function accuracyTable({ accuracyBySeat }) {
  const known = accuracyBySeat.map((value, index) => ({ value, seat: index + 1 })).filter(({ value }) => value != null);
  if (known.length === 0) return h('p', { class: 'none' }, 'Nobody had a choice in these games.');
  return barsTable(['Seat', '', 'Accuracy'], known.map(({ value, seat }) => h('tr', {},
    h('th', { scope: 'row' }, chip(seat), `Seat ${seat}`),
    h('td', { class: 'wide' }, bar(value / 100, `seat-${seat}`)),
    h('td', { class: 'number' }, `${figure(value)} %`))));
}

/** How often the engine marked an action, by thirds of the games. */
function marksTable({ phases }) {
  return h('table', { class: 'bars marked' },
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Third of the game'), ...MARKS.map(([, name]) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, ...phases.map((phase, index) => h('tr', {},
      h('th', { scope: 'row' }, THIRDS[index]),
      ...MARKS.map(([name]) => h('td', { class: 'number' }, phase[name].toLocaleString(), name !== 'actions' && phase.actions > 0 && h('span', { class: 'soft' }, ` ${percent(phase[name] / phase.actions)}`)))))));
}

function chances({ games, chances: all }) {
  const points = all.filter((at) => at.games >= games * SHARE_LEAST);
  if (points.length === 0) return null;
  const [first, last] = [points[0], points[points.length - 1]];
  const words = ({ chances: each, draw }) => [...each.map((chance, index) => `seat ${index + 1} ${percent(chance)}`), ...(draw > 0 ? [`draw ${percent(draw)}`] : [])].join(', ');
  const label = `Mean chances by ply. At ply ${first.ply}: ${words(first)}. At ply ${last.ply}: ${words(last)}.`;
  const seats = first.chances.map((_, index) => h('li', {}, chip(index + 1), `Seat ${index + 1}`));
  return h('div', {},
    h('h3', {}, 'Mean chances by ply'),
    chart(label, (width) => courses(points, { width, height: 210 })),
    h('ul', { class: 'legend' }, ...seats, points.some(({ draw }) => draw > 0) && h('li', {}, chip(0, '='), 'Draw')),
    h('p', { class: 'hint' }, 'Up to the ply that a quarter of the games came to.'));
}
