// Actions, and what they did, in words.

import { listed, moment } from './locale.js';

export const happened = {
  // What an action did. The names of things and places come from the service, in English.
  dice: (hands) => `The dice: ${hands.join(', ')}`,
  chance: (action) => `Chance: ${action}`,
  // Parts of the board that turn, such as islands: `kind` is the word for one of them.
  clockwise: (name, kind, groups, degrees) => `${name} turns ${kind}${groups.length > 1 ? 's' : ''} ${listed(groups)} ${degrees}° clockwise.`,
  counterclockwise: (name, kind, groups, degrees) => `${name} turns ${kind}${groups.length > 1 ? 's' : ''} ${listed(groups)} ${degrees}° counterclockwise.`,
  // What happened to a thing that belongs to nobody.
  goes: (what, from, to) => `the ${what} goes from ${from} to ${to}`,
  comes: (what, to) => `the ${what} comes to ${to}`,
  leaves: (what, from) => `the ${what} leaves ${from}`,
  // What a player did with an own thing.
  moves: (name, what, from, to) => `${name} moves the ${what} from ${from} to ${to}`,
  places: (name, what, to) => `${name} places a ${what} on ${to}`,
  // What became of a player's thing, by any action.
  goesOf: (name, what, from, to) => `${name}’s ${what} goes from ${from} to ${to}`,
  gets: (name, what, to) => `${name} gets a ${what} on ${to}`,
  loses: (name, what, from) => `${name} loses the ${what} on ${from}`,
  // A thing, for the entries below.
  owned: (name, what) => `${name}’s ${what}`,
  unowned: (what) => `the ${what}`,
  // What is different between two positions of a game.
  went: (it, from, to) => `${it} went from ${from} to ${to}`,
  came: (it, to) => `${it} came to ${to}`,
  gone: (it, from) => `${it} on ${from} is gone`,
  // What is different between two boards, A and B.
  onBoth: (it, a, b) => `${it}: on ${a} in A, on ${b} in B.`,
  onlyA: (it, place) => `${it}: only in A, on ${place}.`,
  onlyB: (it, place) => `${it}: only in B, on ${place}.`,
  // Actions in words.
  setUp: 'the set-up',
  drawnPlaces: 'start cells and letters are drawn',
  secretFavour: 'a favour, in secret',
  favour: (name) => `the favour ${name}`,
  favours: { assault: 'assault', conspire: 'conspire', deceive: 'deceive', hasten: 'hasten' },
  battleWon: 'the battle is won',
  battleLost: 'the battle is lost',
  // The loser of a battle is not sent to another square.
  leave: 'the loser stays',
  end: 'end of the turn',
  pass: 'pass',
  rebuild: 'rebuild',
  establish: { farm: 'a farm', city: 'a city' },
  without: { sword: 'no sword', shield: 'no shield' },
  chosen: { sword: (which) => `sword ${which}`, shield: (which) => `shield ${which}` },
  pyramids: { L: 'a large pyramid', M: 'a medium pyramid', S: 'a small pyramid' },
  // A path in steps; `-` is to stay.
  steps: { '-': 'stay', L: 'left', R: 'right', U: 'up', D: 'down' },
  path: (steps, garnet) => `${steps.join(', ')}${garnet ? ', with a garnet' : ''}`,
  // The events of a log besides actions: notes in the list of moves, announcements, and the lines of the log.
  submission: 'a secret submission',
  opens: (seq, content) => `opens event ${seq}: ${content}`,
  toPly: (ply, reason) => `to ply ${ply}: ${reason}`,
  atPly: (ply) => `ply ${ply}:`,
  logLeaves: 'leaves for good; the service submits for the seat',
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
