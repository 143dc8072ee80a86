// The organiser's next step.

import { counted, joined } from './format.js';

/** @typedef {{text: string, label?: string, name?: import('./tournament-mutations.js').Decision, told?: string, round: number, isReady: boolean}} Step */

/**
 * The next step of a tournament: what it is waiting for, in words, and the decision to take.
 * @param {any} tournament
 * @returns {Step}
 */
export function nextStep({ status, format, rounds, roundsPlanned, entrantsCount, currentRound, seats, bracket }) {
  const round = rounds.find(({ number }) => number === currentRound?.number);
  if (status === 'FINISHED') return { text: 'The tournament is finished.', round: round?.number ?? 0, isReady: false };
  if (round?.status === 'PAIRED') return { text: `Check the pairing of round ${round.number}, change it if necessary, then open the round.`, label: `Open round ${round.number}`, name: 'openRound', told: `Round ${round.number} is open.`, round: round.number, isReady: true };
  if (round?.status === 'OPEN') return closing(round);
  const next = (round?.number ?? 0) + 1;
  if (entrantsCount < seats) return { text: `Enter the players: at least ${seats} are needed.`, round: 0, isReady: false };
  const isDecided = Boolean(bracket?.decided);
  if (isDecided || (roundsPlanned && next > roundsPlanned)) return { text: isDecided ? 'The knock-out is decided.' : 'All rounds are played.', label: 'Finish the tournament', name: 'finishTournament', told: 'The tournament is finished.', round: round?.number ?? 0, isReady: true };
  if (format === 'FREE') return { text: `Round ${next} is paired by hand.`, round: next, isReady: false };
  const entered = round ? `Round ${round.number} is over.` : `${counted(entrantsCount, 'player')} entered.`;
  return { text: `${entered} Withdrawals and byes first, then pair round ${next}.`, label: `Pair round ${next}`, name: 'pairRound', told: `Round ${next} is paired.`, round: next, isReady: true };
}

function closing({ number, missing, tablesCount }) {
  const label = `Close round ${number}`;
  if (missing.length === 0) return { text: `All results of round ${number} are in.`, label, name: 'endRound', told: `Round ${number} is closed.`, round: number, isReady: true };
  const where = missing.length > 6 ? `${missing.slice(0, 6).join(', ')} …` : joined(missing.map(String));
  return { text: `Round ${number}: ${tablesCount - missing.length} of ${counted(tablesCount, 'result')} in; missing at ${missing.length === 1 ? 'table' : 'tables'} ${where}.`, label, name: 'endRound', round: number, isReady: false };
}

/**
 * The round shown to an organiser: the one asked for, or the current one.
 * @param {any} tournament
 * @param {number} asked
 */
export function roundAsked(tournament, asked) {
  return asked || nextStep(tournament).round || 1;
}
