// Was schiefgegangen ist.

export const errors = {
  offline: 'Der Server ist nicht erreichbar.',
  signInAgain: 'Der Zugangsschlüssel gilt nicht mehr. Bitte neu anmelden.',
  notYet: 'Das ist noch nicht einsehbar.',
  tooMany: 'Zu viele Anfragen; bitte einen Moment warten.',
  answered: (status) => `der Server hat mit ${status} geantwortet`,
  noLog: (status) => `das Log ließ sich nicht laden (${status})`,
  noPart: 'ein Teil dieser Seite ließ sich nicht laden: bitte neu laden',
  refused: {
    BAD_INPUT: (why) => `So geht es nicht: ${why}`,
    BAD_SETUP: (why) => `Dieser Aufbau geht nicht: ${why}`,
    NOT_FOUND: (why) => `Das gibt es nicht: ${why}`,
    ILLEGAL_ACTION: (why) => `Die Regeln lassen das nicht zu: ${why}`,
    BAD_SIGNATURE: (why) => `Die Signatur stimmt nicht: ${why}`,
    NOT_YOUR_TURN: (why) => `Jemand anderes ist am Zug: ${why}`,
    OUT_OF_TIME: (why) => `Außerhalb der Zeit: ${why}`,
    NOT_REACHED: (why) => `Nicht ausgeführt: ${why}`,
    GAME_OVER: (why) => `Die Partie ist beendet: ${why}`,
    LOG_CONFLICT: (why) => `Die Partie ist inzwischen weitergegangen: ${why}`,
    TOO_COMPLEX: (why) => `Die Anfrage ist zu groß: ${why}`,
    READ_ONLY: (why) => `Der Server kann gerade nichts aufzeichnen: ${why}`,
    OUTCOME_UNKNOWN: (why) => `Ob es aufgezeichnet wurde, ist nicht bekannt: ${why}`,
    BEHIND: (why) => `Der Server ist noch nicht auf dem neuesten Stand: ${why}`,
    SECRET_LOST: (why) => `Ein Geheimnis ist verloren gegangen: ${why}`,
    INTERNAL: (why) => `Ein Fehler ist aufgetreten: ${why}`,
  },
};
