// כניסה, ערכת נושא ודברים אחרים שיש בכל דף.

import { plural, number } from '../locale.js';

export const common = {
  close: 'סגירה',
  signIn: 'כניסה',
  signedIn: 'מחוברים',
  signedInAs: (name) => `מחובר בתור ${name}`,
  roles: { player: 'שחקן', table: 'שולחן', recorder: 'רושם', organiser: 'מארגן', arbiter: 'שופט', admin: 'מנהל' },
  signOut: 'יציאה',
  signInTitle: 'כניסה באמצעות אסימון גישה',
  token: 'אסימון גישה',
  whatFor: 'המשחקים והטורנירים פתוחים לכולם. אסימון גישה מאפשר לראות את מה שמותר למושב שלך לראות, או לנהל טורניר. הוא נשמר בדפדפן הזה בלבד.',
  unknownToken: 'השירות אינו מכיר את אסימון הגישה הזה. כדאי לבדוק שהועתק במלואו.',
  signedOut: 'אסימון הגישה שנשמר בדפדפן הזה כבר אינו תקף. מוצג מה שכולם רואים; כדי לראות יותר יש להיכנס שוב.',
  deviceKey: 'מפתח החתימה של המכשיר הזה…',
  themes: { system: 'ערכת נושא: לפי המערכת', light: 'ערכת נושא: בהירה', dark: 'ערכת נושא: כהה' },
  changeTheme: (theme) => `${theme}. החלפה`,
  oneTournament: 'טורניר אחד',
  anyTournament: 'משחקים מכל הטורנירים',
  playersMatch: (count) => plural(count, { one: 'שחקן אחד מתאים; יש לבחור', two: 'שני שחקנים מתאימים; יש לבחור', other: `${number(count)} שחקנים מתאימים; יש לבחור` }),
  noPlayer: 'אין שחקן שזה מופיע בשמו',
  due: (due) => `עד ${due}`,
  opensAndDue: (opens, due) => `נפתח ${opens}, עד ${due}`,
};
