// What the page of a table keeps on the device: its link's token, the table as it was last seen, and a result that is not sent yet.

import { save, saved, tokenFromLink } from '../base/saved.js';

const TOKEN = 'plybook.table';
const SEEN = 'plybook.table.seen';
const WAITING = 'plybook.table.waiting';

export function tokenOf() {
  return tokenFromLink(TOKEN);
}

/** @param {string} token @returns {{me: any, tournament: any, game: any} | null} */
export function seenOf(token) {
  return keptFor(SEEN, token);
}

/** @param {string} token @param {{me: any, tournament: any, game: any}} seen */
export function keepSeen(token, { me, tournament, game }) {
  save(SEEN, { of: token, kept: { me, tournament, game } });
}

/** @param {string} token @returns {import('../model/outbox.js').Waiting | null} */
export function waitingOf(token) {
  return keptFor(WAITING, token);
}

/** @param {string} token @param {import('../model/outbox.js').Waiting | null} waiting */
export function keepWaiting(token, waiting) {
  save(WAITING, waiting && { of: token, kept: waiting });
}

/** What was kept for a token. */
function keptFor(key, token) {
  const found = saved(key);
  return found?.of === token ? found.kept : null;
}
