// The buttons and the slider below the board, and the list of what has changed.

import { number, plural } from './locale.js';

export const controls = {
  atPly: (ply, last) => `Ply ${ply} of ${last}`,
  atPlyTold: (ply, last, told) => `Ply ${ply} of ${last}: ${told}`,
  play: 'Play',
  pause: 'Pause',
  fresh: (count) => `${plural(count, { one: '1 new ply', other: `${number(count)} new plies` })} ›`,
  since: (ply) => `Since ply ${ply}:`,
  unchanged: (ply) => `Nothing on the board has changed since ply ${ply}.`,
  // What a mark of the slider says.
  mark: (ply, text) => `Ply ${ply}: ${text}`,
  marks: (ply, text, count) => `Ply ${ply}: ${text} (${count} marks here)`,
  // Whose view is shown.
  viewers: { me: 'me', public: 'the public', all: 'somebody who sees all' },
  // The dialog of keys and settings.
  title: 'Keyboard and settings',
  settings: 'Settings, kept in this browser',
  choices: { motion: 'Animate steps', labels: 'Show coordinates, numbers and small letters on the board', results: 'Say who won before the end is reached', bold: 'Pieces and spaces with high contrast', inWords: 'The moves in words, as far as the board shows them', sound: 'Steps are heard', wheel: 'Step with the wheel over the board', stops: 'Playing stops at marks: comments, mistakes, takebacks, rulings', letters: 'Letters, digits and signs are keys, such as f to flip the board' },
  swipe: 'Swipe the board to step; hold a step button to keep stepping. The address contains the ply: share it to show this exact position.',
  stopsAt: 'Playing also stops ',
  nowhere: 'nowhere else',
  afterCaptures: 'after captures',
  beforeTurns: (name) => `before turns of ${name}`,
  plyUpTo: (last) => `Ply, 0 to ${number(last)}`,
  go: 'Go',
};
