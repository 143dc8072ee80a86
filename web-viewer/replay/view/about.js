// The card that shows the game, its outcome, and whether the record is intact.

import { common } from '../../words/common.js';
import { replay as words } from '../../words/replay.js';
import { day, moment } from '../../words/locale.js';
import { countdown } from '../../base/countdown.js';
import { byId, h, marked, openDialog, setText } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { standalone } from '../../base/standalone.js';
import { BADGE_MARKS, badge } from '../../model/badge.js';
import { deadlineOf, opening } from '../../model/deadline.js';
import { rollsOf } from '../../model/fair.js';
import { outcomeWords, rankingWords, seatName } from '../../model/format.js';
import { placeAddress } from '../../model/url.js';

/** @type {any[]} what the card was made from */ let from = [];

/** @param {import('../derive.js').Now} now */
export function drawAbout(now) {
  const { checkError, events, finding, game, isTold, judged, live, mismatch, named, rules } = now;
  const of = [checkError, events, finding, game, isTold, judged, live, mismatch, named, rules, game?.ply === 0 && now.position];
  if (of.every((part, index) => part === from[index])) return;
  from = of;
  byId('replay').setAttribute('aria-busy', String(!game));
  drawBadge(now);
  drawFindings(now);
  if (!game) return;
  setText(byId('title'), rules?.title ?? game.kind);
  document.title = `${game.seats.map(({ number }) => seatName(game.seats, number)).join(' – ')} · ${rules?.title ?? game.kind} · Plybook`;
  patch(byId('facts'), facts(now).map((part) => h('span', {}, part)));
  patch(byId('outcome'), isTold ? marked(outcomeWords(game)) : [h('button', { type: 'button', class: 'link', id: 'show-result' }, words.showResult)]);
  byId('outcome').dataset.status = game.status;
  const ranking = isTold ? rankingWords(game.outcome, game.seats) : [];
  byId('ranking').hidden = ranking.length === 0;
  patch(byId('ranking'), ranking.map((line) => h('li', {}, line)));
  drawLive(now);
}

function drawBadge(now) {
  const { name, text } = badge(now);
  byId('badge').dataset.state = name;
  setText(byId('badge-mark'), BADGE_MARKS[name]);
  setText(byId('badge-text'), text);
}

/** @type {HTMLElement | null} the open dialog's list of what was checked */ let findings = null;

/**
 * What was checked, and the result. If the rules are not there yet, they are loaded now.
 * @param {import('../derive.js').Now} now
 * @param {{again: () => void, judge: () => void}} acts
 */
export function openVerification(now, { again, judge }) {
  findings = h('dl', { class: 'pairs' });
  const retry = h('button', { type: 'button', class: 'primary', onclick: () => { dialog.close(); again(); } }, words.again);
  const dialog = openDialog(words.verificationTitle,
    h('p', {}, words.explained),
    findings,
    retry);
  dialog.addEventListener('close', () => { findings = null; });
  drawFindings(now);
  judge();
}

/** Draws what was checked, while the dialog is open. */
function drawFindings(now) {
  if (!findings) return;
  const { events, finding, game, judged } = now;
  const rolls = rollsOf(events);
  const rows = [
    [common.result, badge(now).text],
    finding?.problem && [words.wrong, h('span', {}, ...marked(words.faulty(finding.firstBad, finding.problem)))],
    now.mismatch && [words.wrong, now.mismatch],
    finding?.valid && !now.mismatch && now.movesDone && [words.shown, words.shownAgrees],
    (finding?.valid || judged?.state === 'unknown') && [common.rules, h('span', { role: 'status', id: 'judged' }, judgedWords(now))],
    finding && [words.verificationEvents, String(finding.events)],
    ...(finding?.signers ?? []).map((signer) => [words.signed, signerWords(signer, game.seats)]),
    finding?.signers?.length && [words.unsigned, words.eventCount(finding.unsigned)],
    rolls.count > 0 && (!rolls.isPublic || judged?.state === 'done') && [words.dice, (rolls.isPublic ? words.rollsDerived : words.rollsWaiting)(rolls.count, rolls.seats)],
    finding && [words.head, h('code', {}, finding.head)],
    [words.game, h('code', {}, game.id)],
  ].filter(Boolean);
  findings.replaceChildren(...rows.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
}

/** What the rules in this browser say of the record. */
function judgedWords({ isSecret, judged, mismatch }) {
  switch (judged?.state) {
    case 'done':
      return (isSecret || mismatch ? words.judged : words.judgedPositions)(judged.plies, judged.rules);
    case 'sealed': return words.sealed;
    case 'unknown': return words.notChecked(judged.why);
    default: return words.checking;
  }
}

/** How much a key signed, and whose it is: a player's, as the service shows that player's log, or a token's. */
function signerWords({ key, who, events }, seats) {
  const code = h('code', {}, key);
  return h('span', {}, ...holderWords(events, key, code, seats) ?? (who ? words.signedBy(events, code, who) : words.signedWith(events, code)));
}

/** The same with the player at this game whose log has the key; null if there is none. */
function holderWords(events, key, code, seats) {
  const seat = seats.find(({ player }) => player?.keys.some((each) => each.key === key));
  if (!seat) return null;
  const { since, until } = seat.player.keys.findLast((each) => each.key === key);
  const holder = h('a', { href: `/players/${encodeURIComponent(seat.player.id)}` }, seatName(seats, seat.number));
  return until ? words.signedByPlayerUntil(events, code, holder, since, until) : words.signedByPlayer(events, code, holder, since);
}

function facts({ game, rules, events, position }) {
  const fork = events[0]?.body.fork;
  const name = game.name ?? events[0]?.body.tags?.event;
  const { tournament } = game;
  return [
    tournament && !standalone() ? h('a', { href: `/tournaments/${encodeURIComponent(tournament.id)}` }, tournament.name) : tournament?.name ?? name, game.round && common.round(game.round), game.table && common.table(game.table),
    h('time', { datetime: game.createdAt, title: moment(game.createdAt) }, day(game.createdAt)),
    game.imports?.length && importWords(game.imports.at(-1)),
    fork && h('a', { href: placeAddress({ id: fork.game, line: game.id, ply: fork.ply }) }, words.fork(fork.ply)),
    game.status === 'RUNNING' && countdown(opening(deadlineOf(events), game.ply === 0 ? position?.toAct ?? [] : [])),
    rules && h('button', { type: 'button', class: 'link', id: 'rules' }, words.rules(game.rulesVersion)),
  ].filter(Boolean);
}

/** What is said of the last import of a game. */
function importWords({ at, who, source }) {
  const title = source && who ? words.importedFromBy(at, source, who) : source ? words.importedFrom(at, source) : who ? words.importedBy(at, who) : words.importedAt(at);
  return h('span', { title }, words.imported(at));
}

function drawLive({ game, live }) {
  const element = byId('live');
  element.hidden = game.status !== 'RUNNING';
  element.dataset.state = live;
  setText(element, common.live[live]);
}
