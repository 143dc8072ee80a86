// Tokens of other organisers, and links of tables.

import { number, plural } from '../locale.js';

export const tokens = {
  title: 'Weitere Turnierleiter',
  titleWithTables: 'Weitere Turnierleiter und Tische',
  explained: 'Ein Zugangsschlüssel für jemanden, der bei der Leitung dieses Turniers hilft, und für nichts anderes. Schiedsrichter und Administratoren können einen anlegen.',
  forWhom: 'Für wen',
  days: 'Tage',
  make: 'Zugangsschlüssel anlegen',
  untilRevoked: 'bis zum Widerruf',
  ofOrganisers: 'Zugangsschlüssel der Turnierleitung',
  columns: { forWhom: 'Für wen', made: 'Angelegt', valid: 'Gültig', revoke: 'Widerrufen', round: 'Runde', table: 'Tisch' },
  revoke: 'Widerrufen',
  revokeOf: (who) => `Den Zugangsschlüssel von ${who} widerrufen`,
  revokeOfTable: (table, round) => `Den Zugangsschlüssel von Tisch ${table} in Runde ${round} widerrufen`,
  revoked: (who) => `Der Zugangsschlüssel von ${who} gilt nicht mehr.`,
  revokedOfTable: (table, round) => `Der Zugangsschlüssel von Tisch ${table} in Runde ${round} gilt nicht mehr.`,
  links: 'Links der Tische',
  countedLinks: (count) => plural(count, { one: `Links der Tische: ${number(count)} Link`, other: `Links der Tische: ${number(count)} Links` }),
  linksHint: 'Sie enden mit ihrer Runde; ein neuer Zettel für einen Tisch ersetzt den früheren.',
  none: 'Nur die Zugangsschlüssel von Schiedsrichtern und Administratoren gelten.',
  madeTitle: 'Ein Zugangsschlüssel für die Turnierleitung',
  made: (who) => `Für ${who}. Nur einmal gezeigt: den Code scannen lassen oder den Link schicken.`,
  madeUntil: (who, at) => `Für ${who}, bis ${at}. Nur einmal gezeigt: den Code scannen lassen oder den Link schicken.`,
  link: 'Der Link',
  copy: 'Kopieren',
  copied: 'Kopiert.',
  notCopied: 'Dieser Browser kopiert hier nicht; den Link markieren.',
  asToken: 'Als Zugangsschlüssel, unter „Anmelden“ einzufügen',
};
