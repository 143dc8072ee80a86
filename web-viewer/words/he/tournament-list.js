import { number, plural } from '../locale.js';

export const list = {
  loading: 'הטורנירים נטענים…',
  allGames: 'כל המשחקים',
  any: 'הכול',
  total: (count) => plural(count, { one: 'טורניר אחד', two: 'שני טורנירים', other: `${number(count)} טורנירים` }),
  found: (count) => plural(count, { one: 'נמצא טורניר אחד', two: 'נמצאו שני טורנירים', other: `נמצאו ${number(count)} טורנירים` }),
  players: (count) => plural(count, { one: 'שחקן אחד', two: 'שני שחקנים', other: `${number(count)} שחקנים` }),
  noMatch: 'לא נמצא טורניר מתאים.',
  showAll: 'הצגת כל הטורנירים',
  none: 'אין עדיין טורנירים.',
  create: 'יצירת הטורניר הראשון',
};
