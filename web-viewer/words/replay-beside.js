// Two boards side by side, A and B.

import { number, plural } from './locale.js';

export const beside = {
  sameTwice: 'The same position twice.',
  ahead: (count) => `The same game; B is ${plural(count, { one: '1 ply', other: `${number(count)} plies` })} ahead.`,
  behind: (count) => `The same game; B is ${plural(count, { one: '1 ply', other: `${number(count)} plies` })} behind.`,
  different: 'These are different games: nothing is compared.',
  otherSetups: 'They start from different set-ups.',
  plays: (name, action) => `${name} plays ${action}`,
  ends: 'it ends',
  sameActions: 'The same actions were played in both.',
  // a, b: what comes next on each board, as in the two entries above.
  partAtOnce: (a, b) => `They part at once: then in A ${a}, in B ${b}.`,
  partLater: (ply, a, b) => `They are the same up to ply ${ply}: then in A ${a}, in B ${b}.`,
  titleOne: 'One game, two plies',
  pageTitle: (names) => `${names} · side by side · Plybook`,
  back: (board) => `Previous ply of ${board} only`,
  on: (board) => `Next ply of ${board} only`,
  fromHere: 'The replay, from here',
  figures: (board) => `Seats and figures of ${board}`,
  underlined: ' What differs is underlined.',
  plies: (a, lastA, b, lastB) => `A: ply ${a} of ${lastA}; B: ply ${b} of ${lastB}`,
  nothing: 'Everything stands in the same places.',
  differences: (count) => `${plural(count, { one: '1 difference', other: `${number(count)} differences` })}, marked on the boards.`,
  manyDifferences: (count, most) => `${plural(count, { one: '1 difference', other: `${number(count)} differences` })}, marked on the boards. The first ${most}:`,
  announced: (board, ply, told) => `${board}, ply ${ply}. ${told}`,
  noGame: 'That names no game: paste the address of its replay, or its id.',
};
