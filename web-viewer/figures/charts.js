// Charts as descriptions of SVG elements, drawn in CSS pixels. No DOM here.

import { statistics as said } from '../words/statistics.js';
import { niceStep, ticks } from './scale.js';
import { AXIS, LETTER, label, line, round } from './shapes.js';

const STRONG = 7.4; // the usual width of a letter in bold
const HEAD = 20;

/**
 * @typedef {{min?: number | null, max?: number | null, mean?: number | null, median?: number | null, p10?: number | null,
 *   p90?: number | null}} Marks
 */

/**
 * A histogram: bars, the span from the 10th to the 90th percentile as a band, the median as a line.
 * @param {import('./scale.js').Bin[]} bins
 * @param {Marks} marks
 * @param {{width: number, height: number, words: (value: number) => string, step: (span: number, count: number) => number}} options
 * @returns {import('./shapes.js').Chart}
 */
export function histogram(bins, marks, { width, height, words, step }) {
  const highest = Math.max(1, ...bins.map(({ count }) => count));
  const rises = ticks(0, highest, Math.max(1, niceStep(highest, 4)));
  const left = 10 + LETTER * Math.max(...rises.map((value) => compact(value).length));
  const frame = { left, right: width - 8, top: HEAD, bottom: height - AXIS };
  const { edge, x, least } = level(bins, marks, frame);
  const y = (count) => frame.bottom - (count / highest) * (frame.bottom - frame.top);
  return {
    width,
    height,
    shapes: [
      ...band(marks, x, frame),
      ...rises.flatMap((value) => rise(value, y(value), frame)),
      ...bins.map((bin) => bar(bin, edge, y, said.bin(`${words(bin.from)} – ${words(bin.to)}`, bin.count))),
      ...across(bins, x, frame, words, (span, count) => Math.max(least, step(span, count))),
      ...median(marks, x, frame, words),
    ],
  };
}

/**
 * A number in few letters: 999, 1.2k, 34k, 5.6M.
 * @param {number} value
 * @param {number} [digits] of thousands and millions
 */
export function compact(value, digits = 2) {
  const size = Math.abs(value);
  if (size >= 999_500) return `${Number((value / 1e6).toPrecision(digits))}M`;
  if (size >= 1000) return `${Number((value / 1000).toPrecision(size >= 99_500 ? 3 : digits))}k`;
  return String(Number(value.toPrecision(3)));
}

/** The horizontal position of values: the edges of bins, and marks. Each whole number is in the middle of its own bin. */
function level(bins, { min, p10, median: middle, p90, max }, frame) {
  const [from, to] = [bins[0].from, bins.at(-1).to];
  const edge = (value) => frame.left + ((value - from) / (to - from)) * (frame.right - frame.left);
  const whole = bins[0].to - bins[0].from === 1 && [min, p10, middle, p90, max].every((value) => Number.isInteger(value ?? 0));
  return { edge, x: whole ? (value) => edge(value + 0.5) : edge, least: whole ? 1 : 0 };
}

function band({ p10, p90 }, x, frame) {
  if (p10 == null || p90 == null) return [];
  const wide = Math.max(2, x(p90) - x(p10));
  return [{ tag: 'rect', attributes: { class: 'band', x: round(x(p10)), y: frame.top - 4, width: round(wide), height: round(frame.bottom - frame.top + 4) } }];
}

function bar({ from, to, count }, x, y, title) {
  const [start, end] = [x(from), x(to)];
  const gap = end - start > 4 ? 1 : 0;
  return {
    tag: 'rect',
    attributes: { class: 'bar', x: round(start + gap / 2), y: round(y(count)), width: round(end - start - gap), height: round(y(0) - y(count)), rx: end - start > 6 ? 2 : 0 },
    title,
  };
}

function rise(value, at, frame) {
  return [line(value ? 'grid' : 'base', frame.left, at, frame.right, at), label('end', frame.left - 6, at + 4, compact(value))];
}

function across(bins, x, frame, words, step) {
  const [from, to] = [bins[0].from, bins.at(-1).to];
  const widest = Math.max(3, words(from).length, words(to).length) * LETTER + 18;
  const room = Math.max(2, Math.floor((frame.right - frame.left) / widest));
  const marks = ticks(from, to, step(to - from, room)).filter((value) => x(value) <= frame.right + 1);
  return marks.flatMap((value, index) => {
    const mark = line('tick', x(value), frame.bottom, x(value), frame.bottom + 4);
    // Durations are rounded as in speech, so that several marks may read alike.
    const fits = (index === 0 || words(value) !== words(marks[index - 1])) && x(value) + (words(value).length * LETTER) / 2 <= frame.right + 8;
    return fits ? [mark, label('middle', x(value), frame.bottom + 17, words(value))] : [mark];
  });
}

function median({ median: value, p10, p90 }, x, frame, words) {
  if (value == null) return [];
  const text = said.medianAt(words(value));
  const half = (text.length * STRONG) / 2;
  const at = Math.min(Math.max(x(value), frame.left + half), frame.right - half);
  const shapes = [line('median', x(value), frame.top - 5, x(value), frame.bottom), label('middle strong', at, frame.top - 9, text)];
  if (p10 != null && x(p10) + 4 * LETTER < at - half) shapes.push(label('start', x(p10), frame.top - 9, 'p10'));
  if (p90 != null && x(p90) - 4 * LETTER > at + half) shapes.push(label('end', x(p90), frame.top - 9, 'p90'));
  return shapes;
}
