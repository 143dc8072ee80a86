// Tokens of other organisers, and links of tables.

import { number, plural } from './locale.js';

export const tokens = {
  title: 'Other organisers',
  titleWithTables: 'Other organisers and tables',
  explained: 'A token for somebody who helps to run this tournament, and for nothing else. Arbiters and administrators can make one.',
  forWhom: 'For whom',
  days: 'Days',
  make: 'Make a token',
  // Without an end.
  untilRevoked: 'until it is revoked',
  ofOrganisers: 'Tokens of organisers',
  columns: { forWhom: 'For whom', made: 'Made', valid: 'Valid', revoke: 'Revoke', round: 'Round', table: 'Table' },
  revoke: 'Revoke',
  revokeOf: (who) => `Revoke the token of ${who}`,
  revokeOfTable: (table, round) => `Revoke the token of table ${table} in round ${round}`,
  revoked: (who) => `The token of ${who} is no longer valid.`,
  revokedOfTable: (table, round) => `The token of table ${table} in round ${round} is no longer valid.`,
  links: 'Links of tables',
  countedLinks: (count) => plural(count, { one: `Links of tables: ${number(count)} link`, other: `Links of tables: ${number(count)} links` }),
  linksHint: 'They expire with their round; a new slip for a table replaces the earlier one.',
  none: 'Only the tokens of arbiters and administrators are valid.',
  madeTitle: 'A token for an organiser',
  made: (who) => `For ${who}. It is shown only once: let the helper scan the code, or send the link.`,
  madeUntil: (who, at) => `For ${who}, until ${at}. It is shown only once: let the helper scan the code, or send the link.`,
  link: 'The link',
  copy: 'Copy',
  copied: 'Copied.',
  notCopied: 'This browser does not copy here; select the link.',
  asToken: 'As a token, to be pasted under “Sign in”',
};
