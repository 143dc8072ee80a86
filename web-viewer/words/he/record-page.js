// The recorder's page: its head, its notices, its board, and what was recorded so far. \u2068 … \u2069 is text with a direction of
// its own.

import { number, plural } from '../locale.js';

export const page = {
  tab: (game, names) => `${game}: ${names.join(' – ')} · Plybook`,
  title: (game) => `רישום ${game}`,
  table: (table) => `שולחן ${table}`,
  replay: 'צפייה חוזרת',
  live: { connecting: 'מתחבר', live: 'בשידור חי', offline: 'לא מקוון', refused: 'ללא עדכונים' },
  toAct: (count) => `${number(count)} בתור לפעול`,
  turn: (last, toAct) => `\u2068${last}\u2069. ${toAct}`,
  loading: 'המשחק נטען…',
  loadedLater: 'אין חיבור. המשחק ייטען כשהחיבור יחזור.',
  notFound: 'אין משחק כזה.',
  linkEnded: 'הקישור הזה אינו תקף עוד. אפשר לבקש קישור חדש ממי שמסר אותו.',
  withoutLink: 'המשך ללא הקישור',
  again: 'ניסיון נוסף',
  onlyWatching: (signIn) => ['כדי לרשום את המשחק הזה יש לפתוח את הקישור של השולחן או של מושב, או להיכנס עם אסימון גישה. ', signIn],
  signIn: 'כניסה',
  cannotSign: (why) => `במשחק הזה הכול נחתם, והמכשיר הזה אינו יכול לחתום. ${why}`,
  notRegistered: (player, button) => [`במשחק הזה הכול נחתם, ומפתח החתימה של המכשיר הזה אינו רשום אצל ${player}. `, button],
  register: 'רישום המפתח',
  noKey: (button) => ['במשחק הזה הכול נחתם, ולמכשיר הזה אין עדיין מפתח חתימה: כדי לרשום יש ליצור מפתח. ', button],
  makeKey: 'יצירת מפתח חתימה',
  board: (ply) => `הלוח אחרי חצי־מהלך ${ply}`,
  nothing: 'עדיין לא נרשם דבר.',
  earlier: (count) => plural(count, { one: 'חצי־המהלך הקודם נמצא בצפייה החוזרת.', two: 'שני חצאי המהלכים הקודמים נמצאים בצפייה החוזרת.', other: `${number(count)} חצאי המהלכים הקודמים נמצאים בצפייה החוזרת.` }),
  clock: (time) => `שעון ${time}`,
  by: (name) => `${name}: `,
};
