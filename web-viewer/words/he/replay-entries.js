import { listed, moment } from '../locale.js';

export const entries = {
  submits: (name) => `מסירה של ${name}`,
  fairRoll: 'הטלה הוגנת',
  undone: 'הרישום האחרון מוחזר',
  goesOn: 'המשחק נמשך',
  resigns: (name) => `כניעה של ${name}`,
  offers: (name) => `הצעת תיקו מאת ${name}`,
  accepts: (name) => `${name}: הסכמה לתיקו`,
  declines: (name) => `${name}: סירוב לתיקו`,
  outOfTime: (name) => `הזמן של ${name} נגמר`,
  deadline: (at, reason) => `מועד אחרון ${moment(at)}: ${reason}`,
  noDeadline: (reason) => `אין מועד אחרון: ${reason}`,
  comment: (ply, comment) => `הערה על חצי־מהלך ${ply}: ${comment}`,
  theirs: (ply, text) => `חצי־מהלך ${ply}: ${text}`,
  overtaken: (entries) => `מישהו אחר רשם: ${listed(entries)}.`,
  changed: 'מישהו אחר שינה בינתיים את הרשומה של המשחק הזה.',
  needsKey: 'במשחק הזה הכול נחתם. יש ליצור מפתח חתימה ואז לרשום שוב.',
};
