// Values on this device. A browser without storage works too, but forgets them when the page is left.

/** @param {string} key @returns {any} null if there is nothing, or nothing that can be read */
export function saved(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** The token from a link. It is taken out of the address, which others may see. @param {string} key where it is kept */
export function tokenFromLink(key) {
  const given = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  if (given) {
    history.replaceState(null, '', location.pathname + location.search);
    save(key, given);
  }
  return given || (saved(key) ?? '');
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
