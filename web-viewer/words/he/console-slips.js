// Slips to be printed, for tables and of results.

import { number, plural } from '../locale.js';

export const slips = {
  tableSlips: 'פתקי שולחן',
  resultSlips: 'פתקי תוצאה',
  forRound: (round) => `פתקים לסיבוב ${round}`,
  resultsOf: (round) => `תוצאות סיבוב ${round}`,
  explained: 'בכל פתק יש קישור וקוד QR לשולחן שלו. מי שמחזיק בו יכול לרשום את התוצאה של השולחן הזה ולרשום את המשחק שלו עד לסגירת הסיבוב, ולא יותר מזה.',
  earlierEnd: 'קישורים קודמים לאותם שולחנות יפסיקו לפעול.',
  all: (tables) => plural(tables, { one: 'השולחן היחיד', two: 'שני השולחנות', other: `כל ${number(tables)} השולחנות` }),
  waiting: (tables) => plural(tables, { one: 'שולחן אחד ללא תוצאה', two: 'שני שולחנות ללא תוצאה', other: `${number(tables)} שולחנות ללא תוצאה` }),
  noResults: (round) => `בסיבוב ${round} עדיין לא הסתיים אף משחק עם רשומה. לתוצאה שנרשמה ללא רשומה אין גיבוב אחרון להדפסה.`,
  print: 'הדפסה',
  close: 'סגירת הפתקים',
  resultsHint: 'מי ששומר פתק יכול להראות בעתיד שהרשומה שונתה, אם שונתה: הקוד מוביל אל המשחק ומציין את האירוע האחרון בו נכון לעכשיו.',
  tablesHint: 'הם מוצגים פעם אחת בלבד: אחרי היציאה מהדף יידרשו חדשים.',
  table: (table) => `שולחן ${table}`,
  round: (round) => `סיבוב ${round}`,
  result: 'תוצאה',
  resultIs: (result) => ['תוצאה ', result],
  writePlaces: 'יש לכתוב את המקום אחרי כל שם.',
  scan: 'יש לסרוק כדי לרשום את התוצאה. בתוקף עד לסגירת הסיבוב.',
  scanUntil: (at) => `יש לסרוק כדי לרשום את התוצאה. בתוקף עד לסגירת הסיבוב, ולכל המאוחר עד ${at}.`,
  link: (table) => `קישור לשולחן ${table}`,
  recordAfter: (plies, head) => [plural(plies, { one: 'הרשומה אחרי חצי־מהלך אחד: ', two: 'הרשומה אחרי שני חצאי מהלכים: ', other: `הרשומה אחרי ${number(plies)} חצאי מהלכים: ` }), head, '. יש לסרוק כדי להשוות אותה לרשומה כפי שתהיה אז.'],
  gameOf: (table) => `המשחק בשולחן ${table}, עם הגיבוב האחרון שלו`,
};
