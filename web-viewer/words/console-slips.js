// Slips to be printed, for tables and of results.

import { number, plural } from './locale.js';

export const slips = {
  tableSlips: 'Table slips',
  resultSlips: 'Record slips',
  forRound: (round) => `Slips for round ${round}`,
  resultsOf: (round) => `Results of round ${round}`,
  explained: 'Each slip has a link and a QR code for its table. Whoever has it can enter the result of this table and record its game until the round is closed, but nothing else.',
  earlierEnd: 'Earlier links for the same tables stop working.',
  all: (tables) => plural(tables, { one: `All ${number(tables)} table`, other: `All ${number(tables)} tables` }),
  waiting: (tables) => plural(tables, { one: `${number(tables)} table without a result`, other: `${number(tables)} tables without a result` }),
  noResults: (round) => `No game of round ${round} with a record is over yet. A result that was entered without a record has no head to print.`,
  print: 'Print',
  close: 'Close the slips',
  resultsHint: 'Whoever keeps a slip can show later that the record was changed, if it was: the code leads to the game and names the last event as it is now.',
  tablesHint: 'As long as the round is open, this device can show them again; making new ones ends them.',
  table: (table) => `Table ${table}`,
  round: (round) => `Round ${round}`,
  result: 'Result',
  // The result is an element.
  resultIs: (result) => ['Result ', result],
  writePlaces: 'Write the place after each name.',
  scan: 'Scan to enter the result. Valid until the round is closed.',
  scanUntil: (at) => `Scan to enter the result. Valid until the round is closed, at most ${at}.`,
  link: (table) => `Link for table ${table}`,
  // The head is an element with the first digits of a hash.
  recordAfter: (plies, head) => [plural(plies, { one: `The record after ${number(plies)} ply: `, other: `The record after ${number(plies)} plies: ` }), head, '. Scan to compare it with the record as it is then.'],
  gameOf: (table) => `The game of table ${table}, with its head`,
  address: 'Address of the service for phones',
  addressProblems: {
    loopback: 'No phone can open this address: it leads to this computer only. Start the service with --listen 0.0.0.0:8080 and it offers the address of this computer in its network; docs/in-the-hall.md says more.',
    malformed: 'This is not an address such as http://192.168.1.20:8080.',
  },
  again: (count) => plural(count, { one: `Show ${number(count)} slip again`, other: `Show ${number(count)} slips again` }),
  againHint: 'Those that are printed stay valid.',
  fresh: 'New slips',
  oneTable: 'Only this table',
  byHand: 'To be filled in by hand',
  withoutLinks: 'Slips without links',
  sign: 'Sign beside your name.',
};
