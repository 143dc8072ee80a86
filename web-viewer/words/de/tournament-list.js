import { number, plural } from '../locale.js';

export const list = {
  loading: 'Turniere werden geladen …',
  allGames: 'Alle Spiele',
  any: 'Alle',
  total: (count) => plural(count, { one: `${number(count)} Turnier`, other: `${number(count)} Turniere` }),
  found: (count) => plural(count, { one: `${number(count)} Turnier gefunden`, other: `${number(count)} Turniere gefunden` }),
  players: (count) => `${number(count)} Spieler`,
  noMatch: 'Kein Turnier passt dazu.',
  showAll: 'Alle Turniere zeigen',
  none: 'Noch keine Turniere.',
  create: 'Das erste anlegen',
};
