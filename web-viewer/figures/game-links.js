// Links to recorded games.

import { lists as words } from '../words/lists.js';
import { day } from '../words/locale.js';
import { h, marked } from '../base/dom.js';
import { outcomeWords, seatName } from '../model/format.js';
import { besideAddress } from '../model/url.js';

const NAMES_MAX = 4;

/**
 * Games as a list of links, each with how it ended and when it was played.
 * @param {any[]} games
 * @param {{ply?: number, title?: (kind: string) => string, beside?: string}} [options] ply: where the games are opened; title: of their kind;
 *   beside: the game that they can be compared with
 */
export function gameLinks(games, { ply, title, beside } = {}) {
  return h('ul', { class: 'game-links' }, ...games.map((game) => {
    const at = ply == null ? '' : `#${Math.min(ply, game.ply)}`;
    const told = [title?.(game.kind), outcomeWords(game), day(game.createdAt)].filter(Boolean);
    return h('li', {},
      h('a', { href: `/games/${encodeURIComponent(game.id)}${at}`, dir: 'auto' }, players(game)),
      h('span', { class: 'hint' }, ...marked(told.join(' · ')), beside && ' · ', beside && h('a', { href: besideAddress({ id: beside, other: game.id }) }, words.sideBySide)));
  }));
}

/** Who played, the first few by name. */
function players({ seats }) {
  const names = seats.slice(0, NAMES_MAX).map(({ number }) => seatName(seats, number));
  const more = seats.length - NAMES_MAX;
  return [names.join(' – '), more > 0 && words.more(more)].filter(Boolean).join(' ');
}
