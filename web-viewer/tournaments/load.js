// The requests of a tournament's pages. Long lists, which come in parts, are loaded whole.

import { ApiError, request, token } from '../base/api.js';
import { Live, liveUrl } from '../base/live.js';
import { hasBracket } from '../model/bracket.js';
import { BRACKET, CARD, ENTRANTS, FOLLOW_TOURNAMENT, GROUPS, PROGRESS, RESULT_SLIPS, ROUND, STANDINGS, TOURNAMENT } from '../model/tournament-queries.js';
import { tournament as words } from '../words/tournament.js';

const PART = 100;
const REFRESH_MS = 120;
/** How often a tournament that cannot be followed is requested again, as in a hall where many share an address. */
const POLL_MS = 20_000;

/** @param {string} id @returns {Promise<any>} with the bracket, if there is one */
export async function loadTournament(id) {
  const { tournament } = await request(TOURNAMENT, { id });
  if (!tournament) throw new ApiError(words.noSuchTournament, 'NOT_FOUND');
  if (!hasBracket(tournament.format)) return { ...tournament, bracket: null };
  const { tournament: { bracket } } = await request(BRACKET, { id });
  return { ...tournament, bracket };
}

/** @param {string} id @param {number | null} after this round; null for the present state */
export async function loadGroups(id, round) {
  const { tournament } = await request(GROUPS, { id, round });
  return tournament.groups;
}

/** @param {string} id @param {number} round with all its tables; null if it is not planned */
export async function loadRound(id, round) {
  const parts = [];
  for (;;) {
    const { tournament } = await request(ROUND, { id, round, first: PART, offset: parts.length * PART });
    const found = tournament?.round;
    if (!found) return null;
    parts.push(found.tables);
    if (found.tables.length < PART) return { ...found, format: tournament.format, isAccelerated: Boolean(tournament.formatOptions?.is_accelerated), tables: parts.flat() };
  }
}

/** @param {string} id @param {number} round @param {string} base the address of the service */
export function loadResultSlips(id, round, base) {
  return inParts(RESULT_SLIPS, { id, round, base }, (tournament) => tournament.round.tables);
}

/** @param {string} id @param {number | null} after this round; null for the present state */
export function loadStandings(id, round) {
  return inParts(STANDINGS, { id, round }, ({ standings }) => standings);
}

/** @param {string} id @param {number | null} round */
export function loadProgress(id, round) {
  return inParts(PROGRESS, { id, round }, ({ progress }) => progress);
}

/** @param {string} id */
export function loadEntrants(id) {
  return inParts(ENTRANTS, { id }, ({ entrants }) => entrants);
}

/** @param {string} id @param {number} entrant */
export async function loadCard(id, entrant) {
  const { tournament } = await request(CARD, { id, entrant });
  if (!tournament?.entrant) throw new ApiError(words.noSuchEntrant, 'NOT_FOUND');
  return tournament.entrant;
}

async function inParts(query, variables, rowsOf) {
  const rows = [];
  for (;;) {
    const { tournament } = await request(query, { ...variables, first: PART, offset: rows.length });
    const part = tournament ? rowsOf(tournament) : [];
    rows.push(...part);
    if (part.length < PART) return rows;
  }
}

/**
 * Follows a tournament: `changed` is called after every change, once for several simultaneous ones, and after
 * every interruption.
 * @param {string} id
 * @param {{changed: () => void, state: (live: import('../base/live.js').LiveState) => void}} options
 * @returns {Live} to which boards can be added
 */
export function followTournament(id, { changed, state }) {
  let isFollowed = false;
  const live = new Live({ url: liveUrl(), token: token(), state: (now) => { isFollowed = now === 'live'; state(now); } });
  let timer = 0;
  setInterval(() => !isFollowed && !document.hidden && changed(), POLL_MS);
  live.add('tournament', {
    query: FOLLOW_TOURNAMENT,
    variables: () => ({ id }),
    next: () => {
      clearTimeout(timer);
      timer = setTimeout(changed, REFRESH_MS);
    },
  });
  return live;
}
