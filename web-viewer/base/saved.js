// Values on this device. A browser without storage works too, but forgets them when the page is left.

/** @param {string} key @returns {any} null if there is nothing, or nothing that can be read */
export function saved(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {string} key @param {any} value null to forget it */
export function save(key, value) {
  try {
    if (value == null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // See above.
  }
}
