// Deadlines of rounds, in words.

import { playing as words } from '../words/playing.js';
import { brief } from './format.js';

/** @typedef {{opens?: string | null, due?: string | null}} Deadline */

/**
 * The deadline that was set last.
 * @param {{type: string, body: any}[]} events
 * @returns {Deadline | null}
 */
export function deadlineOf(events) {
  return events.findLast(({ type }) => type === 'deadline_set')?.body ?? null;
}

/**
 * The same deadline; if only chance is to act, the round opens when it is due.
 * @param {Deadline | null} deadline @param {string[]} toAct at the head of the game
 */
export function opening(deadline, toAct) {
  return deadline?.due && toAct.length > 0 && toAct.every((actor) => actor === 'chance') ? { opens: deadline.due, due: deadline.due } : deadline;
}

/**
 * What is left of the time; empty without a deadline.
 * @param {Deadline | null} deadline @param {number} now in milliseconds
 */
export function timeLeft(deadline, now) {
  if (!deadline?.due) return '';
  const [opens, due] = [deadline.opens, deadline.due].map((time) => (time ? Date.parse(time) - now : 0));
  if (opens > 0 || deadline.opens === deadline.due) return words.opens(rounded(Math.max(opens, 0)));
  return due > 0 ? words.left(rounded(due)) : words.over;
}

/** Whole seconds, so that a countdown does not flicker between formats. */
function rounded(ms) {
  return brief(Math.ceil(ms / 1000) * 1000);
}
