import { number, plural } from '../locale.js';

export const games = {
  count: (count) => plural(count, { one: 'משחק אחד', two: 'שני משחקים', other: `${number(count)} משחקים` }),
  found: (count) => plural(count, { one: 'נמצא משחק אחד', two: 'נמצאו שני משחקים', other: `נמצאו ${number(count)} משחקים` }),
  plies: (count) => plural(count, { one: 'חצי־מהלך אחד', two: 'שני חצאי מהלכים', other: `${number(count)} חצאי מהלכים` }),
  fresh: (count) => plural(count, { one: 'משחק חדש אחד · הצגה', two: 'שני משחקים חדשים · הצגה', other: `${number(count)} משחקים חדשים · הצגה` }),
  loading: 'המשחקים בטעינה…',
  noMatch: 'אין משחק שמתאים לסינון הזה.',
  none: 'עדיין לא נרשמו משחקים.',
  showAll: 'הצגת כל המשחקים',
  outcome: 'תוצאה',
  length: 'חצאי מהלכים',
  date: 'תאריך',
  unit: (count) => plural(count, { one: 'חצי־מהלך', two: 'חצאי מהלכים', other: 'חצאי מהלכים' }),
  won: '(ניצחון)',
  more: (count) => `ועוד ${count}`,
  sideBySide: 'זה לצד זה',
};
