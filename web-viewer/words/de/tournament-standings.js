// Standings, the crosstable, the list of players, the bracket and the groups.

export const standings = {
  after: (round) => `Rangliste nach Runde ${round}`,
  starting: 'Startrangliste',
  crosstable: (round) => `Kreuztabelle nach Runde ${round}`,
  players: 'Spieler nach Startrang',
  columns: {
    rank: 'Rang', number: 'Nr.', name: 'Name', reached: 'Erreicht', points: 'Punkte', won: 'Siege, auch kampflose', drawn: 'Remis', lost: 'Niederlagen', rating: 'Wertung', club: 'Verein', country: 'Land', note: 'Anmerkung',
  },
  met: (names, seat) => `${names}; Platz ${seat}`,
  self: 'selbst',
  withdrawn: 'zurückgezogen',
  withdrawnFrom: (round) => `ab Runde ${round} zurückgezogen`,
  from: (round) => `ab Runde ${round}`,
  bracket: 'Turnierbaum',
  advances: '(kommt weiter)',
  bye: 'Freilos',
  round: (round) => `Runde ${round}`,
  game: (round, table, result) => `Runde ${round}, Tisch ${table}: ${result}`,
  group: (group) => `Gruppe ${group}`,
  groupAfter: (group, round) => `Gruppe ${group} nach Runde ${round}`,
  encounter: 'je kleiner DE, desto besser',
};
