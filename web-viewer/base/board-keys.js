// Moving about a board by keys, once Tab has led to it: the arrow keys go to the next place in their direction, Enter taps it.

import { common } from '../words/common.js';
import { middles } from '../model/play.js';

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * @param {HTMLElement} board a scene is drawn in it
 * @param {{scene: () => any, svg: () => any, told: (place: string) => void, marked?: (place: string) => void}} acts told: the reader comes
 *   to a place; marked: by Shift+Enter
 */
export function boardKeys(board, { scene, svg, told, marked = () => {} }) {
  board.tabIndex = 0;
  board.setAttribute('role', 'application');
  board.setAttribute('aria-label', common.boardKeys);
  let place = '';
  /** Places with their middles as they are seen, in pixels. */
  const places = () => {
    const matrix = svg()?.getScreenCTM();
    const turned = board.dataset.turned === 'true';
    const [left, top, width, height] = scene()?.view ?? [0, 0, 0, 0];
    return matrix && scene() ? [...middles(scene())].map(([name, { at: [x, y], room }]) => {
      const point = new DOMPoint(turned ? 2 * left + width - x : x, turned ? 2 * top + height - y : y).matrixTransform(matrix);
      return { name, x: point.x, y: point.y, room: 0.72 * room * matrix.a };
    }) : [];
  };
  const show = (here) => {
    const { left, top } = board.getBoundingClientRect();
    for (const [name, value] of [['--walk-x', here.x - left - board.clientLeft], ['--walk-y', here.y - top - board.clientTop], ['--walk-r', here.room]]) board.style.setProperty(name, `${value}px`);
  };
  board.addEventListener('keydown', (event) => {
    const way = WAYS[event.key];
    const isTap = event.key === 'Enter';
    if (event.target !== board || !board.matches(':focus-visible') || !(way || isTap) || event.ctrlKey || event.metaKey || event.altKey || (way && event.shiftKey)) return;
    const all = places();
    const here = all.find(({ name }) => name === place);
    event.preventDefault();
    event.stopPropagation();
    if (isTap && here && event.shiftKey) marked(place);
    else if (isTap && here) document.elementFromPoint(here.x, here.y)?.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: here.x, clientY: here.y }));
    if (isTap) return;
    const next = here ? nearest(all, here, way) : all[0];
    if (!next) return;
    place = next.name;
    board.classList.add('walked');
    show(next);
    told(place);
  });
  board.addEventListener('blur', () => board.classList.remove('walked'));
}

/** The next place in a direction: what is aside counts twice. */
function nearest(all, here, [right, down]) {
  const far = ({ x, y }) => {
    const [along, aside] = [(x - here.x) * right + (y - here.y) * down, Math.abs((x - here.x) * down) + Math.abs((y - here.y) * right)];
    return along > 1 && aside <= along ? along + 2 * aside : Infinity;
  };
  return all.map((each) => ({ each, far: far(each) })).filter((found) => found.far < Infinity).sort((one, other) => one.far - other.far)[0]?.each;
}
