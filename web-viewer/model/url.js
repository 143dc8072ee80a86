// The addresses of the replay, and of other views of a game.

/** The id in an address such as `/games/{id}/beside`; empty if it has none. @param {string} path as in `location.pathname` */
export function idIn(path) {
  try {
    return decodeURIComponent(path.split('/')[2] ?? '');
  } catch {
    return '';
  }
}

/**
 * The address of the same game for a frame in another page.
 * @param {string} address of its page, as from `placeAddress`
 */
export function embedAddress(address) {
  return address.replace(/^\/games\//, '/embed/');
}

/**
 * The address of the same place for a link that others show with its picture: the ply is not behind `#`.
 * @param {string} address of the game's page, as from `placeAddress`
 */
export function sharedAddress(address) {
  const { pathname, search, hash } = new URL(address, 'plybook:/');
  const params = new URLSearchParams(search);
  params.set('ply', String(plyOf(hash) ?? 0));
  const tried = /&tried=[^&]*/.exec(hash)?.[0];
  return tried ? address : `${pathname}?${params}`;
}

/**
 * The address of the same place within a page that stands alone: everything is behind `#`.
 * @param {string} address of the game's page, as from `placeAddress`
 */
export function standaloneAddress(address) {
  const { search, hash } = new URL(address, 'plybook:/');
  return `${hash || '#0'}${search.replace('?', '&')}`;
}

/** What such an address says, as the search of the game's page. @param {string} hash */
export function standaloneSearch(hash) {
  return hash.replace(/^#\d*/, '').replace('&', '?');
}

/**
 * @param {string} hash as in `location.hash`
 * @returns {number | null} the ply; null if the address names none
 */
export function plyOf(hash) {
  return /^#\d{1,7}(&|$)/.test(hash) ? Number.parseInt(hash.slice(1), 10) : null;
}

/**
 * The ply that the address names for those who preview it: what is behind `#` is not sent. A link keeps it until the
 * page is open.
 * @param {string} search as in `location.search`
 * @returns {number | null} the ply; null if the address names none
 */
export function plyIn(search) {
  const ply = new URLSearchParams(search).get('ply') ?? '';
  return /^\d{1,7}$/.test(ply) ? Number.parseInt(ply, 10) : null;
}

/**
 * The hash of an event that the address names, as on a slip: the log is compared with it.
 * @param {string} hash as in `location.hash`
 * @returns {string} 64 hex digits, or whatever was meant as such; empty if the address names none
 */
export function headOf(hash) {
  return /[#&]head=([^&]*)/.exec(hash)?.[1].toLowerCase() ?? '';
}

/**
 * What a reader has tried on the board: the ply at which it leaves the game or the line of the address, and its actions, each with
 * who plays it.
 * @typedef {{ply: number, words: string[]}} Tried
 */

const TRIED_MAX = 200;

/**
 * @param {string} hash as in `location.hash`
 * @returns {Tried | null} null if the address has nothing of that kind
 */
export function triedOf(hash) {
  try {
    const [ply, ...words] = decodeURIComponent(/&tried=([^&]*)/.exec(hash)?.[1] ?? '').split(' ');
    return /^\d{1,7}$/.test(ply) && words.length > 0 && words.length <= TRIED_MAX && words.every((word) => /^(\d{1,2}|chance):./.test(word)) ? { ply: Number(ply), words } : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} search as in `location.search`
 * @returns {string} `all`, `public`, a seat's number, or empty for the reader's own view
 */
export function viewerOf(search) {
  const viewer = new URLSearchParams(search).get('viewer') ?? '';
  return /^(all|public|[1-9]|1[0-3])$/.test(viewer) ? viewer : '';
}

/**
 * @param {string} search as in `location.search`
 * @returns {string} the id of the line being followed; empty for the mainline
 */
export function lineOf(search) {
  return new URLSearchParams(search).get('line') ?? '';
}

/**
 * The address of a ply of a game, or of a line of it.
 * @param {{id: string, line?: string, viewer?: string, ply: number, head?: string, tried?: Tried | null}} place head: see `headOf`
 */
export function placeAddress({ id, line = '', viewer = '', ply, head = '', tried = null }) {
  const params = new URLSearchParams();
  if (viewer) params.set('viewer', viewer);
  if (line && line !== id) params.set('line', line);
  const search = params.toString();
  return `/games/${encodeURIComponent(id)}${search && `?${search}`}#${ply}${head && `&head=${encodeURIComponent(head)}`}${tried ? `&tried=${encodeURIComponent(`${tried.ply} ${tried.words.join(' ')}`)}` : ''}`;
}

/**
 * What two boards side by side show. `other`: the log of the second board; empty for the same one.
 * @param {string} path as in `location.pathname`
 * @param {string} search
 * @param {string} hash
 * @returns {{id: string, other: string, viewer: string, plies: {a: number, b: number} | null}}
 */
export function parseBeside(path, search, hash) {
  const [, a, b] = /^#(\d{1,7})-(\d{1,7})$/.exec(hash) ?? [];
  const other = new URLSearchParams(search).get('with') ?? '';
  return { id: idIn(path), other, viewer: viewerOf(search), plies: a ? { a: Number(a), b: Number(b) } : null };
}

/**
 * The address of two boards side by side.
 * @param {{id: string, other?: string, viewer?: string, plies?: {a: number, b: number} | null}} place
 */
export function besideAddress({ id, other = '', viewer = '', plies = null }) {
  const params = new URLSearchParams();
  if (other && other !== id) params.set('with', other);
  if (viewer) params.set('viewer', viewer);
  return `/games/${encodeURIComponent(id)}/beside${params.size ? `?${params}` : ''}${plies ? `#${plies.a}-${plies.b}` : ''}`;
}

/**
 * The address that a token records a game at. What follows `#` reaches no log and no proxy.
 * @param {string} game
 * @param {string} [token]
 */
export function recordPath(game, token = '') {
  return `/record/${encodeURIComponent(game)}${token ? `#token=${encodeURIComponent(token)}` : ''}`;
}
