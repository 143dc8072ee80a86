// The organiser's next step.

import { listed } from '../words/locale.js';
import { console as words } from '../words/console.js';
import { hasBracket } from './bracket.js';
import { roundsPossible } from './tournament.js';

/** @typedef {{text: string, label?: string, name?: import('./tournament-mutations.js').Decision | 'pairByHand', told?: string, round: number, isReady: boolean}} Step */

/** The steps that count on the results of all rounds before. */
const ON_RESULTS = ['pairRound', 'pairByHand', 'finishTournament'];

/**
 * The next step of a tournament: what it is waiting for, in words, and the decision to take.
 * @param {any} tournament
 * @returns {Step}
 */
export function nextStep(tournament) {
  const step = stepOf(tournament);
  // A result can be removed from a round that is closed, and a knock-out waits for adjourned games.
  const isAwaited = step.name === 'pairRound' && tournament.format === 'KNOCKOUT';
  const lack = ({ adjourned, missing }) => (isAwaited ? [...missing, ...adjourned].sort((one, other) => one - other) : missing);
  const lacking = tournament.rounds.find((round) => round.status === 'CLOSED' && lack(round).length > 0);
  if (!lacking) return step;
  const { number } = lacking;
  return { ...step, text: `${words.lacking(number, lack(lacking).length, places(lack(lacking)))} ${step.text}`, isReady: step.isReady && !ON_RESULTS.includes(step.name ?? '') };
}

/** @returns {Step} */
function stepOf({ status, format, rounds, roundsPlanned, entrantsCount, currentRound, seats, bracket }) {
  const round = rounds.find(({ number }) => number === currentRound?.number);
  if (status === 'FINISHED') return { text: words.finished, round: round?.number ?? 0, isReady: false };
  if (round?.status === 'PAIRED') return { text: words.check(round.number), label: words.open(round.number), name: 'openRound', told: words.opened(round.number), round: round.number, isReady: true };
  if (round?.status === 'OPEN') return closing(round, format);
  const next = (round?.number ?? 0) + 1;
  if (entrantsCount < seats) return { text: words.enter(seats), round: 0, isReady: false };
  const isDecided = Boolean(bracket?.decided);
  const open = rounds.filter((each) => each.status === 'CLOSED' && each.adjourned.length > 0);
  if ((isDecided || (roundsPlanned && next > roundsPlanned)) && open.length > 0) {
    const [{ number, adjourned }] = open;
    return { text: words.adjourned(number, adjourned.length, places(adjourned)), label: words.finish, name: 'finishTournament', round: number, isReady: false };
  }
  if (isDecided || (roundsPlanned && next > roundsPlanned)) return { text: isDecided ? words.decided : words.allPlayed, label: words.finish, name: 'finishTournament', told: words.finished, round: round?.number ?? 0, isReady: true };
  if (format === 'FREE') return { text: words.byHand(next), label: words.pairByHand, name: 'pairByHand', round: next, isReady: true };
  const possible = round ? 0 : roundsPossible({ format, seats, roundsPlanned, entrantsCount });
  const text = round ? words.pairNext(round.number, next) : words.pairFirst(entrantsCount, next);
  return { text: possible ? `${text} ${words.tooManyRounds(roundsPlanned, possible)}` : text, label: words.pair(next), name: 'pairRound', told: words.paired(next), round: next, isReady: true };
}

function closing({ number, adjourned, disputed, missing, tablesCount }, format) {
  const label = words.close(number);
  if (missing.length === 0 && disputed.length > 0) return { text: words.disputed(number, disputed.length, places(disputed)), label, name: 'endRound', round: number, isReady: false };
  if (missing.length === 0) return { text: adjourned.length > 0 ? (hasBracket(format) ? words.allInButAwaited : words.allInBut)(number, adjourned.length, places(adjourned)) : words.allIn(number), label, name: 'endRound', told: words.closed(number), round: number, isReady: true };
  const waits = missing.length + adjourned.length;
  return { text: words.missing(number, words.results(tablesCount - waits, tablesCount), missing.length, places(missing)).replace('….', '…'), label, name: 'endRound', round: number, isReady: false };
}

/** A few tables by their numbers. */
function places(tables) {
  return tables.length > 6 ? `${tables.slice(0, 6).join(', ')} …` : listed(tables.map(String));
}

/**
 * The round shown to an organiser: the one asked for, or the current one.
 * @param {any} tournament
 * @param {number} asked
 */
export function roundAsked(tournament, asked) {
  return asked || nextStep(tournament).round || 1;
}
