// Links for recording a game: for its table, and for each seat.

import { moment } from './locale.js';

export const links = {
  who: 'Whoever has a link can record this game, and nothing else, without signing in. Making links again ends the earlier ones.',
  make: 'Make links for the table and the seats',
  theTable: 'The table',
  ownSeat: 'Sees and plays this seat only.',
  everySeat: 'Records for every seat.',
  validUntil: (at) => `Valid until ${moment(at)}.`,
  open: 'Open',
  copy: 'Copy',
  copyFor: (name) => `Copy the link for ${name}`,
  copyForTable: 'Copy the link for the table',
  copied: (name) => `The link for ${name} is copied.`,
  copiedForTable: 'The link for the table is copied.',
  notCopied: 'The browser did not copy it: hold the link and copy it by hand.',
};
