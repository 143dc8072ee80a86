// Entries that the service does not have yet, and what stands in their way.

import { number, plural } from './locale.js';

export const waiting = {
  noConnection: 'There is no connection. What is entered is kept on this device and sent later.',
  section: 'Not recorded yet',
  // The heading, by what holds entries up.
  refused: 'Not recorded',
  overtaken: 'Somebody else has gone on',
  toSign: (count) => plural(count, { one: `${number(count)} entry waits to be signed`, other: `${number(count)} entries wait to be signed` }),
  offline: (count) => plural(count, { one: `${number(count)} entry waits for the connection`, other: `${number(count)} entries wait for the connection` }),
  sending: 'Sending…',
  toSend: (count) => plural(count, { one: `${number(count)} entry to send`, other: `${number(count)} entries to send` }),
  secretRefused: 'What was submitted is not legal.',
  // After a sentence that says what somebody else has recorded.
  compare: 'Yours is not recorded. Compare it with the board above, then decide.',
  keptInPage: 'This browser cannot encrypt here, so secret entries are kept in this page only: do not close it until they are sent.',
  keptEncrypted: 'They are kept on this device, encrypted with the token, even if the page is closed, and sent when the connection is back.',
  keptOnDevice: 'They are kept on this device, even if the page is closed, and sent when the connection is back.',
  enterAll: 'Enter them after that',
  enter: 'Enter it after that',
  discardAll: (count) => `Discard all ${number(count)}`,
  discard: 'Discard it',
  discardLast: 'Discard the last',
};
