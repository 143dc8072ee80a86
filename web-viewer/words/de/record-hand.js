export const hand = {
  goOn: 'Weiter',
  back: 'Zurück zum Tisch',
  onlyThis: (name) => `Jetzt darf nur ${name} hinsehen.`,
  hide: 'Verbergen',
  illegal: 'Die Eingabe ist hier nicht erlaubt. Es ist nichts aufgezeichnet.',
  failed: 'Es ist nichts aufgezeichnet. Bitte noch einmal versuchen.',
  handOver: (name) => `Das Telefon an ${name} geben. Sonst sieht niemand hin.`,
  show: (name) => `Ich bin ${name}: zeigen, was ich sehen darf`,
  sent: (name) => `${name} hat gehandelt. Davon ist hier nichts mehr zu sehen: das Telefon zurückgeben.`,
  sending: (name) => `${name} hat gehandelt. Der Eintrag wird gesendet.`,
  mayNotShow: 'Dieses Gerät darf nicht zeigen, was dieser Platz weiß. Eingaben werden trotzdem aufgezeichnet.',
  unreached: 'Der Dienst ist nicht erreichbar: Was dieser Platz weiß, lässt sich jetzt nicht zeigen.',
};
