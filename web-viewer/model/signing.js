// Who signs what: the events that entries are recorded as, and whether this device's key signs them.

import { entries as words } from '../words/replay-entries.js';
import { seatOf } from './format.js';

/**
 * What is signed of an event besides its place.
 * @typedef {{type: string, by: string, body: Record<string, any>}} Deed
 */

/** What stands in a player's log about keys: those that were not removed. @param {any} player */
export function currentKeys(player) {
  return (player?.keys ?? []).filter(({ until }) => !until).map(({ key }) => key);
}

/**
 * Why nothing can be recorded in a game from here; empty if it can. `NO_KEY`: everything is signed, and there is no
 * key here. `KEY_NOT_REGISTERED`: the log of the player who has this token does not have this device's key.
 * @param {string} signatures `REQUIRED` or `OPTIONAL`
 * @param {any} me the holder of the token
 * @param {string} key the public key of this device; empty if it has none
 */
export function signingProblem(signatures, me, key) {
  if (signatures !== 'REQUIRED' || !me || me.role === 'spectator') return '';
  if (!key) return 'NO_KEY';
  return me.player && !currentKeys(me.player).includes(key) ? 'KEY_NOT_REGISTERED' : '';
}

/**
 * Whether a deed is signed here: where everything is, and otherwise if this key is that of the person who does it.
 * @param {string} signatures @param {any} me @param {string} key
 * @param {string} by the author @param {any[]} seats
 */
export function isSignedHere(signatures, me, key, by, seats) {
  if (!key || signatures === 'REQUIRED') return Boolean(key);
  const player = me?.player ?? seats.find(({ number }) => number === seatOf(by))?.player;
  return currentKeys(player).includes(key);
}

/**
 * The event that an entry is recorded as; null if nobody signs it.
 * @param {import('./entries.js').Entry} entry
 * @param {{seats: any[], toAct: string[], closable: boolean, ownSeat: number, sealed: string[]}} game sealed: how the actions begin that are sealed;
 *   closable: whether a player who resigns leaves, and the game goes on
 * @returns {(Deed & {content?: string}) | null} content: what is sealed; the body has its commitment in place of it
 */
export function deedOf({ type, seat, action, clock, ply, comment, accept }, { seats, toAct, closable, ownSeat, sealed }) {
  const by = `seat:${seat}`;
  switch (type) {
    case 'act': return acted(seat ? by : toAct.length === 1 ? toAct[0] : '', action, clock, sealed);
    case 'undo': return { type: 'taken_back', by: 'arbiter', body: { to_ply: ply - 1, reason: UNDO_REASON } };
    case 'reopen': return { type: 'reopened', by: 'arbiter', body: { reason: REOPEN_REASON } };
    case 'resign': return closable ? { type: 'resigned', by, body: {} } : ended(by, 'resignation', [otherOf(seat, seats)]);
    case 'offer': return { type: 'draw_offered', by, body: {} };
    case 'answer': return { type: 'draw_answered', by, body: { accept } };
    case 'flag': return ended('arbiter', 'time', [otherOf(seat, seats)]);
    case 'comment': return { type: 'annotated', by: ownSeat ? `seat:${ownSeat}` : 'arbiter', body: { ply, comment } };
    default: return null;
  }
}

/** What to do where a key is missing, for people. */
export const NEEDS_KEY = words.needsKey;

/** Why the last entry is taken back. */
export const UNDO_REASON = 'entered by mistake';

/** Why a game that is over goes on. */
export const REOPEN_REASON = 'ended by mistake';

/**
 * An arbiter's ruling on a game.
 * @param {string} status of the game
 * @param {{winners: number[], reason: string, ranking?: number[][]}} outcome
 * @returns {Deed}
 */
export function rulingDeed(status, outcome) {
  if (status === 'FINISHED') return { type: 'corrected', by: 'arbiter', body: { outcome, reason: outcome.reason } };
  return { type: 'ended', by: 'arbiter', body: { decided_by: 'arbiter', outcome } };
}

function acted(by, action, clock, sealed) {
  if (!by) return null;
  const time = clock === null ? {} : { clock_ms: clock };
  const isSealed = seatOf(by) && sealed.some((prefix) => action.startsWith(prefix));
  return isSealed ? { type: 'sealed', by, body: time, content: action } : { type: 'acted', by, body: { action, ...time } };
}

function ended(by, reason, winners) {
  return { type: 'ended', by, body: { decided_by: reason, outcome: { reason, winners } } };
}

/** The other seat of two. */
function otherOf(seat, seats) {
  return seats.length === 2 ? 3 - seat : 0;
}
