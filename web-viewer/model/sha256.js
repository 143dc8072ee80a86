// Bytes: SHA-256 of concatenated parts, and hex digits. WebCrypto is there wherever something is signed.

/**
 * @param {...Uint8Array} parts
 * @returns {Promise<string>} 64 lower-case hex digits
 */
export async function sha256(...parts) {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', concat(parts))));
}

/**
 * @param {Uint8Array} bytes
 * @returns {string} lower-case hex digits
 */
export function toHex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * @param {string} text hex digits, hyphens ignored
 * @returns {Uint8Array}
 */
export function fromHex(text) {
  const digits = text.replaceAll('-', '').match(/../g) ?? [];
  return Uint8Array.from(digits, (pair) => parseInt(pair, 16));
}

/**
 * @param {Uint8Array[]} parts
 * @returns {Uint8Array}
 */
export function concat(parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
