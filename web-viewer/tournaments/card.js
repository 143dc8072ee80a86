// The card of one player in a tournament.

import { common } from '../words/common.js';
import { chip, h } from '../base/dom.js';
import { byeName, byeWords, cellText, points, tieBreakText } from '../model/tournament.js';
import { tournament as words } from '../words/tournament.js';
import { detail, name, sheet } from './parts.js';
import { note } from './standings.js';

/**
 * @param {any} entrant
 * @param {any} tournament
 * @param {import('./pairings.js').Acts} acts
 */
export function card(entrant, tournament, acts) {
  const { standing } = entrant;
  return h('article', { class: 'player-card' },
    h('h2', { dir: 'auto' }, entrant.name),
    h('p', { class: 'soft' }, [words.number(entrant.rank), detail(entrant), note(entrant), ratingWords(entrant, tournament)].filter(Boolean).join(' · ')),
    standing && h('p', { class: 'figures-line' },
      h('span', {}, ...words.place(h('strong', {}, `${standing.rank}.`))), h('span', {}, ...words.points(standing.score, h('strong', {}, points(standing.score)))),
      h('span', {}, words.games(standing.wins, standing.draws, standing.losses))),
    entrant.card.length > 0 ? rounds(entrant, tournament.format, acts) : h('p', { class: 'hint' }, words.cardNotPaired),
    standing?.tieBreaks.length > 0 && h('section', { class: 'tie-breaks', 'aria-label': words.tieBreaks }, h('h3', {}, words.tieBreaks), ...standing.tieBreaks.map(tieBreak)),
    h('p', { class: 'links no-print' },
      ...entrant.player ? [
        h('a', { href: `/players/${entrant.player.id}` }, words.figures),
        h('a', { href: `/statistics?kind=${encodeURIComponent(tournament.kind)}&player=${entrant.player.id}&tournament=${tournament.id}` }, words.cardStatistics),
      ] : []));
}

/** The player's rating in this service, apart from the one given at entry. */
function ratingWords({ player }, { kind }) {
  const found = player?.ratings.find((rating) => rating.kind === kind);
  return found ? (found.provisional ? words.ratedProvisionally : words.rated)(Math.round(found.value), Math.round(found.deviation)) : '';
}

function rounds({ card: cells }, format, { link }) {
  const { against, result, round, seat, sum, table } = words.cardColumns;
  const columns = [{ text: round, class: 'number' }, against, { text: table, class: 'number' }, seat, { text: result, class: 'middle' }, { text: sum, class: 'number' }];
  return sheet({ caption: words.rounds, columns, class: 'card-rounds' }, cells.map((cell) => h('tr', {},
    h('td', { class: 'number' }, String(cell.round)),
    h('td', {}, !cell.table ? (cell.bye ? byeName({ kind: cell.bye, entrant: {} }, cell.round, format) : byeWords('ZERO')) : h('span', { class: 'opponents' }, ...cell.opponents.map((other) => name(other, link)))),
    h('td', { class: 'number' }, cell.table ? String(cell.table) : ''),
    h('td', {}, cell.seat ? h('span', {}, chip(cell.seat), h('span', { class: 'hidden' }, common.seatNumber(cell.seat))) : ''),
    h('td', { class: `middle ${cell.result.toLowerCase()}` }, !cell.table ? points(cell.points) : cellText(cell)),
    h('td', { class: 'number' }, points(cell.score)))));
}

/** A tie-break that opens into its terms. */
function tieBreak({ name: code, title, text, explanation, terms }) {
  return h('details', {},
    h('summary', {}, h('span', { lang: 'en' }, `${title} `, h('span', { class: 'soft' }, code)), h('strong', {}, tieBreakText(text))),
    h('p', { class: 'hint', lang: 'en', dir: 'ltr' }, explanation),
    terms.length > 0 && h('ul', { class: 'terms' }, ...terms.map((term) => h('li', { class: term.counted ? '' : 'left-out' },
      h('span', {}, (term.opponent ? [term.round && common.round(term.round), term.opponent.name] : [term.text]).filter(Boolean).join(' · '), !term.counted && h('span', { class: 'hint' }, ' ', words.notCounted)),
      h('span', { class: 'number' }, points(term.value))))));
}
