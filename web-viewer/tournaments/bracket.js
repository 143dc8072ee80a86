// The bracket of a knock-out, and the groups before it.

import { common } from '../words/common.js';
import { h } from '../base/dom.js';
import { allStages } from '../model/bracket.js';
import { points } from '../model/tournament.js';
import { tournament as words } from '../words/tournament.js';
import { name, resultText } from './parts.js';
import { standingsTable } from './standings.js';

/**
 * @param {any} bracket
 * @param {import('./pairings.js').Acts} acts
 */
export function bracketView(bracket, acts) {
  const stages = allStages(bracket);
  const of = (title, matches, isThird = false) => h('section', { class: isThird ? 'stage third' : 'stage', 'aria-label': title }, h('h3', {}, title), h('ol', { class: 'matches' }, ...matches.map((match) => h('li', {}, drawn(match, acts)))));
  const third = stages.at(-1).matches.filter(({ thirdPlace }) => thirdPlace);
  return h('div', { class: 'bracket', tabindex: '0', role: 'region', 'aria-label': words.bracket },
    ...stages.map(({ name: title, matches }) => of(title, matches.filter(({ thirdPlace }) => !thirdPlace))),
    third.length > 0 && of(words.stateThirdPlace, third, true));
}

function drawn(match, acts) {
  const { sides, tables } = match;
  const isEmpty = sides.every(({ entrant }) => !entrant);
  return h('div', { class: isEmpty ? 'match ahead' : 'match' },
    ...sides.map((side) => h('p', { class: side.won ? 'side won' : 'side' },
      h('span', { class: 'side-name' }, side.entrant ? name(side.entrant, acts.link) : sideWords(match)),
      tables.length > 0 && side.entrant && h('span', { class: 'side-score' }, points(side.score)),
      side.won && h('span', { class: 'hidden' }, ' ', words.advances))),
    tables.length > 0 && h('p', { class: 'games' }, ...tables.flatMap((table, index) => [index ? ' ' : '', game(table)])));
}

function sideWords({ decided, sides }) {
  return decided && sides.some(({ entrant }) => entrant) ? words.standingsBye : '–';
}

/** A game of a match; seats may have changed since the previous game, so the result does not name any. */
function game(table) {
  const text = common.round(table.round);
  const result = resultText(table);
  return table.game
    ? h('a', { href: `/games/${table.game.id}`, class: 'record', 'aria-label': words.standingsGame(table.round, table.number, result) }, text)
    : h('span', { class: 'soft' }, text);
}

/**
 * @param {any[]} groups
 * @param {number} round after which they stand
 * @param {import('./pairings.js').Acts} acts
 */
export function groupsView(groups, round, acts) {
  return groups.map(({ number, standings }) => h('section', { class: 'group-standings', 'aria-label': words.group(number) },
    h('h3', {}, words.group(number)), standingsTable(standings, round, acts, words.groupAfter(number, round))));
}
