import { number, plural } from '../locale.js';

export const waiting = {
  noConnection: 'אין חיבור. מה שמוזן נשמר במכשיר הזה ויישלח מאוחר יותר.',
  section: 'עדיין לא נרשם',
  refused: 'לא נרשם',
  overtaken: 'מישהו אחר כבר המשיך',
  toSign: (count) => plural(count, { one: 'רישום אחד ממתין לחתימה', two: 'שני רישומים ממתינים לחתימה', other: `${number(count)} רישומים ממתינים לחתימה` }),
  offline: (count) => plural(count, { one: 'רישום אחד ממתין לחיבור', two: 'שני רישומים ממתינים לחיבור', other: `${number(count)} רישומים ממתינים לחיבור` }),
  sending: 'בשליחה…',
  toSend: (count) => plural(count, { one: 'רישום אחד לשליחה', two: 'שני רישומים לשליחה', other: `${number(count)} רישומים לשליחה` }),
  secretRefused: 'מה שהוגש אינו חוקי.',
  compare: 'הרישום שלך לא נרשם. יש להשוות אותו עם הלוח שלמעלה ואז להחליט.',
  keptInPage: 'הדפדפן אינו יכול להצפין כאן, ולכן רישומים סודיים נשמרים בדף הזה בלבד: אין לסגור אותו עד שיישלחו.',
  keptEncrypted: 'הם נשמרים במכשיר הזה, מוצפנים באסימון הגישה, גם אם הדף נסגר, ויישלחו כשהחיבור יחזור.',
  keptOnDevice: 'הם נשמרים במכשיר הזה גם אם הדף נסגר, ויישלחו כשהחיבור יחזור.',
  enterAll: 'לרשום אותם אחרי זה',
  enter: 'לרשום אותו אחרי זה',
  discardAll: (count) => plural(count, { two: 'מחיקת שניהם', other: `מחיקת כל ה־${number(count)}` }),
  discard: 'מחיקה',
  discardLast: 'מחיקת האחרון',
};
