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
 * What is left of the time; empty without a deadline.
 * @param {Deadline | null} deadline @param {number} now in milliseconds
 */
export function timeLeft(deadline, now) {
  const until = (time) => (time ? Date.parse(time) - now : 0);
  const [opens, due] = [until(deadline?.opens), until(deadline?.due)];
  if (!deadline?.due) return '';
  if (opens > 0) return words.opens(rounded(opens));
  return due > 0 ? words.left(rounded(due)) : words.over;
}

/** Whole seconds, so that a countdown does not flicker between formats. */
function rounded(ms) {
  return brief(Math.ceil(ms / 1000) * 1000);
}
