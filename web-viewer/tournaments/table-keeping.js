// What the page of a table keeps on the device: its link's token, the table as it was last seen, and a result that is not sent yet.

const TOKEN = 'plybook.table';
const SEEN = 'plybook.table.seen';
const WAITING = 'plybook.table.waiting';

/** The token from the link. It is removed from the address, which others may see. */
export function tokenOf() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  if (given) {
    write(TOKEN, given);
    history.replaceState(null, '', location.pathname);
  }
  return given || (read(TOKEN, '') ?? '');
}

/** @param {string} token @returns {{me: any, tournament: any, game: any} | null} */
export function seenOf(token) {
  return read(SEEN, token);
}

/** @param {string} token @param {{me: any, tournament: any, game: any}} seen */
export function keepSeen(token, { me, tournament, game }) {
  write(SEEN, { of: token, kept: { me, tournament, game } });
}

/** @param {string} token @returns {import('../model/outbox.js').Waiting | null} */
export function waitingOf(token) {
  return read(WAITING, token);
}

/** @param {string} token @param {import('../model/outbox.js').Waiting | null} waiting */
export function keepWaiting(token, waiting) {
  write(WAITING, waiting && { of: token, kept: waiting });
}

/** What was kept for a token; the token itself stands alone. */
function read(key, token) {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? 'null');
    if (!token) return found;
    return found?.of === token ? found.kept : null;
  } catch {
    return null;
  }
}

/** A browser without storage still works, but forgets what waits when the page is left. */
function write(key, value) {
  try {
    if (value == null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // See above.
  }
}
