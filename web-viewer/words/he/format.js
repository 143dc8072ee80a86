import { listed, number } from '../locale.js';

export const format = {
  actors: { arbiter: 'שופט', chance: 'מזל', service: 'השירות' },
  isVoid: 'בטל',
  inPlay: 'בעיצומו',
  ended: 'הסתיים',
  lostByAll: (reason) => `הפסד לכולם: ${reason}`,
  drawn: (reason) => `תיקו: ${reason}`,
  won: (names, reason) => `ניצחון של ${listed(names)}: ${reason}`,
  reasons: { agreement: 'הסכמה', resignation: 'כניעה', time: 'זמן', adjudication: 'החלטת שופט', forfeit: 'הפסד טכני' },
  toAct: (names) => `התור של ${listed(names)}`,
  seconds: (seconds) => `${seconds} שנ׳`,
  minutes: (minutes) => `${number(minutes)} דק׳`,
  minutesAnd: (minutes, seconds) => `${number(minutes)} דק׳ ${number(seconds)} שנ׳`,
  hours: (hours) => `${number(hours)} שע׳`,
  hoursAnd: (hours, minutes) => `${number(hours)} שע׳ ${number(minutes)} דק׳`,
  days: (days) => `${number(days)} ימ׳`,
};
