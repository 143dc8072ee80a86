// What a replay says that only a service can answer.

import { number, plural } from './locale.js';

export const replayServed = {
  // What was played from the position shown, across all recorded games.
  secret: 'This game has secrets and is still being played. What others did in this position is shown once it is over.',
  similarHint: 'Search the recorded games for positions with the same figures',
  similar: 'Similar positions',
  tournamentOnly: ' This tournament only',
  clear: 'Clear',
  whichCount: 'Games included',
  player: 'Player ',
  since: 'Since ',
  notKnown: 'Not everything about this position is known.',
  playedNext: 'Played next',
  topGames: 'Top games',
  thisGame: 'this game',
  playHere: 'Play it here',
  onlyThis: 'Only this game reached it, by another order of actions.',
  // After one of the sentences below.
  pending: (count) => ` ${plural(count, { one: '1 event', other: `${number(count)} events` })} not counted yet.`,
  noMatch: 'No game that matches has reached this position.',
  noGame: 'No recorded game has reached this position.',
  noOther: 'No other game has reached this position.',
  reached: (count) => `${plural(count, { one: '1 game', other: `${number(count)} games` })} reached this position.`,
  // A lesson from the mistakes of a seat.
  hint: 'Hint',
  wholeAction: 'The whole action',
  solve: 'Show the solution',
  back: 'Back to the question',
  next: 'Next mistake',
  skip: 'Skip',
  finish: 'Finish',
  end: 'End',
  endHint: 'End the lesson (Esc)',
  count: (index, of, found) => `Mistake ${index} of ${of}. Done: ${found} of ${of} found.`,
  question: (name, ply, action) => `${name} to play at ply ${ply}: find something better than ${action}.`,
  // The verdict on an answer.
  waiting: (action) => `${action} is being compared with the best action…`,
  wrong: (action, why) => `${action}: that is not it, try again. ${why}`,
  right: (action, why) => `${action}: found! ${why}`,
  theBest: (action) => `The best action: ${action}.`,
  begins: (start) => `The best action begins with ${start}.`,
  over: (found, of) => `The lesson is over: ${found} of ${of} found.`,
  // Why an answer is right or wrong.
  otherSeat: 'This is another seat’s action.',
  engineWould: 'This is what the engine would play.',
  wasPlayed: 'This is what was played.',
  loses: (share) => `It loses ${share}.`,
  losesGood: (share) => `It loses ${share}, which is nearly as good as the best action.`,
  losesNothingGood: 'It loses nothing, which is nearly as good as the best action.',
  notCompared: (why) => `It is not the engine’s best, and could not be compared with it. ${why}`,
  signInToCompare: 'It is not the engine’s best. Sign in to have others compared with it.',
};
