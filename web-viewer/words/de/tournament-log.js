export const log = {
  told: {
    tournament_created: 'Turnier angelegt', tournament_edited: 'Einstellungen geändert', entered: 'Angemeldet', entrant_edited: 'Anmeldung geändert',
    entry_removed: 'Anmeldung gelöscht', withdrawn: 'Zurückgezogen', returned: 'Zurückgekehrt', absence_announced: 'Setzt eine Runde aus', absence_cancelled: 'Setzt doch nicht aus',
    paired: 'Gepaart', pairing_changed: 'Paarungen von Hand geändert', unpaired: 'Paarungen zurückgenommen', round_opened: 'Runde eröffnet', round_unopened: 'Eröffnung zurückgenommen',
    game_opened: 'Eine weitere Partie', table_opened: 'Ein Tisch wurde eröffnet', table_reseated: 'Andere sitzen am Tisch', result_recorded: 'Ergebnis', result_removed: 'Ergebnis gelöscht', forfeited: 'Kampflos', adjourned: 'Vertagt', round_closed: 'Runde abgeschlossen',
    round_reopened: 'Runde wieder eröffnet', tournament_finished: 'Turnier beendet', tournament_reopened: 'Turnier wieder eröffnet',
  },
  entrant: (entrant) => `Nr. ${entrant}`,
  entrants: (count) => `${count} Teilnehmer`,
  round: (round) => `Runde ${round}`,
  table: (table) => `Tisch ${table}`,
  seat: (seat) => `Platz ${seat}`,
  lost: (names) => `nicht erschienen: ${names}`,
  from: (round) => `ab Runde ${round}`,
  atTable: (table) => `An Tisch ${table}`,
  roles: { organiser: 'Turnierleitung', arbiter: 'Schiedsrichter', admin: 'Administrator', recorder: 'Protokollant', table: 'Tisch', operator: 'Betreiber' },
};
