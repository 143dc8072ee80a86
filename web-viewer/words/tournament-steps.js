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
  byHand: (round) => `Round ${round} is paired by hand.`,
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
  // How many results of a round are in: `3 of 5 results`.
  results: (count, of) => plural(of, { one: `${count} of ${number(of)} result`, other: `${count} of ${number(of)} results` }),
  // Tables: their numbers as a list.
  missing: (round, results, missing, tables) => plural(missing, {
    one: `Round ${round}: ${results} in; missing at table ${tables}.`,
    other: `Round ${round}: ${results} in; missing at tables ${tables}.`,
  }),
};
