// Decisions about a tournament: each in words, and which one undoes it.

import { log as words } from '../words/tournament-log.js';

/**
 * A decision as it was sent.
 * @typedef {{name: import('./tournament-mutations.js').Decision, variables: Record<string, any>}} Decided
 */

/**
 * The decisions that undo another one; none if it cannot be undone.
 * @param {Decided} decided
 * @param {{result?: number[][] | null, source?: string | null, seats?: number[], seated?: number[], pairing?: {tables: number[][], byes: any[]} | null, absence?: string | null,
 *   until?: string | null, withdrawnFrom?: number | null, fields?: Record<string, any>, entrant?: Record<string, any>}} [before] the state before it
 * @param {number[]} [entered] the numbers of the entrants that it entered
 * @returns {Decided[]}
 */
export function undoing(decided, before = {}, entered = []) {
  const { tournament } = decided.variables;
  if (decided.name === 'addEntrants') return entered.map((entrant) => ({ name: 'removeEntrant', variables: { tournament, entrant } }));
  return [back(decided, before)].filter(Boolean);
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
    case 'announceAbsence': return { name: 'cancelAbsence', variables: { ...ofEntrant, round } };
    case 'cancelAbsence': return before.absence ? { name: 'announceAbsence', variables: { ...ofEntrant, round, kind: before.absence } } : null;
    case 'removeEntrant': return before.entrant ? { name: 'addEntrants', variables: { tournament, entrants: [before.entrant] } } : null;
    case 'editEntrant': return before.fields ? { name: 'editEntrant', variables: { ...ofEntrant, input: before.fields } } : null;
    case 'editTournament': return before.fields ? { name: 'editTournament', variables: { tournament, input: before.fields } } : null;
    default: return null;
  }
}

/**
 * An event of a tournament's log in words.
 * @param {{type: string, body: any}} event
 * @param {Map<number, string>} names of entrants
 */
export function eventWords({ type, body }, names) {
  const { entrant, entrants, round, table, name, reason } = body ?? {};
  const who = [entrant, ...(Array.isArray(entrants) ? entrants : [])].map((each) => each?.number ?? each).filter((each) => typeof each === 'number')
    .map((number) => names.get(number) ?? words.entrant(number));
  const where = [round && words.round(round), table && words.table(table)].filter(Boolean).join(', ');
  const told = words.told[type] ?? type.replaceAll('_', ' ');
  return [told, who.length > 4 ? words.entrants(who.length) : who.join(', '), where, type === 'tournament_created' ? name : '', reason].filter(Boolean).join(' · ');
}
