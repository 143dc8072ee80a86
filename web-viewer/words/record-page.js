// The recorder's page: its head, its notices, its board, and what was recorded so far.

import { number, plural } from './locale.js';

export const page = {
  // The name of the browser's tab: `Triangulate: Ada – Bela · Plybook`.
  tab: (game, names) => `${game}: ${names.join(' – ')} · Plybook`,
  title: (game) => `Record ${game}`,
  // A link to the page of the table that the device belongs to.
  replay: 'Replay',
  // Whether the page follows the game while others record it.
  live: { connecting: 'Connecting', live: 'Live', offline: 'Offline', refused: 'Not followed' },
  // Where there are too many to name them.
  toAct: (count) => `${number(count)} to act`,
  // The last action, as the service says it, and who is to act.
  turn: (last, toAct) => `${last}. ${toAct}`,
  loading: 'Loading the game…',
  loadedLater: 'There is no connection. The game is loaded when it is back.',
  notFound: 'There is no such game.',
  linkEnded: 'This link is not valid any more. Ask whoever gave it to you for a new one.',
  withoutLink: 'Go on without the link',
  onlyWatching: (signIn) => ['To record this game, open the link of its table or of a seat, or sign in with a token. ', signIn],
  // Why this browser cannot sign follows, as a sentence.
  cannotSign: (why) => `Everything in this game is signed, and this device cannot sign. ${why}`,
  notRegistered: (player, button) => [`Everything in this game is signed, and the key of this device is not registered with ${player}. `, button],
  register: 'Register it',
  noKey: (button) => ['Everything in this game is signed, and this device has no key yet: make one to record. ', button],
  makeKey: 'Make a key',
  nothing: 'Nothing is recorded yet.',
  // A link to the replay, below the latest plies.
  earlier: (count) => plural(count, { one: 'The ply before is in the replay.', other: `The ${number(count)} plies before are in the replay.` }),
  // What the clock of the seat showed at its ply.
  clock: (time) => `Clock ${time}`,
  // Who played a ply, before it, for screen readers.
  by: (name) => `${name}: `,
};
