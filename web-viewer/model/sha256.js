// SHA-256 of concatenated parts. Uses WebCrypto, or a JavaScript implementation where browsers withhold
// WebCrypto because the page was loaded from another machine over plain HTTP.

const K = new Uint32Array(64);
const START = new Uint32Array(8);
fillConstants();

/**
 * @param {...Uint8Array} parts
 * @returns {Promise<string>} 64 lower-case hex digits
 */
export async function sha256(...parts) {
  const bytes = concat(parts);
  const subtle = globalThis.crypto?.subtle;
  const digest = subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : sha256Plain(bytes);
  return toHex(digest);
}

/**
 * SHA-256 without WebCrypto.
 * @param {Uint8Array} bytes
 * @returns {Uint8Array} 32 bytes
 */
export function sha256Plain(bytes) {
  const state = START.slice();
  const padded = pad(bytes);
  const view = new DataView(padded.buffer);
  const words = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + 4 * i);
    compress(state, words);
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => out.setUint32(4 * i, word));
  return new Uint8Array(out.buffer);
}

/**
 * @param {Uint8Array} bytes
 * @returns {string} lower-case hex digits
 */
export function toHex(bytes) {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
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
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function pad(bytes) {
  const padded = new Uint8Array(((bytes.length + 8) >> 6 << 6) + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(padded.length - 4, bytes.length << 3);
  return padded;
}

function compress(state, w) {
  for (let i = 16; i < 64; i++) {
    const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
    const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const t1 = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i];
    const t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
}

function turn(word, by) {
  return (word >>> by) | (word << (32 - by));
}

// The first 32 bits of the fractional parts of the roots of the first primes (FIPS 180-4, 4.2.2, 5.3.3).
function fillConstants() {
  const fraction = (x) => ((x - Math.floor(x)) * 0x100000000) | 0;
  for (let n = 2, count = 0; count < 64; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) prime &&= n % d !== 0;
    if (!prime) continue;
    if (count < 8) START[count] = fraction(Math.sqrt(n));
    K[count++] = fraction(Math.cbrt(n));
  }
}
