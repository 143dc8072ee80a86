// The card of one player in a tournament.

export const card = {
  number: (rank) => `Nr. ${rank}`,
  rated: (rating, deviation) => `Wertung hier ${rating} ± ${deviation}`,
  ratedProvisionally: (rating, deviation) => `Wertung hier ${rating} ± ${deviation} (vorläufig)`,
  place: (rank) => [rank, ' Platz'],
  points: (count, points) => [points, count === 1 ? ' Punkt' : ' Punkte'],
  games: (won, drawn, lost) => `${won} gewonnen, ${drawn} remis, ${lost} verloren`,
  notPaired: 'Noch nicht gepaart.',
  rounds: 'Runden',
  columns: { round: 'Runde', against: 'Gegen', table: 'Tisch', seat: 'Platz', result: 'Ergebnis', sum: 'Summe' },
  seat: (seat) => `Platz ${seat}`,
  tieBreaks: 'Feinwertungen',
  round: (round) => `Runde ${round}`,
  notCounted: '(zählt nicht)',
  figures: 'Alle Partien und Zahlen',
  statistics: 'Statistik in diesem Turnier',
};
