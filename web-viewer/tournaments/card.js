// The card of one player in a tournament.

import { chip, h } from '../base/dom.js';
import { byeWords, cellText, points } from '../model/tournament.js';
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
    h('h2', {}, entrant.name),
    h('p', { class: 'soft' }, [`No. ${entrant.rank}`, detail(entrant), note(entrant), ratingWords(entrant, tournament)].filter(Boolean).join(' · ')),
    standing && h('p', { class: 'figures-line' },
      h('span', {}, h('strong', {}, `${standing.rank}.`), ' place'), h('span', {}, h('strong', {}, points(standing.score)), standing.score === 1 ? ' point' : ' points'),
      h('span', {}, `${standing.wins} won, ${standing.draws} drawn, ${standing.losses} lost`)),
    entrant.card.length > 0 ? rounds(entrant, acts) : h('p', { class: 'hint' }, 'Not paired yet.'),
    standing?.tieBreaks.length > 0 && h('section', { class: 'tie-breaks', 'aria-label': 'Tie-breaks' }, h('h3', {}, 'Tie-breaks'), ...standing.tieBreaks.map(tieBreak)),
    h('p', { class: 'links no-print' },
      ...entrant.player ? [
        h('a', { href: `/players/${entrant.player.id}` }, 'All games and figures'),
        h('a', { href: `/statistics?kind=${encodeURIComponent(tournament.kind)}&player=${entrant.player.id}&tournament=${tournament.id}` }, 'Statistics in this tournament'),
      ] : []));
}

/** The player's rating in this service, apart from the one given at entry. */
function ratingWords({ player }, { kind }) {
  const found = player?.ratings.find((rating) => rating.kind === kind);
  return found ? `rated ${Math.round(found.value)} ± ${Math.round(found.deviation)} here${found.provisional ? ' (provisional)' : ''}` : '';
}

function rounds({ card: cells }, { link }) {
  const columns = [{ text: 'Round', class: 'number' }, 'Against', { text: 'Table', class: 'number' }, 'Seat', { text: 'Result', class: 'middle' }, { text: 'Sum', class: 'number' }];
  return sheet({ caption: 'Rounds', columns, class: 'card-rounds' }, cells.map((cell) => h('tr', {},
    h('td', { class: 'number' }, String(cell.round)),
    h('td', {}, !cell.table ? byeWords(cell.bye ?? 'ZERO') : h('span', { class: 'opponents' }, ...cell.opponents.map((other) => name(other, link)))),
    h('td', { class: 'number' }, cell.table ? String(cell.table) : ''),
    h('td', {}, cell.seat ? h('span', {}, chip(cell.seat), h('span', { class: 'hidden' }, `Seat ${cell.seat}`)) : ''),
    h('td', { class: `middle ${cell.result.toLowerCase()}` }, !cell.table ? points(cell.points) : cellText(cell)),
    h('td', { class: 'number' }, points(cell.score)))));
}

/** A tie-break that opens into its terms. */
function tieBreak({ name: code, title, text, explanation, terms }) {
  return h('details', {},
    h('summary', {}, h('span', {}, `${title} `, h('span', { class: 'soft' }, code)), h('strong', {}, text)),
    h('p', { class: 'hint' }, explanation),
    terms.length > 0 && h('ul', { class: 'terms' }, ...terms.map((term) => h('li', { class: term.counted ? '' : 'left-out' },
      h('span', {}, [term.round && `Round ${term.round}`, term.opponent?.name, term.text].filter(Boolean).join(' · '), !term.counted && h('span', { class: 'hint' }, ' (not counted)')),
      h('span', { class: 'number' }, points(term.value))))));
}
