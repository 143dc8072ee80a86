// The pairings of a round with their results.

export const pairings = {
  caption: (round) => `Pairings of round ${round}`,
  captionByName: (round) => `Pairings of round ${round} by name`,
  round: (round) => `Round ${round}`,
  // In a knock-out: `Round 3: Semi-finals`.
  roundWithStage: (round, stage) => `Round ${round}: ${stage}`,
  columns: { table: 'Table', first: 'First', second: 'Second', result: 'Result', record: 'Record', places: 'Seats and places', name: 'Name', seat: 'Seat', against: 'Against' },
  game: (stage, game) => `${stage}, game ${game}`,
  lastGame: (stage, game, score) => `${stage}, game ${game}; ${score}`,
  seat: (seat) => `Seat ${seat}`,
  pointsBefore: 'Points before this round',
  watch: 'Watch',
  watchTable: (table) => `Watch table ${table}`,
  replay: 'Replay',
  replayTable: (table) => `Replay table ${table}`,
  // Why these players meet.
  why: 'Why these?',
  whyAt: (table) => `Why these at table ${table}`,
  explained: (table, names) => `Table ${table}: ${names}`,
  noReasons: 'No reasons are recorded for this pairing.',
  notPlaying: 'Not playing in this round',
  // The number of points, and as text: `Bye, ½ point`.
  bye: (bye, count, points) => `${bye}, ${points} ${count > 1 ? 'points' : 'point'}`,
  byHand: 'Paired by hand.',
  by: (engine) => `Paired by ${engine}.`,
  byAndByHand: (engine) => `Paired by ${engine}, changed by hand.`,
  // Warnings, in spite of which the pairing was saved.
  accepted: (warnings) => `Accepted: ${warnings}.`,
  adjourned: 'adjourned',
  allTournaments: 'All tournaments',
  again: 'Try again',
  whyBye: (name) => `Why ${name} does not play`,
  halves: 'In the first round, the upper half of the starting list meets the lower half, in order.',
  pairedByHand: 'This table was changed by hand.',
};
