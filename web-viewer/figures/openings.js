// The statistics card that follows games from their first action.

import { common } from '../words/common.js';
import { statistics as words } from '../words/statistics.js';
import { lists } from '../words/lists.js';
import { day, number } from '../words/locale.js';
import { errorWords } from '../base/api.js';
import { h, marked, s } from '../base/dom.js';
import { drawing, sceneClass } from '../base/drawing.js';
import { card, resultsBar } from './figures.js';
import { gameLinks } from './game-links.js';
import { isShared, percent, resultWords } from './results.js';

const LONG = 20; // letters of an action that may be cut off
const HEADS = [common.action, common.games, common.share, common.bySeat, words.lastPlayed];

/**
 * What was played first, or from the selected position.
 * @param {{statistics: any, explored: any, error: any, url: import('../model/filter-url.js').StatisticsState}} state
 * @param {(at: string, line: string, properties: any, text: string) => HTMLElement} link
 *   leads to a position by its key and the actions that lead there; both empty for the start
 */
export function openingsCard({ statistics, explored, error, url }, link) {
  if (error) return lost(error, link);
  if (explored) return later(explored, url.line ? url.line.split(' ') : [], link);
  const { firstActions, games } = statistics;
  if (firstActions.length === 0) return null;
  return card({ title: common.first, name: 'wide openings', about: words.about },
    actionsTable(firstActions, games, [], link));
}

function lost(error, link) {
  const text = error.code === 'NOT_FOUND' ? words.notReached : errorWords(error);
  return card({ title: words.openings, name: 'wide openings' },
    h('p', { class: 'none', role: 'alert' }, ...marked(text), ' ', link('', '', {}, words.back)));
}

function later({ actions, games, position, recentGames, results }, line, link) {
  const next = actions.length > 0 ? actionsTable(actions, games, line, link) : h('p', { class: 'none' }, common.noneContinued);
  const scene = s('svg', { class: sceneClass(position.scene), role: 'img', 'aria-label': position.text, viewBox: position.scene.view.join(' ') }, ...drawing(position.scene));
  return card({ title: words.openings, name: 'wide openings' },
    h('p', { class: 'path' }, link('', '', {}, common.start), ...line.map((action) => h('span', {}, h('span', { class: 'action', title: action }, action)))),
    h('div', { class: 'split' },
      h('div', { class: 'seen' }, scene, h('p', { class: 'hint' }, words.results(lists.count(games), resultWords(results)))),
      h('div', {}, next, recentGames.length > 0 && h('h3', {}, common.games), recentGames.length > 0 && gameLinks(recentGames, { ply: position.ply }))));
}

function actionsTable(actions, games, line, link) {
  const rows = actions.map(({ action, games: count, lastPlayed, positionKey, results }) => h('tr', {},
    h('th', { scope: 'row' }, link(positionKey, [...line, action].join(' '), { class: 'action', title: action.length > LONG && action }, action)),
    h('td', { class: 'number' }, number(count)),
    h('td', { class: 'number soft' }, percent(games ? count / games : 0)),
    h('td', { class: 'wide' }, resultsBar(results, isShared(results, count), count)),
    h('td', { class: 'number soft date' }, lastPlayed ? day(lastPlayed) : '')));
  const heads = HEADS.map((name) => h('th', { scope: 'col', class: name === common.bySeat && 'wide' }, name));
  return h('div', { class: 'scrolls tall', tabindex: '0', role: 'group', 'aria-label': common.actions },
    h('table', { class: 'bars' }, h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, ...rows)));
}
