// Standings, the crosstable, the list of players, the bracket and the groups.

export const standings = {
  after: (round) => `Standings after round ${round}`,
  starting: 'Starting list',
  crosstable: (round) => `Crosstable after round ${round}`,
  players: 'Players by starting rank',
  columns: {
    rank: 'Rank', number: 'No.', name: 'Name', reached: 'Reached', points: 'Points', won: 'Won, without play too', drawn: 'Drawn', lost: 'Lost', rating: 'Rating', club: 'Club', country: 'Country', note: 'Note',
  },
  // The opponents in a round, and the entrant's own seat.
  met: (names, seat) => `${names}; seat ${seat}`,
  // Where the row and the column are of the same player.
  self: 'self',
  withdrawn: 'withdrawn',
  withdrawnFrom: (round) => `withdrawn from round ${round}`,
  from: (round) => `from round ${round}`,
  bracket: 'Bracket',
  advances: '(advances)',
  // Instead of an opponent.
  bye: 'bye',
  round: (round) => `Round ${round}`,
  game: (round, table, result) => `Round ${round}, table ${table}: ${result}`,
  group: (group) => `Group ${group}`,
  groupAfter: (group, round) => `Group ${group} after round ${round}`,
  encounter: 'the lower DE, the better',
};
