// A lesson from the mistakes of a seat.

export const lesson = {
  hint: 'Hint',
  wholeAction: 'The whole action',
  solve: 'Show the solution',
  back: 'Back to the question',
  next: 'Next mistake',
  skip: 'Skip',
  finish: 'Finish',
  end: 'End',
  endHint: 'End the lesson (Esc)',
  count: (index, of, found) => `Mistake ${index} of ${of}. Done: ${found} of ${of} found.`,
  question: (name, ply, action) => `${name} to play at ply ${ply}: find something better than ${action}.`,
  // The verdict on an answer.
  waiting: (action) => `${action} is being compared with the best action…`,
  wrong: (action, why) => `${action}: that is not it, try again. ${why}`,
  right: (action, why) => `${action}: found! ${why}`,
  theBest: (action) => `The best action: ${action}.`,
  begins: (start) => `The best action begins with ${start}.`,
  over: (found, of) => `The lesson is over: ${found} of ${of} found.`,
  // Why an answer is right or wrong.
  otherSeat: 'This is another seat’s action.',
  engineWould: 'This is what the engine would play.',
  wasPlayed: 'This is what was played.',
  loses: (share) => `It loses ${share}.`,
  losesGood: (share) => `It loses ${share}, which is nearly as good as the best action.`,
  losesNothingGood: 'It loses nothing, which is nearly as good as the best action.',
  notCompared: (why) => `It is not the engine’s best, and could not be compared with it. ${why}`,
  signInToCompare: 'It is not the engine’s best. Sign in to have others compared with it.',
};
