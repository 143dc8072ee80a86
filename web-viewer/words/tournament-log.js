// Events of a tournament's log.

export const log = {
  told: {
    tournament_created: 'The tournament was created', tournament_edited: 'Its settings were changed', entered: 'Entered', entrant_edited: 'An entry was changed',
    entry_removed: 'An entry was removed', withdrawn: 'Withdrew', returned: 'Came back', absence_announced: 'Will miss a round', absence_cancelled: 'Will not miss a round',
    paired: 'Paired', pairing_changed: 'Pairing changed by hand', unpaired: 'Pairing undone', round_opened: 'Round opened', round_unopened: 'Opening undone',
    game_opened: 'A further game', table_opened: 'A table was opened', table_reseated: 'Others sit at the table', result_recorded: 'Result', result_removed: 'Result removed', forfeited: 'Forfeit', adjourned: 'Adjourned', round_closed: 'Round closed',
    round_reopened: 'Round reopened', tournament_finished: 'The tournament was finished', tournament_reopened: 'The tournament was reopened',
  },
  // An entrant without a name.
  entrant: (entrant) => `No. ${entrant}`,
  // Five or more.
  entrants: (count) => `${count} entrants`,
  round: (round) => `round ${round}`,
  table: (table) => `table ${table}`,
  seat: (seat) => `seat ${seat}`,
  lost: (names) => `did not come: ${names}`,
  from: (round) => `from round ${round}`,
  atTable: (table) => `At table ${table}`,
  roles: { organiser: 'Organiser', arbiter: 'Arbiter', admin: 'Administrator', recorder: 'Recorder', table: 'Table', operator: 'Operator' },
};
