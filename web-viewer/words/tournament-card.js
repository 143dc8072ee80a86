// The card of one player in a tournament.

export const card = {
  number: (rank) => `No. ${rank}`,
  rated: (rating, deviation) => `rated ${rating} ± ${deviation} here`,
  ratedProvisionally: (rating, deviation) => `rated ${rating} ± ${deviation} here (provisional)`,
  // The rank is an element with a number and a full stop: `3. place`.
  place: (rank) => [rank, ' place'],
  // The number of points, and an element with it.
  points: (count, points) => [points, count === 1 ? ' point' : ' points'],
  games: (won, drawn, lost) => `${won} won, ${drawn} drawn, ${lost} lost`,
  notPaired: 'Not paired yet.',
  rounds: 'Rounds',
  columns: { round: 'Round', against: 'Against', table: 'Table', seat: 'Seat', result: 'Result', sum: 'Sum' },
  seat: (seat) => `Seat ${seat}`,
  tieBreaks: 'Tie-breaks',
  round: (round) => `Round ${round}`,
  // A term of a tie-break that was left out of it.
  notCounted: '(not counted)',
  figures: 'All games and figures',
  statistics: 'Statistics in this tournament',
};
