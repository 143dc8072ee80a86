// The events of a log besides actions: notes in the list of moves, announcements, and the lines of the log.

import { moment } from './locale.js';

export const happenedLog = {
  submission: 'a secret submission',
  opens: (seq, content) => `opens event ${seq}: ${content}`,
  toPly: (ply, reason) => `to ply ${ply}: ${reason}`,
  atPly: (ply) => `ply ${ply}:`,
  leaves: 'leaves for good; the service submits for the seat',
  accepted: 'accepted',
  declined: 'declined',
  noDeadline: 'no deadline',
  due: (at) => `due ${moment(at)}`,
  dueAndOpens: (at, opens) => `due ${moment(at)}, opens ${moment(opens)}`,
  outcomeCorrected: (outcome) => `Outcome corrected: ${outcome}`,
  voided: 'The game was declared void',
  unvoided: 'The game counts again',
  reopened: 'The end was undone: the game goes on',
  resigned: (name) => `${name} resigned`,
  submittedFor: 'the service submits for the seat',
  offered: (name) => `${name} offered a draw`,
  accepts: (name) => `${name} accepted the draw`,
  declines: (name) => `${name} declined the draw`,
  takenBack: (actions) => `Taken back: ${actions.join(', ')}`,
  takenBackTo: (ply) => `Taken back to ply ${ply}`,
};
