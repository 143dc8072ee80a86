// What pieces look like, learned from the scenes of the game: tables show those that are lost as pictures.

/** @type {Map<string, {items: import('./scene.js').Item[], view: number[]}>} by the name of the thing and its seat */
const PICTURES = new Map();

/** Learns the pieces of a scene: their spaces are titled `a1, forest, throne of seat 1, moved`. @param {Pick<import('./scene.js').Scene, 'items'>} scene */
export function learn({ items }) {
  for (const { place, points, title } of items) {
    const [, thing, seat] = /(?:^|, )([^,]+) of seat (\d+)(?:, [a-z ]+)*$/.exec(title ?? '') ?? [];
    const what = `${thing} ${seat}`;
    if (!thing || !points || PICTURES.has(what)) continue;
    const own = items.filter((item) => item.place === place && /\b(piece|emblem|glyph)\b/.test(item.class));
    const [x, y] = [0, 1].map((axis) => Math.min(...points.map((point) => point[axis])));
    if (own.length > 0) PICTURES.set(what, { items: own, view: [x, y, ...[0, 1].map((axis) => Math.max(...points.map((point) => point[axis])) - [x, y][axis])] });
  }
}

/**
 * The things in a list such as `catapult, 2 lancer`, each as a scene in a seat's colour; null unless all of them are known.
 * @param {string} text @param {number} seat
 * @returns {any[] | null}
 */
export function pictured(text, seat) {
  const parts = text.split(', ').map((part) => /^(?:(\d+) )?(.+)$/.exec(part) ?? []);
  const known = (what) => PICTURES.get(`${what} ${seat}`) ?? [...PICTURES].find(([name]) => name.replace(/ \d+$/, '') === what)?.[1];
  if (!parts.every(([, , what]) => known(what))) return null;
  return parts.flatMap(([, count = '1', what]) => {
    const { items, view } = /** @type {any} */ (known(what));
    return Array(Number(count)).fill({ view, items: items.map((item) => ({ ...item, place: null, class: item.class.replace(/seat-\d+/, `seat-${seat}`) })) });
  });
}
