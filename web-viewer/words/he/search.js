import { number, plural } from '../locale.js';

export const search = {
  put: 'הוספה לתנאי',
  oneOf: (words) => `אחד מתוך ${words}.`,
  positions: (count) => plural(count, { one: 'עמדה אחת', two: 'שתי עמדות', other: `${number(count)} עמדות` }),
  anybody: 'כולם',
  thePlayer: 'השחקן',
  someGames: 'אילו משחקים: חלק',
  allGames: 'אילו משחקים: כולם',
  searching: 'החיפוש מתבצע…',
  nothingSoFar: 'עד כה לא נמצא דבר.',
  noneOfThese: 'באף אחד מהמשחקים האלה אין עמדה כזאת.',
  none: 'באף משחק רשום אין עמדה כזאת.',
  more: 'הצגת עוד',
  on: 'המשך החיפוש',
  commandLine: 'שורת הפקודה מפרטת את כולן:',
  searched: (positions, games, all, ofGames) => `${positions} (${games}); נבדקו: ${all} מתוך ${ofGames}.`,
  searchedSoFar: (positions, games, all, ofGames) => `${positions} (${games}); עד כה נבדקו, מהחדשים לישנים: ${all} מתוך ${ofGames}.`,
  next: (actions) => `שוחק אחר כך: ${actions}.`,
  pending: (count) => plural(count, { one: 'אירוע אחד עדיין לא נבדק.', two: 'שני אירועים עדיין לא נבדקו.', other: `${number(count)} אירועים עדיין לא נבדקו.` }),
  atThen: (ply, action) => `חצי־מהלך ${ply}, אחר כך \u2068${action}\u2069`,
};
