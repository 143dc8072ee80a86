// How numbers, dates and lists are written in the language of the page.

import { LANGUAGE } from './language.js';

const OWN = new Intl.DateTimeFormat().resolvedOptions().locale;

/** The reader's own locale where it has the page's language, such as en-GB, otherwise the language alone. */
export const LOCALE = new Intl.Locale(OWN).language === LANGUAGE ? OWN : LANGUAGE;

const IS_RTL = ['ar', 'fa', 'he'].includes(LANGUAGE);
const NUMBERS = new Intl.NumberFormat(LOCALE);
const PLURALS = new Intl.PluralRules(LOCALE);
const DAYS = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const MOMENTS = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const TIMES = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });
const MONTHS = new Intl.DateTimeFormat(LOCALE, { month: 'short', year: 'numeric', timeZone: 'UTC' });
// English texts here have no comma before “and”, wherever the reader is.
const LISTS = LANGUAGE === 'en' ? 'en-GB' : LOCALE;
const ALL = new Intl.ListFormat(LISTS, { type: 'conjunction' });
const ANY = new Intl.ListFormat(LISTS, { type: 'disjunction' });

/** @param {number} value @param {number} [digits] after the point, at most */
export function number(value, digits) {
  return digits === undefined ? NUMBERS.format(value) : new Intl.NumberFormat(LOCALE, { maximumFractionDigits: digits }).format(value);
}

/**
 * The form of a text that fits a count, as the language's plural rules choose: `one`, `two` (Hebrew), `other`.
 * @param {number} count @param {{one?: string, two?: string, few?: string, many?: string, other: string}} forms
 */
export function plural(count, forms) {
  return forms[PLURALS.select(count)] ?? forms.other;
}

/** @param {string} at RFC 3339 */
export const day = (at) => DAYS.format(new Date(at));

/** @param {string} at RFC 3339 */
export const moment = (at) => MOMENTS.format(new Date(at));

/** @param {string} at RFC 3339 */
export const time = (at) => TIMES.format(new Date(at));

/** @param {string} at RFC 3339, a month in UTC */
export const month = (at) => MONTHS.format(new Date(at));

/** A text that is read from the left on any page, such as `2½`. @param {string} text */
export const ltr = (text) => (IS_RTL ? `\u2066${text}\u2069` : text);

/** Names as a list: `Ada, Bela and Carl`. @param {string[]} names */
export const listed = (names) => ALL.format(names);

/** Names as a choice: `Ada, Bela or Carl`. @param {string[]} names */
export const either = (names) => ANY.format(names);
