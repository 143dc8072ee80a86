// The reader's preferences, kept in this browser.

import { save, saved } from './saved.js';

const SETTINGS = 'plybook.settings';

/**
 * speed: milliseconds a ply, or `real`; stops: autoplay ends at marked plies; motion: steps are seen moving; wheel: the
 * wheel steps over the board; labels: the names of spaces stand on the board; results: who won is shown from the start; bold: pieces and spaces with high contrast; inWords: the list of moves is in words; sound: steps are heard; clocks: clock times are noted when recording;
 * leftHanded: the recorder's buttons are at the left;
 * letters: letters and other keys that write something are shortcuts.
 * @typedef {{speed: string, stops: boolean, motion: boolean, wheel: boolean, labels: boolean, results: boolean, bold: boolean, inWords: boolean, sound: boolean, clocks: boolean, leftHanded: boolean,
 *   letters: boolean}} Settings
 */

/** @type {Settings} */
export const DEFAULTS = Object.freeze({ speed: '1000', stops: false, motion: true, wheel: true, labels: true, results: false, bold: false, inWords: false, sound: false, clocks: false, leftHanded: false, letters: true });

/** @returns {Settings} the stored settings, as far as they are valid */
export function loadSettings() {
  const fits = ([name, value]) => typeof value === typeof DEFAULTS[name];
  return { ...DEFAULTS, ...Object.fromEntries(Object.entries(saved(SETTINGS) ?? {}).filter(fits)) };
}

/** @param {Settings} settings */
export function keepSettings(settings) {
  save(SETTINGS, settings);
}
