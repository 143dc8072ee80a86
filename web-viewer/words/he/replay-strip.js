import { number, plural } from '../locale.js';

export const strip = {
  marks: { capture: 'הכאות', dice: 'הטלות', comment: 'הערות', mistake: 'טעויות' },
  noPly: (part, last) => `„${part}” אינו חצי־מהלך מ־0 עד ${last} ואף לא טווח כמו 4-8.`,
  noMarks: 'אין במשחק סימנים כאלה.',
  pageTitle: (names) => `${names} · דיאגרמות · Plybook`,
  plies: (count) => plural(count, { one: 'חצי־מהלך אחד', two: 'שני חצאי מהלכים', other: `${number(count)} חצאי מהלכים` }),
  firstOf: (most, count) => `${number(most)} הדיאגרמות הראשונות מתוך ${number(count)}.`,
  loading: (ply) => `חצי־מהלך ${ply} …`,
};
