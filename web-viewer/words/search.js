// The search for positions.

import { number, plural } from './locale.js';

export const search = {
  put: 'Put this into the condition',
  oneOf: (words) => `One of ${words}.`,
  positions: (count) => plural(count, { one: `${number(count)} position`, other: `${number(count)} positions` }),
  anybody: 'Anybody',
  thePlayer: 'The player',
  someGames: 'Which games: some',
  allGames: 'Which games: all',
  searching: 'Searching…',
  nothingSoFar: 'Nothing was found so far.',
  noneOfThese: 'None of these games has such a position.',
  none: 'No recorded game has such a position.',
  more: 'Show more',
  on: 'Search on',
  commandLine: 'The command line lists all of them:',
  searched: (positions, games, all, ofGames) => `${positions} in ${games}; ${all} of ${ofGames} were looked through.`,
  searchedSoFar: (positions, games, all, ofGames) => `${positions} in ${games}; ${all} of ${ofGames} were looked through so far, the newest first.`,
  next: (actions) => `Played next: ${actions}.`,
  pending: (count) => plural(count, { one: `${number(count)} event is not searched yet.`, other: `${number(count)} events are not searched yet.` }),
  atThen: (ply, action) => `Ply ${ply}, then ${action}`,
};
