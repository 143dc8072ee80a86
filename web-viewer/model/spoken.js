// Actions in words, where their notation names no place and says nothing to a listener.

import { happened as words } from '../words/happened.js';

/** Longer actions are not read out. */
const TOLD_LENGTH = 40;

/** @type {[RegExp, (...parts: string[]) => string][]} */
const SPOKEN = [
  [/^\?$/, () => words.submission],
  [/^places:/, () => words.drawnPlaces],
  [/^setup:/, () => words.setUp],
  [/^favor:\?$/, () => words.secretFavour],
  [/^favor:(\w+)$/, (favour) => words.favour(words.favours[favour] ?? favour)],
  [/^battle:(even|odd)$/, (die) => (die === 'even' ? words.battleWon : words.battleLost)],
  [/^leave$/, () => words.leave],
  [/^end$/, () => words.end],
  [/^pass$/, () => words.pass],
  [/^rebuild$/, () => words.rebuild],
  [/^establish:(farm|city)$/, (what) => words.establish[what]],
  [/^(no)?(sword|shield)(?::(\d+))?$/, (no, what, which) => (no ? words.without[what] : words.chosen[what](which))],
  [/^\+([LMS])$/, (size) => words.pyramids[size]],
  [/^(-|[LRUD]{1,3})(!?)$/, (path, garnet) => words.path([...path].map((step) => words.steps[step]), Boolean(garnet))],
];

/**
 * An action in words; empty where its notation says as much.
 * @param {string} action
 * @returns {string}
 */
export function inWords(action) {
  for (const [form, tell] of SPOKEN) {
    const found = form.exec(action);
    if (found) return tell(...found.slice(1));
  }
  return '';
}

/** An action that can be said aloud. */
export function spoken(action) {
  return inWords(action) || shortened(action);
}

/** An action, shortened if it is long. */
export function shortened(action, most = TOLD_LENGTH) {
  return action.length > most ? `${action.slice(0, most - 1)}…` : action;
}
