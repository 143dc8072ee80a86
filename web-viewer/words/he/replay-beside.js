// Two boards side by side, A and B.

import { number, plural } from '../locale.js';

export const beside = {
  sameTwice: 'אותה עמדה פעמיים.',
  ahead: (count) => `אותו משחק; B מקדים ב־${plural(count, { one: 'חצי־מהלך אחד', two: 'שני חצאי מהלכים', other: `${number(count)} חצאי מהלכים` })}.`,
  behind: (count) => `אותו משחק; B מפגר ב־${plural(count, { one: 'חצי־מהלך אחד', two: 'שני חצאי מהלכים', other: `${number(count)} חצאי מהלכים` })}.`,
  different: 'אלה משחקים שונים: דבר אינו מושווה.',
  otherSetups: 'הם מתחילים מהצבות התחלתיות שונות.',
  plays: (name, action) => `${name}: ${action}`,
  ends: 'סוף',
  sameActions: 'בשניהם שוחקו אותן פעולות.',
  partAtOnce: (a, b) => `הם נפרדים מיד: ב־A ${a}, ב־B ${b}.`,
  partLater: (ply, a, b) => `הם זהים עד חצי־מהלך ${ply}: אחר כך ב־A ${a}, ב־B ${b}.`,
  titleOne: 'משחק אחד, שני חצאי מהלכים',
  title: 'זה לצד זה',
  pageTitle: (names) => `${names} · זה לצד זה · Plybook`,
  back: (board) => `חצי־המהלך הקודם של ${board} בלבד`,
  on: (board) => `חצי־המהלך הבא של ${board} בלבד`,
  fromHere: 'השחזור, מכאן',
  figures: (board) => `מושבים ונתונים של ${board}`,
  underlined: ' ההבדלים מסומנים בקו תחתי.',
  plies: (a, lastA, b, lastB) => `A: חצי־מהלך ${a} מתוך ${lastA}; B: חצי־מהלך ${b} מתוך ${lastB}`,
  nothing: 'הכול עומד באותם מקומות.',
  differences: (count) => `${plural(count, { one: 'הבדל אחד, מסומן', two: 'שני הבדלים, מסומנים', other: `${number(count)} הבדלים, מסומנים` })} על הלוחות.`,
  manyDifferences: (count, most) => `${plural(count, { one: 'הבדל אחד, מסומן', two: 'שני הבדלים, מסומנים', other: `${number(count)} הבדלים, מסומנים` })} על הלוחות. ${most} הראשונים:`,
  announced: (board, ply, told) => `${board}, חצי־מהלך ${ply}. ${told}`,
  noGame: 'זה אינו מזהה משחק: יש להדביק את הכתובת של השחזור שלו או את המזהה שלו.',
};
