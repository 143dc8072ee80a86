// Converts scenes (rules/src/scene.rs) to descriptions of SVG elements.


/**
 * @typedef {[number, number]} Point
 * @typedef {{shape: 'POLYGON'|'CIRCLE'|'LINE'|'TEXT', points?: Point[] | null, at?: Point | null, r?: number | null,
 *   size?: number | null, text?: string | null, class: string, place?: string | null, title?: string | null,
 *   group?: string | null, flat?: boolean}} Item
 * @typedef {{groups: string[], about: Point, degrees: number}} Motion
 * @typedef {{seat: number | null, name?: string, class?: string, cells: string[]}} Row
 * @typedef {{title?: string, columns: string[], rows: Row[]}} Table
 * @typedef {{kind?: string, view: [number, number, number, number], items: Item[], motion?: Motion | null, status?: string,
 *   tables?: Table[]}} Scene
 * @typedef {{tag: string, attributes: Record<string, string>, text: string, title: string, place: string, group: string}} Shape
 */

/**
 * The scenes of consecutive plies, of which the service sends what they share only once.
 * @param {{kind: string, items: Item[], tables: Table[], frames: {view: Scene['view'], items: [number, number][],
 *   tables: number[], motion: Motion | null, status: string}[]}} scenes
 * @returns {Scene[]}
 */
export function scenesOf({ kind, items, tables, frames }) {
  return frames.map((frame) => ({
    ...frame,
    kind,
    items: frame.items.flatMap(([from, to]) => items.slice(from, to)),
    tables: frame.tables.map((index) => tables[index]),
  }));
}

/**
 * Positions with the items of another position where they have the same: items that are the same objects are drawn once.
 * @template {{scene: Scene}} P
 * @param {P[]} positions
 * @param {{scene: Scene}} other
 * @returns {P[]}
 */
export function sharing(positions, other) {
  const known = new Map(other.scene.items.map((item) => [JSON.stringify(item), item]));
  const shared = new Map();
  for (const item of new Set(positions.flatMap(({ scene }) => scene.items))) shared.set(item, known.get(JSON.stringify(item)) ?? item);
  return positions.map((position) => ({ ...position, scene: { ...position.scene, items: position.scene.items.map((item) => shared.get(item)) } }));
}

/** A frame is kept while what is shown fills so much of its width and of its height. */
const FILLED = 0.7;

/**
 * The part of the plane to show for a view that follows another: the frame so far, moved or enlarged no more than it takes, or the view
 * itself where that frame would be much too large. A board that stands still is easier to follow, and sooner drawn.
 * @param {Scene['view']} frame
 * @param {Scene['view']} view
 * @returns {Scene['view']}
 */
export function frameFor([left, top, ...size], view) {
  const [x, y, ...filled] = view;
  const [width, height] = size.map((length, axis) => Math.max(length, filled[axis]));
  if (filled[0] < FILLED * width || filled[1] < FILLED * height) return view;
  const within = (from, least, most) => Math.min(Math.max(from, least), most);
  return [within(left, x + filled[0] - width, x), within(top, y + filled[1] - height, y), width, height];
}

/** Items of the board itself turn with it, as do those marked as flat; everything else stays upright. */
const FLAT = new Set(['board', 'space', 'border', 'path']);

/**
 * The SVG elements of a scene, back to front.
 * @param {Scene} scene
 * @param {boolean} flipped seen from the other side: the board is turned by 180 degrees about the centre of the view;
 *   things on it move with their places and stay upright
 * @returns {Shape[]}
 */
export function shapes(scene, flipped = false) {
  const placed = flipped ? seated(scene) : () => (point) => point;
  return scene.items.map((item) => ({
    ...outline(item, placed(item)),
    text: item.shape === 'TEXT' ? item.text ?? '' : '',
    title: item.title ?? '',
    place: item.place ?? '',
    group: item.group ?? '',
  }));
}

/**
 * Where points of the board are drawn.
 * @param {Scene} scene
 * @param {boolean} flipped
 * @returns {(point: Point) => Point}
 */
export function turned({ view: [x, y, width, height] }, flipped) {
  return flipped ? ([px, py]) => [2 * x + width - px, 2 * y + height - py] : (point) => point;
}

