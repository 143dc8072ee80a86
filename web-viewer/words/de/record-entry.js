import { number, plural } from '../locale.js';

export const entry = {
  endsGame: 'Nach den Regeln beenden die wartenden Einträge die Partie.',
  notHere: 'Jemand anders ist am Zug.',
  who: 'Für wen',
  unknown: 'Was jetzt erlaubt ist, steht erst fest, wenn die wartenden Einträge aufgezeichnet sind. Neue Einträge werden dann geprüft.',
  foreseen: 'Das Brett zeigt die wartenden Einträge, nach den Regeln in diesem Browser.',
  unlisted: 'Die erlaubten Aktionen sind hier nicht aufgeführt: Die Eingabe wird geprüft.',
  clock: (field) => ['Die Uhr zeigt ', field],
  notATime: (text) => `${text} ist keine Zeit. Erwartet wird, was die Uhr zeigt: 1:23:45 oder 9:05.`,
  near: 'Ganz ähnlich:',
  roll: 'Fair würfeln',
  forget: (places) => `${places.join(', ')} verwerfen`,
  unlistedActions: (count) => plural(count, { one: `${number(count)} Aktion: auf das Brett tippen oder eingeben.`, other: `${number(count)} Aktionen: auf das Brett tippen oder eingeben.` }),
  furtherActions: (count) => plural(count, { one: `${number(count)} weitere Aktion: auf das Brett tippen oder eingeben.`, other: `${number(count)} weitere Aktionen: auf das Brett tippen oder eingeben.` }),
  tapOrType: 'Auf das Brett tippen oder eingeben.',
  typeOrTap: 'Eine Aktion eingeben oder auf das Brett tippen.',
  more: (count) => `und ${number(count)} weitere`,
  noAction: (place) => `Keine Aktion hier nennt ${place}.`,
};
