import { number, plural } from '../locale.js';

export const play = {
  title: 'איכות המשחק',
  titleOf: (player) => `איכות המשחק של ${player}`,
  none: 'אף אחד מהמשחקים האלה עוד לא נותח. אפשר לפתוח משחק ולבחור "ניתוח" ליד המהלכים.',
  accuracyIs: (value) => `דיוק ${value}%`,
  about: (count) => plural(count, { one: 'מה שהמנוע אומר על משחק אחד שנותח.', two: 'מה שהמנוע אומר על שני משחקים שנותחו.', other: `מה שהמנוע אומר על ${number(count)} משחקים שנותחו.` }),
  noChoice: 'במשחקים האלה לא הייתה לאיש ברירה.',
  third: 'שליש של המשחק',
  thirds: { first: 'ראשון', second: 'שני', last: 'אחרון' },
  seatChance: (seat, chance) => `מושב ${seat} ${chance}`,
  drawChance: (chance) => `תיקו ${chance}`,
  chancesSaid: (first, from, last, to) => `סיכויים ממוצעים לפי חצי־מהלך. בחצי־מהלך ${first}: ${from}. בחצי־מהלך ${last}: ${to}.`,
  chances: 'סיכויים ממוצעים לפי חצי־מהלך',
  upTo: 'עד לחצי־המהלך שרבע מהמשחקים הגיעו אליו.',
};
