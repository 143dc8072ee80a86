// The ratings of players.

import { number, plural } from './locale.js';

export const ratings = {
  players: (count) => plural(count, { one: `${number(count)} player`, other: `${number(count)} players` }),
  loading: 'Loading ratings…',
  none: 'No rated games are recorded yet.',
  noneSure: 'Nobody has played enough rated games yet.',
  showProvisional: 'Show provisional ratings',
  no: 'No.',
  rating: 'Rating',
  lastGame: 'Last game',
  ratings: 'Ratings',
  provisional: 'provisional',
  about: 'Strength lies within twice ± of the rating with a probability of about 95 %. A question mark marks a provisional rating, which is still too uncertain.',
};
