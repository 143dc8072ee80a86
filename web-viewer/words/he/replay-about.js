import { day, moment } from '../locale.js';

export const about = {
  rulesOf: (title) => `הכללים של ${title}`,
  rules: (version) => `כללים ${version}`,
  fork: (ply) => `וריאציה מחצי־מהלך ${ply} של משחק`,
  imported: (at) => `יובא ${day(at)}`,
  importedAt: (at) => `יובא ${moment(at)}`,
  importedFrom: (at, source) => `יובא ${moment(at)} מתוך ${source}`,
  importedBy: (at, who) => `יובא ${moment(at)} בידי ${who}`,
  importedFromBy: (at, source, who) => `יובא ${moment(at)} מתוך ${source} בידי ${who}`,
};
