// The description of a tournament, its rules, and its files.

import { h } from '../base/dom.js';
import { datesWords, formatWords, points } from '../model/tournament.js';
import { number } from '../words/locale.js';
import { about as words } from '../words/tournament-about.js';

/** @param {any} tournament */
export function about(tournament) {
  const { id, byePolicy, description, entrantsCount, kind, place, rated, ruleSet, scoring, signatures, tieBreaks, timeControl } = tournament;
  const rows = [
    [words.game, ruleSet?.title ?? kind], [words.format, formatWords(tournament)], [words.players, number(entrantsCount)], [words.dates, datesWords(tournament)], [words.place, place],
    [words.timeControl, timeControl], [words.scoring, scoringWords(scoring)], [words.tieBreaks, tieBreaks.join(', ')],
    [words.byes, byePolicy && byeWords(byePolicy)], [words.rated, rated ? words.isRated : words.isNotRated], [words.signatures, signatures === 'REQUIRED' ? words.allSigned : ''],
  ].filter(([, value]) => value);
  const query = `kind=${encodeURIComponent(kind)}&tournament=${encodeURIComponent(id)}`;
  return h('div', { class: 'about' },
    description && h('p', { class: 'description' }, description),
    h('dl', { class: 'pairs card' }, ...rows.flatMap(([name, value]) => [h('dt', {}, name), h('dd', { dir: 'auto' }, value)])),
    h('ul', { class: 'links' },
      h('li', {}, h('a', { href: `/statistics?${query}` }, words.statistics)),
      h('li', {}, h('a', { href: `/?tournament=${encodeURIComponent(id)}` }, words.games)),
      h('li', {}, ...words.files(files(tournament)))));
}

/** Links to the files of a tournament. Report files are for two seats only. */
function files({ id, seats }) {
  const report = [['report.trf', 'TRF26'], ['report-trf16.trf', 'TRF16']];
  const names = [
    ['standings.csv', words.fileNames.standings], ['pairings.csv', words.fileNames.pairings], ['crosstable.csv', words.fileNames.crosstable],
    ['entrants.csv', words.fileNames.entrants], ...(seats === 2 ? report : []), ['rounds.ics', words.fileNames.rounds], ['results.atom', words.fileNames.results],
  ];
  return names.flatMap(([file, text], index) => [
    index ? ', ' : '', h('a', { href: `/tournaments/${encodeURIComponent(id)}/files/${file}`, dir: 'auto' }, text),
  ]);
}

function scoringWords(scoring) {
  const given = (tenths) => points(tenths / 10);
  if (scoring.by === 'place') return words.byPlace(scoring.points.map(given).join(', '));
  if (scoring.by === 'beaten') return words.byBeaten;
  return words.byResult(given(scoring.win), given(scoring.draw), given(scoring.loss));
}

function byeWords({ pairing, half, halfMax, halfLastRound }) {
  const own = words.pairingBye(points(pairing));
  if (halfMax === 0) return own;
  return `${own}; ${[words.onRequest(points(half)), halfMax && words.upTo(halfMax), halfLastRound && words.untilRound(halfLastRound)].filter(Boolean).join(', ')}`;
}
