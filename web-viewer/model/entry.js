// Reading a list of entrants, pasted or from a file.

import { common } from '../words/common.js';
import { console as words } from '../words/console.js';
import { countryOf } from './countries.js';

/**
 * A line: `problem` says why it cannot be entered, `notes` what of it is not read, `twice` that an earlier line has this name.
 * @typedef {{name: string, rating: number | null, club: string, country: string, problem: string, notes: string[], twice: boolean}} Entry
 */

export const ENTRIES_MAX = 1000;
const NAME_MAX = 100;
const RATING_MAX = 4000;
/** How many lines may stand above the names of the columns. */
const TITLES_MAX = 10;
/** The headings of spreadsheet columns in the languages of the viewer, in lower case and without spaces; ratings by preference. */
const COLUMNS = {
  name: ['name', 'player', 'players', 'entrant', 'fullname', 'spieler', 'spielerin', 'teilnehmer', 'שם', 'שםמלא', 'שחקן', 'משתתף'],
  first: ['firstname', 'givenname', 'vorname', 'שםפרטי'], last: ['lastname', 'surname', 'familyname', 'nachname', 'familienname', 'שםמשפחה'],
  rating: ['rating', 'rtg', 'elo', 'seedrating', 'wertung', 'wertungszahl', 'rtgi', 'eloi', 'eloint', 'fideelo', 'rtgn', 'elon', 'elonat', 'dwz', 'nwz', 'דירוג', 'מדכושר'],
  club: ['club', 'team', 'association', 'verein', 'klub', 'mannschaft', 'club/city', 'verein/ort', 'מועדון', 'אגודה', 'קבוצה'],
  country: ['country', 'fed', 'federation', 'nation', 'nat', 'land', 'verband', 'מדינה', 'ארץ'],
};
const HEADINGS = new Set(Object.values(COLUMNS).flat());

/**
 * Parses a list of names, one per line, each followed by rating, club and country if known: separated by tabs,
 * semicolons or commas, or a rating after just a space. Empty lines are skipped. If a line names the columns, they may be
 * in any order, and what stands above it is a title.
 * @param {string} text
 * @returns {Entry[]}
 */
export function parseEntries(text) {
  const seen = new Map();
  return parsed(text).entries.map((entry) => {
    const key = keyOf(entry.name);
    const earlier = seen.get(key) ?? [];
    const line = JSON.stringify([entry.rating, entry.club, entry.country]);
    seen.set(key, [...earlier, line]);
    const problem = problemOf(entry) || (earlier.includes(line) ? words.twice : '');
    return { ...entry, problem, twice: !problem && earlier.length > 0 };
  });
}

/** What of a list is not read besides what the notes of its lines say: titles, and columns that are not known. */
export function unread(text) {
  const { ignored, titles } = parsed(text);
  return { ignored, titles };
}

/** A name as it is compared within a list; the service knows more spellings. */
export function keyOf(name) {
  return name.normalize('NFC').toLowerCase();
}

/**
 * The text of a file: UTF-16 by its byte order mark, otherwise UTF-8, or what spreadsheets on Windows write.
 * @param {Uint8Array} bytes
 */
