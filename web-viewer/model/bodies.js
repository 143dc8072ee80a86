// What the members of an event hold, as in FORMAT.md: of the events of games and lines.

const INTEGER_MAX = 2 ** 53 - 1;
const SMALL_MAX = 2 ** 32 - 1;
const AT_MAX = '9999-12-30T22:00:00.000Z';
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;
const DECIDERS = ['rules', 'resignation', 'agreement', 'time', 'arbiter', 'abandonment'];

/** @typedef {(value: any) => boolean} Check whether a value is allowed */

/** @type {Check} */ const any = () => true;
/** @type {Check} */ const text = (value) => typeof value === 'string';
/** @type {Check} */ const flag = (value) => typeof value === 'boolean';
/** @type {Check} */ const set = (value) => value === true;
/** @type {Check} */ const object = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** @type {Check} */ const filled = (value) => object(value) && Object.keys(value).length > 0;
/** @type {(most?: number, least?: number) => Check} */
const int = (most = INTEGER_MAX, least = 0) => (value) => Number.isSafeInteger(value) && value >= least && value <= most;
/** @type {(of: Check, least?: number) => Check} */
const list = (of, least = 0) => (value) => Array.isArray(value) && value.length >= least && value.every(of);

/** @type {Check} */ export const isHash = (value) => text(value) && HASH.test(value);
/** @type {Check} */ export const isId = (value) => text(value) && ID.test(value);
/** @type {Check} */ export const isAuthor = (value) => /^(seat:([1-9]|1[0-3])|chance|arbiter|service)$/.test(value);

/** @type {Check} */ export const isWho = (value) => /^((player|table|recorder|organiser|arbiter|admin):[0-9a-f]{8}|operator)$/.test(value);

/** @type {Check} */ export const isSignature = (value) => /^[0-9a-f]{64}:[0-9a-f]{128}$/.test(value);

/** @type {Check} */
export function isTime(value) {
  if (!text(value) || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) || value > AT_MAX) return false;
  const [year, month, day, hour, minute, second] = value.split(/[-T:.]/).map(Number);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] && hour < 24 && minute < 60 && second < 60;
}

/** @type {Check} */
const played = (value) => isTime(text(value) && /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00.000Z` : value);

/**
 * An object with these members.
 * @param {Record<string, Check>} needed
 * @param {Record<string, Check>} [optional]
 * @param {Check} [others] whatever else there is
 * @returns {Check}
 */
const members = (needed, optional = {}, others = () => false) => (value) => {
  const check = (name) => (Object.hasOwn(needed, name) ? needed[name] : Object.hasOwn(optional, name) ? optional[name] : others);
  return object(value) && Object.keys(needed).every((name) => Object.hasOwn(value, name))
    && Object.keys(value).every((name) => check(name)(value[name]));
};

const seats = list(int(255));
const outcome = members({ winners: seats, reason: text }, { ranking: list(seats) }, any);
const seed = members({ seed: isHash, salt: isHash });
const arranged = members({}, { name: text, hidden: flag, rank: int(INTEGER_MAX, -INTEGER_MAX) });

/** @type {Record<string, Check>} */
const BODIES = {
  created: members({ kind: text, rules: text, setup: any, seats: list(members({ name: text }, { player: isId })) }, {
    position: object, tournament: isId, round: int(SMALL_MAX), table: int(SMALL_MAX), played, unrated: set, tags: filled,
    fairness: isHash, drawn: list(text, 1), sealed_setup: isHash, open: set, signed: set, name: text, owner: isId,
    fork: members({ game: isId, ply: int(SMALL_MAX), seq: int(), hash: isHash }),
  }),
  acted: members({ action: text }, { clock_ms: int(), fair: set }),
  entropy_added: members({ entropy: isHash }),
  sealed: members({ commitment: isHash }, { clock_ms: int() }),
  revealed: members({ of: int(), content: text, salt: isHash }),
  taken_back: members({ to_ply: int(SMALL_MAX), reason: text }),
  annotated: members({ ply: int(SMALL_MAX) }, { comment: text, glyphs: list(text, 1) }),
  draw_offered: members({}),
  draw_answered: members({ accept: flag }),
  resigned: members({}),
  ended: members({ decided_by: (value) => DECIDERS.includes(value), outcome }, { seed }),
  corrected: members({ outcome, reason: text }),
  voided: members({ reason: text }, { seed }),
  reopened: members({ reason: text }),
  unvoided: members({ reason: text }),
  deadline_set: members({}, { opens: isTime, due: isTime, reason: text }),
  arranged: (value) => arranged(value) && Object.keys(value).length > 0,
};

/**
 * Whether a game or a line has events of a type.
 * @param {string} type
 */
export function isOfGames(type) {
  return Object.hasOwn(BODIES, type);
}

/**
 * Whether a value is the body of an event of a type that games have.
 * @param {string} type
 * @param {any} body
 */
export function isBody(type, body) {
  return BODIES[type](body);
}
