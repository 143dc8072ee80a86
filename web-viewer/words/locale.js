// How numbers, dates and lists are written in the language of the page.

import { LANGUAGE } from './language.js';

const OWN = new Intl.DateTimeFormat().resolvedOptions().locale;

/** The reader's own locale where it has the page's language, such as en-GB, otherwise the language alone. */
export const LOCALE = new Intl.Locale(OWN).language === LANGUAGE ? OWN : LANGUAGE;

const IS_RTL = ['ar', 'fa', 'he'].includes(LANGUAGE);
// English texts here have no comma before “and”, wherever the reader is.
const LISTS = LANGUAGE === 'en' ? 'en-GB' : LOCALE;
const numbers = once(() => new Intl.NumberFormat(LOCALE));
const plurals = once(() => new Intl.PluralRules(LOCALE));
const days = dates({ dateStyle: 'medium' });
const moments = dates({ dateStyle: 'medium', timeStyle: 'short' });
const times = dates({ timeStyle: 'short' });
const months = once(() => new Intl.DateTimeFormat(LOCALE, { month: 'short', year: 'numeric', timeZone: 'UTC' }));
const all = once(() => new Intl.ListFormat(LISTS, { type: 'conjunction' }));
const any = once(() => new Intl.ListFormat(LISTS, { type: 'disjunction' }));

/**
 * Makes something when it is first asked for. Formats take long to make, and a page uses few of them.
 * @template T
 * @param {() => T} make
 * @returns {() => T}
 */
function once(make) {
  /** @type {T | undefined} */ let made;
  return () => (made ??= make());
}

/**
 * A format for each time zone; none is the reader's own.
 * @param {Intl.DateTimeFormatOptions} options
 * @returns {(at: string, zone?: string) => string}
 */
function dates(options) {
  /** @type {Map<string | undefined, Intl.DateTimeFormat>} */ const made = new Map();
  return (at, timeZone) => {
    const format = made.get(timeZone) ?? new Intl.DateTimeFormat(LOCALE, { ...options, timeZone });
    made.set(timeZone, format);
    return format.format(new Date(at));
  };
}

/** @param {number} value @param {number} [digits] after the point, at most */
export function number(value, digits) {
  return digits === undefined ? numbers().format(value) : new Intl.NumberFormat(LOCALE, { maximumFractionDigits: digits }).format(value);
}

/**
 * The form of a text that fits a count, as the language's plural rules choose: `one`, `two` (Hebrew), `other`.
 * @param {number} count @param {{one?: string, two?: string, few?: string, many?: string, other: string}} forms
 */
export function plural(count, forms) {
  return forms[plurals().select(count)] ?? forms.other;
}

/** @param {string} at RFC 3339 @param {string} [zone] */
export const day = (at, zone) => days(at, zone);

/** @param {string} at RFC 3339 @param {string} [zone] */
export const moment = (at, zone) => moments(at, zone);

/** @param {string} at RFC 3339 @param {string} [zone] */
export const time = (at, zone) => times(at, zone);

/** A moment; of one today, only the time. @param {string} at RFC 3339 @param {string} [zone] */
export const soon = (at, zone) => (day(at, zone) === day(new Date().toISOString(), zone) ? time(at, zone) : moment(at, zone));

/** @param {string} at RFC 3339, a month in UTC */
export const month = (at) => months().format(new Date(at));

/** A text that is read from the left on any page, such as `2½`. @param {string} text */
export const ltr = (text) => (IS_RTL ? `\u2066${text}\u2069` : text);

/** Names as a list: `Ada, Bela and Carl`. @param {string[]} names */
export const listed = (names) => all().format(names);

/** Names as a choice: `Ada, Bela or Carl`. @param {string[]} names */
export const either = (names) => any().format(names);
