// The board: the scene of a position as SVG, with markers; the changes of a step are animated. The position that the reader will
// probably step to is drawn ahead.

import { common } from '../../words/common.js';
import { s, setAttribute } from '../../base/dom.js';
import { fitTexts, keepLegible, shapesOf } from '../../base/drawing.js';
import { changes } from '../../model/changes.js';
import { turn, turned } from '../../model/scene.js';
import { Sheet } from './sheet.js';

const MOVE_MS = 180;
/** Steps that follow each other faster are not animated. */
const HASTE_MS = 160;
const NOT_DRAWN = Object.freeze([]);
const CALM = matchMedia('(prefers-reduced-motion: reduce)');

/** Draws positions into an element. */
export class Board {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    /** what is seen */ this.front = new Sheet();
    /** what a step may bring */ this.back = new Sheet();
    this.marks = s('g', { class: 'marks' });
    /** @type {Partial<import('../derive.js').Now>} what is shown */ this.shown = {};
    /** @type {Animation[]} */ this.moving = [];
    this.at = 0;
    /** 1 if the reader steps on, -1 if back */ this.by = 1;
    /** of the width to the height of what is seen */ this.ratio = 0;
    /** of what is seen */ this.width = 0;
    keepLegible(place);
  }

  /**
   * Shows the position, once it is loaded; if a step led to it from the one shown, the change is animated.
   * @param {import('../derive.js').Now} now
   * @returns {boolean} whether it takes the place of another position
   */
  draw({ advice, drawn = NOT_DRAWN, flipped, marks, node, position, settings }) {
    setAttribute(this.place, 'aria-busy', String(!position));
    this.place.classList.toggle('bare', !settings.labels);
    this.place.classList.toggle('bold', settings.bold);
    setAttribute(this.place, 'data-turned', String(flipped));
    if (!position) return false;
    const before = this.shown;
    const isOther = position !== before.position || flipped !== before.flipped;
    this.shown = { advice, drawn, flipped, marks, node, position };
    const old = this.front.drawn.shapes;
    if (isOther) this.show(position, flipped);
    if (isOther || marks !== before.marks || advice !== before.advice || drawn !== before.drawn) this.mark(position, flipped, marks, [...drawn, ...advice ? [{ ...advice, kind: 'advice' }] : []]);
    if (!isOther) return false;
    const isStep = before.position && flipped === before.flipped && areNeighbours(before.node, node);
    if (isStep) this.by = Math.sign(position.ply - before.position.ply) || this.by;
    if (isStep && settings.motion && this.mayMove()) this.move(before.position, position, old, flipped);
    return Boolean(before.position);
  }

  /** Shows another position: the one on the other sheet, if it is there. */
  show(position, flipped) {
    this.still();
    if (!this.front.svg.isConnected) this.place.replaceChildren(this.front.svg);
    if (this.back.shows(position, flipped)) {
      [this.front, this.back] = [this.back, this.front];
      this.front.hide(false);
      this.back.hide(true);
    } else this.front.show(position, flipped, this.front.frame);
    this.fit(this.front.frame);
  }

  /**
   * Names the board for screen readers, once everything that is said about the position is there too.
   * @param {import('../requests/positions.js').Position | undefined} position
   */
  name(position) {
    if (!position) return;
    setAttribute(this.front.svg, 'aria-label', common.boardAfter(position.ply));
    this.back.svg.removeAttribute('aria-label');
  }

  /**
   * Shows whether the position can be played on; this changes the style of every place.
   * @param {import('../update.js').Act} act
   */
  open({ legal }) {
    this.place.classList.toggle('playable', Boolean(legal?.actions?.length || legal?.form));
  }

  /**
   * Draws the position that the next step will probably lead to, so that the step only has to show it.
   * @param {import('../requests/positions.js').Position[]} positions those that are a step away
   */
  prepare(positions) {
    const { position, flipped } = this.shown;
    const next = positions.find(({ ply }) => ply - position?.ply === this.by) ?? positions[0];
    if (!next || this.back.shows(next, flipped)) return;
    this.back.show(next, flipped, this.front.frame);
    this.back.hide(true);
    if (!this.back.svg.isConnected) this.place.append(this.back.svg);
    // A step the other way is drawn when it is made, from shapes that are there.
    for (const { scene } of positions) shapesOf(scene);
  }

  fit([, , width, height]) {
    const ratio = width / Math.max(height, 1);
    const isOther = ratio !== this.ratio;
    if (isOther) {
      // Otherwise, browsers lay out both sheets again.
      this.back.svg.remove();
      this.place.parentElement?.style.setProperty('--ratio', ratio.toFixed(3));
    }
    if (isOther || width !== this.width) fitTexts(this.place);
    [this.ratio, this.width] = [ratio, width];
  }

  mark({ scene }, flipped, marks, arrows) {
    if (marks.length === 0 && arrows.length === 0) {
      this.marks.remove();
      return;
    }
    const seen = turned(scene, flipped);
    this.marks.replaceChildren(...arrows.flatMap(({ points, r, kind }) => pointing(points.map(seen), r, `mark-${kind}`)), ...marks.map(({ at, r, kind }) => {
      const [cx, cy] = seen(at);
      return s('circle', { class: `mark-${kind}`, cx, cy, r });
    }));
    this.front.svg.append(this.marks);
  }

  /** Ends the animations. */
  still() {
    for (const animation of this.moving.splice(0)) animation.cancel();
    this.front.fading.replaceChildren();
  }

  mayMove() {
    const isHasty = performance.now() - this.at < HASTE_MS;
    this.at = performance.now();
    return !isHasty && !CALM.matches;
  }

  move(from, to, old, flipped) {
    const { drawn, fading, svg } = this.front;
    const rotation = turn(from, to, flipped);
    if (rotation) {
      this.moving = rotate(rotation, [...svg.querySelectorAll('[data-group]')]);
      return;
    }
    const [were, are] = [new Set(old), new Set(drawn.shapes)];
    const found = changes(old.filter((shape) => !are.has(shape)), drawn.shapes.filter((shape) => !were.has(shape)));
    if (!found) return;
    const elements = new Map(drawn.shapes.map((shape, index) => [shape, drawn.elements[index]]));
    const options = { duration: MOVE_MS, easing: 'ease-out' };
    for (const [shape, [x, y]] of found.moved) {
      const frames = [{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }];
      this.moving.push(elements.get(shape).animate(frames, options));
    }
    for (const shape of found.come) this.moving.push(elements.get(shape).animate([{ opacity: 0 }, {}], options));
    fading.replaceChildren(...found.gone.map((shape) => s(shape.tag, shape.attributes, shape.text)));
    for (const ghost of fading.children) {
      const animation = ghost.animate([{ opacity: 1 }, { opacity: 0 }], { ...options, fill: 'forwards' });
      animation.onfinish = () => ghost.remove();
      this.moving.push(animation);
    }
  }
}

