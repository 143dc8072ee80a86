// What can go wrong in a game as one file.

export const standalone = {
  // `why` is `incomplete`, or what the rules say, in English.
  changed: (why) => `the record in this page was changed: ${why}`,
  incomplete: 'it is not complete',
};
