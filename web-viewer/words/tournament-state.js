// What tournaments are, and where they stand.

import { number, plural } from './locale.js';

export const states = {
  formats: { SWISS: 'Swiss', ROUND_ROBIN: 'Round robin', KNOCKOUT: 'Knock-out', GROUPS_KNOCKOUT: 'Groups, then knock-out', FREE: 'Free pairings' },
  doubleRoundRobin: 'Double round robin',
  // After the format: `Knock-out, best of 3, 4 rounds`.
  bestOf: (games) => `best of ${games}`,
  rounds: (count) => plural(count, { one: `${number(count)} round`, other: `${number(count)} rounds` }),
  statuses: { PLANNED: 'Planned', RUNNING: 'Being played', FINISHED: 'Finished' },
  // The state is one of `roundStates`.
  round: (round, state) => `Round ${round} ${state}`,
  roundOf: (round, planned, state) => `Round ${round} of ${planned} ${state}`,
  // In the middle of a sentence, or after “Round 2”.
  roundStates: { UNPAIRED: 'not paired', PAIRED: 'paired', OPEN: 'being played', CLOSED: 'finished' },
  byes: { PAIRING: 'Bye', HALF: 'Half-point bye', FULL: 'Full-point bye', ZERO: 'Absent' },
  // Who is left over where opponents are drawn at the start.
  leftOver: { ROUND_ROBIN: 'Free this round', KNOCKOUT: 'Advances without a game', GROUPS_KNOCKOUT: 'Free this round' },
  // In a cell of the crosstable.
  shortByes: { PAIRING: 'bye', HALF: '½ bye', FULL: 'bye', ZERO: '–' },
  // The result of a table.
  draw: 'A draw',
  won: (name) => `${name} won`,
  // Places from the first: `C, then A = B`.
  ranking: (places) => places.join(', then '),
  // A time at the tournament, and where the reader is.
  inZones: (there, here) => `${there} (${here} your time)`,
  // Stages of a knock-out, by the number of their matches.
  stage: (matches) => ({ 1: 'Final', 2: 'Semi-finals', 4: 'Quarter-finals' }[matches] ?? `Round of ${2 * matches}`),
  thirdPlace: 'Third place',
  andThirdPlace: (stage) => `${stage} and third place`,
  // Whether a page follows the tournament.
  live: { connecting: 'Connecting', live: 'Live', offline: 'Offline', refused: 'Not followed' },
};
