// Curves, as descriptions of SVG elements. No DOM here.

import { niceStep, ticks } from './scale.js';
import { AXIS, LETTER, label, line, round } from './shapes.js';

const HEAD = 12;
/** Up to so many games, each has a dot that tells its day. */
const DOTS_MAX = 80;

/**
 * A rating game by game: the line, and a band of one deviation to either side.
 * @param {{value: number, deviation: number, at: string}[]} points at least one, the oldest first
 * @param {{width: number, height: number, words: (at: string) => string}} options
 * @returns {import('./shapes.js').Chart}
 */
export function curve(points, { width, height, words }) {
  const low = Math.min(...points.map(({ value, deviation }) => value - deviation));
  const high = Math.max(...points.map(({ value, deviation }) => value + deviation));
  const step = niceStep(Math.max(1, high - low), 5);
  const [bottom, top] = [Math.floor(low / step) * step, Math.ceil(high / step) * step];
  const frame = { left: 12 + LETTER * Math.max(...[bottom, top].map((value) => String(value).length)), right: width - 10, top: HEAD, bottom: height - AXIS };
  const x = (index) => (points.length === 1 ? (frame.left + frame.right) / 2 : frame.left + (index / (points.length - 1)) * (frame.right - frame.left));
  const y = (value) => frame.bottom - ((value - bottom) / Math.max(1, top - bottom)) * (frame.bottom - frame.top);
  const along = (of) => points.map((point, index) => `${round(x(index))} ${round(y(of(point)))}`);
  const over = along(({ value, deviation }) => value + deviation);
  const under = along(({ value, deviation }) => value - deviation).reverse();
  const [first, last] = [points[0], points[points.length - 1]];
  return {
    width,
    height,
    shapes: [
      ...ticks(bottom, top, step).flatMap((value) => [
        line('grid', frame.left, y(value), frame.right, y(value)),
        label('end', frame.left - 6, y(value) + 4, String(value)),
      ]),
      { tag: 'path', attributes: { class: 'reach', d: `M${[...over, ...under].join('L')}Z` } },
      { tag: 'path', attributes: { class: 'curve', d: `M${along(({ value }) => value).join('L')}` } },
      ...(points.length > DOTS_MAX ? [] : points.map((point, index) => ({
        tag: 'circle', attributes: { class: 'dot', cx: round(x(index)), cy: round(y(point.value)), r: 3 }, title: `${words(point.at)}: ${Math.round(point.value)} ± ${Math.round(point.deviation)}`,
      }))),
      label(points.length === 1 ? 'middle' : 'start', points.length === 1 ? x(0) : frame.left, height - 6, words(first.at)),
      ...(points.length > 1 ? [label('end', frame.right, height - 6, words(last.at))] : []),
    ],
  };
}
