// The addresses of tournaments.

const VIEWS = ['now', 'pairings', 'standings', 'groups', 'bracket', 'crosstable', 'players', 'about', 'all'];
const NAMES = ['kind', 'status', 'format', 'name', 'archived', 'after'];

/**
 * What a tournament's page shows. `round`: 0 for the current one; `player`: the number of an entrant whose card is
 * shown, or 0; `by`: the order of pairings.
 * @param {string} search as in `location.search`; invalid values are dropped
 */
export function parseTournament(search) {
  const given = new URLSearchParams(search);
  const number = (name) => (/^[1-9]\d{0,4}$/.test(given.get(name) ?? '') ? Number(given.get(name)) : 0);
  const view = given.get('view') ?? '';
  return {
    view: VIEWS.includes(view) ? view : '',
    round: number('round'),
    player: number('player'),
    by: given.get('by') === 'name' ? 'name' : '',
    projector: given.has('projector'),
  };
}

/**
 * @param {Partial<ReturnType<typeof parseTournament>>} state
 * @returns {string} as in `location.search`
 */
export function tournamentSearch({ view, round, player, by, projector }) {
  const params = new URLSearchParams();
  if (view) params.set('view', view);
  if (round) params.set('round', String(round));
  if (player) params.set('player', String(player));
  if (by) params.set('by', by);
  const search = params.toString();
  if (projector) return `?projector${search && `&${search}`}`;
  return search && `?${search}`;
}

/** @param {string} search as in `location.search` of the list */
export function parseTournaments(search) {
  const given = new URLSearchParams(search);
  return Object.fromEntries(NAMES.map((name) => [name, given.get(name) ?? '']));
}

/** @param {Record<string, string>} state the filter of the query */
export function tournamentsFilter({ kind, status, format, name, archived }) {
  return { ...Object.fromEntries(Object.entries({ kind, status, format, nameContains: name }).filter(([, value]) => value)), archived: Boolean(archived) };
}

/**
 * The address of the service as other devices reach it, from what a page says of itself (`og:url`).
 * @param {string} said
 * @param {string} path of that page
 * @returns {string} empty if it says nothing
 */
export function serviceAddress(said, path) {
  const [page] = said.split('?');
  return page.endsWith(path) ? page.slice(0, -path.length) : '';
}

/**
 * What keeps phones from an address: it is none, or it leads to the device itself.
 * @param {string} address
 * @returns {'' | 'malformed' | 'loopback'}
 */
export function addressProblem(address) {
  const found = URL.canParse(address) ? new URL(address) : null;
  if (!found || !/^https?:$/.test(found.protocol)) return 'malformed';
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(found.hostname) ? 'loopback' : '';
}

/**
 * The address of a tournament's page.
 * @param {string} id
 * @param {Partial<ReturnType<typeof parseTournament>>} [state]
 */
export function tournamentAddress(id, state = {}) {
  return `/tournaments/${encodeURIComponent(id)}${tournamentSearch(state)}`;
}
