// What the service is, the games it has, and what to do next.

export const welcome = {
  published: 'Published rules',
  lead: 'Plybook keeps board games as they were played: every action is recorded, and nobody can change one afterwards without being noticed. Step through a game, see what others played in the same position, and check the record in your own browser.',
  games: 'The games',
  seats: (fewest, most) => (fewest === most ? `${fewest} players` : `${fewest} to ${most} players`),
  // Sentences that continue with links, and end after them.
  look: 'To look around',
  lookAt: (games, tournaments, search) => ['Step through ', games, ', follow ', tournaments, ', or ', search, '.'],
  someTournaments: 'tournaments',
  searching: 'search for positions',
  own: 'If you run this service',
  token: (file, create) => ['The token of the administrator was printed when the service was first started, or is in the file ', file, ' of its data directory. Sign in with it; ', create, ' makes tokens for others.'],
  import: 'plybook import',
  createToken: 'plybook token create',
  create: (game, tournament) => ['Create ', game, ' and record it on a phone beside the board, or run ', tournament, '.'],
  aGame: 'a game',
  aTournament: 'a tournament',
  bring: (command, option) => ['Bring games along with ', command, ', or start the service with ', option, ' for some to look at.'],
  log: (name, keys, checkpoint) => ['Everything recorded is in the public log ', name, ': ', keys, ', ', checkpoint, '.'],
  keys: 'its keys',
  checkpoint: 'its last checkpoint',
  kindUnknown: 'There is no such game here.',
};
