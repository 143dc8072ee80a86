// How games begin: the explorer of the statistics, and a player’s repertoire.

import { number, plural } from './locale.js';

export const openings = {
  lastPlayed: 'Last played',
  about: 'How games begin; follow an action to see what comes next.',
  notReached: 'No recorded game reached this position.',
  openings: 'Openings',
  back: 'Back to the start',
  notContinued: 'No game continued from here.',
  results: (games, results) => `${games}: ${results}.`,
  repertoire: 'Repertoire',
  repertoireIn: (game) => `Repertoire in ${game}`,
  repertoireAbout: (seat, player) => `From the usual start, with seat ${seat}. Share: of these games, from each position; Others: of the games of others that came there; Score: what ${player} made of it, draws by half. ▲ ▼: played much more or much less than by others.`,
  allFigures: (player) => `All figures of ${player}`,
  loading: 'Loading…',
  noStart: (player, seat) => `No game of ${player} with seat ${seat} began from the usual start.`,
  others: 'Others',
  score: 'Score',
  notOn: 'No game went on from here.',
  toPlay: (who) => `${who} to play`,
  gamesWith: (games, actions) => `${games} with ${actions}`,
  figure: (what) => `${what}: `,
  moreActions: (count) => plural(count, { one: `and ${number(count)} action more`, other: `and ${number(count)} actions more` }),
  muchMore: ', played much more than by others',
  muchLess: ', played much less than by others',
  ownSetups: 'Games of this kind begin from set-ups of their own, so there is no common start.',
};
