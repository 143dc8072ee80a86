// Entering an action: who acts, the field, what is legal. \u2066 … \u2069 is written from left to right.

import { number, plural } from '../locale.js';

export const entry = {
  endsGame: 'לפי הכללים, הרישומים הממתינים מסיימים את המשחק.',
  notHere: 'התור של מישהו אחר.',
  who: 'עבור מי',
  handOver: (name) => `העברת הטלפון אל ${name}`,
  action: 'פעולה',
  enter: 'רישום',
  unknown: 'מה שחוקי עכשיו לא ייוודע עד שהרישומים הממתינים יירשמו. מה שמוזן ייבדק אז.',
  foreseen: 'הלוח מציג את הרישומים הממתינים, לפי הכללים שבדפדפן הזה.',
  unlisted: 'הפעולות החוקיות אינן מפורטות כאן: מה שמוקלד ייבדק.',
  clock: (field) => ['השעון מראה ', field],
  notATime: (text) => `\u2066${text}\u2069 אינו זמן. יש לכתוב אותו כפי שהשעון מראה: 1:23:45 או 9:05.`,
  near: 'דומות לה:',
  actions: 'פעולות',
  roll: 'הטלה הוגנת',
  forget: (places) => `ביטול הבחירה \u2066${places.join(', ')}\u2069`,
  unlistedActions: (count) => plural(count, { one: 'פעולה אחת: אפשר להקיש על הלוח או להקליד.', two: 'שתי פעולות: אפשר להקיש על הלוח או להקליד.', other: `${number(count)} פעולות: אפשר להקיש על הלוח או להקליד.` }),
  furtherActions: (count) => plural(count, { one: 'עוד פעולה אחת: אפשר להקיש על הלוח או להקליד.', two: 'עוד שתי פעולות: אפשר להקיש על הלוח או להקליד.', other: `עוד ${number(count)} פעולות: אפשר להקיש על הלוח או להקליד.` }),
  tapOrType: 'אפשר להקיש על הלוח או להקליד.',
  typeOrTap: 'יש להקליד פעולה או להקיש על הלוח.',
  more: (count) => plural(count, { one: 'ועוד אחת', two: 'ועוד שתיים', other: `ועוד ${number(count)}` }),
  noAction: (place) => `אין כאן פעולה שכוללת את ${place}.`,
};
