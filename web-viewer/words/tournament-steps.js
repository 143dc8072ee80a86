// The organiser's next step.

import { number, plural } from './locale.js';

export const steps = {
  finished: 'The tournament is finished.',
  check: (round) => `Check the pairing of round ${round}, change it if necessary, then open the round.`,
  open: (round) => `Open round ${round}`,
  opened: (round) => `Round ${round} is open.`,
  enter: (players) => `Enter the players: at least ${players} are needed.`,
  decided: 'The knock-out is decided.',
  allPlayed: 'All rounds are played.',
  finish: 'Finish the tournament',
  byHand: (round) => `Round ${round} has to be paired by hand.`,
  pairFirst: (players, round) => plural(players, {
    one: `${number(players)} player entered. Withdrawals and byes first, then pair round ${round}.`,
    other: `${number(players)} players entered. Withdrawals and byes first, then pair round ${round}.`,
  }),
  pairNext: (over, round) => `Round ${over} is over. Withdrawals and byes first, then pair round ${round}.`,
  pair: (round) => `Pair round ${round}`,
  paired: (round) => `Round ${round} is paired.`,
  close: (round) => `Close round ${round}`,
  closed: (round) => `Round ${round} is closed.`,
  allIn: (round) => `All results of round ${round} are in.`,
  // Tables whose game is adjourned, or at which two results were entered.
  allInBut: (round, count, tables) => plural(count, {
    one: `All other results of round ${round} are in; table ${tables} is adjourned and counts as drawn for pairing.`,
    other: `All other results of round ${round} are in; tables ${tables} are adjourned and count as drawn for pairing.`,
  }),
  disputed: (round, count, tables) => plural(count, {
    one: `Round ${round}: two different results were entered at table ${tables}. Choose the one that counts.`,
    other: `Round ${round}: two different results were entered at tables ${tables}. Choose those that count.`,
  }),
  adjourned: (round, count, tables) => plural(count, {
    one: `Round ${round}: table ${tables} is adjourned. Enter its result there, then finish.`,
    other: `Round ${round}: tables ${tables} are adjourned. Enter their results there, then finish.`,
  }),
  // How many results of a round are in: `3 of 5 results`.
  results: (count, of) => plural(of, { one: `${count} of ${number(of)} result`, other: `${count} of ${number(of)} results` }),
  // Tables: their numbers as a list.
  missing: (round, results, missing, tables) => plural(missing, {
    one: `Round ${round}: ${results} in; missing at table ${tables}.`,
    other: `Round ${round}: ${results} in; missing at tables ${tables}.`,
  }),
  pairByHand: 'Pair by hand',
  tooManyRounds: (planned, possible) => `${planned} rounds are planned, but after ${possible} everybody has met everybody.`,
};
