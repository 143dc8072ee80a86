export const notice = {
  noGame: 'אין משחק כזה',
  noneHere: 'אין משחק בכתובת הזאת. ',
  notYours: 'אין הרשאה לראות את מה שנראה מכאן כל עוד המשחק נמשך. ',
  showMine: 'הצגת מה שמותר לי לראות',
};
