// What is left of the time for a round, counted down while the page is open.

import { timeLeft } from '../model/deadline.js';
import { common } from '../words/common.js';
import { moment } from '../words/locale.js';
import { h } from './dom.js';

const EVERY_MS = 1000;

/**
 * @param {import('../model/deadline.js').Deadline | null} deadline
 * @returns {HTMLElement | null} nothing without a deadline
 */
export function countdown(deadline) {
  const text = timeLeft(deadline, Date.now());
  if (!text) return null;
  const { opens, due } = /** @type {{opens?: string, due: string}} */ (deadline);
  const title = opens === due ? moment(due) : opens ? common.opensAndDue(moment(opens), moment(due)) : common.due(moment(due));
  return h('time', { class: 'countdown', datetime: due, 'data-opens': opens, title }, text);
}

setInterval(() => {
  for (const element of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll('time.countdown'))) {
    const text = timeLeft({ opens: element.dataset.opens, due: element.dateTime }, Date.now());
    if (text !== element.textContent) element.textContent = text;
  }
}, EVERY_MS);
