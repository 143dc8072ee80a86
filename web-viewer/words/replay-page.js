// What several parts of the replay page say.

export const replay = {
  loading: 'Loading…',
  ends: 'The game ends here.',
  showResult: 'Show the result',
  looking: 'Looking…',
  start: 'The start.',
  toAct: 'to act',
  round: (round) => `Round ${round}`,
  // Whether the page follows the game.
  live: { connecting: 'Connecting', live: 'Live', offline: 'Offline', refused: 'Not followed' },
  // In the table of seats.
  results: { won: 'won', draw: 'draw', lost: 'lost', out: 'out' },
  wholeReplay: 'Open the whole replay',
  // Announcements.
  noNextTurn: 'No further turn of this seat.',
  noEarlierTurn: 'No earlier turn of this seat.',
  noNextMark: 'No further mark.',
  noEarlierMark: 'No earlier mark.',
  noVariation: 'No variation here.',
  noVariationLeaves: 'No variation leaves here.',
  thisIsMainline: 'This is the mainline.',
  engineOff: 'The engine is off.',
  engineOn: 'The engine is on.',
  lessonEnded: 'The lesson has ended.',
  noSeat: (seat) => `This game has no seat ${seat}.`,
  besideNeedsService: 'Two boards side by side need a service.',
  noAddress: 'A line that is not shared cannot be shown side by side.',
  engineNeedsService: 'The engine needs a service.',
  notLoaded: 'The position is not loaded yet.',
  plyTold: (ply, told) => `Ply ${ply}. ${told}`,
  comment: (text) => `Comment: ${text}`,
  noSuchGame: 'there is no such game',
};
