import { day, moment } from '../locale.js';

export const about = {
  rulesOf: (title) => `Regeln von ${title}`,
  rules: (version) => `Regeln ${version}`,
  fork: (ply) => `Variante ab Halbzug ${ply} einer Partie`,
  imported: (at) => `Importiert ${day(at)}`,
  importedAt: (at) => `Importiert ${moment(at)}`,
  importedFrom: (at, source) => `Importiert ${moment(at)} aus ${source}`,
  importedBy: (at, who) => `Importiert ${moment(at)} von ${who}`,
  importedFromBy: (at, source, who) => `Importiert ${moment(at)} aus ${source} von ${who}`,
};
