// Names, outcomes and spans of time, as they are told everywhere.

import { listed, number } from './locale.js';

export const format = {
  /** Who acts besides seats. */
  actors: { arbiter: 'Arbiter', chance: 'Chance', service: 'Service' },
  isVoid: 'Void',
  inPlay: 'In play',
  ended: 'Ended',
  lostByAll: (reason) => `Lost by all: ${reason}`,
  drawn: (reason) => `Draw: ${reason}`,
  won: (names, reason) => `${listed(names)} won: ${reason}`,
  /** Why a game ended, where it was not the rules of the game. */
  reasons: { agreement: 'agreement', resignation: 'resignation', time: 'time', adjudication: 'adjudication', forfeit: 'forfeit' },
  toAct: (names) => `${listed(names)} to act`,
  // Spans of time, each unit as short as it can be.
  seconds: (seconds) => `${seconds} s`,
  minutes: (minutes) => `${number(minutes)} min`,
  minutesAnd: (minutes, seconds) => `${number(minutes)} min ${number(seconds)} s`,
  hours: (hours) => `${number(hours)} h`,
  hoursAnd: (hours, minutes) => `${number(hours)} h ${number(minutes)} min`,
  days: (days) => `${number(days)} d`,
};
