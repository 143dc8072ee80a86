// Links for recording a game: for its table, and for each seat.

import { moment } from '../locale.js';

export const links = {
  who: 'מי שיש לו קישור יכול לרשום את המשחק הזה, ורק אותו, בלי להיכנס. יצירת קישורים חדשים מבטלת את הקודמים.',
  make: 'יצירת קישורים לשולחן ולמושבים',
  theTable: 'השולחן',
  ownSeat: 'רואה ומשחק את המושב הזה בלבד.',
  everySeat: 'רושם עבור כל המושבים.',
  validUntil: (at) => `בתוקף עד ${moment(at)}.`,
  open: 'פתיחה',
  copy: 'העתקה',
  copyFor: (name) => `העתקת הקישור של ${name}`,
  copyForTable: 'העתקת הקישור של השולחן',
  copied: (name) => `הקישור של ${name} הועתק.`,
  copiedForTable: 'הקישור של השולחן הועתק.',
  notCopied: 'הדפדפן לא העתיק אותו: יש ללחוץ לחיצה ארוכה על הקישור ולהעתיק אותו ידנית.',
};
