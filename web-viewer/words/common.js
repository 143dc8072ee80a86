// Signing in, the theme, and other things that every page has.

import { plural, number } from './locale.js';

export const common = {
  close: 'Close',
  signIn: 'Sign in',
  signedIn: 'Signed in',
  signedInAs: (name) => `Signed in as ${name}`,
  roles: { player: 'player', table: 'table', recorder: 'recorder', organiser: 'organiser', arbiter: 'arbiter', admin: 'administrator' },
  signOut: 'Sign out',
  signInTitle: 'Sign in with a token',
  token: 'Token',
  whatFor: 'Replays and tournaments are open to everybody. A token lets you see what your seat may see, or run a tournament. It is kept in this browser only.',
  unknownToken: 'The service does not know this token. Check that it was copied whole.',
  signedOut: 'The token kept in this browser is no longer valid. You see what everybody sees; sign in again for more.',
  deviceKey: 'The key of this device…',
  themes: { system: 'Theme: as the system', light: 'Theme: light', dark: 'Theme: dark' },
  changeTheme: (theme) => `${theme}. Change it`,
  oneTournament: 'One tournament',
  anyTournament: 'Games of any tournament',
  playersMatch: (count) => plural(count, { one: `${number(count)} player matches; choose one`, other: `${number(count)} players match; choose one` }),
  noPlayer: 'No player has this in the name',
  due: (due) => `due ${due}`,
  opensAndDue: (opens, due) => `opens ${opens}, due ${due}`,
};
