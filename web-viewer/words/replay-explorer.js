// What was played from the position shown, across all recorded games.

import { number, plural } from './locale.js';

export const explorer = {
  secret: 'This game has secrets and is still being played. What others did in this position is shown once it is over.',
  similarHint: 'Search the recorded games for positions with the same figures',
  similar: 'Similar positions',
  anybody: 'Anybody',
  tournamentOnly: ' This tournament only',
  clear: 'Clear',
  whichCount: 'Which games count',
  player: 'Player ',
  since: 'Since ',
  notKnown: 'Not everything about this position is known.',
  playedNext: 'Played next',
  noneContinued: 'No game continued from here.',
  topGames: 'Top games',
  recentGames: 'Recent games',
  thisGame: 'this game',
  playHere: 'Play it here',
  onlyThis: 'Only this game is known, by another order of actions.',
  // After one of the sentences below.
  pending: (count) => ` ${plural(count, { one: '1 event', other: `${number(count)} events` })} not counted yet.`,
  noMatch: 'No game that matches has reached this position.',
  noGame: 'No recorded game has reached this position.',
  noOther: 'No other game has reached this position.',
  reached: (count) => `${plural(count, { one: '1 game', other: `${number(count)} games` })} reached this position.`,
};
