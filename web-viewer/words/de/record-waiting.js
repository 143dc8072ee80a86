import { number, plural } from '../locale.js';

export const waiting = {
  noConnection: 'Keine Verbindung. Einträge bleiben auf diesem Gerät und werden später gesendet.',
  section: 'Noch nicht aufgezeichnet',
  refused: 'Nicht aufgezeichnet',
  overtaken: 'Jemand anders hat weitergespielt',
  toSign: (count) => plural(count, { one: `${number(count)} Eintrag muss signiert werden`, other: `${number(count)} Einträge müssen signiert werden` }),
  offline: (count) => plural(count, { one: `${number(count)} Eintrag wartet auf die Verbindung`, other: `${number(count)} Einträge warten auf die Verbindung` }),
  sending: 'Wird gesendet …',
  toSend: (count) => plural(count, { one: `${number(count)} Eintrag zu senden`, other: `${number(count)} Einträge zu senden` }),
  secretRefused: 'Die geheime Eingabe ist nicht erlaubt.',
  compare: 'Der eigene Eintrag ist nicht aufgezeichnet. Bitte mit dem Brett oben vergleichen und dann entscheiden.',
  keptInPage: 'Dieser Browser kann hier nicht verschlüsseln, deshalb liegen geheime Einträge nur in dieser Seite: Die Seite nicht schließen, bis sie gesendet sind.',
  keptEncrypted: 'Sie bleiben mit dem Zugangsschlüssel verschlüsselt auf diesem Gerät, auch wenn die Seite geschlossen wird, und werden gesendet, sobald die Verbindung wieder da ist.',
  keptOnDevice: 'Sie bleiben auf diesem Gerät, auch wenn die Seite geschlossen wird, und werden gesendet, sobald die Verbindung wieder da ist.',
  enterAll: 'Danach eintragen',
  enter: 'Danach eintragen',
  discardAll: (count) => `Alle ${number(count)} verwerfen`,
  discard: 'Verwerfen',
  discardLast: 'Den letzten verwerfen',
};
