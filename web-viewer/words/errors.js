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
  refused: {
    BAD_INPUT: (why) => why,
    BAD_SETUP: (why) => why,
    NOT_FOUND: (why) => why,
    ILLEGAL_ACTION: (why) => why,
    BAD_SIGNATURE: (why) => why,
    NOT_YOUR_TURN: (why) => why,
    OUT_OF_TIME: (why) => why,
    NOT_REACHED: (why) => why,
    GAME_OVER: (why) => why,
    LOG_CONFLICT: (why) => why,
    TOO_COMPLEX: (why) => why,
    READ_ONLY: (why) => why,
    OUTCOME_UNKNOWN: (why) => why,
    BEHIND: (why) => why,
    SECRET_LOST: (why) => why,
    INTERNAL: (why) => why,
  },
};
