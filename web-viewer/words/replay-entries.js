// What is recorded at a table, until the service has it.

import { listed, moment } from './locale.js';

export const entries = {
  submits: (name) => `${name} submits`,
  fairRoll: 'A fair roll',
  undone: 'The last entry is taken back',
  goesOn: 'The game goes on',
  resigns: (name) => `${name} resigns`,
  offers: (name) => `${name} offers a draw`,
  accepts: (name) => `${name} accepts the draw`,
  declines: (name) => `${name} declines the draw`,
  outOfTime: (name) => `${name} is out of time`,
  deadline: (at, reason) => `Deadline ${moment(at)}: ${reason}`,
  noDeadline: (reason) => `No deadline: ${reason}`,
  comment: (ply, comment) => `Comment on ply ${ply}: ${comment}`,
  // What somebody else recorded meanwhile, as a list of the entry below.
  theirs: (ply, text) => `ply ${ply}: ${text}`,
  overtaken: (entries) => `Somebody else has recorded ${listed(entries)}.`,
  changed: 'Somebody else has changed the record of this game meanwhile.',
  // What to do where a key is missing.
  needsKey: 'Everything in this game is signed. Make a key, then enter it again.',
};
