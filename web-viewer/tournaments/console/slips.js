// Slips for the tables: a link with a QR code for each, to be printed and cut.

import { request } from '../../base/api.js';
import { h, openDialog } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { qrCode } from '../../base/qr.js';
import { counted, moment } from '../../model/format.js';
import { SLIPS } from '../../model/tournament-mutations.js';

/** Draws slips and requests their links. */
export class Slips {
  /** @param {import('./console.js').Console} console */
  constructor(console) {
    this.console = console;
    this.place = h('section', { class: 'slips', 'aria-label': 'Table slips', hidden: true });
  }

  ask() {
    const { round } = this.console.now();
    const waiting = round.tables.filter(({ ranking }) => !ranking).map(({ number }) => number);
    const make = (text, tables, style) => h('button', { type: 'button', class: style, onclick: () => { dialog.close(); this.make(tables); } }, text);
    const dialog = openDialog(`Slips for round ${round.number}`,
      h('p', {}, 'Each slip has a link and a QR code for its table. Whoever has it can enter the result of this table and record its game until the round is closed, but nothing else.'),
      h('p', { class: 'hint' }, 'Earlier links for the same tables stop working.'),
      h('div', { class: 'row' }, make(`All ${counted(round.tables.length, 'table')}`, null, 'primary'),
        waiting.length > 0 && waiting.length < round.tables.length && make(`${counted(waiting.length, 'table')} without a result`, waiting, '')));
    dialog.querySelector('.primary').focus();
  }

  async make(tables) {
    const { round } = this.console.now();
    try {
      const { issueTableTokens } = await request(SLIPS, { tournament: this.console.id, round: round.number, tables, base: location.origin });
      this.console.set({ slips: issueTableTokens, refused: null });
      this.place.scrollIntoView({ block: 'start' });
      this.place.querySelector('button')?.focus();
    } catch (refused) {
      this.console.set({ refused });
    }
  }

  /** @param {import('./console.js').Now} now */
  draw({ round, slips, tournament }) {
    const isShown = slips.length > 0 && round?.status === 'OPEN';
    this.place.hidden = !isShown;
    document.body.classList.toggle('with-slips', isShown);
    if (!isShown) {
      patch(this.place, []);
      return;
    }
    patch(this.place, [
      h('div', { class: 'slips-head no-print' }, h('h2', {}, `Slips for round ${round.number}`),
        h('button', { type: 'button', class: 'primary', onclick: () => print() }, 'Print'),
        h('button', { type: 'button', onclick: () => this.console.set({ slips: [] }) }, 'Close the slips'),
        h('p', { class: 'hint' }, 'They are shown only once: after leaving this page, you need new ones.')),
      h('div', { class: 'slip-sheet' }, ...slips.map((slip) => drawn(slip, tournament, round))),
    ]);
  }
}

function drawn({ table, token, expires, names, qr }, tournament, round) {
  const link = `${location.origin}/table#token=${token}`;
  return h('article', { class: 'slip', 'aria-label': `Table ${table}` },
    h('div', { class: 'slip-text' },
      h('p', { class: 'slip-event' }, tournament.name),
      h('p', { class: 'slip-table' }, h('strong', {}, `Table ${table}`), ` · Round ${round.number}`),
      h('ol', { class: 'slip-names' }, ...names.map((name) => h('li', {}, h('span', {}, name), names.length > 2 && h('span', { class: 'slip-place' })))),
      names.length === 2 ? h('p', { class: 'slip-result' }, 'Result') : h('p', { class: 'slip-hint' }, 'Write the place after each name.'),
      h('p', { class: 'slip-hint' }, `Scan to enter the result. Valid until the round is closed${expires ? `, at most ${moment(expires)}` : ''}.`)),
    h('a', { href: link, class: 'slip-code', 'aria-label': `Link for table ${table}` }, qrCode(qr)));
}