/**
 * How the points of each item of a flipped scene are placed.
 * @param {Scene} scene
 * @returns {(item: Item) => (point: Point) => Point}
 */
function seated(scene) {
  const turn = turned(scene, true);
  const spaces = scene.items.filter((item) => item.shape === 'POLYGON' && item.class.split(' ').includes('space'));
  const named = new Map(spaces.map((space) => [space.place, middleOf([space])]));
  const groups = grouped(scene.items);
  return (item) => {
    if (item.flat || item.class.split(' ').some((word) => FLAT.has(word))) return turn;
    const at = middleOf([item]);
    const space = item.place ? undefined : spaces.find(({ points }) => isInside(at, points ?? []));
    const anchor = named.get(item.place) ?? (space && middleOf([space])) ?? middleOf(item.group ? groups.get(item.group) ?? [item] : [item]);
    const [x, y] = turn(anchor);
    return ([px, py]) => [px + x - anchor[0], py + y - anchor[1]];
  };
}

function grouped(items) {
  const groups = new Map();
  for (const item of items) groups.set(item.group, [...groups.get(item.group) ?? [], item]);
  return groups;
}

/** The mean of all points of some items. */
function middleOf(items) {
  const points = items.flatMap((item) => item.points ?? [item.at]);
  return /** @type {Point} */ ([0, 1].map((axis) => Math.round(points.reduce((sum, point) => sum + point[axis], 0) / points.length)));
}

/** Whether a point lies within a polygon. */
function isInside([x, y], points) {
  let inside = false;
  points.forEach(([ax, ay], index) => {
    const [bx, by] = points.at(index - 1);
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  });
  return inside;
}

/**
 * The turn to animate between two positions one ply apart, forwards or back: items of the groups start
 * rotated by `degrees` about the point and come to rest in their place.
 * @param {{ply: number, scene: Scene}} from what was shown
 * @param {{ply: number, scene: Scene}} to what is shown now
 * @param {boolean} flipped
 * @returns {Motion | null}
 */
export function turn(from, to, flipped = false) {
  const forwards = to.ply === from.ply + 1;
  if (!forwards && to.ply !== from.ply - 1) return null;
  const { motion } = forwards ? to.scene : from.scene;
  if (!motion) return null;
  const about = turned(to.scene, flipped)(motion.about);
  return { groups: motion.groups, about, degrees: forwards ? -motion.degrees : motion.degrees };
}

/** The seat on whose pieces a text is; 0: on none. Scenes share most of their items. @type {WeakMap<Item, number>} */
const LETTERED = new WeakMap();

function lettered(item) {
  const classes = item.class.split(' ');
  const seat = classes.includes('glyph') ? Number(classes.find((name) => name.startsWith('seat-'))?.slice(5) ?? 0) : 0;
  LETTERED.set(item, seat);
  return seat;
}

/**
 * The letter on each seat's pieces, for seats with a single letter.
 * @param {Scene} scene
 * @returns {Map<number, string>}
 */
export function seatGlyphs(scene) {
  const glyphs = new Map();
  for (const item of scene.items) {
    if (item.shape !== 'TEXT') continue;
    const seat = LETTERED.get(item) ?? lettered(item);
    if (seat) glyphs.set(seat, glyphs.has(seat) && glyphs.get(seat) !== item.text ? '' : item.text);
  }
  const texts = [...glyphs.values()];
  const telling = texts.every((text) => text.length === 1 && texts.filter((other) => other === text).length === 1);
  return telling ? glyphs : new Map();
}

/** @returns {{tag: string, attributes: Record<string, string>}} */
function outline(item, place) {
  const attributes = { class: item.class };
  if (item.shape === 'POLYGON' || item.shape === 'LINE') {
    attributes.points = item.points.map((point) => place(point).join(',')).join(' ');
    return { tag: item.shape === 'LINE' ? 'polyline' : 'polygon', attributes };
  }
  const [x, y] = place(item.at).map(String);
  if (item.shape === 'CIRCLE') return { tag: 'circle', attributes: { ...attributes, cx: x, cy: y, r: String(item.r) } };
  return { tag: 'text', attributes: { ...attributes, x, y, 'font-size': String(item.size) } };
}
