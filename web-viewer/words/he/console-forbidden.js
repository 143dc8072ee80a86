// Entrants who are not to meet.

export const forbidden = {
  title: 'מי לא ייפגש עם מי',
  explained: 'קרובי משפחה או שחקנים של מועדון אחד: מהסיבוב הבא השיבוץ יפריד ביניהם. אם ההפרדות רבות מדי, ייתכן שלא יימצא שיבוץ.',
  one: 'שחקן',
  other: 'וגם',
  add: 'הפרדה',
  added: 'הם לא ייפגשו.',
  clubs: 'הפרדת כל השחקנים של אותו מועדון',
  clubsAdded: 'שחקנים של אותו מועדון לא ייפגשו.',
  remove: 'הסרה',
  removed: 'הם יכולים להיפגש שוב.',
  removeGroup: (names) => `הסרה: ${names}`,
};
