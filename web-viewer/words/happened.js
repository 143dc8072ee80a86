// What an action did. The names of things and places come from the service, in English.

import { listed } from './locale.js';

export const happened = {
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
  // What became of a player's thing, whoever acted.
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
};
