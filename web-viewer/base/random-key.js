// Random numbers that nobody can guess, such as the keys that make a request safe to send again.

/**
 * A new `idempotencyKey`. `crypto.randomUUID` is missing where a service in a hall is reached without TLS.
 * @returns {string} 32 hexadecimal digits
 */
export function newKey() {
  return randomHex(16);
}

/**
 * @param {number} bytes
 * @returns {string} two hexadecimal digits a byte
 */
export function randomHex(bytes) {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
