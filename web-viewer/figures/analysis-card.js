// What the engine says of the games that were analysed.

import { common } from '../words/common.js';
import { statistics as words } from '../words/statistics.js';
import { number } from '../words/locale.js';
import { chip, h } from '../base/dom.js';
import { bar, barsTable, card, figure } from './figures.js';
import { analysisSections } from './report.js';
import { percent } from './results.js';

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
  }, h('div', { class: 'split' }, accuracyTable(analysis), marksTable(analysis)));
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
