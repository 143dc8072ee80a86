// Whether the record is intact, and what was checked.

import { moment, number, plural } from './locale.js';

export const verification = {
  // The badge.
  notRecord: 'Not what the record says',
  notNamed: 'Not the record that the link names',
  notFetched: 'The log could not be fetched',
  checkingRecord: 'Checking the record',
  notYet: 'Not checked yet',
  notJudged: 'Not checked',
  failedAt: (seq) => `Failed at seq ${seq}`,
  verified: (count, head) => `Verified · ${plural(count, { one: '1 event', other: `${number(count)} events` })} · ${head}`,
  alarm: (why) => `Do not trust this page: it does not show what the record says. ${why}`,
  // `problem` continues the sentence; what the rules say is in English.
  faulty: (seq, problem) => `Event ${seq} ${problem}.`,
  nothingFrom: (seq, problem) => `Event ${seq} ${problem}. Nothing from here on can be trusted.`,
  // What a link names.
  headNotWhole: 'The link names an event that it does not give in full: open the whole link, or scan the code again.',
  headMissing: (hash) => `This is not the record that the link was made for: no event of this log has the hash ${hash}… that the link names. Either the link is wrong, or the record was changed since. Compare them, and keep the slip.`,
  headWaiting: (hash) => `The link names the event ${hash}…. The log is being compared with it.`,
  headUnknown: (hash) => `The link names the event ${hash}…. The log could not be fetched, so nothing is compared.`,
  headLast: (hash, seq) => `The log has the event ${hash}… that the link names: everything up to event ${seq} is as it was then. Nothing came after it.`,
  headThere: (hash, seq, since) => `The log has the event ${hash}… that the link names: everything up to event ${seq} is as it was then. ${plural(since, { one: '1 event', other: `${number(since)} events` })} came after it.`,
  // The dialog.
  title: 'Verification',
  again: 'Check again',
  explained: 'This browser fetches the exact log and has the rules of the game check it: the chain of hashes up to the head that the service gives, the form, order and author of each event, what was sealed, seeds, rolls, signatures, and every action.',
  wrong: 'What is wrong',
  shown: 'What is shown',
  shownAgrees: 'The list of moves, the seats and the result agree with the log. Positions are computed by the service from these moves.',
  events: 'Events checked',
  signed: 'Signed',
  unsigned: 'Not signed',
  eventCount: (count) => plural(count, { one: '1 event', other: `${number(count)} events` }),
  dice: 'Dice',
  head: 'Head',
  game: 'Game',
  judged: (count, rules) => `This browser played all ${plural(count, { one: '1 action', other: `${number(count)} actions` })} again under rules ${rules}: each is legal, and the log ends as they say.`,
  judgedPositions: (count, rules) => `This browser played all ${plural(count, { one: '1 action', other: `${number(count)} actions` })} again under rules ${rules}: each is legal, and the log ends as they say. The positions shown are compared with its own.`,
  sealed: 'Not checked: something in this log is still sealed.',
  notChecked: (why) => `Not checked: ${why}`,
  checking: 'Checking…',
  // Who signed: `key` and `holder` are elements, the dates are there if the key was added or removed.
  signedWith: (count, key) => [`${plural(count, { one: '1 event', other: `${number(count)} events` })} with the key `, key],
  signedBy: (count, key, who) => [`${plural(count, { one: '1 event', other: `${number(count)} events` })} with the key `, key, ` of ${who}`],
  signedByPlayer: (count, key, holder, since) => [`${plural(count, { one: '1 event', other: `${number(count)} events` })} with the key `, key, ' of ', holder, `, added ${moment(since)}`],
  signedByPlayerUntil: (count, key, holder, since, until) => [`${plural(count, { one: '1 event', other: `${number(count)} events` })} with the key `, key, ' of ', holder, `, added ${moment(since)}, removed ${moment(until)}`],
  // The dice. `seats`: how many contributed to them; 0 if nobody.
  rollsWaiting: (count, seats) => `${plural(count, { one: '1 roll', other: `${number(count)} rolls` })} by the service from its seed${seats ? ` and what ${plural(seats, { one: '1 seat', other: `${number(seats)} seats` })} contributed` : ''}; the seed is published when the game ends`,
  rollsDerived: (count, seats) => `${plural(count, { one: '1 roll', other: `${number(count)} rolls` })} derived again from the published seed${seats ? ` and what ${plural(seats, { one: '1 seat', other: `${number(seats)} seats` })} contributed` : ''}`,
  // What the page shows otherwise than the record has it.
  otherKind: (page, record) => `The page shows a game of ${page}; the record is one of ${record}.`,
  otherSeats: (page, record) => `The page shows ${page} seats; the record has ${record}.`,
  goesOn: (record, page) => `The record goes on to ply ${record}; the page lists ${page}.`,
  otherPly: (ply, page, record) => `Ply ${ply} is shown as ${page}; the record has ${record}.`,
  endsBefore: (ply) => `The page lists ply ${ply}; the record ends before it.`,
  otherOutcome: (page, pageReason, record, recordReason) => `The page shows ${page} as winning (${pageReason}); the record has ${record} (${recordReason}).`,
  nobody: 'nobody',
  noReason: 'no reason',
  actionBy: (action, name) => `${action} by ${name}`,
  secretBy: (name) => `a secret by ${name}`,
  // What the rules in this browser say, and what is wrong with an event of the chain: what follows “Event 7”.
  rulesAbsent: (kind, version) => `The rules of ${kind}, version ${version}, are not among those of this page.`,
  otherPosition: (ply) => `The position at ply ${ply} is not the one that the rules give.`,
  misfit: (problem) => `does not hold: ${problem}`,
  noEvent: 'is not an event',
  ofOtherLog: (log) => `belongs to another log (${log})`,
  otherHead: 'has another hash than the head that the service gives',
  missingAll: 'is missing: the log is empty',
  missingHead: (seq) => `is missing: the service's head is event ${seq}`,
};
