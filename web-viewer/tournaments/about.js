// The description of a tournament, its rules, and its files.

import { h } from '../base/dom.js';
import { datesWords, formatWords, points } from '../model/tournament.js';

/** @param {any} tournament */
export function about(tournament) {
  const { id, byePolicy, description, entrantsCount, kind, place, rated, ruleSet, scoring, signatures, tieBreaks, timeControl } = tournament;
  const rows = [
    ['Game', ruleSet?.title ?? kind], ['Format', formatWords(tournament)], ['Players', String(entrantsCount)], ['Dates', datesWords(tournament)], ['Place', place],
    ['Time control', timeControl], ['Scoring', scoringWords(scoring)], ['Tie-breaks', tieBreaks.join(', ')],
    ['Byes', byePolicy && byeWords(byePolicy)], ['Rated', rated ? 'yes' : 'no'], ['Signatures', signatures === 'REQUIRED' ? 'everything in its games is signed' : ''],
  ].filter(([, value]) => value);
  const query = `kind=${encodeURIComponent(kind)}&tournament=${encodeURIComponent(id)}`;
  return h('div', { class: 'about' },
    description && h('p', { class: 'description' }, description),
    h('dl', { class: 'pairs card' }, ...rows.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
    h('ul', { class: 'links' },
      h('li', {}, h('a', { href: `/statistics?${query}` }, 'Statistics and openings of this tournament')),
      h('li', {}, h('a', { href: `/?tournament=${encodeURIComponent(id)}` }, 'All its games')),
      h('li', {}, 'Files: ', ...files(tournament))));
}

/** Links to the files of a tournament. Report files are for two seats only. */
function files({ id, seats }) {
  const report = [['report.trf', 'TRF26'], ['report-trf16.trf', 'TRF16']];
  const names = [
    ['standings.csv', 'standings'], ['pairings.csv', 'pairings'], ['crosstable.csv', 'crosstable'],
    ['entrants.csv', 'players'], ...(seats === 2 ? report : []), ['rounds.ics', 'calendar'], ['results.atom', 'feed of results'],
  ];
  return names.flatMap(([file, words], index) => [
    index ? ', ' : '', h('a', { href: `/tournaments/${encodeURIComponent(id)}/files/${file}` }, words),
  ]);
}

function scoringWords(scoring) {
  const given = (tenths) => points(tenths / 10);
  if (scoring.by === 'place') return `By place: ${scoring.points.map(given).join(', ')}`;
  if (scoring.by === 'beaten') return 'A point for each seat ranked below';
  return `Win ${given(scoring.win)}, draw ${given(scoring.draw)}, loss ${given(scoring.loss)}`;
}

function byeWords({ pairing, half, halfMax, halfLastRound }) {
  const own = `${points(pairing)} for the pairing's bye`;
  if (halfMax === 0) return own;
  return `${own}; on request ${points(half)}${halfMax ? `, up to ${halfMax} each` : ''}${halfLastRound ? `, until round ${halfLastRound}` : ''}`;
}
