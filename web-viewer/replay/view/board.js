// The board: the scene of a position as SVG, with markers; the changes of a step are animated.

import { replay as words } from '../../words/replay-page.js';
import { s, setAttribute } from '../../base/dom.js';
import { Drawing, sceneClass, shapesOf } from '../../base/drawing.js';
import { changes } from '../../model/changes.js';
import { frameFor, turn, turned } from '../../model/scene.js';

const MOVE_MS = 180;
/** Steps that follow each other faster are not animated. */
const HASTE_MS = 160;
const CALM = matchMedia('(prefers-reduced-motion: reduce)');
/** Nothing, over the whole of any board: browsers put the layers of the page together again when what is drawn takes more or less space. */
const EVERYWHERE = { x: -50_000, y: -50_000, width: 100_000, height: 100_000, fill: 'transparent', 'pointer-events': 'none' };

/** Draws positions into an element. */
export class Board {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.drawn = new Drawing();
    this.fading = s('g', { class: 'fading', 'aria-hidden': 'true' });
    this.marks = s('g', { class: 'marks' });
    this.svg = s('svg', { role: 'img' }, this.drawn.layer, this.fading, s('rect', EVERYWHERE));
    /** @type {Partial<import('../derive.js').Now>} what is shown */ this.shown = {};
    /** @type {Animation[]} */ this.moving = [];
    this.at = 0;
    /** @type {import('../../model/scene.js').Scene['view']} */ this.frame = [0, 0, 0, 0];
  }

  /**
   * Shows the position, once it is loaded; if a step led to it from the one shown, the change is animated.
   * @param {import('../derive.js').Now} now
   * @returns {boolean} whether it takes the place of another position
   */
  draw({ advice, flipped, marks, node, position, settings }) {
    setAttribute(this.place, 'aria-busy', String(!position));
    this.place.classList.toggle('bare', !settings.labels);
    if (!position) return false;
    const before = this.shown;
    if (marks !== before.marks || advice !== before.advice || flipped !== before.flipped || position !== before.position) this.mark(position, flipped, marks, advice);
    this.shown = { advice, flipped, marks, node, position };
    if (position === before.position && flipped === before.flipped) return false;
    const old = this.drawn.shapes;
    this.fit(position);
    this.drawn.show(shapesOf(position.scene, flipped));
    this.still();
    const isStep = before.position && flipped === before.flipped && areNeighbours(before.node, node);
    if (isStep && settings.motion && this.mayMove()) this.move(before.position, position, old, flipped);
    return Boolean(before.position);
  }

  /**
   * Names the board for screen readers, once everything that is said about the position is there too.
   * @param {import('../requests/positions.js').Position | undefined} position
   */
  name(position) {
    if (position) setAttribute(this.svg, 'aria-label', words.boardAfter(position.ply));
  }

  /**
   * Shows whether the position can be played on; this changes the style of every place.
   * @param {import('../update.js').Act} act
   */
  open({ legal }) {
    this.place.classList.toggle('playable', Boolean(legal?.actions?.length || legal?.form));
  }

  /**
   * Works out how positions are drawn, so that a step to one of them does not have to.
   * @param {import('../requests/positions.js').Position[]} positions
   */
  prepare(positions) {
    for (const { scene } of positions) shapesOf(scene);
  }

  fit({ scene }) {
    if (!this.svg.isConnected) this.place.replaceChildren(this.svg);
    setAttribute(this.svg, 'class', sceneClass(scene));
    this.frame = frameFor(this.frame, scene.view);
    const view = this.frame.join(' ');
    // Browsers lay everything out again even for the same values.
    if (this.svg.getAttribute('viewBox') === view) return;
    const [, , width, height] = this.frame;
    this.svg.setAttribute('viewBox', view);
    this.place.parentElement?.style.setProperty('--ratio', (width / Math.max(height, 1)).toFixed(3));
  }

  mark({ scene }, flipped, marks, advice) {
    if (marks.length === 0 && !advice) {
      this.marks.remove();
      return;
    }
    const seen = turned(scene, flipped);
    this.marks.replaceChildren(...advice ? advised(advice.points.map(seen), advice.r) : [], ...marks.map(({ at, r, kind }) => {
      const [cx, cy] = seen(at);
      return s('circle', { class: `mark-${kind}`, cx, cy, r });
    }));
    this.svg.append(this.marks);
  }

  /** Ends the animations. */
  still() {
    for (const animation of this.moving.splice(0)) animation.cancel();
    this.fading.replaceChildren();
  }

  mayMove() {
    const isHasty = performance.now() - this.at < HASTE_MS;
    this.at = performance.now();
    return !isHasty && !CALM.matches;
  }

  move(from, to, old, flipped) {
    const rotation = turn(from, to, flipped);
    if (rotation) {
      this.moving = rotate(rotation, [...this.place.querySelectorAll('[data-group]')]);
      return;
    }
    const [were, are] = [new Set(old), new Set(this.drawn.shapes)];
    const found = changes(old.filter((shape) => !are.has(shape)), this.drawn.shapes.filter((shape) => !were.has(shape)));
    if (!found) return;
    const elements = new Map(this.drawn.shapes.map((shape, index) => [shape, this.drawn.elements[index]]));
    const options = { duration: MOVE_MS, easing: 'ease-out' };
    for (const [shape, [x, y]] of found.moved) {
      const frames = [{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }];
      this.moving.push(elements.get(shape).animate(frames, options));
    }
    for (const shape of found.come) this.moving.push(elements.get(shape).animate([{ opacity: 0 }, {}], options));
    this.fading.replaceChildren(...found.gone.map((shape) => s(shape.tag, shape.attributes, shape.text)));
    for (const ghost of this.fading.children) {
      const animation = ghost.animate([{ opacity: 1 }, { opacity: 0 }], { ...options, fill: 'forwards' });
      animation.onfinish = () => ghost.remove();
      this.moving.push(animation);
    }
  }
}

/** An arrow along the places of an action; a ring where it names only one. */
function advised(points, r) {
  const [[bx, by], [ax, ay]] = [points.at(-1), points.at(-2) ?? points.at(-1)];
  const far = Math.hypot(bx - ax, by - ay);
  if (far === 0) return [s('circle', { class: 'mark-advice', cx: bx, cy: by, r })];
  // The head ends at the middle of the place.
  const [ux, uy, size] = [(bx - ax) / far, (by - ay) / far, Math.min(r * 0.55, far * 0.4)];
  const [nx, ny] = [bx - ux * size, by - uy * size];
  const head = [[bx, by], [nx - uy * size * 0.6, ny + ux * size * 0.6], [nx + uy * size * 0.6, ny - ux * size * 0.6]];
  return [
    s('polyline', { class: 'mark-advice', points: [...points.slice(0, -1), [nx, ny]].map((point) => point.join(',')).join(' ') }),
    s('polygon', { class: 'mark-advice head', points: head.map((point) => point.join(',')).join(' ') }),
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
