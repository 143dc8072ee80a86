// The page state that is kept in URLs.

export const PAGE_SIZE = 25;
const STATUSES = ['RUNNING', 'FINISHED', 'VOID'];
const ORDERS = ['CREATED_DESC', 'CREATED_ASC', 'FINISHED_DESC', 'PLY_DESC', 'PLY_ASC'];

/**
 * The filters of the list. Empty strings mean "any".
 * @typedef {{kind: string, status: string, player: string, tournament: string, since: string, until: string, order: string,
 *   after: string, before: string}} ListState
 */

/**
 * @param {string} search as in `location.search`; invalid values are dropped
 * @returns {ListState}
 */
export function parseList(search) {
  const { text, one, date } = reader(search);
  return {
    kind: text('kind'),
    status: one('status', STATUSES),
    player: text('player'),
    tournament: text('tournament'),
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
  const filter = { origin: 'RECORDED', ...span(state) };
  if (state.kind) filter.kind = state.kind;
  if (state.status) filter.status = state.status;
  if (state.player) filter.player = state.player;
  if (state.tournament) filter.tournament = state.tournament;
  const page = state.before ? { last: PAGE_SIZE, before: state.before } : { first: PAGE_SIZE };
  if (state.after) page.after = state.after;
  return { filter, orderBy: state.order, ...page };
}

/** @param {ListState} state whether anything is filtered */
export function isFiltered(state) {
  return Boolean(state.kind || state.status || state.player || state.tournament || state.since || state.until);
}

/**
 * @param {string} path as in `location.pathname`
 * @returns {string} the game's id, or empty
 */
export function gameId(path) {
  return idIn(path, 'games') || idIn(path, 'embed');
}

/**
 * The address of the same game for a frame in another page.
 * @param {string} address of its page, as from `placeAddress`
 */
export function embedAddress(address) {
  return address.replace(/^\/games\//, '/embed/');
}

/**
 * @param {string} hash as in `location.hash`
 * @returns {number | null} the ply; null if the address names none
 */
export function plyOf(hash) {
  return /^#\d{1,7}(&|$)/.test(hash) ? Number.parseInt(hash.slice(1), 10) : null;
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
 * @param {{id: string, line?: string, viewer?: string, ply: number, head?: string}} place head: see `headOf`
 */
export function placeAddress({ id, line = '', viewer = '', ply, head = '' }) {
  const params = new URLSearchParams();
  if (viewer) params.set('viewer', viewer);
  if (line && line !== id) params.set('line', line);
  const search = params.toString();
  return `/games/${encodeURIComponent(id)}${search && `?${search}`}#${ply}${head && `&head=${encodeURIComponent(head)}`}`;
}

/**
 * The filters of the statistics. Empty strings mean "any".
 * @typedef {{kind: string, player: string, opponent: string, status: string, since: string, until: string, reason: string,
 *   tag: string, tournament: string, what: string, at: string, line: string}} StatisticsState
 *   what: the numbers on the board; at, line: the key of the selected position, and the actions that lead there
 */

const NARROWING = ['player', 'opponent', 'status', 'since', 'until', 'reason', 'tag', 'tournament'];

/**
 * @param {string} search as in `location.search`; invalid values are dropped
 * @returns {StatisticsState}
 */
export function parseStatistics(search) {
  const { text, one, date } = reader(search);
  const at = /^[0-9a-f]{64}$/.test(text('at')) ? text('at') : '';
  const [player, opponent] = text('player') ? [text('player'), text('opponent')] : [text('opponent'), ''];
  return {
    kind: text('kind'),
    player,
    opponent: opponent === player ? '' : opponent,
    status: one('status', STATUSES),
    since: date('since'),
    until: date('until'),
    reason: text('reason'),
    tag: text('tag'),
    tournament: text('tournament'),
    what: text('what'),
    at,
    line: at && text('line'),
  };
}

/**
 * @param {StatisticsState} state
 * @returns {string} as in `location.search`
 */
export function statisticsSearch(state) {
  const params = new URLSearchParams(Object.entries(state).filter(([, value]) => value));
  const search = params.toString();
  return search && `?${search}`;
}

/**
 * The games that count. Days are those of the reader's clock, both included.
 * @param {StatisticsState} state
 */
export function statisticsFilter(state) {
  const filter = span(state);
  for (const name of ['status', 'reason', 'tournament']) if (state[name]) filter[name] = state[name];
  if (state.tag) filter.tags = [state.tag];
  if (state.opponent) filter.players = [state.player, state.opponent];
  else if (state.player) filter.player = state.player;
  return filter;
}

/** @param {StatisticsState} state whether games are filtered out */
export function isNarrowed(state) {
  return NARROWING.some((name) => state[name]);
}

/**
 * @param {string} path as in `location.pathname`
 * @returns {string} the player's id, or empty
 */
export function playerId(path) {
  return idIn(path, 'players');
}

/**
 * What the list of ratings shows. `from`: the number of its first line; `after`: the page's cursor.
 * @param {string} search as in `location.search`
 */
export function parseRatings(search) {
  const given = new URLSearchParams(search);
  const after = given.get('after') ?? '';
  const from = /^[1-9]\d{0,8}$/.test(given.get('from') ?? '') ? Number(given.get('from')) : 1;
  return { kind: given.get('kind') ?? '', provisional: given.has('provisional'), after, from: after ? from : 1 };
}

/** @param {ReturnType<typeof parseRatings>} state */
export function ratingsSearch({ kind, provisional, after, from }) {
  const params = new URLSearchParams();
  if (kind) params.set('kind', kind);
  if (provisional) params.set('provisional', '1');
  if (after) params.set('after', after);
  if (after) params.set('from', String(from));
  return params.size ? `?${params}` : '';
}

function span({ since, until }) {
  const times = {};
  if (since) times.since = new Date(`${since}T00:00:00`).toISOString();
  if (until) times.until = new Date(`${until}T23:59:59.999`).toISOString();
  return times;
}

function reader(search) {
  const given = new URLSearchParams(search);
  const text = (name) => given.get(name) ?? '';
  const one = (name, of) => (of.includes(text(name)) ? text(name) : '');
  const date = (name) => (/^\d{4}-\d\d-\d\d$/.test(text(name)) && !Number.isNaN(Date.parse(text(name))) ? text(name) : '');
  return { text, one, date };
}

function idIn(path, folder) {
  const [, found, part] = /^\/([a-z]+)\/([^/]+)\/?$/.exec(path) ?? [];
  try {
    return found === folder ? decodeURIComponent(part) : '';
  } catch {
    return '';
  }
}
