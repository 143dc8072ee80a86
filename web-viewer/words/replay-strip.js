// A game as a strip of diagrams.

import { number, plural } from './locale.js';

export const strip = {
  // The marks at which diagrams can be.
  marks: { capture: 'captures', dice: 'rolls', comment: 'comments', mistake: 'mistakes' },
  noPly: (part, last) => `“${part}” is not a ply from 0 to ${last}, nor a range of them such as 4-8.`,
  noMarks: 'The game has no such marks.',
  pageTitle: (names) => `${names} · diagrams · Plybook`,
  plies: (count) => plural(count, { one: '1 ply', other: `${number(count)} plies` }),
  firstOf: (most, count) => `The first ${number(most)} of ${number(count)} diagrams.`,
  loading: (ply) => `Ply ${ply} …`,
};
