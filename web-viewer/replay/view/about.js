// The card that shows the game, its outcome, and whether the record is intact.

import { errorWords } from '../../base/api.js';
import { countdown } from '../../base/countdown.js';
import { byId, h, openDialog, setText } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { spanOf } from '../../base/spans.js';
import { standalone } from '../../base/standalone.js';
import { BADGE_MARKS, badge } from '../../model/badge.js';
import { deadlineOf } from '../../model/deadline.js';
import { counted, day, moment, outcomeWords, rankingWords, seatName } from '../../model/format.js';
import { parseMarkdown } from '../../model/markdown.js';
import { placeAddress } from '../../model/url.js';

const LIVE = { connecting: 'Connecting', live: 'Live', offline: 'Offline', refused: 'Not followed' };

/** @type {any[]} what the card was made from */ let from = [];

/** @param {import('../derive.js').Now} now */
export function drawAbout(now) {
  const { checkError, checked, events, finding, game, judged, live, mismatch, named, rules } = now;
  const of = [checkError, checked, events, finding, game, judged, live, mismatch, named, rules];
  if (of.every((part, index) => part === from[index])) return;
  from = of;
  byId('replay').setAttribute('aria-busy', String(!game));
  drawBadge(now);
  drawFindings(now);
  if (!game) return;
  setText(byId('title'), rules?.title ?? game.kind);
  document.title = `${game.seats.map(({ number }) => seatName(game.seats, number)).join(' – ')} · ${rules?.title ?? game.kind} · Plybook`;
  patch(byId('facts'), facts(now).map((part) => h('span', {}, part)));
  setText(byId('outcome'), outcomeWords(game));
  byId('outcome').dataset.status = game.status;
  const ranking = rankingWords(game.outcome, game.seats);
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

/**
 * What the game is, and its rules once they have come.
 * @param {import('../derive.js').Now} now
 * @param {Promise<string>} document as Markdown
 */
export function openRules({ rules }, document) {
  const source = /^https?:/.test(rules.source) ? h('a', { href: rules.source, rel: 'noreferrer' }, 'Published rules') : rules.source;
  const text = h('div', {}, h('p', { role: 'status' }, 'Loading…'));
  openDialog(`Rules of ${rules.title}`, h('p', { class: 'hint' }, `${rules.designer} · `, source), text);
  document.then((markdown) => text.replaceChildren(...parseMarkdown(markdown).map(block)), (why) => text.replaceChildren(h('p', { role: 'alert' }, errorWords(why))));
}

/** @type {HTMLElement | null} the open dialog's list of what was checked */ let findings = null;

/**
 * What was checked, and the result. The rules are loaded and judge the record now.
 * @param {import('../derive.js').Now} now
 * @param {{again: () => void, judge: () => void}} acts
 */
export function openVerification(now, { again, judge }) {
  findings = h('dl', { class: 'pairs' });
  const retry = h('button', { type: 'button', class: 'primary', onclick: () => { dialog.close(); again(); } }, 'Check again');
  const dialog = openDialog('Verification',
    h('p', {}, 'This browser fetched the exact bytes of the log and checked every event itself: its layout, its number, ' +
      'the game it belongs to, its time, and that it carries the SHA-256 hash of the event before it. Secrets that were opened ' +
      'and seeds that were published are checked against what was committed to, and signatures against ' +
      'what was signed. The last hash must be the head that the service gives. Then it loads the rules and judges every action itself.'),
    findings,
    retry);
  dialog.addEventListener('close', () => { findings = null; });
  drawFindings(now);
  judge();
}

/** Draws what was checked, while the dialog is open. */
function drawFindings(now) {
  if (!findings) return;
  const { finding, game, rolls } = now;
  const rows = [
    ['Result', badge(now).text],
    finding?.problem && ['What is wrong', `Event ${finding.firstBad} ${finding.problem}.`],
    now.mismatch && ['What is wrong', now.mismatch],
    finding?.valid && !now.mismatch && now.movesDone && ['What is shown', 'The list of moves, the seats and the result agree with the log. Positions are computed by the service from these moves.'],
    finding?.valid && ['Rules', h('span', { role: 'status', id: 'judged' }, judgedWords(now))],
    finding && ['Events checked', String(finding.events)],
    ...(finding?.signers ?? []).map((signer) => ['Signed', signerWords(signer, game.seats)]),
    finding?.signers?.length && ['Not signed', counted(finding.unsigned, 'event')],
    finding?.unchecked && ['Not checked', `${counted(finding.unchecked, 'signature')}: this browser knows no Ed25519, or withholds it on this page.`],
    rolls && ['Dice', rollWords(rolls)],
    finding && ['Head', h('code', {}, finding.head)],
    ['Game', h('code', {}, game.id)],
  ].filter(Boolean);
  findings.replaceChildren(...rows.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
}

/** What the rules in this browser say of the record. */
function judgedWords({ isSecret, judged, mismatch }) {
  switch (judged?.state) {
    case 'done':
      return `This browser played all ${counted(judged.plies, 'action')} again under rules ${judged.rules}: each is legal, and the log ends as they say.` +
        (isSecret || mismatch ? '' : ' The positions shown are compared with its own.');
    case 'sealed': return 'Not checked: something in this log is still sealed.';
    case 'unknown': return `Not checked: ${judged.why}`;
    default: return 'Checking…';
  }
}

/** How much a key signed, and whose it is: a player's, as the service shows that player's log, or a token's. */
function signerWords({ key, who, events }, seats) {
  return h('span', {}, `${counted(events, 'event')} with the key `, h('code', {}, key), ...holderWords(key, seats) ?? [who ? ` of ${who}` : '']);
}

/** The player at this game whose log has a key. */
function holderWords(key, seats) {
  const seat = seats.find(({ player }) => player?.keys.some((each) => each.key === key));
  if (!seat) return null;
  const { since, until } = seat.player.keys.findLast((each) => each.key === key);
  return [' of ', h('a', { href: `/players/${encodeURIComponent(seat.player.id)}` }, seatName(seats, seat.number)), `, added ${moment(since)}`, until && `, removed ${moment(until)}`].filter(Boolean);
}

function rollWords({ derived, others, waiting, contributors }) {
  const seats = contributors.length ? ` and what ${counted(contributors.length, 'seat')} contributed` : '';
  if (waiting) return `${counted(waiting, 'roll')} by the service from its seed${seats}; the seed is published when the game ends`;
  const rest = others ? `; ${others} taken back or without known dice were not` : '';
  return `${counted(derived, 'roll')} derived again from the published seed${seats}${rest}`;
}

function facts({ game, rules, events }) {
  const fork = events[0]?.body.fork;
  const name = game.name ?? events[0]?.body.tags?.event;
  const { tournament } = game;
  return [
    tournament && !standalone() ? h('a', { href: `/tournaments/${encodeURIComponent(tournament.id)}` }, tournament.name) : tournament?.name ?? name, game.round && `Round ${game.round}`, game.table && `Table ${game.table}`,
    h('time', { datetime: game.createdAt, title: moment(game.createdAt) }, day(game.createdAt)),
    game.imports?.length && importWords(game.imports.at(-1)),
    fork && h('a', { href: placeAddress({ id: fork.game, line: game.id, ply: fork.ply }) }, `Line from ply ${fork.ply} of a game`),
    game.status === 'RUNNING' && countdown(deadlineOf(events)),
    rules && h('button', { type: 'button', class: 'link', id: 'rules' }, `Rules ${game.rulesVersion}`),
  ].filter(Boolean);
}

/** What is said of the last import of a game. */
function importWords({ at, who, source }) {
  const from = [source && `from ${source}`, who && `by ${who}`].filter(Boolean).join(' ');
  return h('span', { title: `Imported ${moment(at)} ${from}`.trim() }, `Imported ${day(at)}`);
}

function drawLive({ game, live }) {
  const element = byId('live');
  element.hidden = game.status !== 'RUNNING';
  element.dataset.state = live;
  setText(element, LIVE[live]);
}

function block(part) {
  switch (part.kind) {
    case 'heading': return h(`h${Math.min(6, part.level + 2)}`, {}, ...part.spans.map(spanOf));
    case 'code': return h('pre', { tabindex: '0' }, part.text);
    case 'list': return h(part.ordered ? 'ol' : 'ul', { start: part.ordered && part.start }, ...part.items.map((item) => h('li', {}, ...item.map(spanOf))));
    case 'table': return h('table', {}, ...part.rows.map((cells, index) => h('tr', {}, ...cells.map((cell) => {
      const isHead = index === 0 && cell.some(({ text }) => text.trim());
      return h(isHead ? 'th' : 'td', { scope: isHead && 'col' }, ...cell.map(spanOf));
    }))));
    default: return h('p', {}, ...part.spans.map(spanOf));
  }
}
