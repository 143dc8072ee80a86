// A tournament that is imported from a report file.

import { number, plural } from '../locale.js';

export const report = {
  title: 'מקובץ דיווח (TRF)',
  hint: 'השחקנים, הסיבובים, התוצאות והביי שבו נעשים תחרות שאפשר להמשיך. שום דבר לא מיובא לפני שרואים מה יש בו.',
  file: 'קובץ דיווח (TRF16 או TRF26)',
  tooLarge: (file) => `${file} גדול מדי לדיווח.`,
  rounds: (count) => plural(count, { one: 'סיבוב אחד', two: 'שני סיבובים', other: `${number(count)} סיבובים` }),
  tables: (count) => plural(count, { one: 'שולחן אחד', two: 'שני שולחנות', other: `${number(count)} שולחנות` }),
  forfeits: (count) => `${number(count)} מהם בהפסד טכני`,
  byes: (count) => plural(count, { one: 'ביי אחד עם נקודות', two: 'שני ביי עם נקודות', other: `${number(count)} ביי עם נקודות` }),
  open: (count) => `${number(count)} בלי תוצאה`,
  leftOut: 'לא מיובאים:',
  left: {
    BIRTHS: 'תאריכי לידה (מה שתחרות רושמת אי אפשר למחוק)', UNRATED: 'שמשחקים של פחות ממסע אינם מדורגים', ACCELERATION: 'נקודות וירטואליות, פרט לשיטת באקו',
    FORBIDDEN: 'מי לא ייפגשו בחלק מהסיבובים בלבד', TIE_BREAKS: 'שוברי שוויון שאינם מוכרים כאן', RECORDS: 'רשומות ארוכות מדי או רבות מדי', FORMAT: 'איך שובצו: הסיבובים הבאים משובצים ביד',
  },
  caption: 'השחקנים בקובץ',
  chooseKind: 'צריך לבחור קודם משחק',
  chooseFor: (count) => plural(count, { one: 'צריך לבחור מי שחקן אחד', two: 'צריך לבחור מי שני שחקנים', other: `צריך לבחור מי ${number(count)} שחקנים` }),
  take: 'ייבוא התחרות',
  running: 'מיובא…',
};
