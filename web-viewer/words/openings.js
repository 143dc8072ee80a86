// How games begin: the explorer of the statistics.

export const openings = {
  lastPlayed: 'Last played',
  about: 'How games begin; follow an action to see what comes next.',
  notReached: 'No recorded game reached this position.',
  openings: 'Openings',
  back: 'Back to the start',
  notContinued: 'No game continued from here.',
  results: (games, results) => `${games}: ${results}.`,
};
