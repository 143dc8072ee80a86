// Anmelden, Design und anderes, was jede Seite hat.

import { plural, number } from '../locale.js';

export const common = {
  close: 'Schließen',
  signIn: 'Anmelden',
  signedIn: 'Angemeldet',
  signedInAs: (name) => `Angemeldet als ${name}`,
  roles: { player: 'Spieler', table: 'Tisch', recorder: 'Protokollführer', organiser: 'Turnierleitung', arbiter: 'Schiedsrichter', admin: 'Administrator' },
  signOut: 'Abmelden',
  signInTitle: 'Mit einem Zugangsschlüssel anmelden',
  token: 'Zugangsschlüssel',
  whatFor: 'Partien und Turniere sind für alle einsehbar. Mit einem Zugangsschlüssel sieht man, was der eigene Platz sehen darf, oder leitet ein Turnier. Er bleibt nur in diesem Browser.',
  unknownToken: 'Der Server kennt diesen Zugangsschlüssel nicht. Wurde er vollständig kopiert?',
  signedOut: 'Der in diesem Browser gespeicherte Zugangsschlüssel gilt nicht mehr. Zu sehen ist, was alle sehen; mehr nach erneuter Anmeldung.',
  deviceKey: 'Der Signaturschlüssel dieses Geräts …',
  themes: { system: 'Design: wie im System', light: 'Design: hell', dark: 'Design: dunkel' },
  changeTheme: (theme) => `${theme}. Ändern`,
  oneTournament: 'Ein Turnier',
  anyTournament: 'Partien aus allen Turnieren',
  playersMatch: (count) => plural(count, { one: `${number(count)} Spieler passt; bitte auswählen`, other: `${number(count)} Spieler passen; bitte auswählen` }),
  noPlayer: 'Kein Spieler hat das im Namen',
  due: (due) => `fällig ${due}`,
  opensAndDue: (opens, due) => `beginnt ${opens}, fällig ${due}`,
};
