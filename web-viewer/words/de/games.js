import { number, plural } from '../locale.js';

export const games = {
  count: (count) => plural(count, { one: `${number(count)} Partie`, other: `${number(count)} Partien` }),
  found: (count) => plural(count, { one: `${number(count)} Partie gefunden`, other: `${number(count)} Partien gefunden` }),
  plies: (count) => plural(count, { one: `${number(count)} Halbzug`, other: `${number(count)} Halbzüge` }),
  fresh: (count) => plural(count, { one: `${number(count)} neue Partie · anzeigen`, other: `${number(count)} neue Partien · anzeigen` }),
  loading: 'Partien werden geladen …',
  noMatch: 'Keine Partie passt zu diesen Filtern.',
  none: 'Es sind noch keine Partien aufgezeichnet.',
  showAll: 'Alle Partien anzeigen',
  outcome: 'Ausgang',
  length: 'Halbzüge',
  date: 'Datum',
  unit: (count) => plural(count, { one: 'Halbzug', other: 'Halbzüge' }),
  won: '(gewonnen)',
  more: (count) => `und ${count} weitere`,
  sideBySide: 'nebeneinander',
};
