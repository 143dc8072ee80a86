// The recorder's page: its head, its notices, its board, and what was recorded so far.

import { number, plural } from '../locale.js';

export const page = {
  tab: (game, names) => `${game}: ${names.join(' – ')} · Plybook`,
  title: (game) => `${game} aufzeichnen`,
  table: (table) => `Tisch ${table}`,
  replay: 'Wiedergabe',
  live: { connecting: 'Verbindungsaufbau', live: 'Live', offline: 'Offline', refused: 'Nicht live' },
  toAct: (count) => `${number(count)} am Zug`,
  turn: (last, toAct) => `${last}. ${toAct}`,
  loading: 'Partie wird geladen …',
  loadedLater: 'Keine Verbindung. Die Partie wird geladen, sobald sie wieder da ist.',
  notFound: 'Diese Partie gibt es nicht.',
  linkEnded: 'Dieser Link gilt nicht mehr. Einen neuen gibt es dort, wo dieser herkam.',
  withoutLink: 'Ohne den Link weitermachen',
  again: 'Noch einmal versuchen',
  onlyWatching: (signIn) => ['Zum Aufzeichnen dieser Partie den Link ihres Tisches oder eines Platzes öffnen oder mit einem Zugangsschlüssel anmelden. ', signIn],
  signIn: 'Anmelden',
  cannotSign: (why) => `In dieser Partie wird alles signiert, und dieses Gerät kann nicht signieren. ${why}`,
  notRegistered: (player, button) => [`In dieser Partie wird alles signiert, und der Signaturschlüssel dieses Geräts ist nicht für ${player} registriert. `, button],
  register: 'Registrieren',
  noKey: (button) => ['In dieser Partie wird alles signiert, und dieses Gerät hat noch keinen Signaturschlüssel: Zum Aufzeichnen wird einer gebraucht. ', button],
  makeKey: 'Signaturschlüssel erzeugen',
  board: (ply) => `Brett nach Halbzug ${ply}`,
  nothing: 'Noch nichts aufgezeichnet.',
  earlier: (count) => plural(count, { one: 'Der Halbzug davor steht in der Wiedergabe.', other: `Die ${number(count)} Halbzüge davor stehen in der Wiedergabe.` }),
  clock: (time) => `Uhr ${time}`,
  by: (name) => `${name}: `,
};
