// Tables as CSV (RFC 4180). No DOM here.

const FORMULA = /^[=+\-@\t\r]/;

/**
 * Lines that end in CRLF; cells are quoted where necessary.
 * @param {(string | number | null | undefined)[][]} rows
 * @returns {string}
 */
export function csv(rows) {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/**
 * A text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay as they are.
 * @param {string | number | null | undefined} value
 */
function cell(value) {
  if (value == null) return '';
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
