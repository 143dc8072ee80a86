// What was played from the position shown, across all recorded games.

import { number, plural } from '../locale.js';

export const explorer = {
  secret: 'Diese Partie hat Geheimnisse und wird noch gespielt. Was andere in dieser Stellung taten, wird gezeigt, wenn sie vorbei ist.',
  similarHint: 'In den aufgezeichneten Partien nach Stellungen mit denselben Zahlen suchen',
  similar: 'Ähnliche Stellungen',
  anybody: 'Alle',
  tournamentOnly: ' Nur dieses Turnier',
  clear: 'Zurücksetzen',
  whichCount: 'Welche Partien zählen',
  player: 'Spieler ',
  since: 'Seit ',
  notKnown: 'Nicht alles an dieser Stellung ist bekannt.',
  playedNext: 'Als Nächstes gespielt',
  noneContinued: 'Keine Partie ging von hier weiter.',
  topGames: 'Beste Partien',
  recentGames: 'Neueste Partien',
  games: 'Partien',
  thisGame: 'diese Partie',
  playHere: 'Hier spielen',
  onlyThis: 'Nur diese Partie ist bekannt, mit anderer Reihenfolge der Aktionen.',
  pending: (count) => ` ${plural(count, { one: '1 Ereignis', other: `${number(count)} Ereignisse` })} noch nicht gezählt.`,
  noMatch: 'Keine passende Partie hat diese Stellung erreicht.',
  noGame: 'Keine aufgezeichnete Partie hat diese Stellung erreicht.',
  noOther: 'Keine andere Partie hat diese Stellung erreicht.',
  reached: (count) => `${plural(count, { one: '1 Partie hat', other: `${number(count)} Partien haben` })} diese Stellung erreicht.`,
};
