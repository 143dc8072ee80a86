// The reasons that an organiser's decisions leave in the logs of games.

/** As the service words its own. A log is for readers of every language, so they are not translated. */
export const REASONS = {
  forfeited: 'forfeited',
  openedByMistake: 'the round was opened by mistake',
  decidedByMistake: 'decided by mistake',
  decided: 'decided by the organiser',
};
