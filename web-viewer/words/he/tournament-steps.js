import { number, plural } from '../locale.js';

export const steps = {
  finished: 'הטורניר הסתיים.',
  check: (round) => `יש לבדוק את השיבוץ של סיבוב ${round}, לשנות אותו במידת הצורך, ואז לפתוח את הסיבוב.`,
  open: (round) => `פתיחת סיבוב ${round}`,
  opened: (round) => `סיבוב ${round} נפתח.`,
  enter: (players) => `יש לרשום את השחקנים: דרושים לפחות ${players}.`,
  decided: 'הנוקאאוט הוכרע.',
  allPlayed: 'כל הסיבובים שוחקו.',
  finish: 'סיום הטורניר',
  byHand: (round) => `יש לשבץ את סיבוב ${round} ידנית.`,
  pairFirst: (players, round) => plural(players, {
    one: `נרשם שחקן אחד. תחילה פרישות וביי, ואז שיבוץ סיבוב ${round}.`,
    two: `נרשמו שני שחקנים. תחילה פרישות וביי, ואז שיבוץ סיבוב ${round}.`,
    other: `נרשמו ${number(players)} שחקנים. תחילה פרישות וביי, ואז שיבוץ סיבוב ${round}.`,
  }),
  pairNext: (over, round) => `סיבוב ${over} הסתיים. תחילה פרישות וביי, ואז שיבוץ סיבוב ${round}.`,
  pair: (round) => `שיבוץ סיבוב ${round}`,
  paired: (round) => `סיבוב ${round} שובץ.`,
  close: (round) => `סגירת סיבוב ${round}`,
  closed: (round) => `סיבוב ${round} נסגר.`,
  allIn: (round) => `כל התוצאות של סיבוב ${round} התקבלו.`,
  allInBut: (round, count, tables) => plural(count, {
    one: `כל שאר התוצאות של סיבוב ${round} התקבלו; המשחק בשולחן ${tables} נדחה ונחשב תיקו לשיבוץ.`,
    other: `כל שאר התוצאות של סיבוב ${round} התקבלו; המשחקים בשולחנות ${tables} נדחו ונחשבים תיקו לשיבוץ.`,
  }),
  disputed: (round, count, tables) => plural(count, {
    one: `סיבוב ${round}: בשולחן ${tables} נרשמו שתי תוצאות שונות. יש לבחור איזו קובעת.`,
    other: `סיבוב ${round}: בשולחנות ${tables} נרשמו תוצאות שונות. יש לבחור אילו קובעות.`,
  }),
  adjourned: (round, count, tables) => plural(count, {
    one: `סיבוב ${round}: המשחק בשולחן ${tables} נדחה. יש לרשום שם את התוצאה, ואז לסיים.`,
    other: `סיבוב ${round}: המשחקים בשולחנות ${tables} נדחו. יש לרשום שם את התוצאות, ואז לסיים.`,
  }),
  results: (count, of) => plural(of, { one: `${count} מתוך תוצאה אחת`, two: `${count} מתוך שתי תוצאות`, other: `${count} מתוך ${number(of)} תוצאות` }),
  missing: (round, results, missing, tables) => plural(missing, {
    one: `סיבוב ${round}: התקבלו ${results}; חסרה תוצאה בשולחן ${tables}.`,
    other: `סיבוב ${round}: התקבלו ${results}; חסרות תוצאות בשולחנות ${tables}.`,
  }),
  pairByHand: 'שיבוץ ידני',
  tooManyRounds: (planned, possible) => `מתוכננים ${planned} סיבובים, אבל אחרי ${possible} כבר נפגשו כולם עם כולם.`,
};
