// What the recorder's page keeps on the device: the link's token, entries that are not recorded yet, and, while the
// game runs, the keys of those that are, and the game as it was last seen. Secrets that wait are encrypted with the token.

import { save, saved, tokenFromLink } from '../base/saved.js';
import { EMPTY, kept } from '../model/entries.js';
import { fromHex, toHex } from '../model/sha256.js';

/** How many keys of recorded entries are kept. */
const KEYS_MAX = 50;

const TOKEN = (id) => `plybook.record.${id}`;
const QUEUE = (id) => `plybook.entries.${id}`;
const SECRET = (id) => `plybook.secret.${id}`;
const MINE = (id) => `plybook.recorded.${id}`;
const SEEN = (id) => `plybook.seen.${id}`;

/** @param {string} id */
export function tokenOf(id) {
  return tokenFromLink(TOKEN(id));
}

/** @param {string} id */
export function forgetToken(id) {
  save(TOKEN(id), null);
}

/**
 * @param {string} id
 * @returns {import('../model/entries.js').Queue}
 */
export function queueOf(id) {
  const found = saved(QUEUE(id));
  return Array.isArray(found?.entries) && Number.isInteger(found.after) ? found : EMPTY;
}

/** @param {string} id @returns {Record<string, string>} */
export function mineOf(id) {
  return saved(MINE(id)) ?? {};
}

/**
 * The game as this device last saw it, and what the token allowed, for when there is no connection.
 * @param {string} id
 * @returns {{me: any, about: any, game: any} | null}
 */
export function seenOf(id) {
  const seen = saved(SEEN(id));
  return seen?.me && seen.about && seen.game?.position ? seen : null;
}

/**
 * @param {import('./update.js').State} state
 */
export function keep({ about, game, id, me, mine, queue }) {
  const isRunning = game?.status === 'RUNNING';
  if (game) save(SEEN(id), isRunning && (!about.hasSecrets || about.isShared) ? { me, about, game } : null);
  const { open } = kept(queue);
  save(QUEUE(id), open.entries.length > 0 ? open : null);
  const last = Object.entries(mine).sort(([one], [other]) => Number(other) - Number(one)).slice(0, KEYS_MAX);
  save(MINE(id), last.length > 0 && (!game || isRunning) ? Object.fromEntries(last) : null);
}

/** Whether this browser can encrypt; on pages that are not served over HTTPS, it cannot. */
export const CAN_ENCRYPT = Boolean(globalThis.crypto?.subtle);

/**
 * Keeps secrets that wait, for holders of the token.
 * @param {string} id @param {string} token @param {import('../model/entries.js').Queue} queue
 */
export async function keepSecret(id, token, queue) {
  const { secret } = kept(queue);
  if (secret.entries.length === 0 || !CAN_ENCRYPT) {
    save(SECRET(id), null);
    return;
  }
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await secretKey(id, token), new TextEncoder().encode(JSON.stringify(secret)));
  save(SECRET(id), `${toHex(iv)}.${toHex(new Uint8Array(text))}`);
}

/**
 * The secrets that wait, if this is the token that they were kept with.
 * @param {string} id @param {string} token
 * @returns {Promise<import('../model/entries.js').Queue>}
 */
export async function secretOf(id, token) {
  const kept = saved(SECRET(id));
  if (!kept || !CAN_ENCRYPT) return EMPTY;
  try {
    const [iv, text] = kept.split('.').map(fromHex);
    return JSON.parse(new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await secretKey(id, token), text)));
  } catch {
    return EMPTY;
  }
}

async function secretKey(id, token) {
  const [salt, info, from] = ['', SECRET(id), token].map((text) => new TextEncoder().encode(text));
  const key = await crypto.subtle.importKey('raw', from, 'HKDF', false, ['deriveKey']);
  return crypto.subtle.deriveKey({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

/** Calls back when another tab of this browser has changed the entries. */
export function onShared(id, call) {
  globalThis.addEventListener('storage', ({ key }) => key === QUEUE(id) && call(queueOf(id)));
}
