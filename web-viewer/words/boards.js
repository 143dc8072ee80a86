// The board as a map of figures, and conditions on its places.

import { number } from './locale.js';

export const boards = {
  none: 'None in these games.',
  counted: 'What is counted',
  numbers: 'Numbers',
  place: (place, count, what, share) => `${place}: ${number(count)} ${what}, ${share}`,
  most: (about, most, total) => `${about} The most at one place: ${number(most)} of ${number(total)}.`,
  unseen: (places) => `Not shown on this board: ${places}.`,
  colours: 'Colours',
  mostAt: 'Most at',
  comparison: 'Comparison',
  whatIsThere: 'What is there',
  number: 'Number',
  whatToAsk: 'What a click asks for',
  addRow: 'Add a condition',
  clickPlaces: 'Click places on the board; click again to remove.',
  byHand: 'This was written by hand, in words that rows cannot say.',
  removeRow: (what) => `Remove ${what}`,
};
