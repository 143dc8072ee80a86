// What is left of the time for a round.

export const deadline = {
  opens: (left) => `The round opens in ${left}`,
  left: (left) => `${left} left for this round`,
  over: 'Time is up: the round is being closed',
};
