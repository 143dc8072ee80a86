import { listed } from '../locale.js';

export const happened = {
  dice: (hands) => `Die Würfel: ${hands.join(', ')}`,
  chance: (action) => `Zufall: ${action}`,
  clockwise: (name, kind, groups, degrees) => `${name} dreht ${kind} ${listed(groups)} um ${degrees}° im Uhrzeigersinn.`,
  counterclockwise: (name, kind, groups, degrees) => `${name} dreht ${kind} ${listed(groups)} um ${degrees}° gegen den Uhrzeigersinn.`,
  goes: (what, from, to) => `${what} geht von ${from} nach ${to}`,
  comes: (what, to) => `${what} kommt nach ${to}`,
  leaves: (what, from) => `${what} verlässt ${from}`,
  moves: (name, what, from, to) => `${name} zieht ${what} von ${from} nach ${to}`,
  places: (name, what, to) => `${name} setzt ${what} auf ${to}`,
  goesOf: (name, what, from, to) => `${what} von ${name} geht von ${from} nach ${to}`,
  gets: (name, what, to) => `${name} bekommt ${what} auf ${to}`,
  loses: (name, what, from) => `${name} verliert ${what} auf ${from}`,
  owned: (name, what) => `${what} von ${name}`,
  unowned: (what) => what,
  went: (it, from, to) => `${it} ging von ${from} nach ${to}`,
  came: (it, to) => `${it} kam nach ${to}`,
  gone: (it, from) => `${it} auf ${from} ist weg`,
  onBoth: (it, a, b) => `${it}: auf ${a} in A, auf ${b} in B.`,
  onlyA: (it, place) => `${it}: nur in A, auf ${place}.`,
  onlyB: (it, place) => `${it}: nur in B, auf ${place}.`,
};
