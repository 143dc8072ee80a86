export const openings = {
  lastPlayed: 'שוחק לאחרונה',
  about: 'איך משחקים מתחילים; כל פעולה מובילה למה שבא אחריה.',
  notReached: 'אף משחק רשום לא הגיע לעמדה הזאת.',
  openings: 'פתיחות',
  back: 'חזרה להתחלה',
  notContinued: 'אף משחק לא נמשך מכאן.',
  results: (games, results) => `${games}: ${results}.`,
};
