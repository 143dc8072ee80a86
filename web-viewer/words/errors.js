// What went wrong.

/** refused: what introduces a refusal by the service, which is in English; by its code (docs/errors.md). */
export const errors = {
  offline: 'The service cannot be reached.',
  signInAgain: 'Your token is no longer accepted. Sign in again.',
  notYet: 'You may not see this yet.',
  tooMany: 'Too many requests; wait a moment.',
  answered: (status) => `the service answered ${status}`,
  noLog: (status) => `the log could not be fetched (${status})`,
  noPart: 'a part of this page could not be loaded: reload the page',
  refused: Object.fromEntries('BAD_INPUT BAD_SETUP NOT_FOUND ILLEGAL_ACTION BAD_SIGNATURE NOT_YOUR_TURN OUT_OF_TIME NOT_REACHED GAME_OVER LOG_CONFLICT TOO_COMPLEX READ_ONLY OUTCOME_UNKNOWN BEHIND SECRET_LOST INTERNAL'.split(' ').map((code) => [code, (why) => why])),
};
