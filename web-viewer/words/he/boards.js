import { number } from '../locale.js';

export const boards = {
  none: 'אין במשחקים האלה.',
  counted: 'מה נספר',
  numbers: 'מספרים',
  place: (place, count, what, share) => `${place}: ${number(count)} ${what}, ${share}`,
  most: (about, most, total) => `${about} הכי הרבה במקום אחד: ${number(most)} מתוך ${number(total)}.`,
  unseen: (places) => `לא מוצג בלוח הזה: ${places}.`,
  colours: 'צבעים',
  mostAt: 'הכי הרבה ב־',
  comparison: 'השוואה',
  whatIsThere: 'מה נמצא שם',
  number: 'מספר',
  whatToAsk: 'מה שואלת לחיצה',
  addRow: 'הוספת תנאי',
  clickPlaces: 'לחצו על מקומות בלוח; לחיצה נוספת מסירה.',
  byHand: 'זה נכתב ביד, ואי אפשר לומר אותו בשורות.',
  removeRow: (what) => `הסרת ${what}`,
};
