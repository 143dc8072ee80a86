// The state that addresses carry.

export const PAGE_SIZE = 25;
const STATUSES = ['RUNNING', 'FINISHED', 'VOID'];
const ORDERS = ['CREATED_DESC', 'CREATED_ASC', 'FINISHED_DESC', 'PLY_DESC', 'PLY_ASC'];

/**
 * What the list shows. Empty strings stand for "any".
 * @typedef {{kind: string, status: string, player: string, since: string, until: string, order: string,
 *   after: string, before: string}} ListState
 */

/**
 * @param {string} search as in `location.search`; what makes no sense is dropped
 * @returns {ListState}
 */
export function parseList(search) {
  const given = new URLSearchParams(search);
  const text = (name) => given.get(name) ?? '';
  const one = (name, of) => (of.includes(text(name)) ? text(name) : '');
  const date = (name) => (/^\d{4}-\d\d-\d\d$/.test(text(name)) && !Number.isNaN(Date.parse(text(name))) ? text(name) : '');
  return {
    kind: text('kind'),
    status: one('status', STATUSES),
    player: text('player'),
    since: date('since'),
    until: date('until'),
    order: one('order', ORDERS) || ORDERS[0],
    after: text('after'),
    before: text('after') ? '' : text('before'),
  };
}

/**
 * @param {ListState} state
 * @returns {string} as in `location.search`; empty for the plain list
 */
export function listSearch(state) {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    if (value && !(name === 'order' && value === ORDERS[0])) params.set(name, value);
  }
  const search = params.toString();
  return search && `?${search}`;
}

/**
 * The variables of the query for games. Days are those of the reader's clock, both included.
 * @param {ListState} state
 */
export function listVariables(state) {
  const filter = { origin: 'RECORDED' };
  if (state.kind) filter.kind = state.kind;
  if (state.status) filter.status = state.status;
  if (state.player) filter.player = state.player;
  if (state.since) filter.since = new Date(`${state.since}T00:00:00`).toISOString();
  if (state.until) filter.until = new Date(`${state.until}T23:59:59.999`).toISOString();
  const page = state.before ? { last: PAGE_SIZE, before: state.before } : { first: PAGE_SIZE };
  if (state.after) page.after = state.after;
  return { filter, orderBy: state.order, ...page };
}

/** @param {ListState} state whether anything is filtered */
export function isFiltered(state) {
  return Boolean(state.kind || state.status || state.player || state.since || state.until);
}

/**
 * @param {string} path as in `location.pathname`
 * @returns {string} the game's id, or empty
 */
export function gameId(path) {
  const part = /^\/games\/([^/]+)\/?$/.exec(path)?.[1] ?? '';
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

/**
 * @param {string} hash as in `location.hash`
 * @returns {number | null} the ply; null where the address names none
 */
export function plyOf(hash) {
  return /^#\d{1,7}$/.test(hash) ? Number(hash.slice(1)) : null;
}

/**
 * @param {string} search as in `location.search`
 * @returns {string} `all`, `public`, a seat's number, or empty for what the reader may see
 */
export function viewerOf(search) {
  const viewer = new URLSearchParams(search).get('viewer') ?? '';
  return /^(all|public|[1-9]|1[0-3])$/.test(viewer) ? viewer : '';
}

/**
 * @param {string} search as in `location.search`
 * @returns {string} the id of the line that is walked along; empty for the mainline
 */
export function lineOf(search) {
  return new URLSearchParams(search).get('line') ?? '';
}

/**
 * The address of a ply of a game, or of a line of it.
 * @param {{id: string, line?: string, viewer?: string, ply: number}} place
 */
export function placeAddress({ id, line = '', viewer = '', ply }) {
  const params = new URLSearchParams();
  if (viewer) params.set('viewer', viewer);
  if (line && line !== id) params.set('line', line);
  const search = params.toString();
  return `/games/${encodeURIComponent(id)}${search && `?${search}`}#${ply}`;
}
