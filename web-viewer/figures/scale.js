// Numbers along an axis: round steps, bins, months. No DOM here.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TIME_STEPS = [
  1, 10, 100, SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE,
  HOUR, 2 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY, 30 * DAY, 365 * DAY,
];
const MONTHS_MAX = 36;

/**
 * @typedef {{key: string, count: number}} Count
 * @typedef {{from: number, to: number, count: number}} Bin from is in it, to is not
 * @typedef {{label: string, count: number}} Column
 */

/**
 * The smallest of 1, 2, 5, 10, 20, … (and 0.5, 0.2, …) of which `count` cover the span.
 * @param {number} span @param {number} count
 */
export function niceStep(span, count) {
  const least = span / count;
  if (!(least > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(least) + 1e-9);
  const digit = [1, 2, 5, 10].find((each) => each * power >= least * (1 - 1e-9)) ?? 10;
  return digit * power;
}

/**
 * The same for spans of time: seconds, minutes, hours, days.
 * @param {number} span in ms @param {number} count
 */
export function timeStep(span, count) {
  return TIME_STEPS.find((step) => step * count >= span) ?? niceStep(span, count);
}

/**
 * Round values within a range, ascending.
 * @param {number} min @param {number} max
 * @param {number} step
 * @returns {number[]}
 */
export function ticks(min, max, step) {
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  // The product of a whole number and 0.1 is not always exact.
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => Number(((first + n) * step).toPrecision(12)));
}

/**
 * A histogram's bins, whose keys are lower bounds a fixed width apart.
 * @param {Count[]} histogram
 * @param {number} [max] the largest value, where there is one bin only
 * @returns {Bin[]}
 */
export function bins(histogram, max = 0) {
  const froms = histogram.map(({ key }) => Number(key));
  const width = froms.length > 1 ? froms[1] - froms[0] : niceStep(Math.max(1, max - (froms[0] ?? 0)), 1);
  return histogram.map(({ count }, index) => ({ from: froms[index], to: Number((froms[index] + width).toPrecision(12)), count }));
}

/**
 * Counts by month (`2026-11`) with the empty months between; by year where there are too many.
 * @param {Count[]} counts ascending
 * @returns {Column[]}
 */
export function months(counts) {
  if (counts.length === 0) return [];
  const known = new Map(counts.map(({ key, count }) => [key, count]));
  const numbers = counts.map(({ key }) => monthNumber(key));
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  if (last - first >= MONTHS_MAX) return years(counts);
  return Array.from({ length: last - first + 1 }, (_, n) => {
    const label = monthKey(first + n);
    return { label, count: known.get(label) ?? 0 };
  });
}

function years(counts) {
  const sums = new Map();
  for (const { key, count } of counts) sums.set(Number(key.slice(0, 4)), (sums.get(Number(key.slice(0, 4))) ?? 0) + count);
  const [first, last] = [Math.min(...sums.keys()), Math.max(...sums.keys())];
  return Array.from({ length: last - first + 1 }, (_, n) => ({ label: String(first + n), count: sums.get(first + n) ?? 0 }));
}

function monthNumber(key) {
  const [year, month] = key.split('-').map(Number);
  return year * 12 + month - 1;
}

function monthKey(number) {
  return `${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}`;
}
