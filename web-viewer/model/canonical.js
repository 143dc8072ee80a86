// Canonical JSON, as in FORMAT.md: the one way to write a value.

const DEPTH_MAX = 64;

/**
 * Canonical JSON of a value (RFC 8785 for what events hold).
 * @param {any} value
 * @returns {string}
 * @throws {Error} the value has no canonical form
 */
export function canonical(value, depth = 0) {
  if (depth > DEPTH_MAX) throw new Error('nested too deep');
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new Error('numbers are integers of 53 bits');
    return String(value);
  }
  if (typeof value === 'string') {
    const text = JSON.stringify(value);
    if (/\\ud[89a-f]/.test(text.replaceAll('\\\\', ''))) throw new Error('half a surrogate pair');
    return text;
  }
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`;
  const members = Object.keys(value).sort().map((key) => {
    if (!/^[\x20-\x7e]*$/.test(key) || /["\\]/.test(key)) throw new Error('keys are printable ASCII');
    return `"${key}":${canonical(value[key], depth + 1)}`;
  });
  return `{${members.join(',')}}`;
}
