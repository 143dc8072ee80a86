/** As in BCP 47. */
export const LANGUAGE = 'he';
