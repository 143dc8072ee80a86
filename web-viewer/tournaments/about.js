// The description of a tournament, its rules, and its files.

import { common } from '../words/common.js';
import { h } from '../base/dom.js';
import { qrCode } from '../base/qr.js';
import { tournamentAddress } from '../model/tournament-url.js';
import { LANGUAGE } from '../words/language.js';
import { datesWords, formatWords, points, scoringWords, timeWords } from '../model/tournament.js';
import { moment, number } from '../words/locale.js';
import { tournament as words } from '../words/tournament.js';
import { linked } from './linked.js';

/** @param {any} tournament @param {{size: number, path: string} | null} qr of its page @param {string} base the address of the service */
export function about(tournament, qr, base) {
  const { id, byePolicy, description, entrantsCount, kind, place, rated, roundsAt, ruleSet, scoring, signatures, tieBreaks, timeControl, timeZone } = tournament;
  const rows = [
    [common.game, ruleSet?.title ?? kind], [words.format, formatWords(tournament)], [common.players, number(entrantsCount)], [words.dates, datesWords(tournament)], [words.roundTimes, roundsAt.map((at, index) => `${index + 1}: ${timeWords(moment, at, tournament)}`).join(' · ')], [words.timeZone, timeZone], [words.aboutPlace, place],
    [words.timeControl, timeControl], [words.scoring, scoringWords(scoring)], [words.tieBreaks, tieBreaks.join(', ')],
    [common.byes, byePolicy && byeWords(byePolicy)], [words.aboutRated, rated ? words.isRated : words.isNotRated], [words.signatures, signatures === 'REQUIRED' ? words.allSigned : ''],
  ].filter(([, value]) => value);
  const query = `kind=${encodeURIComponent(kind)}&tournament=${encodeURIComponent(id)}`;
  return h('div', { class: 'about' },
    description && h('p', { class: 'description' }, ...linked(description)),
    h('dl', { class: 'pairs card' }, ...rows.flatMap(([name, value]) => [h('dt', {}, name), h('dd', { dir: 'auto' }, value)])),
    h('ul', { class: 'links' },
      h('li', {}, h('a', { href: `/statistics?${query}` }, words.aboutStatistics)),
      h('li', {}, h('a', { href: `/?tournament=${encodeURIComponent(id)}` }, words.aboutGames)),
      h('li', {}, ...words.files(files(tournament)))),
    qr && h('figure', { class: 'page-code' }, qrCode(qr), h('figcaption', { dir: 'ltr' }, tournamentAddress(id).replace(/^/, base))),
    h('p', { class: 'hint no-print' }, words.frame), h('pre', { dir: 'ltr', class: 'no-print' }, h('code', {}, frameOf(base, id))));
}

/** Links to the files of a tournament. Report files are for two seats only. */
function files({ id, seats }) {
  const report = [['report.trf', 'TRF26'], ['report-trf16.trf', 'TRF16']];
  const names = [
    ['standings.csv', words.fileNames.standings], ['pairings.csv', words.fileNames.pairings], ['crosstable.csv', words.fileNames.crosstable],
    ['entrants.csv', words.fileNames.entrants], ['standings.html', words.fileNames.standingsPage], ['pairings.html', words.fileNames.pairingsPage], ...(seats === 2 ? report : []), ['rounds.ics', words.fileNames.rounds], ['results.atom', words.fileNames.results],
  ];
  return names.flatMap(([file, text], index) => [
    index ? ', ' : '', h('a', { href: `/tournaments/${encodeURIComponent(id)}/files/${file}`, dir: 'auto' }, text),
  ]);
}

/** What another site writes to show the standings. */
function frameOf(base, id) {
  return `<iframe src="${base}/tournaments/${id}/files/standings.html?lang=${LANGUAGE}" width="100%" height="600"></iframe>`;
}

function byeWords({ pairing, half, halfMax, halfLastRound }) {
  const own = words.pairingBye(points(pairing));
  if (halfMax === 0) return own;
  return `${own}; ${[words.onRequest(points(half)), halfMax && words.upTo(halfMax), halfLastRound && words.untilRound(halfLastRound)].filter(Boolean).join(', ')}`;
}
