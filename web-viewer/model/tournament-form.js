// The form for a tournament: its fields, the input they make, and which field a refusal is about.

import { tournament as words } from '../words/tournament.js';
import { OWN_ZONE, localTime, timeOf } from './time-zone.js';

/** All tie-breaks to choose from. */
const TIE_BREAKS = Object.entries(words.tieBreakNames);

/** Tie-breaks that are refused where everybody meets everybody, and at tables of more than two. */
const NOT_ROUND_ROBIN = ['BH/C1', 'BH', 'BH/M1', 'AOB', 'FB'];
const NOT_MANY = ['BWG', 'BPG', 'STD', 'FB', 'KS', 'TPR'];

/** The tie-breaks to choose from. @param {string} format @param {number} seats */
export function tieBreaksFor(format, seats) {
  const refused = [...(['ROUND_ROBIN', 'GROUPS_KNOCKOUT'].includes(format) ? NOT_ROUND_ROBIN : []), ...(seats > 2 ? NOT_MANY : [])];
  return TIE_BREAKS.filter(([code]) => !refused.includes(code));
}

const THREE = { by: 'result', win: 30, draw: 10, loss: 0 };

/** The scorings to choose from. A tournament that was made otherwise may have another, which is its own value as JSON. */
export const SCORINGS = [['', words.scorings.usual], ['three', words.scorings.three], ['place', words.scorings.place]];

/** @typedef {Record<string, string>} Fields the form's fields as text; check boxes are `on` or empty */

/** The fields of a new tournament. */
export const NEW = {
  name: '', kind: '', format: 'SWISS', rounds: '5', seats: '', system: 'dutch', accelerated: '', double: '', bestOf: '1', replays: '', thirdPlace: '', smallest: '', largest: '', groups: '4', qualifiers: '2',
  timeControl: '', timeZone: OWN_ZONE, startsAt: '', endsAt: '', roundsAt: '', place: '', description: '', announcement: '', scoring: '', placePoints: '', tieBreaks: '', pairingBye: '', halfMax: '1', halfLastRound: '', rated: 'on', signatures: '', rolls: 'ANY', setup: '',
};

/** The fields specific to each format. */
const OPTIONS = {
  SWISS: ['rounds', 'system', 'accelerated', 'smallest', 'largest', 'halfMax', 'halfLastRound'], ROUND_ROBIN: ['double'], KNOCKOUT: ['bestOf', 'replays', 'thirdPlace'],
  GROUPS_KNOCKOUT: ['groups', 'qualifiers', 'double', 'bestOf', 'replays', 'thirdPlace'], FREE: ['rounds', 'halfMax', 'halfLastRound'],
};
const ALL_OPTIONS = [...new Set(Object.values(OPTIONS).flat())];

/**
 * Whether a field is part of the form, given the other fields.
 * @param {Fields} fields
 * @param {string} name
 * @param {{minSeats: number, maxSeats: number, chance?: boolean} | undefined} rules of the game chosen
 */
export function isAsked(fields, name, rules) {
  const seats = seatsOf(fields, rules);
  if (name === 'seats') return Boolean(rules && rules.minSeats < rules.maxSeats);
  if (name === 'rolls') return Boolean(rules?.chance);
  if (name === 'placePoints') return fields.scoring === 'place';
  if (name === 'system' || name === 'accelerated') return fields.format === 'SWISS' && seats === 2 && (name === 'system' || fields.system === 'dutch');
  if (name === 'smallest' || name === 'largest') return fields.format === 'SWISS' && seats > 2;
  return !ALL_OPTIONS.includes(name) || (OPTIONS[fields.format] ?? []).includes(name);
}

/** The formats available for a game with these numbers of seats. */
export function formatsFor(seats) {
  return seats === 2 ? ['SWISS', 'ROUND_ROBIN', 'KNOCKOUT', 'GROUPS_KNOCKOUT', 'FREE'] : ['SWISS', 'FREE'];
}

/** @param {Fields} fields @param {{minSeats: number} | undefined} rules */
export function seatsOf({ seats }, rules) {
  return Number(seats) || rules?.minSeats || 2;
}

/**
 * The fields with another value in one of them. Another game may not be played at the same tables, nor in the same format.
 * @param {Fields} fields @param {string} name @param {string} value @param {any[]} kinds
 */
