export const openings = {
  lastPlayed: 'Zuletzt gespielt',
  about: 'Wie Partien beginnen; eine Aktion führt zu dem, was folgt.',
  notReached: 'Keine aufgezeichnete Partie erreichte diese Stellung.',
  openings: 'Eröffnungen',
  back: 'Zurück zum Anfang',
  notContinued: 'Keine Partie ging von hier aus weiter.',
  results: (games, results) => `${games}: ${results}.`,
};
