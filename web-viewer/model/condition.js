// Conditions as rows, and as the search reads them: two forms of the same thing, as long as all of them are to hold.

export const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='];

/** Words are the same or not: none comes before another. */
export const WORD_COMPARISONS = COMPARISONS.slice(0, 2);

/**
 * of: what the fact is asked for with, a place or a seat; empty if nothing. compare: empty for a fact that is true or not.
 * @typedef {{name: string, of: string, compare: string, value: string}} ConditionRow
 */

const ROW = /^([\w-]+)(?:\(([^()]*)\))?(?:\s*(=|!=|<=|>=|<|>)\s*(?:"([^"]*)"|(-?\d+)))?$/;

/**
 * The rows that a text says.
 * @param {string} text
 * @param {{name: string, words: string[]}[]} facts of the kind
 * @returns {ConditionRow[] | null} null if rows cannot say it
 */
export function rowsOf(text, facts) {
  const parts = text.trim() ? text.trim().split(/\s+and\s+/) : [];
  const rows = parts.map((part) => ROW.exec(part)).map((found) => found && facts.some(({ name }) => name === found[1])
    && { name: found[1], of: found[2]?.trim() ?? '', compare: found[3] ?? '', value: found[4] ?? found[5] ?? '' });
  return rows.includes(null) || rows.includes(false) ? null : /** @type {ConditionRow[]} */ (rows);
}

/**
 * @param {ConditionRow[]} rows
 * @param {{name: string, words: string[]}[]} facts of the kind
 */
export function textOf(rows, facts) {
  const hasWords = (row) => (facts.find(({ name }) => name === row.name)?.words.length ?? 0) > 0;
  return rows.map((row) => `${row.name}${row.of && `(${row.of})`}${row.compare && ` ${row.compare} ${hasWords(row) ? `"${row.value}"` : row.value}`}`).join(' and ');
}