export function changed(fields, name, value, kinds) {
  const next = { ...fields, [name]: value, ...name === 'kind' && { seats: '' } };
  const formats = formatsFor(seatsOf(next, kinds.find(({ kind }) => kind === next.kind)));
  return formats.includes(next.format) ? next : { ...next, format: formats[0] };
}

/**
 * What browsers do not see is wrong with the fields, by name; empty if nothing is.
 * @param {Fields} fields
 * @returns {Record<string, string>}
 */
export function problems({ roundsAt, setup }) {
  const gap = roundTimes(roundsAt).indexOf('');
  return { ...gap >= 0 && { roundsAt: words.noTime(gap + 1) }, ...setup.trim() && !parsedSetups(setup) && { setup: words.noSetup } };
}

/**
 * The input that the fields make.
 * @param {Fields} fields
 * @param {{minSeats: number, maxSeats: number} | undefined} rules
 */
export function inputOf(fields, rules) {
  const text = (name) => fields[name].trim() || null;
  const number = (name) => (isAsked(fields, name, rules) && fields[name].trim() ? Number(fields[name]) : null);
  const flag = (name) => (isAsked(fields, name, rules) && fields[name] ? true : null);
  const options = {
    system: isAsked(fields, 'system', rules) && fields.system !== 'dutch' ? fields.system : null,
    accelerated: flag('accelerated'), double: flag('double'), bestOf: number('bestOf'), replays: number('replays'), smallest: number('smallest'), largest: number('largest'), thirdPlace: flag('thirdPlace'), groups: number('groups'), qualifiers: number('qualifiers'),
  };
  const time = (at) => timeOf(at, fields.timeZone.trim());
  const times = roundTimes(fields.roundsAt).filter(Boolean).map(time);
  const policy = { pairing: fields.pairingBye.trim() ? Number(fields.pairingBye) : null, halfMax: number('halfMax'), halfLastRound: number('halfLastRound') };
  return present({
    name: text('name'), kind: fields.kind, format: fields.format, formatOptions: orNull(present(options)), seats: number('seats'), rounds: number('rounds'),
    timeControl: text('timeControl'), timeZone: text('timeZone'), startsAt: time(fields.startsAt), endsAt: time(fields.endsAt), roundsAt: times.length > 0 ? times : null, place: text('place'), description: text('description'), announcement: text('announcement'),
    scoring: scoringOf(fields), tieBreaks: fields.tieBreaks.trim() ? list(fields.tieBreaks) : null, byePolicy: orNull(present(policy)), rated: fields.rated ? null : false, signatures: fields.signatures ? 'REQUIRED' : null,
    rolls: isAsked(fields, 'rolls', rules) && fields.rolls !== 'ANY' ? fields.rolls : null,
    setups: parsedSetups(fields.setup),
  });
}

/**
 * The fields for an existing tournament.
 * @param {any} tournament
 * @returns {Fields}
 */
export function fieldsOf(tournament) {
  const options = { ...tournament.formatOptions, ...tournament.formatOptions?.knock_out };
  const { byePolicy, format, rated, roundsAt, roundsPlanned, scoring, seats, setups, signatures, tieBreaks } = tournament;
  const said = (value) => (value == null ? '' : String(value));
  const local = (at) => localTime(at, tournament.timeZone);
  const texts = ['name', 'kind', 'timeControl', 'timeZone', 'place', 'description', 'announcement'].map((name) => [name, said(tournament[name])]);
  return {
    ...NEW, ...Object.fromEntries(texts), format, rounds: said(roundsPlanned), seats: said(seats), system: options.system ?? 'dutch',
    accelerated: options.is_accelerated ? 'on' : '', double: options.cycles > 1 ? 'on' : '', bestOf: said(options.best_of ?? 1), replays: said(options.level?.after_replays), thirdPlace: options.has_third_place ? 'on' : '',
    smallest: said(options.smallest), largest: said(options.largest), roundsAt: roundsAt.map(local).join('\n'),
    groups: said(options.groups ?? 4), qualifiers: said(options.advance ?? 2), startsAt: local(tournament.startsAt), endsAt: local(tournament.endsAt),
    scoring: scoringField(scoring, seats), placePoints: (scoring.points ?? []).map((tenths) => tenths / 10).join(', '), tieBreaks: tieBreaks.join(', '), pairingBye: said(byePolicy?.pairing),
    halfMax: said(byePolicy?.halfMax), halfLastRound: said(byePolicy?.halfLastRound), rated: rated ? 'on' : '', signatures: signatures === 'REQUIRED' ? 'on' : '', rolls: tournament.rolls ?? 'ANY', setup: setups.length === 0 ? '' : JSON.stringify(setups.length === 1 ? setups[0] : setups),
  };
}

