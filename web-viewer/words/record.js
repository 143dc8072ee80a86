// What the recorder’s page says.

import { moment, number, plural } from './locale.js';

export const record = {
  // The recorder's page: its head, its notices, its board, and what was recorded so far.
  // The name of the browser's tab: `Triangulate: Ada – Bela · Plybook`.
  tab: (game, names) => `${game}: ${names.join(' – ')} · Plybook`,
  title: (game) => `Record ${game}`,
  // A link to the page of the table that the device belongs to.
  replay: 'Replay',
  // Whether the page follows the game while others record it.
  // Where there are too many to name them.
  toAct: (count) => `${number(count)} to act`,
  // The last action, as the service says it, and who is to act.
  turn: (last, toAct) => `${last}. ${toAct}`,
  loading: 'Loading the game…',
  loadedLater: 'There is no connection. The game loads once there is one.',
  notFound: 'There is no such game.',
  linkEnded: 'This link is no longer valid. Ask for a new one.',
  withoutLink: 'Continue without the link',
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
  // Entering an action: who acts, the field, what is legal.
  // Instead of a field, when there is nothing to enter.
  endsGame: 'The entries that wait end the game.',
  notHere: 'Somebody else is to act.',
  // Above the names of those who may act now.
  who: 'Acting player',
  // Below the field. “What waits” is what was entered and not sent yet.
  unknown: 'Legal actions are not known until the waiting entries are recorded. What you enter is checked then.',
  foreseen: 'The board includes entries that are not recorded yet.',
  unlisted: 'Legal actions are not listed here. What you type is checked when you enter it.',
  entryClock: (field) => ['The clock shows ', field],
  notATime: (text) => `${text} is not a time. Write it as the clock shows it: 1:23:45 or 9:05.`,
  // Above legal actions that look like the one that was refused.
  near: 'Similar:',
  roll: 'Roll fairly',
  // A button that takes back what was tapped on the board.
  forget: (places) => `Clear ${places.join(', ')}`,
  // There are legal actions, and none of them is listed.
  unlistedActions: (count) => plural(count, { one: `${number(count)} action: tap the board, or type.`, other: `${number(count)} actions: tap the board, or type.` }),
  // Below some that are listed.
  furtherActions: (count) => plural(count, { one: `${number(count)} further action: tap the board, or type.`, other: `${number(count)} further actions: tap the board, or type.` }),
  tapOrType: 'Tap the board, or type.',
  typeOrTap: 'Type an action, or tap the board.',
  // Below the actions that fit what was tapped or typed.
  more: (count) => `and ${number(count)} more`,
  // After a tap on the board that led nowhere.
  // The phone goes from hand to hand, so that each seat enters what only it may know.
  back: 'Back to the table',
  onlyThis: (name) => `Only ${name} may look now.`,
  hide: 'Hide',
  // Why what was entered is not recorded; it is not shown.
  illegal: 'What was entered is not legal here. Nothing is recorded.',
  failed: 'Nothing is recorded. Try again.',
  handOver: (name) => `Hand the phone to ${name}. Nobody else looks.`,
  show: (name) => `I am ${name}: show what I may see`,
  sent: (name) => `${name} has acted. Nothing of it is shown here any more: hand the phone back.`,
  sending: (name) => `${name} has acted. It is being sent.`,
  // A button, once somebody else is to act in secret.
  // Why what the seat knows is not shown.
  mayNotShow: 'This device may not show what this seat knows, but it still records what you type.',
  unreached: 'The service cannot be reached: what this seat knows cannot be shown now.',
  // Entries that the service does not have yet, and what stands in their way.
  noConnection: 'There is no connection. What is entered is kept on this device and sent later.',
  section: 'Not recorded yet',
  // The heading, by what holds entries up.
  refused: 'Not recorded',
  overtaken: 'Somebody else has recorded more',
  toSign: (count) => plural(count, { one: `${number(count)} entry waits to be signed`, other: `${number(count)} entries wait to be signed` }),
  offline: (count) => plural(count, { one: `${number(count)} entry waits for the connection`, other: `${number(count)} entries wait for the connection` }),
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
  // What happens in a game besides actions: taking back, draws, resigning, time, comments, settings.
  takeBack: 'Take back',
  reopen: 'Go on with the game',
  offer: 'Offer a draw',
  resign: 'Resign',
  flag: 'Out of time',
  deadline: 'Deadline',
  settings: 'Settings',
  links: 'Links',
  // Why nothing can be taken back.
  arbiterTakesBack: 'In a game with secrets, only an arbiter takes actions back.',
  overTakesBack: 'The game is over: only an arbiter takes something back.',
  onlyOwnLast: 'Only the last action can be taken back here, if it was entered on this device and nothing has happened since.',
  offers: (name) => `${name} offers a draw.`,
  agreed: (names) => `Agreed: ${names}.`,
  toAnswer: (names) => `Yet to answer: ${names}.`,
  accepts: (name) => `${name} accepts`,
  declines: (name) => `${name} declines`,
  // Above the names of those who may be meant, by the button that was tapped.
  asked: { offer: 'Who offers a draw?', resign: 'Who resigns? This cannot be taken back here.', flag: 'Whose time has run out?' },
  commentOnStart: 'Comment on the start',
  due: 'Due (your time; empty for no deadline)',
  setDeadline: 'Set the deadline',
  clocks: 'Record the clock time with each action',
  // Moves buttons to the other side of the screen, for the other hand: in a language that is read from right to left, where
  // they are at the left, to the right.
  otherHand: 'Buttons on the left',
  // The keys here are named by the first digits.
  toolsNoKey: 'This device has no key: nothing entered here is signed.',
  allSigned: (key) => `Everything in this game is signed, here with this device’s key ${key}….`,
  ownSigned: (key) => `Your actions here are signed with this device’s key ${key}….`,
  notSigned: (key) => `Nothing is signed here: this device’s key ${key}… is not registered with any player of this game.`,
  // Links for recording a game: for its table, and for each seat.
  linksWho: 'Anybody with a link can record this game, and nothing else, without signing in. Making links again ends the earlier ones.',
  make: 'Make links for the table and the seats',
  theTable: 'The table',
  ownSeat: 'Sees and plays this seat only.',
  everySeat: 'Records for every seat.',
  validUntil: (at) => `Valid until ${moment(at)}.`,
  open: 'Open',
  copyFor: (name) => `Copy the link for ${name}`,
  copyForTable: 'Copy the link for the table',
  copied: (name) => `The link for ${name} is copied.`,
  copiedForTable: 'The link for the table is copied.',
  notCopied: 'The browser could not copy it: press and hold the link to copy it by hand.',
};
