// The seats with their figures, and whatever else stands beside the board.

import { common } from '../../words/common.js';
import { replay as words } from '../../words/replay.js';
import { byId, chip, h, s, setText } from '../../base/dom.js';
import { drawing, sceneClass } from '../../base/drawing.js';
import { patch, row } from '../../base/patch.js';
import { partnerNames, seatName } from '../../model/format.js';
import { named } from '../../model/happened.js';
import { learn, pictured } from '../../model/pictures.js';
import { term } from '../../model/terms.js';

const RESULTS = { WIN: 'won', DRAW: 'draw', LOSS: 'lost', ELIMINATED: 'out' };
const LONG = 7;
const NOTHING = { columns: [], rows: [] };

/** @param {import('../derive.js').Now} now */
export function drawTables(now) {
  const { game, position } = now;
  if (!game) return;
  if (position) learn(position.scene);
  const tables = position?.scene.tables ?? [];
  const own = tables.find(({ title }) => !title) ?? NOTHING;
  // While the next position loads, the old figures stay.
  if (position || !byId('seats').firstChild) {
    const [headed, body] = parts(byId('seats'));
    patch(headed, head(own));
    patch(body, [...seatRows(now, own), ...otherRows(own)]);
    byId('seats').classList.toggle('long', body.childElementCount >= LONG);
    fillRows(body, now, own);
  }
  if (position) patch(byId('tables'), tables.filter(({ title }) => title).map((table) => row(`table-${table.title.toLowerCase()}`, [table, game.seats], () => further(table, game.seats))));
}

/** The head and the body of the table of seats. */
function parts(table) {
  if (!table.firstChild) table.append(h('thead', {}), h('tbody', {}));
  return table.children;
}

function head({ columns }) {
  if (!columns.some(Boolean)) return [];
  return [row('head', [columns.join('\n')], () => h('tr', {}, h('td', {}), ...columns.map((name) => (name ? h('th', { scope: 'col' }, term(name)) : h('td', {})))))];
}

function seatRows({ game, glyphs, isTold }, { rows }) {
  return game.seats.map(({ number, player, result }) => {
    const partners = partnerNames(game, number);
    const own = rows.find(({ seat }) => seat === number);
    const word = isTold && RESULTS[result];
    const name = seatName(game.seats, number);
    const label = glyphs.get(number);
    return row(`seat-${number}`, [player, name, partners.join(), word, label, own?.cells.length], () => h('tr', {},
      h('th', { scope: 'row' }, h('span', { class: 'seat' },
        chip(number, label),
        h('span', {},
          player ? h('a', { class: 'name', dir: 'auto', href: `/players/${encodeURIComponent(player.id)}` }, name) : h('span', { class: 'name', dir: 'auto' }, name),
          partners.length > 0 && h('span', { class: 'partners' }, pause(), common.with(partners)),
          word && h('span', { class: `result ${word}` }, pause(), words.results[word]),
          h('span', { class: 'turn' }, pause(), words.toAct)))),
      ...(own?.cells ?? []).map(() => h('td'))));
  });
}

/** What keeps words apart that are read out. */
function pause() {
  return h('span', { class: 'hidden' }, ', ');
}

function otherRows({ rows }) {
  return rows.filter(({ seat }) => !seat).map(({ name, cells }) => row(`of-${name}`, [cells.length], () => (
    h('tr', {}, h('th', { scope: 'row' }, term(name)), ...cells.map(() => h('td'))))));
}

/** Writes what a step changes into the rows, which stay as they are. */
function fillRows(body, { game, position }, { rows }) {
  const seats = game.seats.map(({ number }) => rows.find(({ seat }) => seat === number));
  [...seats, ...rows.filter(({ seat }) => !seat)].forEach((own, index) => {
    const [line, seat] = [body.children[index], game.seats[index]];
    const acts = Boolean(seat && position?.toAct.includes(`seat:${seat.number}`));
    const names = [seat ? acts && 'to-act' : 'other', own?.class].filter(Boolean).join(' ');
    if (line.className !== names) line.className = names;
    (own?.cells ?? []).forEach((text, column) => fillCell(line.children[column + 1], text, seat?.number, position?.scene));
  });
}

/** Pieces are shown as pictures, if all of them are known; what is said of them stays. */
function fillCell(cell, text, seat, scene) {
  const pictures = seat && scene && /^(\d+ )?[a-z]{4,}/.test(text) ? pictured(text, seat) : null;
  if (!pictures) setText(cell, term(text));
  else if (cell.dataset.of !== text || !cell.querySelector('svg')) {
    cell.dataset.of = text;
    cell.replaceChildren(h('span', { class: 'hidden' }, term(text)), h('span', { class: 'pictures', 'aria-hidden': 'true', title: term(text) }, ...pictures.map((each) => s('svg', { class: sceneClass(scene), viewBox: each.view.join(' ') }, ...drawing(each)))));
  }
}

function further({ title, columns, rows }, seats) {
  const label = ({ seat, name }) => (seat ? seatName(seats, seat) : term(name));
  return h('details', { id: `table-${title.toLowerCase()}` }, h('summary', {}, term(title)), h('div', { class: 'wide-table', tabindex: '0', role: 'region', 'aria-label': term(title) }, h('table', {},
    h('thead', {}, h('tr', {}, h('td', {}), ...columns.map((name) => h('th', { scope: 'col', dir: 'auto' }, named(term(name), seats))))),
    h('tbody', {}, ...rows.map((row) => h('tr', {}, h('th', { scope: 'row' }, label(row)), ...row.cells.map((text) => h('td', {}, term(text)))))))));
}
