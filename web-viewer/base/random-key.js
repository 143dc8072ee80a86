// Keys that make a request safe to send again.

/**
 * A new `idempotencyKey`. `crypto.randomUUID` is missing where a service in a hall is reached without TLS.
 * @returns {string} 32 hexadecimal digits
 */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
