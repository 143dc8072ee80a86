// A game and its lines as a service would give them, from their logs. No DOM here.

import { mainline } from '../model/compare.js';

/**
 * A log: its events, and the plies of its mainline from the start.
 * @typedef {{id: string, events: any[], plies: {ply: number, by: string, action: string}[]}} Log
 */

/**
 * The game.
 * @param {any} record see *JSON records* in FORMAT.md
 * @param {any[]} events of its log
 * @param {{teams: number[][], tournament: {id: string, name: string} | null}} about what the record does not say
 */
export function gameOf(record, events, { teams, tournament }) {
  const [{ body: created }] = events;
  const { outcome, status } = record;
  return {
    id: record.game, kind: record.kind, name: null, rulesVersion: record.rules, setup: record.setup, origin: 'RECORDED',
    status: status.toUpperCase(), createdAt: record.createdAt,
    finishedAt: outcome ? events.findLast(({ type }) => type === 'ended')?.at ?? null : null,
    imports: events.filter(({ type }) => type === 'imported').map(({ at, who, body }) => ({ at, who: who ?? null, source: body.source ?? null })),
    ply: record.actions.length, round: created.round ?? null, table: created.table ?? null, tournament,
    seats: record.seats.map(({ name }, index) => ({ number: index + 1, name, result: status === 'void' ? 'NONE' : resultOf(outcome, index + 1), player: null })),
    teams,
    outcome: outcome && { winners: outcome.winners, ranking: outcome.ranking ?? null, details: outcome, reason: outcome.reason, decidedBy: record.decidedBy.toUpperCase() },
    head: { seq: events.length - 1, hash: record.head },
    entropyAwaitedFrom: [],
  };
}

function resultOf(outcome, seat) {
  if (!outcome) return 'NONE';
  if (outcome.winners.includes(seat)) return 'WIN';
  return outcome.winners.length || outcome.forfeit ? 'LOSS' : 'DRAW';
}

/**
 * The moves of a game.
 * @param {Log} log
 * @param {{number: number, name: string}[]} seats
 */
export function movesOf({ id, events, plies }, seats) {
  const [entries, said] = [mainline(events), annotations(events)];
  return plies.map(({ ply, by, action }, index) => {
    const { seq } = entries[index];
    const name = seats.find(({ number }) => by === `seat:${number}`)?.name;
    return {
      ply, seq, game: { id }, by, action: action ?? '?', text: name === undefined ? action : `${name}: ${action ?? 'in secret'}`,
      elapsedMs: seq > 0 ? Date.parse(events[seq].at) - Date.parse(events[seq - 1].at) : 0, ...said.get(ply) ?? { comment: null, glyphs: [] },
    };
  });
}

/** The annotations of a log, by ply: each replaces the one before. */
function annotations(events) {
  const said = new Map();
  for (const { type, body } of events) if (type === 'annotated') said.set(body.ply, { comment: body.comment ?? null, glyphs: body.glyphs ?? [] });
  return said;
}

/**
 * The tree of a game and its lines.
 * @param {Log} game
 * @param {(Log & {name: string | null})[]} lines parents first
 */
export function treeOf(game, lines) {
  const forks = new Map(lines.map(({ id, events }) => [id, events[0].body.fork]));
  const owns = (id, ply) => !forks.has(id) || ply > forks.get(id).ply || (ply === forks.get(id).ply && sets(id));
  const sets = (id) => Boolean(lines.find((line) => line.id === id).events[0].body.position);
  const nodeAt = (id, ply) => (owns(id, ply) ? `${id}:${ply}` : nodeAt(forks.get(id).game, ply));
  const nodes = [node({ ply: 0, by: null, action: null }, game, null), ...game.plies.map((ply) => node(ply, game, `${game.id}:${ply.ply - 1}`))];
  for (const line of lines) {
    const fork = forks.get(line.id);
    if (sets(line.id)) nodes.push(node({ ply: fork.ply, by: null, action: null }, line, nodeAt(fork.game, fork.ply)));
    for (const ply of line.plies.slice(fork.ply)) nodes.push(node(ply, line, nodeAt(line.id, ply.ply - 1)));
  }
  return { lines: lines.map((line) => lineOf(line, forks.get(line.id), nodeAt)), nodes, next: null, totalLines: lines.length };
}

function node({ ply, by, action }, { id, events }, parent) {
  return { id: `${id}:${ply}`, parent, ply, action, by, same: null, lines: [], ...annotations(events).get(ply) ?? { comment: null, glyphs: [] } };
}

function lineOf({ id, name, events, plies }, fork, nodeAt) {
  const ranks = events.filter(({ type, body }) => type === 'arranged' && body.rank !== undefined);
  return {
    id, name, parent: fork.game, ply: fork.ply, rank: ranks.at(-1)?.body.rank ?? 0, hidden: false, createdAt: events[0].at, plies: plies.length,
    mayArrange: false, last: nodeAt(id, plies.length),
  };
}
