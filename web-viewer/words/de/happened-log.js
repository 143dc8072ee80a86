// The events of a log besides actions: notes in the list of moves, announcements, and the lines of the log.

import { moment } from '../locale.js';

export const happenedLog = {
  submission: 'eine geheime Abgabe',
  opens: (seq, content) => `öffnet Ereignis ${seq}: ${content}`,
  toPly: (ply, reason) => `bis Halbzug ${ply}: ${reason}`,
  atPly: (ply) => `Halbzug ${ply}:`,
  leaves: 'scheidet aus; der Dienst gibt für den Platz ab',
  accepted: 'angenommen',
  declined: 'abgelehnt',
  noDeadline: 'keine Frist',
  due: (at) => `fällig ${moment(at)}`,
  dueAndOpens: (at, opens) => `fällig ${moment(at)}, beginnt ${moment(opens)}`,
  outcomeCorrected: (outcome) => `Ergebnis berichtigt: ${outcome}`,
  voided: 'Die Partie wurde für ungültig erklärt',
  unvoided: 'Die Partie zählt wieder',
  reopened: 'Das Ende wurde aufgehoben: Die Partie geht weiter',
  resigned: (name) => `${name} hat aufgegeben`,
  submittedFor: 'der Dienst gibt für den Platz ab',
  offered: (name) => `${name} hat Remis angeboten`,
  accepts: (name) => `${name} hat das Remis angenommen`,
  declines: (name) => `${name} hat das Remis abgelehnt`,
  takenBack: (actions) => `Zurückgenommen: ${actions.join(', ')}`,
  takenBackTo: (ply) => `Zurückgenommen bis Halbzug ${ply}`,
};
