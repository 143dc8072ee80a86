// What the recorder's page keeps on the device: the link's token, entries that are not recorded yet, and, while the
// game runs, the keys of those that are, and the game as it was last seen. Never a secret.

import { EMPTY, kept } from '../model/entries.js';

/** How many keys of recorded entries are kept. */
const KEYS_MAX = 50;

const TOKEN = (id) => `plybook.record.${id}`;
const QUEUE = (id) => `plybook.entries.${id}`;
const MINE = (id) => `plybook.recorded.${id}`;
const SEEN = (id) => `plybook.seen.${id}`;

/**
 * The token from the link. It is taken out of the address, which others may see.
 * @param {string} id
 */
export function tokenOf(id) {
  const given = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  if (given) {
    history.replaceState(null, '', location.pathname + location.search);
    write(TOKEN(id), given);
  }
  return given || (read(TOKEN(id)) ?? '');
}

/** @param {string} id */
export function forgetToken(id) {
  write(TOKEN(id), null);
}

/**
 * @param {string} id
 * @returns {import('../model/entries.js').Queue}
 */
export function queueOf(id) {
  const found = read(QUEUE(id));
  return Array.isArray(found?.entries) && Number.isInteger(found.after) ? found : EMPTY;
}

/** @param {string} id @returns {Record<string, string>} */
export function mineOf(id) {
  return read(MINE(id)) ?? {};
}

/**
 * The game as this device last saw it, and what the token allowed, for when there is no connection.
 * @param {string} id
 * @returns {{me: any, about: any, game: any} | null}
 */
export function seenOf(id) {
  const seen = read(SEEN(id));
  return seen?.me && seen.about && seen.game?.position ? seen : null;
}

/**
 * @param {import('./update.js').State} state
 */
export function keep({ about, game, id, me, mine, queue }) {
  const isRunning = game?.status === 'RUNNING';
  if (game) write(SEEN(id), isRunning && !about.hasSecrets ? { me, about, game } : null);
  const { entries, after } = kept(queue);
  write(QUEUE(id), entries.length > 0 ? { entries, after } : null);
  const last = Object.entries(mine).sort(([one], [other]) => Number(other) - Number(one)).slice(0, KEYS_MAX);
  write(MINE(id), last.length > 0 && (!game || isRunning) ? Object.fromEntries(last) : null);
}

/** Calls back when another tab of this browser has changed the entries. */
export function onShared(id, call) {
  globalThis.addEventListener('storage', ({ key }) => key === QUEUE(id) && call(queueOf(id)));
}

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
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
