// What two lists have in common, in an order that agrees with both.

/**
 * The indices of a longest series of rising numbers; negative ones are left out.
 * @param {number[]} numbers
 * @returns {Set<number>}
 */
export function increasing(numbers) {
  const ends = [];
  const before = new Array(numbers.length);
  numbers.forEach((number, index) => {
    if (number < 0) return;
    const low = placeIn(ends, numbers, number);
    before[index] = ends[low - 1];
    ends[low] = index;
  });
  const kept = new Set();
  for (let index = ends.at(-1); index !== undefined; index = before[index]) kept.add(index);
  return kept;
}

/** Where a number belongs among those at the ends of the series so far: mostly behind all of them. */
function placeIn(ends, numbers, number) {
  let low = 0;
  let high = ends.length;
  if (high === 0 || numbers[ends[high - 1]] < number) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[ends[middle]] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
