import { number } from '../locale.js';

export const boards = {
  table: (table) => `שולחן ${table}`,
  ply: (ply) => `חצי־מהלך ${ply}`,
  board: (ply) => `הלוח אחרי חצי־מהלך ${ply}`,
  toAct: '(בתור)',
  more: (count) => `ועוד ${number(count)}`,
  standings: 'טבלת דירוג',
  part: (title, page, pages) => `${title} · ${page} מתוך ${pages}`,
  nothing: 'אין עדיין שיבוץ',
  previous: 'העמוד הקודם',
  next: 'העמוד הבא',
  pause: 'השהיה',
  goOn: 'המשך',
  leave: 'יציאה מתצוגת המקרן',
  result: 'תוצאה סופית',
};
