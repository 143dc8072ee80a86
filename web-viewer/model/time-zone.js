// Times as clocks show them in the time zone of a tournament.

/** The reader's own time zone, as the IANA database names it. */
export const OWN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** All names of time zones that are known here. */
export const ZONES = Intl.supportedValuesOf?.('timeZone') ?? [];

/**
 * A time in the form that an input for local times takes; an unknown zone is the reader's own.
 * @param {string | number | null} at @param {string | null} [zone]
 */
export function localTime(at, zone) {
  if (at == null || at === '') return '';
  // Dates in Swedish are those of ISO 8601.
  return new Intl.DateTimeFormat('sv', { timeZone: known(zone), dateStyle: 'short', timeStyle: 'short' }).format(new Date(at)).replace(' ', 'T');
}

/**
 * The time at which clocks in a zone show a text from such an input; null for none.
 * @param {string} text @param {string | null} [zone]
 */
export function timeOf(text, zone) {
  if (!text) return null;
  const shown = Date.parse(`${text}Z`);
  const offset = (at) => Date.parse(`${localTime(at, zone)}Z`) - at;
  // The clocks may have changed between the first guess and the time itself.
  return new Date(shown - offset(shown - offset(shown))).toISOString();
}

/** @param {string | null} [zone] @returns {string} */
export function known(zone) {
  try {
    return zone && new Intl.DateTimeFormat('en', { timeZone: zone }) ? zone : OWN_ZONE;
  } catch {
    return OWN_ZONE;
  }
}