export function textOf(bytes) {
  const [one, two] = bytes;
  if (one === 0xff && two === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (one === 0xfe && two === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function parsed(text) {
  const [, stated = '', body] = /^\ufeff?(?:sep=(.)\r?\n)?([^]*)$/i.exec(text.trimStart()) ?? [null, '', text];
  return byColumns(body, stated) ?? byLines(body, stated);
}

function byLines(text, stated) {
  const between = stated || separator(text);
  // A line end in quotes belongs to the cell.
  const lines = (text.match(new RegExp(`(?:(?<![^\\n${between}])"(?:[^"]|"")*"|[^\\n])+`, 'g')) ?? []).map((line) => line.trim()).filter(Boolean);
  const isHeading = (line) => COLUMNS.name.includes(headingOf(line.split(/[\t;,]/, 1)[0].replaceAll('"', '')));
  const kept = lines.filter((line, index) => index > 0 || !isHeading(line));
  return { entries: kept.map((line) => parseLine(line, between)), ignored: [], titles: [] };
}

/** The entries of a table of which one line names the columns; null if none does. */
function byColumns(text, stated) {
  const lines = text.split(/\r?\n/);
  const between = (line) => stated || (['\t', ';', ','].find((each) => line.includes(each)) ?? ',');
  const isHead = (line) => {
    const known = cells(line, between(line))[0].map(headingOf).filter((head) => HEADINGS.has(head));
    return [...COLUMNS.name, ...COLUMNS.last].some((name) => known.includes(name)) && (known.length > 1 || line === lines[0]);
  };
  const at = lines.slice(0, TITLES_MAX).findIndex(isHead);
  if (at < 0) return null;
  const [heads, ...rows] = cells(lines.slice(at).join('\n'), between(lines[at]));
  const columns = Object.fromEntries(Object.entries(COLUMNS).map(([name, known]) => [name, known.map((head) => heads.findIndex((each) => headingOf(each) === head)).filter((index) => index >= 0)]));
  const filled = rows.filter((row) => row.some((cell) => cell.trim()));
  if (filled.some((row) => row.slice(heads.length).some((cell) => cell.trim()))) return null;
  const used = new Set(Object.values(columns).flat());
  const ignored = heads.filter((head, index) => head.trim() && !used.has(index)).map((head) => head.trim());
  return { entries: filled.map((row) => fromRow(row, columns)), ignored, titles: lines.slice(0, at).filter((line) => line.trim()) };
}

function fromRow(row, columns) {
  const all = (name) => columns[name].map((index) => row[index]?.trim() ?? '').filter(Boolean);
  const [whole = ''] = all('name');
  const [first = ''] = all('first');
  const [last = columns.first.length > 0 ? whole : ''] = all('last');
  const name = (first || !whole) ? [first, last].filter(Boolean).join(' ') : whole;
  const ratings = all('rating').filter((cell) => cell !== '0' && cell !== '-');
  const rated = ratings.find((cell) => /^\d+$/.test(cell));
  const [club = ''] = all('club');
  const [stated = ''] = all('country');
  const country = countryOf(stated);
  return {
    name, rating: rated ? Number(rated) || null : null, club, country,
    notes: [!rated && ratings.length > 0 && words.noRating(ratings[0]), stated && !country && common.noCountry(stated)].filter(Boolean),
  };
}

/** A heading as in `COLUMNS`; programs that write from right to left add marks that cannot be seen. */
function headingOf(text) {
  return text.replaceAll(/[\s\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').toLowerCase();
}

/**
 * The cells of a text as spreadsheets write it: quoted cells may contain separators, line ends and doubled quotes.
 * @param {string} text
 * @param {string} between
 * @returns {string[][]} at least one row
 */
function cells(text, between) {
  const rows = [['']];
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const row = rows[rows.length - 1];
    const letter = text[at];
    if (quoted && letter === '"' && text[at + 1] === '"') row[row.length - 1] += text[++at];
    else if (letter === '"' && (quoted || row[row.length - 1] === '')) quoted = !quoted;
    else if (!quoted && letter === between) row.push('');
    else if (!quoted && letter === '\n') rows.push(['']);
    else if (quoted || letter !== '\r') row[row.length - 1] += letter;
  }
  return rows;
}

function parseLine(line, usual) {
  // A line without what separates the others has its own, as in lists put together from several.
  const between = unquoted(line).includes(usual) ? usual : separator(line);
  const parts = (between === ',' && !hasCommas(line) ? [line] : cells(line, between)[0]).map((part) => part.replaceAll(/\s+/g, ' ').trim());
  // A number in front is that of the line.
  if (parts.length > 1 && /^\d+[.)]?$/.test(parts[0]) && /\D/.test(parts[1])) parts.shift();
  // Surname and first name in two columns.
  if (between === ',' && /^[^\d]+$/.test(parts[1] ?? '') && /^\d{3,4}$/.test(parts[2] ?? '')) parts.splice(0, 2, `${parts[0]}, ${parts[1]}`);
  const [first, ...rest] = parts;
  const behind = /^(.*\S)\s+(\d{3,4})$/.exec(first);
  const at = rest.findIndex((part) => /^\d{1,4}$/.test(part));
  const rating = at >= 0 ? Number(rest[at]) : behind ? Number(behind[2]) : null;
  const others = rest.filter((part, index) => index !== at && part);
  const where = others.findLastIndex((part) => /^[A-Z]{2,3}$/.test(part) && countryOf(part));
  const strange = at < 0 ? others.filter((part) => /^\d[\d .,]*\*?$/.test(part)) : [];
  const club = others.filter((part, index) => index !== where && !strange.includes(part)).join(', ');
  const name = (at < 0 && behind ? behind[1] : first).replace(/^\d+[.)]?\s+/, '');
  return { name, rating: rating || null, club, country: where < 0 ? '' : countryOf(others[where]), notes: strange.map((part) => words.noRating(part)) };
}

/** What separates the cells of a list: what most of its lines have outside of quotes. */
function separator(text) {
  const lines = unquoted(text).split('\n');
  const count = (has) => lines.filter(has).length;
  const counts = { '\t': count((line) => line.includes('\t')), ';': count((line) => line.includes(';')), ',': count(hasCommas) };
  return Object.keys(counts).reduce((most, each) => (counts[each] > counts[most] ? each : most));
}

/** Whether commas separate the cells of a line, rather than a name: `Falk, Ida 1850`. */
function hasCommas(text) {
  const line = unquoted(text);
  return !/^[^,\d]+,\s*[^,\d]+\s\d{3,4}$/.test(line) && /,.*\d|,.*,/.test(line);
}

function unquoted(text) {
  return text.replaceAll(/"(?:[^"]|"")*"/g, 'x');
}

function problemOf({ name, rating }) {
  if (!name) return words.noName;
  if (name.length > NAME_MAX) return words.tooLong(NAME_MAX);
  return rating > RATING_MAX ? words.overrated(RATING_MAX) : '';
}
