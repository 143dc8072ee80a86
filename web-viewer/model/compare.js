// Compares what the page shows of a game with its verified log.

import { common } from '../words/common.js';
import { replay as words } from '../words/replay.js';
import { listed } from '../words/locale.js';
import { actorName } from './format.js';

/**
 * @typedef {import('../replay/requests/record.js').LogEvent} LogEvent
 * @typedef {{ply: number, by: string, action: string | null}} Entry action: null if it is sealed
 */

/**
 * The mainline according to the log.
 * @param {LogEvent[]} events the whole log
 * @returns {(Entry & {seq: number})[]} by ply; for a line, from the first ply after the fork
 */
export function mainline(events) {
  const from = events[0]?.body.fork?.ply ?? 0;
  const found = [];
  for (const { seq, type, by, body } of events) {
    if (type === 'acted') found.push({ seq, ply: from + found.length + 1, by, action: body.action });
    else if (type === 'sealed') found.push({ seq, ply: from + found.length + 1, by, action: null });
    else if (type === 'taken_back') found.length = Math.min(found.length, Math.max(0, body.to_ply - from));
    else if (type === 'revealed') {
      const index = found.findIndex((entry) => entry.seq === body.of);
      if (index >= 0) found[index] = { ...found[index], action: body.content };
    }
  }
  return found;
}

/**
 * Compares an event that somebody names by its hash, such as the head on a slip, with the log.
 * @param {string} head empty if nobody names any
 * @param {LogEvent[]} events the valid ones
 * @param {import('../replay/requests/record.js').Finding | null} finding null while the log is verified
 * @param {any} error why the log could not be fetched
 * @returns {{state: 'waiting'|'unknown'|'there'|'missing', seq: number, since: number} | null} since: how many events came after it
 */
export function comparedHead(head, events, finding, error) {
  if (!head) return null;
  const known = finding ? events.find(({ hash }) => hash === head) : null;
  if (known) return { state: 'there', seq: known.seq, since: events.length - 1 - known.seq };
  return { state: finding ? 'missing' : error ? 'unknown' : 'waiting', seq: -1, since: 0 };
}

/**
 * The first thing that a page shows of a game and its log contradicts.
 * @param {LogEvent[]} events the whole log, verified
 * @param {any[]} moves the mainline as listed, as far as it is in this log
 * @param {{kind: string, status: string, seats: any[], outcome?: any}} game
 * @param {boolean} asOther whether the moves are shown as another viewer sees them: parts may be `?`
 * @returns {string} the first difference, as a sentence; empty if there is none
 */
export function difference(events, moves, game, asOther) {
  const [created] = events;
  if (created.body.kind !== game.kind) return words.otherKind(game.kind, created.body.kind);
  if (created.body.seats.length !== game.seats.length) return words.otherSeats(game.seats.length, created.body.seats.length);
  const log = mainline(events);
  for (const [index, entry] of log.entries()) {
    const move = moves[index];
    if (!move) return words.goesOn(log.at(-1)?.ply, moves.at(-1)?.ply ?? 0);
    const isOpen = entry.action !== null && !(asOther && move.action.includes('?'));
    if (move.ply !== entry.ply || move.by !== entry.by || (isOpen && move.action !== entry.action)) {
      return words.otherPly(entry.ply, told(move, game), told(entry, game));
    }
  }
  const more = moves[log.length];
  // While a game is running, an action may have been recorded since the log was read.
  const isLater = game.status === 'RUNNING' && more?.seq >= events.length;
  if (more && !isLater) return words.endsBefore(more.ply);
  return ending(events, game);
}

function ending(events, game) {
  let outcome;
  for (const { type, body } of events) {
    if (type === 'ended' || type === 'corrected') outcome = body.outcome;
    else if (type === 'reopened') outcome = undefined;
  }
  if (!outcome) return '';
  const winners = (of) => [...of?.winners ?? []].sort((a, b) => a - b).join(', ');
  if (winners(outcome) === winners(game.outcome) && outcome.reason === game.outcome?.reason) return '';
  const names = (of) => listed([...of?.winners ?? []].map((seat) => actorName(`seat:${seat}`, game.seats))) || common.nobody;
  return words.otherOutcome(names(game.outcome), game.outcome?.reason ?? words.noReason, names(outcome), outcome.reason);
}

function told({ by, action }, game) {
  return action === null ? words.secretBy(actorName(by, game.seats)) : words.actionBy(action, actorName(by, game.seats));
}
