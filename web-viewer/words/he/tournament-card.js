// The card of one player in a tournament.

export const card = {
  number: (rank) => `מס׳ ${rank}`,
  rated: (rating, deviation) => `דירוג כאן ${rating} ± ${deviation}`,
  ratedProvisionally: (rating, deviation) => `דירוג כאן ${rating} ± ${deviation} (זמני)`,
  place: (rank) => ['מקום ', rank],
  points: (count, points) => [points, count === 1 ? ' נקודה' : ' נקודות'],
  games: (won, drawn, lost) => `ניצחונות: ${won}, תיקו: ${drawn}, הפסדים: ${lost}`,
  notPaired: 'אין עדיין שיבוץ.',
  rounds: 'סיבובים',
  columns: { round: 'סיבוב', against: 'נגד', table: 'שולחן', seat: 'מושב', result: 'תוצאה', sum: 'סך הכול' },
  seat: (seat) => `מושב ${seat}`,
  tieBreaks: 'שוברי שוויון',
  round: (round) => `סיבוב ${round}`,
  notCounted: '(לא נספר)',
  figures: 'כל המשחקים והנתונים',
  statistics: 'סטטיסטיקה בטורניר הזה',
};
