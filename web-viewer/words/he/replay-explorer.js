// What was played from the position shown, across all recorded games.

import { number, plural } from '../locale.js';

export const explorer = {
  secret: 'יש במשחק הזה סודות והוא עדיין נמשך. מה שאחרים עשו בעמדה הזאת יוצג לאחר סיומו.',
  similarHint: 'חיפוש עמדות עם אותם נתונים במשחקים הרשומים',
  similar: 'עמדות דומות',
  anybody: 'כולם',
  tournamentOnly: ' הטורניר הזה בלבד',
  clear: 'ניקוי',
  whichCount: 'אילו משחקים נחשבים',
  player: 'שחקן ',
  since: 'מאז ',
  notKnown: 'לא הכול ידוע על העמדה הזאת.',
  playedNext: 'שוחק אחר כך',
  noneContinued: 'שום משחק לא נמשך מכאן.',
  topGames: 'משחקים מובילים',
  recentGames: 'משחקים אחרונים',
  games: 'משחקים',
  thisGame: 'המשחק הזה',
  playHere: 'לשחק כאן',
  onlyThis: 'ידוע רק המשחק הזה, בסדר פעולות אחר.',
  pending: (count) => ` ${plural(count, { one: 'אירוע אחד עוד לא נספר', two: 'שני אירועים עוד לא נספרו', other: `${number(count)} אירועים עוד לא נספרו` })}.`,
  noMatch: 'שום משחק מתאים לא הגיע לעמדה הזאת.',
  noGame: 'שום משחק רשום לא הגיע לעמדה הזאת.',
  noOther: 'שום משחק אחר לא הגיע לעמדה הזאת.',
  reached: (count) => `${plural(count, { one: 'משחק אחד הגיע', two: 'שני משחקים הגיעו', other: `${number(count)} משחקים הגיעו` })} לעמדה הזאת.`,
};
