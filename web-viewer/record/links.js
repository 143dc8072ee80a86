// Links for recording a game: for its table, and for each seat.

import { common } from '../words/common.js';
import { h } from '../base/dom.js';
import { phonesAddress } from '../base/phones.js';
import { qrCode } from '../base/qr.js';
import { seatName } from '../model/format.js';
import { recordPath } from '../model/url.js';
import { record as words } from '../words/record.js';

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
  const name = seat ? seatName(game.seats, seat) : words.theTable;
  const address = phonesAddress() + recordPath(game.id, token);
  const copy = async () => {
    const isDone = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    said(!isDone ? words.notCopied : seat ? words.copied(name) : words.copiedForTable);
  };
  return h('article', { class: 'link-card card', 'aria-label': name },
    h('div', {},
      h('h3', {}, name),
      h('p', { class: 'hint' }, seat ? words.ownSeat : words.everySeat),
      expires && h('p', { class: 'hint' }, words.validUntil(expires)),
      h('div', { class: 'row' }, h('a', { class: 'button', href: recordPath(game.id, token) }, words.open), h('button', { type: 'button', onclick: copy, 'aria-label': seat ? words.copyFor(name) : words.copyForTable }, common.copy))),
    h('div', { class: 'link-code' }, qrCode(qr)));
}
