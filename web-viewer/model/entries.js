// What is recorded at a table: entries, in the order in which they were made, until the service has them.

import { entries as words } from '../words/replay-entries.js';
import { clockText, seatName } from './format.js';
import { REOPEN_REASON, UNDO_REASON } from './signing.js';
import { spoken } from './spoken.js';

/**
 * An entry. key: sent with it, so that it is recorded once however often it is sent. ply: what it was made at. entry: the
 * key of what is taken back. due: a time, or nothing to lift the deadline. clock: what the seat's clock showed, in milliseconds. atOnce: others may act meanwhile, since several act at once at this ply. isSecret: kept on the
 * device for holders of the token only. signed: its signature, with the salt of what is sealed, and the last event that was known then; it is sent like
 * this until the service answers. state: `waiting` to be sent; `refused` by the service; `overtaken`: somebody else has gone on.
 * @typedef {{key: string, type: 'act'|'roll'|'undo'|'reopen'|'resign'|'offer'|'answer'|'flag'|'deadline'|'comment', seat: number, action: string,
 *   ply: number, comment: string, due: string, accept: boolean, entry: string, clock: number | null, atOnce: boolean, isSecret: boolean, state: 'waiting'|'refused'|'overtaken',
 *   signed: {signature: string, salt: string | null, after: number} | null,
 *   error: {message: string, code: string, details?: any} | null}} Entry
 */

/**
 * Entries that wait, and the last event that the first of them follows.
 * @typedef {{entries: Entry[], after: number}} Queue
 */

/** Entries that change nothing on the board. */
const IDLE = new Set(['comment', 'deadline', 'offer']);

/** @type {Queue} */
export const EMPTY = Object.freeze({ entries: [], after: -1 });

/**
 * @param {Partial<Entry>} what
 * @param {string} key
 * @returns {Entry}
 */
export function entryOf(what, key) {
  return { key, type: 'act', seat: 0, action: '', ply: 0, comment: '', due: '', accept: false, entry: '', clock: null, atOnce: false, isSecret: false, signed: null, state: 'waiting', error: null, ...what };
}

/**
 * The queue with one entry more.
 * @param {Queue} queue @param {Entry} entry @param {number} head the last event that is known
 * @returns {Queue}
 */
export function added({ entries, after }, entry, head) {
  return { entries: [...entries, entry], after: entries.length === 0 ? head : after };
}

/**
 * The entry to send, if one may be sent: what was refused or overtaken holds up what follows it.
 * @param {Queue} queue
 * @returns {Entry | null}
 */
export function due({ entries: [first] }) {
  return first?.state === 'waiting' ? first : null;
}

/**
 * The actions that wait; null if what follows them depends on more than the rules.
 * @param {Queue} queue
 * @returns {Entry[] | null}
 */
export function entriesOf({ entries }) {
  const changing = entries.filter(({ type }) => !IDLE.has(type));
  return changing.every(({ type, state }) => type === 'act' && state === 'waiting') ? changing : null;
}

/** A name for what waits, and what it follows. @param {Queue} queue @param {any} game */
export function queueName({ entries }, game) {
  return [game?.head.seq, ...entries.map(({ key, state }) => `${key}:${state}`)].join(' ');
}

/**
 * The queue once an entry is recorded. What follows it goes on from there, unless the game shows that somebody else
 * has recorded something too: then it is overtaken.
 * @param {Queue} queue @param {string} key @param {any} game as it stands
 * @returns {Queue}
 */
export function recorded({ entries, after }, key, game) {
  const entry = entries.find((each) => each.key === key);
  if (!entry) return { entries, after };
  const rest = entries.filter((each) => each !== entry);
  const plies = game.moves.nodes.filter(({ seq }) => seq > after).length;
  const isAlone = plies === (entry.type === 'act' || entry.type === 'roll' ? 1 : 0);
  return { entries: isAlone ? rest : rest.map(overtaken), after: game.head.seq };
}

/** What others do is no obstacle where several act at once. */
function overtaken(entry) {
  return entry.atOnce ? entry : /** @type {Entry} */ ({ ...entry, state: 'overtaken', error: null });
}

/**
 * The queue once an entry was refused.
 * @param {Queue} queue @param {string} key @param {any} error
 * @returns {Queue}
 */
export function refused({ entries, after }, key, { message, code, details }) {
  if (code === 'LOG_CONFLICT') return { entries: entries.map((each) => overtaken(each.key === key ? { ...each, atOnce: false } : each)), after };
  const told = { message, code, details: { why: details?.why, near: details?.near } };
  return { entries: entries.map((each) => (each.key === key ? /** @type {Entry} */ ({ ...each, state: 'refused', error: told }) : each)), after };
}

/**
 * All entries as new ones that follow the event `head`: the user has seen what others recorded.
 * @param {Queue} queue @param {number} head @param {() => string} newKey
 * @returns {Queue}
 */
export function anew({ entries }, head, newKey) {
  return { entries: entries.map((each) => /** @type {Entry} */ ({ ...each, key: newKey(), signed: null, state: 'waiting', error: null })), after: head };
}

