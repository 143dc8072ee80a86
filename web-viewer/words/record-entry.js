// Entering an action: who acts, the field, what is legal.

import { number, plural } from './locale.js';

export const entry = {
  // Instead of a field, when there is nothing to enter.
  endsGame: 'By the rules, what waits ends the game.',
  notHere: 'Somebody else is to act.',
  // Above the names of those who may act now.
  who: 'For whom',
  // Below the field. “What waits” is what was entered and not sent yet.
  unknown: 'What is legal now is not known until what waits is recorded. What is entered is judged then.',
  foreseen: 'The board shows what waits, by the rules in this browser.',
  unlisted: 'What is legal is not listed here: what is typed is judged.',
  clock: (field) => ['The clock shows ', field],
  notATime: (text) => `${text} is not a time. Write it as the clock shows it: 1:23:45 or 9:05.`,
  // Above legal actions that look like the one that was refused.
  near: 'Much like it:',
  roll: 'Roll fairly',
  // A button that takes back what was tapped on the board.
  forget: (places) => `Forget ${places.join(', ')}`,
  // There are legal actions, and none of them is listed.
  unlistedActions: (count) => plural(count, { one: `${number(count)} action: tap the board, or type.`, other: `${number(count)} actions: tap the board, or type.` }),
  // Below some that are listed.
  furtherActions: (count) => plural(count, { one: `${number(count)} further action: tap the board, or type.`, other: `${number(count)} further actions: tap the board, or type.` }),
  tapOrType: 'Tap the board, or type.',
  typeOrTap: 'Type an action, or tap the board.',
  // Below the actions that fit what was tapped or typed.
  more: (count) => `and ${number(count)} more`,
  // After a tap on the board that led nowhere.
  noAction: (place) => `No action here names ${place}.`,
};
