// The events of a log besides actions: notes in the list of moves, announcements, and the lines of the log.

import { moment } from '../locale.js';

export const happenedLog = {
  submission: 'מסירה סודית',
  opens: (seq, content) => `פותח את אירוע ${seq}: ${content}`,
  toPly: (ply, reason) => `אל חצי־מהלך ${ply}: ${reason}`,
  atPly: (ply) => `חצי־מהלך ${ply}:`,
  leaves: 'עזיבה לצמיתות; השירות מוסר במקום המושב',
  accepted: 'התקבלה',
  declined: 'נדחתה',
  noDeadline: 'אין מועד אחרון',
  due: (at) => `מועד אחרון: ${moment(at)}`,
  dueAndOpens: (at, opens) => `מועד אחרון: ${moment(at)}, פתיחה: ${moment(opens)}`,
  outcomeCorrected: (outcome) => `התוצאה תוקנה: ${outcome}`,
  voided: 'המשחק הוכרז כבטל',
  unvoided: 'המשחק נחשב שוב',
  reopened: 'הסיום בוטל: המשחק נמשך',
  resigned: (name) => `כניעה של ${name}`,
  submittedFor: 'השירות מוסר במקום המושב',
  offered: (name) => `הצעת תיקו מאת ${name}`,
  accepts: (name) => `${name}: הסכמה לתיקו`,
  declines: (name) => `${name}: סירוב לתיקו`,
  takenBack: (actions) => `הוחזר: ${actions.join(', ')}`,
  takenBackTo: (ply) => `הוחזר אל חצי־מהלך ${ply}`,
};
