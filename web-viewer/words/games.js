// Lists of games, and what is said of games in many places.

import { number, plural } from './locale.js';

export const games = {
  count: (count) => plural(count, { one: `${number(count)} game`, other: `${number(count)} games` }),
  found: (count) => plural(count, { one: `${number(count)} game found`, other: `${number(count)} games found` }),
  plies: (count) => plural(count, { one: `${number(count)} ply`, other: `${number(count)} plies` }),
  fresh: (count) => plural(count, { one: `${number(count)} new game · show`, other: `${number(count)} new games · show` }),
  loading: 'Loading games…',
  noMatch: 'No game matches these filters.',
  none: 'No games are recorded yet.',
  showAll: 'Show all games',
  outcome: 'Outcome',
  length: 'Plies',
  date: 'Date',
  unit: (count) => plural(count, { one: 'ply', other: 'plies' }),
  won: '(won)',
  more: (count) => `and ${count} more`,
  sideBySide: 'side by side',
};
