// A condition on a place, as the search reads it.

export const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='];

/** Words are the same or not: none comes before another. */
export const WORD_COMPARISONS = COMPARISONS.slice(0, 2);

/**
 * @param {{name: string, words: string[]}} fact of a place
 * @param {string} place
 * @param {string} compare
 * @param {string} value one of the fact's words, or a number
 */
export function conditionOf({ name, words }, place, compare, value) {
  return `${name}(${place}) ${compare} ${words.length > 0 ? `"${value}"` : value}`;
}

/**
 * What joins a condition to the text before it.
 * @param {string} before
 */
export function joiner(before) {
  if (/(^|[(:])\s*$/.test(before) || /\b(and|or|not)\s+$/.test(before)) return '';
  if (/\b(and|or|not)$/.test(before)) return ' ';
  return /\s$/.test(before) ? 'and ' : ' and ';
}
