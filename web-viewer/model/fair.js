// What a log says of the service's dice: its rolls, who contributed, and whether the seed is public.

/** @typedef {import('../replay/requests/record.js').LogEvent} LogEvent */

/**
 * The rolls that the service made, and how many seats contributed to them; `isPublic`: their seed is published, so that the
 * rules derive each of them again.
 * @param {LogEvent[]} events
 * @returns {{count: number, seats: number, isPublic: boolean}}
 */
export function rollsOf(events) {
  return {
    count: events.filter(({ body }) => body.fair).length,
    seats: events.filter(({ type }) => type === 'entropy_added').length,
    isPublic: events.some(({ body }) => body.seed),
  };
}

/**
 * The seats that a token contributes for by itself: those of its player. A table's token is for all of them.
 * @param {{role: string, seat: number | null, player: {id: string} | null, game: {id: string} | null}} me
 * @param {{id: string, seats: {number: number, player: {id: string} | null}[], entropyAwaitedFrom: number[]}} game
 * @returns {number[]}
 */
export function contributedFor({ role, seat, player, game: only }, { id, seats, entropyAwaitedFrom }) {
  if (only && only.id !== id) return [];
  if (role === 'table') return entropyAwaitedFrom;
  if (role !== 'player') return [];
  const own = seats.filter((entry) => (seat ? entry.number === seat : player && entry.player?.id === player.id));
  return own.map(({ number }) => number).filter((number) => entropyAwaitedFrom.includes(number));
}
