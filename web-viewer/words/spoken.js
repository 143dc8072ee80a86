// Actions in words.

export const spoken = {
  setUp: 'the set-up',
  secretFavour: 'a favour, in secret',
  favour: (name) => `the favour ${name}`,
  favours: { assault: 'assault', conspire: 'conspire', deceive: 'deceive', hasten: 'hasten' },
  battleWon: 'the battle is won',
  battleLost: 'the battle is lost',
  // The loser of a battle is not sent to another square.
  leave: 'the loser stays',
  end: 'end of the turn',
  pass: 'pass',
  rebuild: 'rebuild',
  establish: { farm: 'a farm', city: 'a city' },
  without: { sword: 'no sword', shield: 'no shield' },
  chosen: { sword: (which) => `sword ${which}`, shield: (which) => `shield ${which}` },
  pyramids: { L: 'a large pyramid', M: 'a medium pyramid', S: 'a small pyramid' },
  // A path in steps; `-` is to stay.
  steps: { '-': 'stay', L: 'left', R: 'right', U: 'up', D: 'down' },
  path: (steps, garnet) => `${steps.join(', ')}${garnet ? ', with a garnet' : ''}`,
};
