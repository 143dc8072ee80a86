export const log = {
  told: {
    tournament_created: 'הטורניר נוצר', tournament_edited: 'ההגדרות שונו', entered: 'הרשמה', entrant_edited: 'רישום שונה',
    entry_removed: 'רישום הוסר', withdrawn: 'פרישה', returned: 'חזרה', absence_announced: 'היעדרות מסיבוב', absence_cancelled: 'ביטול היעדרות מסיבוב',
    paired: 'שיבוץ', pairing_changed: 'השיבוץ שונה ידנית', unpaired: 'השיבוץ בוטל', round_opened: 'הסיבוב נפתח', round_unopened: 'הפתיחה בוטלה',
    game_opened: 'משחק נוסף', table_opened: 'נפתח שולחן', table_reseated: 'אחרים יושבים בשולחן', result_recorded: 'תוצאה', result_removed: 'התוצאה הוסרה', forfeited: 'הפסד טכני', adjourned: 'המשחק נדחה', round_closed: 'הסיבוב נסגר',
    round_reopened: 'הסיבוב נפתח מחדש', tournament_finished: 'הטורניר הסתיים', tournament_reopened: 'הטורניר נפתח מחדש',
  },
  entrant: (entrant) => `מס׳ ${entrant}`,
  entrants: (count) => `${count} משתתפים`,
  round: (round) => `סיבוב ${round}`,
  table: (table) => `שולחן ${table}`,
  seat: (seat) => `מושב ${seat}`,
  lost: (names) => `אי־הופעה: ${names}`,
  from: (round) => `מסיבוב ${round}`,
  atTable: (table) => `בשולחן ${table}`,
  roles: { organiser: 'מארגן', arbiter: 'שופט', admin: 'מנהל מערכת', recorder: 'רושם', table: 'שולחן', operator: 'מפעיל' },
};
