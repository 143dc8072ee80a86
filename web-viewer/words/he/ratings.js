import { number, plural } from '../locale.js';

export const ratings = {
  players: (count) => plural(count, { one: 'שחקן אחד', two: 'שני שחקנים', other: `${number(count)} שחקנים` }),
  loading: 'הדירוגים בטעינה…',
  none: 'עדיין לא נרשמו משחקים מדורגים.',
  noneSure: 'עדיין איש לא שיחק די משחקים מדורגים.',
  showProvisional: 'הצגת דירוגים זמניים',
  no: 'מס׳',
  rating: 'דירוג',
  lastGame: 'משחק אחרון',
  ratings: 'דירוגים',
  provisional: 'זמני',
  about: 'בהסתברות של כ־95% הכוח נמצא בטווח של פעמיים ± מהדירוג. סימן שאלה מציין דירוג זמני, שעדיין אינו ודאי דיו.',
};
