// What the engine says of many games.

import { number, plural } from './locale.js';

export const play = {
  title: 'Play',
  titleOf: (player) => `Play of ${player}`,
  none: 'None of these games is analysed yet. Open one and choose Analyse beside its moves.',
  accuracyIs: (value) => `Accuracy ${value} %`,
  about: (count) => plural(count, { one: `What the engine says of ${number(count)} analysed game.`, other: `What the engine says of ${number(count)} analysed games.` }),
  noChoice: 'Nobody had a choice in these games.',
  third: 'Third of the game',
  thirds: { first: 'First', second: 'Second', last: 'Last' },
  seatChance: (seat, chance) => `seat ${seat} ${chance}`,
  drawChance: (chance) => `draw ${chance}`,
  chancesSaid: (first, from, last, to) => `Mean chances by ply. At ply ${first}: ${from}. At ply ${last}: ${to}.`,
  chances: 'Mean chances by ply',
  upTo: 'Up to the ply that a quarter of the games came to.',
};