/**
 * The fields for a new tournament like another one: without its times, and what was announced.
 * @param {any} tournament
 * @returns {Fields}
 */
export function copied(tournament) {
  return { ...fieldsOf(tournament), startsAt: '', endsAt: '', roundsAt: '', announcement: '' };
}

/** Fields that belong together: a change of one is sent with the others. */
const TOGETHER = ['kind', 'format', 'formatOptions', 'seats', 'rounds'];
/** Other tables are scored otherwise, unless the points are chosen. */
const SCORED = ['kind', 'format', 'seats'];
const EMPTY = { timeControl: '', timeZone: '', place: '', description: '', announcement: '', setups: [], roundsAt: [], rated: true, signatures: 'OPTIONAL', rolls: 'ANY', byePolicy: {} };

/**
 * The changes between two inputs. Removed values are sent as empty, or as null for what is usual.
 * @param {Record<string, any>} before @param {Record<string, any>} after
 */
export function changes(before, after) {
  const differs = (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(differs);
  const isScored = names.some((name) => SCORED.includes(name));
  const isOther = names.some((name) => TOGETHER.includes(name) && (name !== 'rounds' || !after.rounds));
  if (isOther) names.push(...TOGETHER.filter((name) => name in after && !names.includes(name)));
  if (isScored && !after.scoring && !names.includes('scoring')) names.push('scoring');
  return Object.fromEntries(names.map((name) => [name, after[name] ?? EMPTY[name] ?? null]));
}

/**
 * The field that the service's refusal is about, if it names one.
 * @param {string} message
 */
export function fieldOf(message) {
  const named = /^(?:input\.)?`?([a-zA-Z]+)`?(?=:|\s)/.exec(message)?.[1];
  return { tieBreaks: 'tieBreaks', byePolicy: 'halfMax', formatOptions: 'format', setups: 'setup', roundsAt: 'roundsAt' }[named] ?? (named in NEW ? named : '');
}

function scoringOf({ scoring, placePoints }) {
  if (scoring === 'three') return THREE;
  if (isOwnScoring(scoring)) return JSON.parse(scoring);
  return scoring === 'place' ? { by: 'place', points: numbers(placePoints).map((value) => Math.round(value * 10)) } : null;
}

/** @param {string} field */
export function isOwnScoring(field) {
  return field.startsWith('{');
}

function scoringField(scoring, seats) {
  if (scoring.by === 'place') return 'place';
  const isAs = (wanted) => Object.entries(wanted).every(([name, value]) => scoring[name] === value);
  if (isAs(THREE)) return 'three';
  if (isAs(seats === 2 ? { by: 'result', win: 10, draw: 5, loss: 0 } : { by: 'beaten', full: seats })) return '';
  // What a bye gives is a field of its own.
  return JSON.stringify({ ...scoring, pairing_bye: undefined });
}

function numbers(text) {
  const found = list(text).map(Number);
  return found.length > 0 && found.every((value) => Number.isFinite(value) && value >= 0) ? found : null;
}

function list(text) {
  return text.split(/[\s,;]+/).filter(Boolean);
}

/**
 * The times of the rounds, one per line; empty for a missing time before a later one.
 * @param {string} text
 * @returns {string[]}
 */
export function roundTimes(text) {
  return text.trimEnd() ? text.trimEnd().split('\n') : [];
}

/**
 * The times with one round's changed.
 * @param {string} text @param {number} round from 1 @param {string} at
 */
export function withRoundTime(text, round, at) {
  const times = roundTimes(text);
  while (times.length < round) times.push('');
  times[round - 1] = at;
  return times.join('\n').trimEnd();
}

/** One setup for all rounds, or a list with one for each round. */
function parsedSetups(text) {
  try {
    const value = JSON.parse(text);
    const list = Array.isArray(value) ? value : [value];
    return list.length > 0 && list.every((each) => each && typeof each === 'object' && !Array.isArray(each)) ? list : null;
  } catch {
    return null;
  }
}

function present(members) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null));
}

function orNull(members) {
  return Object.keys(members).length > 0 ? members : null;
}
