// A tournament that is imported from a report file.

import { number, plural } from './locale.js';

export const report = {
  title: 'From a report file (TRF)',
  hint: 'Its players, rounds, results and byes become a tournament that can be played on. Nothing is imported before you have seen what is in it.',
  file: 'A report file (TRF16 or TRF26)',
  tooLarge: (file) => `${file} is too large for a report.`,
  // What is in it: each is a part of a list.
  rounds: (count) => plural(count, { one: `${number(count)} round`, other: `${number(count)} rounds` }),
  tables: (count) => plural(count, { one: `${number(count)} table`, other: `${number(count)} tables` }),
  forfeits: (count) => `${number(count)} of them forfeited`,
  byes: (count) => plural(count, { one: `${number(count)} bye with points`, other: `${number(count)} byes with points` }),
  open: (count) => `${number(count)} without a result`,
  leftOut: 'Not taken over:',
  left: {
    BIRTHS: 'dates of birth (what a tournament records can never be erased)', UNRATED: 'that games of less than a move are not rated', ACCELERATION: 'virtual points, except by Baku acceleration',
    FORBIDDEN: 'who may not meet in some rounds only', TIE_BREAKS: 'tie-breaks that are not known here', RECORDS: 'records that are too long or too many', FORMAT: 'how it was paired: further rounds are paired by hand',
  },
  caption: 'Players in the file',
  chooseKind: 'Choose the game first',
  chooseFor: (count) => plural(count, { one: `Choose who ${number(count)} player is`, other: `Choose who ${number(count)} players are` }),
  take: 'Import the tournament',
  running: 'Importing…',
};
