// The key of this device: made by WebCrypto, kept by this browser, and of no use to anybody who only reads what it keeps.
// The private key cannot be read, not even here; it signs.

import { deviceKey as words } from '../words/device-key.js';
import { toHex } from '../model/sha256.js';
import { isSignedHere } from '../model/signing.js';
import { bytesOf, commitmentTo } from '../model/statement.js';
import { ApiError } from './api.js';
import { randomHex } from './random-key.js';

const DATABASE = 'plybook';
const STORE = 'keys';
const NAME = 'device';

/**
 * publicKey: in hex; made: when.
 * @typedef {{publicKey: string, made: string, privateKey: CryptoKey}} DeviceKey
 */

/** What is signed, and what is sent with it. @typedef {{signature: string, salt: string | null}} Signed */

/** Why this browser can have no key, in a sentence; empty if nothing is known to prevent it. */
export function obstacle() {
  if (!globalThis.isSecureContext) return words.noHttps;
  return globalThis.crypto?.subtle && globalThis.indexedDB ? '' : words.cannotKeep;
}

/**
 * The key of this device; null if it has none.
 * @returns {Promise<DeviceKey | null>}
 */
export async function deviceKey() {
  if (obstacle()) return null;
  return await inStore('readonly', (store) => store.get(NAME)).catch(() => null) ?? null;
}

/**
 * Makes a key, unless the device has one.
 * @returns {Promise<DeviceKey>}
 * @throws {ApiError} `NO_KEY`: this browser cannot; the message says why
 */
export async function makeKey() {
  const known = await deviceKey();
  if (known) return known;
  if (obstacle()) throw new ApiError(obstacle(), 'NO_KEY');
  const key = { ...await generate(), made: new Date().toISOString() };
  try {
    // Another tab may have made one meanwhile; then this one was never used.
    await inStore('readwrite', (store) => store.add(key, NAME));
  } catch (why) {
    const theirs = await deviceKey();
    if (theirs) return theirs;
    throw new ApiError(words.doesNotKeep, 'NO_KEY', { why });
  }
  navigator.storage?.persist?.().catch(() => {});
  return key;
}

/** Deletes the key of this device for good. */
export async function forgetKey() {
  await inStore('readwrite', (store) => store.delete(NAME));
}

/**
 * Signs what is recorded next in a game; nothing if that is not for this device's key to do.
 * @param {import('../model/signing.js').Deed & {content?: string}} deed
 * @param {{id: string, signatures: string, signingPlace: {seq: number, prev: string}, seats: any[]}} game
 * @param {any} me the holder of the token
 * @returns {Promise<Signed | null>}
 * @throws {ApiError} `NO_KEY`: everything in this game is signed, and this device has no key
 */
export async function sign(deed, { id, signatures, signingPlace: { seq, prev }, seats }, me) {
  const key = await deviceKey();
  if (!key && signatures === 'REQUIRED') throw new ApiError(words.isNeeded, 'NO_KEY');
  if (!key || !isSignedHere(signatures, me, key.publicKey, deed.by, seats)) return null;
  const { by, content, type } = deed;
  const salt = content === undefined ? null : randomHex(32);
  const body = salt ? { ...deed.body, commitment: await commitmentTo(id, by, { salt, content }) } : deed.body;
  const bytes = await crypto.subtle.sign('Ed25519', key.privateKey, bytesOf({ body, by, game: id, prev, seq, type }));
  return { signature: `${key.publicKey}:${toHex(new Uint8Array(bytes))}`, salt };
}

async function generate() {
  try {
    const pair = /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']));
    return { publicKey: toHex(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))), privateKey: pair.privateKey };
  } catch (why) {
    throw new ApiError(words.noEd25519, 'NO_KEY', { why });
  }
}

/**
 * Does something with the store of keys.
 * @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest} what
 * @returns {Promise<any>} the result of the request, once the transaction is complete
 */
function inStore(mode, what) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction(STORE, mode);
      const request = what(transaction.objectStore(STORE));
      transaction.oncomplete = () => { database.close(); resolve(request.result); };
      transaction.onabort = () => { database.close(); reject(transaction.error); };
    };
  });
}
