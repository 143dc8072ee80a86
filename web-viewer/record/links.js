// Links for recording a game: for its table, and for each seat.

import { h } from '../base/dom.js';
import { qrCode } from '../base/qr.js';
import { moment, seatName } from '../model/format.js';
import { recordPath } from '../model/url.js';

/**
 * A card for each link.
 * @param {{id: string, seats: import('../model/format.js').Seat[]}} game
 * @param {{seat: number | null, token: string, expires: string | null, qr: {size: number, path: string}}[]} links
 * @param {(text: string) => void} said what was copied
 */
export function linkCards(game, links, said) {
  return links.map((link) => card(game, link, said));
}

function card(game, { seat, token, expires, qr }, said) {
  const name = seat ? seatName(game.seats, seat) : 'The table';
  const address = location.origin + recordPath(game.id, token);
  const copy = async () => {
    const isDone = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    said(isDone ? `The link for ${seat ? name : 'the table'} is copied.` : 'The browser did not copy it: hold the link and copy it by hand.');
  };
  return h('article', { class: 'link-card card', 'aria-label': name },
    h('div', {},
      h('h3', {}, name),
      h('p', { class: 'hint' }, seat ? 'Sees and plays this seat only.' : 'Records for every seat.'),
      expires && h('p', { class: 'hint' }, `Valid until ${moment(expires)}.`),
      h('div', { class: 'row' }, h('a', { class: 'button', href: address }, 'Open'), h('button', { type: 'button', onclick: copy, 'aria-label': `Copy the link for ${seat ? name : 'the table'}` }, 'Copy'))),
    h('div', { class: 'link-code' }, qrCode(qr)));
}
