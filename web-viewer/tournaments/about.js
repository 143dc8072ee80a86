// What a tournament is played for and by which rules, and its files.

import { h } from '../base/dom.js';
import { nameWords } from '../model/format.js';
import { datesWords, formatWords, points } from '../model/tournament.js';

/** @param {any} tournament */
export function about(tournament) {
  const { id, byePolicy, description, entrantsCount, kind, place, rated, ruleSet, scoring, tieBreaks, timeControl } = tournament;
  const rows = [
    ['Game', ruleSet?.title ?? kind], ['Format', formatWords(tournament)], ['Players', String(entrantsCount)], ['Dates', datesWords(tournament)], ['Place', place],
    ['Time control', timeControl], ['Scoring', scoringWords(scoring)], ['Tie-breaks', tieBreaks.join(', ')],
    ['Byes', byePolicy && byeWords(byePolicy)], ['Rated', rated ? 'yes' : 'no'],
  ].filter(([, value]) => value);
  const query = `kind=${encodeURIComponent(kind)}&tournament=${encodeURIComponent(id)}`;
  return h('div', { class: 'about' },
    description && h('p', { class: 'description' }, description),
    h('dl', { class: 'pairs card' }, ...rows.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
    h('ul', { class: 'links' },
      h('li', {}, h('a', { href: `/statistics?${query}` }, 'Statistics and openings of this tournament')),
      h('li', {}, h('a', { href: `/?tournament=${encodeURIComponent(id)}` }, 'All its games'))));
}

function scoringWords(scoring) {
  const { system, ...rest } = scoring ?? {};
  const details = Object.entries(rest).map(([name, value]) => `${nameWords(name).toLowerCase()} ${Array.isArray(value) ? value.map(points).join(', ') : String(value)}`);
  return [nameWords(system ?? ''), ...details].filter(Boolean).join(': ');
}

function byeWords({ pairing, half, halfMax, halfLastRound }) {
  const own = `${points(pairing)} for who is left over`;
  return halfMax > 0 ? `${own}; on request ${points(half)}, up to ${halfMax} each${halfLastRound ? `, until round ${halfLastRound}` : ''}` : own;
}
