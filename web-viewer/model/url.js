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
 * The address of the same place for a link that others show with its picture: the ply is not behind `#`.
 * @param {string} address of the game's page, as from `placeAddress`
 */
export function sharedAddress(address) {
  const { pathname, search, hash } = new URL(address, 'plybook:/');
  const params = new URLSearchParams(search);
  params.set('ply', String(plyOf(hash) ?? 0));
  return `${pathname}?${params}`;
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
 * The ply that the address names for whoever shows what it leads to: what is behind `#` is not sent. A link keeps it until the
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
 * What two boards side by side show. `other`: the log of the second board; empty for the same one.
 * @param {string} path as in `location.pathname`
 * @param {string} search
 * @param {string} hash
 * @returns {{id: string, other: string, viewer: string, plies: {a: number, b: number} | null}}
 */
export function parseBeside(path, search, hash) {
  const [, a, b] = /^#(\d{1,7})-(\d{1,7})$/.exec(hash) ?? [];
  const other = new URLSearchParams(search).get('with') ?? '';
  return { id: viewOf(path, 'beside'), other, viewer: viewerOf(search), plies: a ? { a: Number(a), b: Number(b) } : null };
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
 * The strip of diagrams that an address names; invalid values are dropped.
 * @param {string} path
 * @param {string} search
 * @returns {import('./strip.js').Choice}
 */
export function parseStrip(path, search) {
  const given = new URLSearchParams(search);
  const number = (name, most, other) => (/^[1-9]\d{0,4}$/.test(given.get(name) ?? '') && Number(given.get(name)) <= most ? Number(given.get(name)) : other);
  return {
    id: viewOf(path, 'strip'), viewer: viewerOf(search), every: number('every', 10_000, 0), columns: number('columns', 4, 2),
    marks: (given.get('marks') ?? '').split(',').filter((mark) => /^[a-z]{1,20}$/.test(mark)), plies: (given.get('plies') ?? '').slice(0, 2000),
  };
}

/** @param {Partial<import('./strip.js').Choice> & {id: string}} choice */
export function stripAddress({ id, viewer = '', every = 0, marks = [], plies = '', columns = 2 }) {
  const params = new URLSearchParams();
  if (plies.trim()) params.set('plies', plies.trim());
  else if (marks.length > 0) params.set('marks', marks.join(','));
  else if (every) params.set('every', String(every));
  if (columns !== 2) params.set('columns', String(columns));
  if (viewer) params.set('viewer', viewer);
  return `/games/${encodeURIComponent(id)}/strip${params.size ? `?${params}` : ''}`;
}

/**
 * The address that a token records a game at. What follows `#` reaches no log and no proxy.
 * @param {string} game
 * @param {string} [token]
 */
export function recordPath(game, token = '') {
  return `/record/${encodeURIComponent(game)}${token ? `#token=${encodeURIComponent(token)}` : ''}`;
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
 * @param {Omit<StatisticsState, 'what' | 'at' | 'line'>} state
 */
export function statisticsFilter(state) {
  const filter = span(state);
  for (const name of ['status', 'reason', 'tournament']) if (state[name]) filter[name] = state[name];
  if (state.tag) filter.tags = [state.tag];
  if (state.opponent) filter.players = [state.player, state.opponent];
  else if (state.player) filter.player = state.player;
  return filter;
}

/** @param {Omit<StatisticsState, 'what' | 'at' | 'line'>} state whether games are filtered out */
export function isNarrowed(state) {
  return NARROWING.some((name) => state[name]);
}

/**
 * What is searched for, and in which games. won: `player`, or the number of a seat; empty means "by anybody".
 * @typedef {Omit<StatisticsState, 'what' | 'at' | 'line'> & {where: string, won: string}} SearchState
 */

/**
 * @param {string} search as in `location.search`; invalid values are dropped
 * @returns {SearchState}
 */
export function parseSearch(search) {
  const { what, at, line, ...games } = parseStatistics(search);
  const { text } = reader(search);
  const won = text('won');
  return { ...games, where: text('where'), won: /^[1-9]\d?$/.test(won) || (won === 'player' && games.player) ? won : '' };
}

/**
 * @param {SearchState} state
 * @returns {string} as in `location.search`
 */
export function searchSearch(state) {
  const params = new URLSearchParams(Object.entries(state).filter(([, value]) => value));
  return params.size ? `?${params}` : '';
}

/**
 * The games that are searched.
 * @param {SearchState} state
 */
export function searchFilter(state) {
  const won = state.won === 'player' ? { winner: state.player } : state.won ? { winningSeat: Number(state.won) } : {};
  return { ...statisticsFilter(state), ...won };
}

/**
 * @param {string} path as in `location.pathname`
 * @returns {string} the player's id, or empty
 */
export function playerId(path) {
  return idIn(path, 'players');
}

/**
 * The repertoire that the address of a player names. kind: empty for none; seat: 0 for the player's usual one.
 * @param {string} search
 */
export function parseRepertoire(search) {
  const given = new URLSearchParams(search);
  const seat = /^[1-9]\d?$/.test(given.get('seat') ?? '') ? Number(given.get('seat')) : 0;
  return { kind: given.get('repertoire') ?? '', seat };
}

/**
 * @param {string} player
 * @param {{kind: string, seat?: number}} repertoire
 */
export function repertoireAddress(player, { kind, seat = 0 }) {
  const params = new URLSearchParams({ repertoire: kind, ...(seat ? { seat: String(seat) } : {}) });
  return `/players/${encodeURIComponent(player)}?${params}`;
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

/** The game in the address of another view of it. */
function viewOf(path, view) {
  const [, id] = new RegExp(`^/games/([^/]+)/${view}/?$`).exec(path) ?? [];
  return idIn(`/games/${id ?? ''}`, 'games');
}

function idIn(path, folder) {
  const [, found, part] = /^\/([a-z]+)\/([^/]+)\/?$/.exec(path) ?? [];
  try {
    return found === folder ? decodeURIComponent(part) : '';
  } catch {
    return '';
  }
}
