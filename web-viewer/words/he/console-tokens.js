// Tokens of other organisers, and links of tables.

import { number, plural } from '../locale.js';

export const tokens = {
  title: 'מארגנים נוספים',
  titleWithTables: 'מארגנים נוספים ושולחנות',
  explained: 'אסימון גישה למי שעוזר לנהל את הטורניר הזה, ולא לשום דבר אחר. שופטים ומנהלי מערכת יכולים ליצור אותו.',
  forWhom: 'למי',
  days: 'ימים',
  make: 'יצירת אסימון גישה',
  untilRevoked: 'עד לביטול',
  ofOrganisers: 'אסימוני גישה של מארגנים',
  columns: { forWhom: 'למי', made: 'נוצר', valid: 'בתוקף', revoke: 'ביטול', round: 'סיבוב', table: 'שולחן' },
  revoke: 'ביטול',
  revokeOf: (who) => `ביטול אסימון הגישה של ${who}`,
  revokeOfTable: (table, round) => `ביטול אסימון הגישה של שולחן ${table} בסיבוב ${round}`,
  revoked: (who) => `אסימון הגישה של ${who} אינו תקף עוד.`,
  revokedOfTable: (table, round) => `אסימון הגישה של שולחן ${table} בסיבוב ${round} אינו תקף עוד.`,
  links: 'קישורים לשולחנות',
  countedLinks: (count) => plural(count, { one: 'קישורים לשולחנות: קישור אחד', two: 'קישורים לשולחנות: שני קישורים', other: `קישורים לשולחנות: ${number(count)} קישורים` }),
  linksHint: 'הם פוקעים עם סיום הסיבוב; פתק חדש לשולחן מחליף את הקודם.',
  none: 'רק אסימוני גישה של שופטים ושל מנהלי מערכת בתוקף.',
  madeTitle: 'אסימון גישה למארגן',
  made: (who) => `עבור ${who}. מוצג פעם אחת בלבד: יש לסרוק את הקוד או לשלוח את הקישור.`,
  madeUntil: (who, at) => `עבור ${who}, עד ${at}. מוצג פעם אחת בלבד: יש לסרוק את הקוד או לשלוח את הקישור.`,
  link: 'הקישור',
  copy: 'העתקה',
  copied: 'הועתק.',
  notCopied: 'הדפדפן הזה אינו מעתיק כאן; יש לסמן את הקישור.',
  asToken: 'כאסימון גישה, להדבקה תחת „כניסה”',
};
