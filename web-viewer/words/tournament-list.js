// The list of tournaments.

import { number, plural } from './locale.js';

export const list = {
  loading: 'Loading tournaments…',
  allGames: 'All games',
  any: 'Any',
  total: (count) => plural(count, { one: `${number(count)} tournament`, other: `${number(count)} tournaments` }),
  found: (count) => plural(count, { one: `${number(count)} tournament found`, other: `${number(count)} tournaments found` }),
  players: (count) => plural(count, { one: `${number(count)} player`, other: `${number(count)} players` }),
  noMatch: 'No tournament matches.',
  showAll: 'Show all tournaments',
  none: 'No tournaments yet.',
  create: 'Create the first one',
};
