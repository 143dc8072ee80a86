// What happens in a game besides actions: taking back, draws, resigning, time, comments, settings.

export const tools = {
  takeBack: 'Take back',
  offer: 'Offer a draw',
  resign: 'Resign',
  flag: 'Out of time',
  deadline: 'Deadline',
  settings: 'Settings',
  links: 'Links',
  // Why nothing can be taken back.
  arbiterTakesBack: 'In a game with secrets, only an arbiter takes actions back.',
  onlyOwnLast: 'Only the last action can be taken back here, if it was entered on this device and nothing has happened since.',
  offers: (name) => `${name} offers a draw.`,
  accepts: (name) => `${name} accepts`,
  declines: (name) => `${name} declines`,
  // Above the names of those who may be meant, by the button that was tapped.
  asked: { offer: 'Who offers a draw?', resign: 'Who resigns? This cannot be taken back here.', flag: 'Whose time has run out?' },
  commentOnStart: 'Comment on the start',
  due: 'Due (your time; empty for no deadline)',
  setDeadline: 'Set the deadline',
  clocks: 'Note what the clock shows with every action',
  // Moves buttons to the other side of the screen, for the other hand: in a language that is read from right to left, where
  // they are at the left, to the right.
  otherHand: 'Buttons at the left',
  deviceKey: 'The key of this device…',
  // The keys here are named by the first digits.
  noKey: 'This device has no key: nothing that is entered here is signed.',
  allSigned: (key) => `Everything in this game is signed, here with the key ${key}… of this device.`,
  ownSigned: (key) => `What its player does here is signed with the key ${key}… of this device.`,
  notSigned: (key) => `Nothing is signed here: the key ${key}… of this device is registered with nobody who plays.`,
};
