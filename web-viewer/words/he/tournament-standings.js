// Standings, the crosstable, the list of players, the bracket and the groups.

export const standings = {
  after: (round) => `טבלת דירוג אחרי סיבוב ${round}`,
  starting: 'רשימת פתיחה',
  crosstable: (round) => `טבלה צולבת אחרי סיבוב ${round}`,
  players: 'שחקנים לפי דירוג פתיחה',
  columns: {
    rank: 'מקום', number: 'מס׳', name: 'שם', reached: 'השלב שהושג', points: 'נקודות', won: 'ניצחונות, גם טכניים', drawn: 'תיקו', lost: 'הפסדים', rating: 'דירוג', club: 'מועדון', country: 'מדינה', note: 'הערה',
  },
  met: (names, seat) => `${names}; מושב ${seat}`,
  self: 'אותו שחקן',
  withdrawn: 'פרישה',
  withdrawnFrom: (round) => `פרישה מסיבוב ${round}`,
  from: (round) => `מסיבוב ${round}`,
  bracket: 'תרשים הנוקאאוט',
  advances: '(העפלה)',
  bye: 'ביי',
  round: (round) => `סיבוב ${round}`,
  game: (round, table, result) => `סיבוב ${round}, שולחן ${table}: ${result}`,
  group: (group) => `בית ${group}`,
  groupAfter: (group, round) => `בית ${group} אחרי סיבוב ${round}`,
  encounter: 'ככל ש־DE נמוך יותר, כך טוב יותר',
};
