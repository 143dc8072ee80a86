// When the next round starts, counted down while the page is open.

import { h, setText } from '../base/dom.js';
import { clockText } from '../model/format.js';
import { nextStart, timeWords } from '../model/tournament.js';
import { soon } from '../words/locale.js';
import { tournament as words } from '../words/tournament.js';

const EVERY_MS = 1000;
/** Longer than this, a clock says less than a date. */
const COUNTED_MS = 24 * 3600 * 1000;

/** @param {any} tournament @returns {HTMLElement | null} nothing if no later time is known */
export function starting(tournament) {
  const next = nextStart(tournament, Date.now());
  return next && h('p', { class: 'starting' }, words.roundStarts(next.round, timeWords(soon, next.at, tournament)), ' ', h('time', { class: 'until', datetime: next.at }, until(next.at)));
}

function until(at) {
  const left = Date.parse(at) - Date.now();
  return left > 0 && left < COUNTED_MS ? words.startsIn(clockText(left)) : '';
}

setInterval(() => {
  for (const element of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll('time.until'))) setText(element, until(element.dateTime));
}, EVERY_MS);
