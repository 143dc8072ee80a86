import { listed, number } from '../locale.js';

export const format = {
  actors: { arbiter: 'Schiedsrichter', chance: 'Zufall', service: 'Dienst' },
  isVoid: 'Ungültig',
  inPlay: 'Läuft',
  ended: 'Beendet',
  lostByAll: (reason) => `Für alle verloren: ${reason}`,
  drawn: (reason) => `Remis: ${reason}`,
  won: (names, reason) => `Sieg für ${listed(names)}: ${reason}`,
  reasons: { agreement: 'Einigung', resignation: 'Aufgabe', time: 'Zeit', adjudication: 'Entscheidung des Schiedsrichters', forfeit: 'kampflos' },
  toAct: (names) => `${listed(names)} am Zug`,
  seconds: (seconds) => `${seconds} s`,
  minutes: (minutes) => `${number(minutes)} min`,
  minutesAnd: (minutes, seconds) => `${number(minutes)} min ${number(seconds)} s`,
  hours: (hours) => `${number(hours)} h`,
  hoursAnd: (hours, minutes) => `${number(hours)} h ${number(minutes)} min`,
  days: (days) => `${number(days)} d`,
};
