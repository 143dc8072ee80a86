// The log and the files beside the moves of a replay.

import { number, plural } from './locale.js';

export const panels = {
  // The log, as recorded.
  events: 'Events',
  at: 'At',
  by: 'By',
  recordedBy: 'Recorded by',
  hash: 'Hash',
  prev: 'Prev',
  body: 'Body',
  // The files: the text of a button, and what it saves.
  record: 'Record',
  recordIs: 'portable, with its proof (JSON)',
  page: 'Page',
  pageIs: 'the replay with its rules and its record in one file, which needs no service and no network (HTML)',
  proof: 'Proof',
  proofIs: 'the record, with the proof that a signed checkpoint of all games covers it (JSON)',
  text: 'Text',
  textIs: 'header and notation, for people',
  picture: 'Picture',
  pictureIs: 'this position as SVG',
  animation: 'Animation',
  animationIs: 'a range of plies as an SVG that plays by itself',
  diagrams: 'Diagrams',
  diagramsIs: 'the game as a strip of diagrams, to print',
  frame: 'Frame',
  frameIs: 'the code that shows the replay in a page of yours, from this position',
  log: 'Log',
  logIs: 'the exact bytes, one event a line (NDJSON)',
  noCheckpoint: 'no checkpoint covers the last event of this game yet: try again in a second',
  frameCode: 'Code of the frame',
  // Before the field with the code.
  copied: 'Copied: ',
  copyThis: 'Copy this: ',
  loading: 'this position is still loading',
  // The dialog for an animated picture. `toPly` continues `fromPly`, `pace` continues `eachFor`.
  animated: 'Animated picture',
  animatedIs: 'An SVG file that plays by itself, wherever pictures are shown, and needs nothing else. It repeats; for readers who prefer less motion, it shows the last position.',
  fromPly: 'From ply',
  toPly: (last) => `to ply (of ${last})`,
  eachFor: 'Each for',
  pace: (seconds) => (seconds < 1 ? '½ second' : plural(seconds, { one: '1 second', other: `${number(seconds)} seconds` })),
  make: 'Make it',
  making: 'Making it …',
  unsaved: 'a line that is kept in this page only cannot be made into a picture: sign in and play it again',
  isAfter: (from, to) => `ply ${from} is after ply ${to}`,
  tooMany: (most) => `choose at most ${most} plies`,
  start: 'The start.',
  tooLarge: (kilobytes) => `the file would have ${kilobytes} kB: choose fewer plies`,
  saved: (positions, kilobytes) => `Saved: ${plural(positions, { one: '1 position', other: `${number(positions)} positions` })}, ${number(kilobytes)} kB.`,
};
