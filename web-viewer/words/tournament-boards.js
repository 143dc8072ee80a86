// Boards of the games in play, and the screen in the hall.

import { number } from './locale.js';

export const boards = {
  table: (table) => `Table ${table}`,
  ply: (ply) => `Ply ${ply}`,
  board: (ply) => `Board after ply ${ply}`,
  toAct: '(to act)',
  // Further names under a board.
  more: (count) => `and ${number(count)} more`,
  standings: 'Standings',
  part: (title, page, pages) => `${title} · ${page} of ${pages}`,
  nothing: 'Nothing is paired yet',
  previous: 'Previous page',
  next: 'Next page',
  pause: 'Pause',
  goOn: 'Go on',
  leave: 'Leave the projector',
  result: 'Final result',
};
