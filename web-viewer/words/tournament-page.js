// The public page of a tournament.

import { number } from './locale.js';

export const page = {
  loading: 'Loading the tournament…',
  noSuchTournament: 'there is no tournament with this address',
  noSuchEntrant: 'nobody entered under this number',
  views: { now: 'Now', pairings: 'Pairings', standings: 'Standings', groups: 'Groups', bracket: 'Bracket', crosstable: 'Crosstable', players: 'Players', about: 'About' },
  statistics: 'Statistics',
  organise: 'Organise',
  allPlayers: '‹ All players',
  // What the choice of rounds is for.
  round: 'Round',
  afterRound: 'After round',
  oneRound: (round, state) => `Round ${round}, ${state}`,
  now: 'Now',
  order: 'Order',
  byTable: 'By table',
  byName: 'By name',
  print: 'Print',
  projector: 'Projector',
  forTheHall: 'For a screen in the hall',
  standingsAfter: (round) => `Standings after round ${round}`,
  groupsAfter: (round) => `Groups after round ${round}`,
  drawnFirst: 'The bracket is drawn by the first pairing.',
  drawnAfterGroups: 'The bracket is drawn when all groups are played.',
  noGroups: 'There are no groups yet: too few players have entered.',
  nobody: 'Nobody has entered yet.',
  nothingPaired: 'Nothing is paired yet.',
  notPaired: (round) => `Round ${round} is not paired yet.`,
  starts: (at) => `The tournament starts on ${at}.`,
  nowPlaying: 'Now playing',
  boards: 'Boards',
  all: (count) => `All ${number(count)}`,
};
