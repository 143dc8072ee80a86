// Decisions about a tournament: each in words, and which one undoes it.

import { common } from '../words/common.js';
import { console as words } from '../words/console.js';
import { actorName } from './format.js';
import { byeWords, quickResults, rankingText } from './tournament.js';

/**
 * A decision as it was sent.
 * @typedef {{name: import('./tournament-mutations.js').Decision, variables: Record<string, any>}} Decided
 */

/**
 * The decisions that undo another one; none if it cannot be undone.
 * @param {Decided} decided
 * @param {{result?: number[][] | null, source?: string | null, seats?: number[], seated?: number[], pairing?: {tables: number[][], byes: any[]} | null, absence?: string | null,
 *   isPlaying?: boolean, isAdjourned?: boolean, until?: string | null, withdrawnFrom?: number | null, fields?: Record<string, any>, entrant?: Record<string, any>}} [before] the state before it
 * @param {number[]} [entered] the numbers of the entrants that it entered
 * @returns {Decided[]}
 */
export function undoing(decided, before = {}, entered = []) {
  const { tournament } = decided.variables;
  if (decided.name === 'addEntrants') return entered.map((entrant) => ({ name: 'removeEntrant', variables: { tournament, entrant } }));
  const undone = [back(decided, before)].filter(Boolean);
  if (undone[0]?.name !== 'clearResult') return undone;
  const { round, table } = decided.variables;
  // A forfeit makes the game void, and a result ends an adjournment.
  if (decided.name === 'forfeit' && before.isPlaying) undone.push({ name: 'openGame', variables: { tournament, round, table } });
  if (before.isAdjourned) undone.push({ name: 'adjourn', variables: { tournament, round, table, until: before.until ?? null } });
  return undone;
}

/** @returns {Decided | null} */
function back({ name, variables }, before) {
  const { tournament, round, table, entrant } = variables;
  const [ofRound, atTable, ofEntrant] = [{ tournament, round }, { tournament, round, table }, { tournament, entrant }];
  switch (name) {
    case 'enterResult':
    case 'clearResult':
    case 'forfeit':
      if (before.source === 'FORFEIT') return { name: 'forfeit', variables: { ...atTable, seats: before.seats ?? [] } };
      if (before.result) return { name: 'enterResult', variables: { ...atTable, ranking: before.result } };
      return name === 'clearResult' ? null : { name: 'clearResult', variables: atTable };
    case 'reseatTable': return before.seated ? { name, variables: { ...atTable, seats: before.seated } } : null;
    case 'pairRound': return round ? { name: 'unpairRound', variables: ofRound } : null;
    case 'changePairing':
      return before.pairing ? { name: 'changePairing', variables: { ...ofRound, ...before.pairing, force: true } } : { name: 'unpairRound', variables: ofRound };
    case 'unpairRound': return before.pairing ? { name: 'changePairing', variables: { ...ofRound, ...before.pairing, force: true } } : null;
    case 'adjourn': return { name: 'resumeGame', variables: atTable };
    case 'resumeGame': return { name: 'adjourn', variables: { ...atTable, until: before.until ?? null } };
    case 'openRound': return { name: 'unopenRound', variables: ofRound };
    case 'unopenRound': return { name: 'openRound', variables: ofRound };
    case 'endRound': return { name: 'resumeRound', variables: ofRound };
    case 'resumeRound': return { name: 'endRound', variables: ofRound };
    case 'finishTournament': return { name: 'resumeTournament', variables: { tournament } };
    case 'resumeTournament': return { name: 'finishTournament', variables: { tournament } };
    case 'withdraw': return { name: 'returnEntrant', variables: { ...ofEntrant, fromRound: variables.fromRound } };
    case 'returnEntrant': return { name: 'withdraw', variables: { ...ofEntrant, fromRound: before.withdrawnFrom ?? null } };
    case 'announceAbsence':
    case 'cancelAbsence': return before.absence ? { name: 'announceAbsence', variables: { ...ofEntrant, round, kind: before.absence } } : { name: 'cancelAbsence', variables: { ...ofEntrant, round } };
    case 'removeEntrant': return before.entrant ? { name: 'addEntrants', variables: { tournament, entrants: [before.entrant] } } : null;
    case 'editEntrant': return before.fields ? { name: 'editEntrant', variables: { ...ofEntrant, input: before.fields } } : null;
    case 'editTournament': return before.fields ? { name: 'editTournament', variables: { tournament, input: before.fields } } : null;
    default: return null;
  }
}

/**
 * The entrants at the table that an event is about, as the round was paired at that time.
 * @param {{seq: number, type: string, body: any}[]} events as far as loaded
 * @param {{seq: number, body: any}} event
 * @returns {number[]} by seat; empty if the pairing is not loaded
 */
export function seatsAt(events, { seq, body }) {
  const { round, table } = body ?? {};
  if (!round || !table) return [];
  const earlier = events.filter((other) => other.seq < seq && other.body?.round === round && (other.body.tables || (other.body.seats && other.body.table === table && other.type === 'table_opened')));
  const last = earlier.sort((one, other) => other.seq - one.seq)[0]?.body;
  return last?.tables?.[table - 1] ?? last?.seats ?? [];
}

/**
 * An event of a tournament's log in words.
 * @param {{type: string, body: any}} event
 * @param {Map<number, string>} names of entrants
 * @param {number[]} [seats] the entrants at its table
 */
export function eventWords({ type, body }, names, seats = []) {
  const { entrant, entrants, round, table, name, reason } = body ?? {};
  const atSeat = (seat) => names.get(seats[seat - 1]) ?? common.seatInText(seat);
  const who = [entrant, ...(Array.isArray(entrants) ? entrants : [])].map((each) => each?.number ?? each).filter((each) => typeof each === 'number')
    .map((number) => names.get(number) ?? words.editorNumber(number));
  const where = [round && common.roundInText(round), table && words.logTable(table)].filter(Boolean).join(', ');
  const told = words.told[type] ?? type.replaceAll('_', ' ');
  return [told, who.length > 4 ? words.entrants(who.length) : who.join(', '), where, detailWords(type, body ?? {}, atSeat), type === 'tournament_created' ? name : '', reason].filter(Boolean).join(' · ');
}

/** What was decided, with its figures. */
function detailWords(type, { ranking, seats, bye, until, from_round: from, breaks }, atSeat) {
  switch (type) {
    case 'result_recorded': return ranking ? resultWords(ranking, atSeat) : '';
    case 'forfeited': return seats ? words.lost(seats.map(atSeat).join(', ')) : '';
    case 'absence_announced': return bye ? byeWords(bye.toUpperCase()) : '';
    case 'withdrawn':
    case 'returned': return from ? common.fromRound(from) : '';
    case 'adjourned': return until ?? '';
    case 'pairing_changed': return (breaks ?? []).join('; ');
    default: return '';
  }
}

function resultWords(ranking, atSeat) {
  const quick = quickResults(ranking.flat().length).find((each) => JSON.stringify(each.ranking) === JSON.stringify(ranking));
  return quick ? `${atSeat(1)} ${quick.text} ${atSeat(2)}` : rankingText(ranking, atSeat);
}

/**
 * Who decided: a table, or somebody with a token.
 * @param {{by: string, who?: string | null, body: any}} event
 * @param {Map<string, string>} labels of tokens, by their ids
 */
export function deciderWords({ by, who, body }, labels) {
  if (body?.at_table) return words.atTable(body.table);
  const [role, id] = (who ?? '').split(':');
  return [words.roles[role] ?? actorName(by, []), labels.get(id) ?? who].filter(Boolean).join(' · ');
}
