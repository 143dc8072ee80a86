import { number, plural } from '../locale.js';

export const search = {
  put: 'In die Bedingung einfügen',
  oneOf: (words) => `Eines von ${words}.`,
  positions: (count) => plural(count, { one: `${number(count)} Stellung`, other: `${number(count)} Stellungen` }),
  anybody: 'Beliebig',
  thePlayer: 'Der Spieler',
  someGames: 'Welche Partien: einige',
  allGames: 'Welche Partien: alle',
  searching: 'Suche läuft …',
  nothingSoFar: 'Bisher wurde nichts gefunden.',
  noneOfThese: 'Keine dieser Partien hat eine solche Stellung.',
  none: 'Keine aufgezeichnete Partie hat eine solche Stellung.',
  more: 'Mehr anzeigen',
  on: 'Weitersuchen',
  commandLine: 'Auf der Kommandozeile lassen sich alle auflisten:',
  searched: (positions, games, all, ofGames) => `${positions} in ${games}; durchgesehen: ${all} aus ${ofGames}.`,
  searchedSoFar: (positions, games, all, ofGames) => `${positions} in ${games}; bisher durchgesehen, die neuesten zuerst: ${all} aus ${ofGames}.`,
  next: (actions) => `Danach gespielt: ${actions}.`,
  pending: (count) => plural(count, { one: `${number(count)} Ereignis ist noch nicht durchsucht.`, other: `${number(count)} Ereignisse sind noch nicht durchsucht.` }),
  atThen: (ply, action) => `Halbzug ${ply}, danach ${action}`,
};
