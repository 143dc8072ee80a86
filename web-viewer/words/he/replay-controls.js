import { number, plural } from '../locale.js';

export const controls = {
  atPly: (ply, last) => `חצי־מהלך ${ply} מתוך ${last}`,
  atPlyTold: (ply, last, told) => `חצי־מהלך ${ply} מתוך ${last}: ${told}`,
  play: 'הפעלה',
  pause: 'השהיה',
  fresh: (count) => `${plural(count, { one: 'חצי־מהלך חדש', two: 'שני חצאי מהלכים חדשים', other: `${number(count)} חצאי מהלכים חדשים` })} ‹`,
  since: (ply) => `מאז חצי־מהלך ${ply}:`,
  unchanged: (ply) => `דבר לא השתנה על הלוח מאז חצי־מהלך ${ply}.`,
  mark: (ply, text) => `חצי־מהלך ${ply}: ${text}`,
  marks: (ply, text, count) => `חצי־מהלך ${ply}: ${text} (${count} סימנים כאן)`,
  viewers: { me: 'אני', public: 'הציבור', all: 'מי שרואה הכול' },
  title: 'מקלדת והגדרות',
  settings: 'הגדרות, נשמרות בדפדפן הזה',
  choices: { motion: 'הנפשת צעדים', labels: 'הצגת קואורדינטות, מספרים ואותיות קטנות על הלוח', results: 'הצגת התוצאה עוד לפני הסיום', bold: 'כלים ומשבצות בניגודיות גבוהה', inWords: 'המהלכים במילים, עד כמה שהלוח מראה אותם', sound: 'צעדים נשמעים', wheel: 'דפדוף בגלגלת מעל הלוח', stops: 'ההפעלה נעצרת בסימנים: הערות, טעויות, החזרות מהלך, הכרעות', letters: 'אותיות, ספרות וסימנים הם מקשי קיצור, למשל f להיפוך הלוח' },
  swipe: 'החלקה על הלוח מדפדפת; לחיצה ממושכת על כפתור צעד ממשיכה לדפדף. הכתובת כוללת את חצי־המהלך: שיתוף שלה מציג בדיוק את העמדה הזאת.',
  stopsAt: 'ההפעלה נעצרת גם ',
  nowhere: 'בשום מקום אחר',
  afterCaptures: 'אחרי הכאות',
  beforeTurns: (name) => `לפני תורות של ${name}`,
  plyUpTo: (last) => `חצי־מהלך, 0 עד ${number(last)}`,
  go: 'מעבר',
};
