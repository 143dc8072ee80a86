// What the present rules say of a recorded game.

export const refold = {
  judge: 'שיפוט לפי הכללים הנוכחיים',
  judging: 'בשיפוט…',
  gone: 'לשירות כבר אין הכללים של המשחק הזה, ולכן אי אפשר לשחזר אותו. ',
  recorded: (version) => `נרשם לפי ${version}. `,
  rules: 'הכללים הנוכחיים',
  rulesOf: (version) => `הכללים הנוכחיים (${version})`,
  same: (rules) => `זהה לפי ${rules}.`,
  sealed: (rules, ply) => `זהה לפי ${rules} במידה שנחשף: עד חצי־מהלך ${ply}.`,
  orphan: 'לא נשפט: היומן שהווריאציה הזאת ממשיכה אינו רשום כאן.',
  differs: (rules, seq) => `שונה לפי ${rules} מאירוע ${seq} ואילך`,
  here: (place, why) => [' (', place, `): ${why}`],
  inParent: (place, why) => [' ביומן שהווריאציה הזאת ממשיכה (', place, `): ${why}`],
  ply: (ply) => `חצי־מהלך ${ply}`,
};
