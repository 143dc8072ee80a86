import { number } from '../locale.js';

export const boards = {
  table: (table) => `Tisch ${table}`,
  ply: (ply) => `Halbzug ${ply}`,
  board: (ply) => `Brett nach Halbzug ${ply}`,
  toAct: '(am Zug)',
  more: (count) => `und ${number(count)} weitere`,
  standings: 'Rangliste',
  part: (title, page, pages) => `${title} · ${page} von ${pages}`,
  nothing: 'Noch ist nichts gepaart',
  previous: 'Vorige Seite',
  next: 'Nächste Seite',
  pause: 'Anhalten',
  goOn: 'Fortsetzen',
  leave: 'Projektor verlassen',
  result: 'Endstand',
};