/** An arrow along the places of an action; a ring where it names only one. */
function pointing(points, r, kind) {
  const [[bx, by], [ax, ay]] = [points.at(-1), points.at(-2) ?? points.at(-1)];
  const far = Math.hypot(bx - ax, by - ay);
  if (far === 0) return [s('circle', { class: kind, cx: bx, cy: by, r })];
  // The head ends at the middle of the place.
  const [ux, uy, size] = [(bx - ax) / far, (by - ay) / far, Math.min(r * 0.55, far * 0.4)];
  const [nx, ny] = [bx - ux * size, by - uy * size];
  const head = [[bx, by], [nx - uy * size * 0.6, ny + ux * size * 0.6], [nx + uy * size * 0.6, ny - ux * size * 0.6]];
  return [
    s('polyline', { class: kind, points: [...points.slice(0, -1), [nx, ny]].map((point) => point.join(',')).join(' ') }),
    s('polygon', { class: `${kind} head`, points: head.map((point) => point.join(',')).join(' ') }),
  ];
}

/** Whether one of two nodes follows from the other. */
function areNeighbours(one, other) {
  return !one || !other || one.id === other.id || one.parent === other.id || other.parent === one.id;
}

function rotate({ groups, about: [x, y], degrees }, elements) {
  const at = (angle) => `translate(${x}px, ${y}px) rotate(${angle}deg) translate(${-x}px, ${-y}px)`;
  // What is drawn turns about the origin of the board, unless a style says otherwise.
  return elements.filter((element) => groups.includes(element.getAttribute('data-group'))).map((element) => (
    element.animate([{ transform: at(degrees) }, { transform: at(0) }], { duration: MOVE_MS, easing: 'ease-out' })));
}
