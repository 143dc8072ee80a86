import { number, plural } from '../locale.js';

export const play = {
  title: 'Spielweise',
  titleOf: (player) => `Spielweise von ${player}`,
  none: 'Noch keine dieser Partien ist analysiert. Das geht in einer Partie neben den Zügen mit „Analysieren“.',
  accuracyIs: (value) => `Genauigkeit ${value} %`,
  about: (count) => plural(count, { one: `Was die Engine zu ${number(count)} analysierten Partie sagt.`, other: `Was die Engine zu ${number(count)} analysierten Partien sagt.` }),
  noChoice: 'In diesen Partien hatte niemand eine Wahl.',
  third: 'Drittel der Partie',
  thirds: { first: 'Erstes', second: 'Zweites', last: 'Letztes' },
  seatChance: (seat, chance) => `Platz ${seat} ${chance}`,
  drawChance: (chance) => `Remis ${chance}`,
  chancesSaid: (first, from, last, to) => `Mittlere Chancen nach Halbzug. Bei Halbzug ${first}: ${from}. Bei Halbzug ${last}: ${to}.`,
  chances: 'Mittlere Chancen nach Halbzug',
  upTo: 'Bis zu dem Halbzug, den ein Viertel der Partien erreichte.',
};
