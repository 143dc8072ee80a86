// Entrants who are not to meet.

export const forbidden = {
  title: 'Who must not meet',
  explained: 'Relatives, or players of one club: the pairing keeps them apart from the next round on. If too many are kept apart, no pairing may be left.',
  one: 'Player',
  other: 'And',
  add: 'Keep apart',
  added: 'They will not meet.',
  clubs: 'Keep apart all players of one club',
  clubsAdded: 'Players of one club will not meet.',
  remove: 'Remove',
  removed: 'They may meet again.',
  removeGroup: (names) => `Remove: ${names}`,
};
