export const forbidden = {
  title: 'Wer nicht aufeinandertreffen soll',
  explained: 'Verwandte oder Spieler eines Vereins: Ab der nächsten Runde werden sie nicht miteinander gepaart. Sind es zu viele, bleibt womöglich keine Paarung übrig.',
  one: 'Spieler',
  other: 'Und',
  add: 'Trennen',
  added: 'Sie treffen nicht aufeinander.',
  clubs: 'Alle Spieler eines Vereins trennen',
  clubsAdded: 'Spieler eines Vereins treffen nicht aufeinander.',
  remove: 'Entfernen',
  removed: 'Sie dürfen wieder aufeinandertreffen.',
  removeGroup: (names) => `Entfernen: ${names}`,
};
