// The organiser's next step.

import { listed } from '../words/locale.js';
import { steps as words } from '../words/tournament-steps.js';

/** @typedef {{text: string, label?: string, name?: import('./tournament-mutations.js').Decision, told?: string, round: number, isReady: boolean}} Step */

/**
 * The next step of a tournament: what it is waiting for, in words, and the decision to take.
 * @param {any} tournament
 * @returns {Step}
 */
export function nextStep({ status, format, rounds, roundsPlanned, entrantsCount, currentRound, seats, bracket }) {
  const round = rounds.find(({ number }) => number === currentRound?.number);
  if (status === 'FINISHED') return { text: words.finished, round: round?.number ?? 0, isReady: false };
  if (round?.status === 'PAIRED') return { text: words.check(round.number), label: words.open(round.number), name: 'openRound', told: words.opened(round.number), round: round.number, isReady: true };
  if (round?.status === 'OPEN') return closing(round);
  const next = (round?.number ?? 0) + 1;
  if (entrantsCount < seats) return { text: words.enter(seats), round: 0, isReady: false };
  const isDecided = Boolean(bracket?.decided);
  if (isDecided || (roundsPlanned && next > roundsPlanned)) return { text: isDecided ? words.decided : words.allPlayed, label: words.finish, name: 'finishTournament', told: words.finished, round: round?.number ?? 0, isReady: true };
  if (format === 'FREE') return { text: words.byHand(next), round: next, isReady: false };
  const text = round ? words.pairNext(round.number, next) : words.pairFirst(entrantsCount, next);
  return { text, label: words.pair(next), name: 'pairRound', told: words.paired(next), round: next, isReady: true };
}

function closing({ number, missing, tablesCount }) {
  const label = words.close(number);
  if (missing.length === 0) return { text: words.allIn(number), label, name: 'endRound', told: words.closed(number), round: number, isReady: true };
  const where = missing.length > 6 ? `${missing.slice(0, 6).join(', ')} …` : listed(missing.map(String));
  return { text: words.missing(number, words.results(tablesCount - missing.length, tablesCount), missing.length, where), label, name: 'endRound', round: number, isReady: false };
}

/**
 * The round shown to an organiser: the one asked for, or the current one.
 * @param {any} tournament
 * @param {number} asked
 */
export function roundAsked(tournament, asked) {
  return asked || nextStep(tournament).round || 1;
}
