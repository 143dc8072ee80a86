// What the present rules say of a recorded game.

export const refold = {
  judge: 'Judge by the present rules',
  judging: 'Judging…',
  gone: 'The service no longer has the rules of this game, so it cannot be replayed. ',
  // A sentence before the entries below.
  recorded: (version) => `Recorded under ${version}. `,
  rules: 'the present rules',
  rulesOf: (version) => `the present rules (${version})`,
  same: (rules) => `The same under ${rules}.`,
  sealed: (rules, ply) => `The same under ${rules} as far as it has been revealed: up to ply ${ply}.`,
  orphan: 'Not judged: the log that this line continues is not recorded here.',
  // Where the difference is, and why, follow.
  differs: (rules, seq) => `Different under ${rules} from event ${seq} on`,
  here: (place, why) => [' (', place, `): ${why}`],
  inParent: (place, why) => [' of the log that this line continues (', place, `): ${why}`],
  ply: (ply) => `ply ${ply}`,
};
