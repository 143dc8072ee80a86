// The differences between two drawings, for animating a step: what moved, appeared and disappeared.

/** More changes than this are a different picture, not a move. */
const CHANGES_MAX = 60;
const STATES = new Set(['last', 'from', 'to', 'fought', 'contested', 'alarm', 'held', 'protected']);
const GROUND = new Set(['board', 'space', 'border', 'label', 'note', 'outline', 'inset', 'trace', 'mark']);

/**
 * @typedef {import('./scene.js').Shape} Shape
 * @typedef {{moved: Map<Shape, [number, number]>, come: Shape[], gone: Shape[]}} Changes moved: the offset from where each shape is
 *   to where it was
 */

/**
 * The changes from one drawing to another; `null` if there are too many to follow.
 * @param {Shape[]} before
 * @param {Shape[]} after
 * @returns {Changes | null}
 */
export function changes(before, after) {
  /** @type {Map<string, Shape[]>} */ const old = new Map();
  for (const shape of before.filter(isFigure)) {
    const alike = old.get(sign(shape));
    if (alike) alike.push(shape);
    else old.set(sign(shape), [shape]);
  }
  const take = (shape, at) => {
    const rest = old.get(sign(shape)) ?? [];
    const index = at(rest);
    return index < 0 ? undefined : rest.splice(index, 1)[0];
  };
  const figures = after.filter(isFigure);
  const other = figures.filter((shape) => !take(shape, (rest) => rest.findIndex((one) => distance(one, shape) === 0)));
  /** @type {Map<Shape, [number, number]>} */ const moved = new Map();
  const come = [];
  for (const shape of other) {
    const from = take(shape, (rest) => nearest(rest, shape));
    if (!from) come.push(shape);
    else moved.set(shape, [start(from)[0] - start(shape)[0], start(from)[1] - start(shape)[1]]);
  }
  const gone = [...old.values()].flat();
  return moved.size + come.length + gone.length > CHANGES_MAX ? null : { moved, come, gone };
}

function isFigure({ attributes }) {
  return !attributes.class.split(' ').some((word) => GROUND.has(word));
}

/** A shape's identity, wherever it is. */
function sign({ tag, attributes: { class: words, points, r, 'font-size': size }, text }) {
  const [x, y] = points ? points.split(' ')[0].split(',').map(Number) : [0, 0];
  const outline = points?.split(' ').map((point) => point.split(',').map(Number)).map(([px, py]) => `${px - x},${py - y}`).join(' ');
  return [tag, words.split(' ').filter((word) => !STATES.has(word)).join(' '), outline ?? r ?? size, text].join('|');
}

/** @returns {[number, number]} */
function start({ attributes: { points, cx, cy, x, y } }) {
  const [px, py] = points ? points.split(' ')[0].split(',') : [cx ?? x, cy ?? y];
  return [Number(px), Number(py)];
}

function distance(one, other) {
  const [[ax, ay], [bx, by]] = [start(one), start(other)];
  return Math.hypot(ax - bx, ay - by);
}

function nearest(shapes, to) {
  let best = -1;
  shapes.forEach((shape, index) => {
    if (best < 0 || distance(shape, to) < distance(shapes[best], to)) best = index;
  });
  return best;
}
