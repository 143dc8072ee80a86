// The events of a log besides the mainline: takebacks, corrections, offers.

import { happened as words } from '../words/happened.js';
import { listed } from '../words/locale.js';
import { actorName, capital, outcomeWords } from './format.js';

/**
 * A note shown after a ply of the mainline.
 * @typedef {{seq: number, ply: number, kind: 'takeback'|'ruling'|'offer'|'end', text: string, detail: string}} Note
 */

/**
 * Notes in log order. A takeback names the actions it removed from the mainline.
 * @param {import('../replay/requests/record.js').LogEvent[]} events the whole log
 * @param {{ply: number, seq: number}[]} moves the whole mainline, as far as it is in this log
 * @param {import('./format.js').Seat[]} seats
 * @returns {Note[]}
 */
export function notes(events, moves, seats) {
  const mainline = new Set(moves.map((move) => move.seq));
  const told = new Set();
  const found = [];
  for (const event of events) {
    const note = noteOf(event, { events, moves, seats, mainline, told });
    if (note) found.push({ seq: event.seq, ply: plyAt(event, moves), detail: '', kind: 'ruling', ...note });
  }
  return found;
}

/**
 * The announcement of an event that is not an action, for somebody who follows a game; empty if it is obvious.
 * @param {{type: string, by: string, body: any}} event
 * @param {import('./format.js').Seat[]} seats
 */
export function newsOf(event, seats) {
  const note = noteOf(event, { events: [], moves: [], seats, mainline: new Set(), told: new Set() });
  return note ? [note.text, note.detail].filter(Boolean).join('. ') : '';
}

/**
 * Whether these events may have changed the game's mainline.
 * @param {{type: string}[]} events
 */
export function rewrites(events) {
  return events.some((event) => ['taken_back', 'annotated', 'revealed', 'voided', 'unvoided', 'corrected', 'reopened'].includes(event.type));
}

/**
 * The first ply whose position may differ after an event.
 * @param {{type: string, bytes: string}} event
 */
export function firstChanged({ type, bytes }) {
  if (['acted', 'annotated', 'draw_offered', 'draw_answered', 'resigned', 'sealed'].includes(type)) return Infinity;
  return type === 'taken_back' ? JSON.parse(bytes).body.to_ply + 1 : 0;
}

/**
 * The content of an event, in a line.
 * @param {import('../replay/requests/record.js').LogEvent} event
 * @param {import('./format.js').Seat[]} seats
 */
export function eventWords({ type, body }, seats) {
  switch (type) {
    case 'created': return `${body.kind} ${body.rules}: ${listed(body.seats.map((seat) => seat.name))}`;
    case 'acted': return body.action;
    case 'sealed': return words.submission;
    case 'revealed': return words.opens(body.of, body.content);
    case 'taken_back': return words.toPly(body.to_ply, body.reason);
    case 'annotated': return [words.atPly(body.ply), ...(body.glyphs ?? []), body.comment ?? ''].join(' ');
    case 'resigned': return words.logLeaves;
    case 'draw_answered': return body.accept ? words.accepted : words.declined;
    case 'ended': return outcomeWords({ status: 'FINISHED', outcome: body.outcome, seats });
    case 'corrected': return `${outcomeWords({ status: 'FINISHED', outcome: body.outcome, seats })} (${body.reason})`;
    case 'voided':
    case 'unvoided':
    case 'reopened': return body.reason;
    case 'deadline_set': return [deadlineWords(body), body.reason].filter(Boolean).join(': ');
    default: return '';
  }
}

function noteOf(event, context) {
  const { body, type } = event;
  const who = actorName(event.by, context.seats);
  switch (type) {
    case 'taken_back':
      return { kind: 'takeback', ply: body.to_ply, text: takenBack(event, context), detail: `${who}: ${body.reason}` };
    case 'ended':
      return { kind: 'end', text: eventWords(event, context.seats) };
    case 'corrected':
      return { text: words.outcomeCorrected(eventWords(event, context.seats)), detail: who };
    case 'voided':
      return { text: words.voided, detail: `${who}: ${body.reason}` };
    case 'unvoided':
      return { text: words.unvoided, detail: `${who}: ${body.reason}` };
    case 'reopened':
      return { text: words.reopened, detail: `${who}: ${body.reason}` };
    case 'deadline_set':
      return 'reason' in body ? { text: capital(deadlineWords(body)), detail: `${who}: ${body.reason}` } : null;
    case 'resigned':
      return { text: words.resigned(who), detail: words.submittedFor };
    case 'draw_offered':
      return { kind: 'offer', text: words.offered(who) };
    case 'draw_answered':
      return { kind: 'offer', text: body.accept ? words.accepts(who) : words.declines(who) };
    default:
      return null;
  }
}

function deadlineWords({ opens, due }) {
  if (!due) return words.noDeadline;
  return opens ? words.dueAndOpens(due, opens) : words.due(due);
}

function takenBack(event, { events, mainline, told }) {
  const dropped = events.filter((other) => (
    other.seq < event.seq && other.type === 'acted' && !mainline.has(other.seq) && !told.has(other.seq)
  ));
  for (const other of dropped) told.add(other.seq);
  const actions = dropped.map((other) => other.body.action);
  return actions.length ? words.takenBack(actions) : words.takenBackTo(event.body.to_ply);
}

function plyAt(event, moves) {
  let ply = moves.length ? moves[0].ply - 1 : 0;
  for (const move of moves) {
    if (move.seq > event.seq) break;
    ply = move.ply;
  }
  return ply;
}
