import { number, plural } from '../locale.js';

export const states = {
  formats: { SWISS: 'שיטה שוויצרית', ROUND_ROBIN: 'כולם נגד כולם', KNOCKOUT: 'נוקאאוט', GROUPS_KNOCKOUT: 'בתים ואחריהם נוקאאוט', FREE: 'שיבוץ חופשי' },
  doubleRoundRobin: 'כולם נגד כולם, סבב כפול',
  bestOf: (games) => `הטוב מ־${games}`,
  rounds: (count) => plural(count, { one: 'סיבוב אחד', two: 'שני סיבובים', other: `${number(count)} סיבובים` }),
  statuses: { PLANNED: 'מתוכנן', RUNNING: 'מתקיים כעת', FINISHED: 'הסתיים' },
  round: (round, state) => `סיבוב ${round}: ${state}`,
  roundOf: (round, planned, state) => `סיבוב ${round} מתוך ${planned}: ${state}`,
  roundStates: { UNPAIRED: 'טרם שובץ', PAIRED: 'שובץ', OPEN: 'מתקיים כעת', CLOSED: 'הסתיים' },
  byes: { PAIRING: 'ביי', HALF: 'ביי של חצי נקודה', FULL: 'ביי של נקודה שלמה', ZERO: 'היעדרות' },
  leftOver: { ROUND_ROBIN: 'פנוי בסיבוב הזה', KNOCKOUT: 'עולה בלי משחק', GROUPS_KNOCKOUT: 'פנוי בסיבוב הזה' },
  shortByes: { PAIRING: 'ביי', HALF: 'ביי ½', FULL: 'ביי', ZERO: '–' },
  draw: 'תיקו',
  won: (name) => `ניצחון: ${name}`,
  ranking: (places) => places.join(', ואז '),
  inZones: (there, here) => `${there} (אצלך: ${here})`,
  stage: (matches) => ({ 1: 'גמר', 2: 'חצי גמר', 4: 'רבע גמר', 8: 'שמינית גמר' }[matches] ?? `שלב ${2 * matches} האחרונים`),
  thirdPlace: 'מקום שלישי',
  andThirdPlace: (stage) => `${stage} ומקום שלישי`,
  live: { connecting: 'מתבצעת התחברות', live: 'בשידור חי', offline: 'לא מקוון', refused: 'ללא מעקב' },
};