/**
 * The queue with what an entry was signed with, or to be signed again.
 * @param {Queue} queue @param {string} key @param {Entry['signed']} signed
 * @returns {Queue}
 */
export function withSigned({ entries, after }, key, signed) {
  return { entries: entries.map((each) => (each.key === key ? { ...each, signed } : each)), after };
}

/**
 * Whether others have done something since an entry was made, so that the service will refuse it: then it is not signed,
 * lest somebody who has the signature records it after all.
 * @param {Entry} entry @param {any} game @param {number} after
 */
export function isStale({ atOnce, ply, seat }, game, after) {
  if (!atOnce) return game.head.seq !== after;
  return game.ply < ply || game.moves.nodes.some((move) => move.ply > ply && move.by === `seat:${seat}`);
}

/**
 * The queue without what others have recorded just so: two who write down the same action mean the same one.
 * @param {Queue} queue @param {any} game
 * @returns {Queue}
 */
export function unechoed({ entries, after }, game) {
  let [count, seq] = [0, after];
  for (const move of game.moves.nodes.filter((each) => each.seq > after)) {
    const entry = entries[count];
    const isSame = entry?.type === 'act' && !entry.isSecret && entry.action === move.action && (!entry.seat || move.by === `seat:${entry.seat}`);
    // Unless something was taken back, it stands where it was made.
    if (!isSame || move.ply !== entries[0].ply + count + 1) break;
    [count, seq] = [count + 1, move.seq];
  }
  return { entries: entries.slice(count), after: seq };
}

/** Events that change nothing about what follows them. */
const HARMLESS = new Set(['annotated', 'entropy_added', 'deadline_set']);

/**
 * Whether nothing but comments, contributions to dice and deadlines was recorded after an event.
 * @param {any} game @param {number} after
 */
export function isUnchanged(game, after) {
  const since = game.events.nodes.filter(({ seq }) => seq > after);
  return since.length === game.head.seq - after && since.every(({ type }) => HARMLESS.has(type));
}

/**
 * The queue without an entry and those after it.
 * @param {Queue} queue @param {string} key
 * @returns {Queue}
 */
export function without({ entries, after }, key) {
  const at = entries.findIndex((each) => each.key === key);
  return at < 0 ? { entries, after } : { entries: entries.slice(0, at), after };
}

/**
 * How a queue is kept on the device: what everybody may read, and, from the first secret on, what only its seat may.
 * @param {Queue} queue
 * @returns {{open: Queue, secret: Queue}}
 */
export function kept({ entries, after }) {
  const secret = entries.findIndex(({ isSecret }) => isSecret);
  const at = secret < 0 ? entries.length : secret;
  return { open: { entries: entries.slice(0, at), after }, secret: { entries: entries.slice(at), after } };
}

/**
 * A queue put together again from both.
 * @param {Queue} open @param {Queue} secret
 * @returns {Queue}
 */
export function joined(open, secret) {
  const known = new Set(open.entries.map(({ key }) => key));
  return { entries: [...open.entries, ...secret.entries.filter(({ key }) => !known.has(key))], after: open.entries.length > 0 ? open.after : secret.after };
}

/**
 * The variables that an entry is sent with.
 * @param {Entry} entry
 */
export function variablesOf({ type, seat, action, clock, ply, comment, due, accept, entry, atOnce }) {
  switch (type) {
    case 'act': return { seat: seat || null, action, clockMs: clock, expectedPly: atOnce ? ply : null };
    case 'undo': return { toPly: ply - 1, reason: UNDO_REASON, recordedWith: entry || null };
    case 'reopen': return { reason: REOPEN_REASON };
    case 'answer': return { seat, accept };
    case 'comment': return { ply, comment };
    case 'deadline': return { due: due || null, reason: comment };
    case 'roll': return {};
    default: return { seat };
  }
}

/**
 * An entry in words; a secret one does not say what it is.
 * @param {Entry} entry @param {import('./format.js').Seat[]} seats
 */
export function entryWords({ type, seat, action, clock, ply, comment, due, accept, isSecret }, seats) {
  const name = seat ? seatName(seats, seat) : '';
  switch (type) {
    case 'act': return [isSecret ? words.submits(name) : [name, spoken(action)].filter(Boolean).join(': '), clock !== null && clockText(clock)].filter(Boolean).join(', ');
    case 'roll': return words.fairRoll;
    case 'undo': return words.undone;
    case 'reopen': return words.goesOn;
    case 'resign': return words.resigns(name);
    case 'offer': return words.offers(name);
    case 'answer': return accept ? words.accepts(name) : words.declines(name);
    case 'flag': return words.outOfTime(name);
    case 'deadline': return due ? words.deadline(due, comment) : words.noDeadline(comment);
    default: return words.comment(ply, comment);
  }
}

/**
 * Why the first entry is not recorded, in words.
 * @param {Entry} entry @param {any} game @param {number} after the last event before the entries
 */
export function overtakenWords(entry, game, after) {
  const theirs = game.moves.nodes.filter(({ seq }) => seq > after).map(({ ply, text }) => words.theirs(ply, text));
  return theirs.length > 0 ? words.overtaken(theirs) : words.changed;
}
