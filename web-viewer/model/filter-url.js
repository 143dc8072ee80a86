// The filters of lists, of figures and of the search, as addresses have them.

const PAGE_SIZE = 25;
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
 * What is chosen, as in `location.search`; empty if nothing is.
 * @param {Record<string, any>} state
 */
export function searchOf(state) {
  const params = new URLSearchParams(Object.entries(state).filter(([, value]) => value));
  return params.size ? `?${params}` : '';
}

/** @param {ListState} state */
export function listSearch(state) {
  return searchOf({ ...state, order: state.order !== ORDERS[0] && state.order });
}

/** The variables of the query for games. Days are those of the reader's clock, both included. */
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

/** The games that are searched. */
export function searchFilter(state) {
  const won = state.won === 'player' ? { winner: state.player } : state.won ? { winningSeat: Number(state.won) } : {};
  return { ...statisticsFilter(state), ...won };
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
  return searchOf({ kind, provisional: provisional && '1', after, from: after && from });
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
