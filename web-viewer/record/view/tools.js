// What happens in a game besides actions: taking back, draws, resigning, time, comments, links.

import { common } from '../../words/common.js';
import { h } from '../../base/dom.js';
import { openKeyDialog } from '../../base/key-dialog.js';
import { addressField } from '../../base/phones.js';
import { seatName, seatOf } from '../../model/format.js';
import { currentKeys } from '../../model/signing.js';
import { record as words } from '../../words/record.js';
import { listed } from '../../words/locale.js';
import { linkCards } from '../links.js';

/**
 * @param {import('../derive.js').Now} now
 * @param {import('../recording.js').Recording} recording
 */
export function tools(now, recording) {
  const { about, game, hand, isArbiter, isOver, isWaiting, mayRecord, mayReopen, mayUndo, me, panel, undoes } = now;
  if (!game || hand) return [];
  const open = (name) => recording.send('set', { panel: panel === name ? '' : name });
  const tool = (name, text) => h('button', { type: 'button', id: `tool-${name}`, 'aria-expanded': String(panel === name), 'aria-controls': 'panel', onclick: () => open(name) }, text);
  const seats = seatsOf(now);
  return [
    h('div', { class: 'tools', id: 'tools', role: 'group', 'aria-label': common.more },
      mayReopen ? h('button', { type: 'button', id: 'reopen', onclick: () => recording.enter({ type: 'reopen' }) }, words.reopen)
        : h('button', { type: 'button', id: 'undo', 'aria-disabled': String(!mayUndo), onclick: () => mayUndo && recording.enter({ type: 'undo', ply: game.ply, entry: undoes }) }, words.takeBack),
      !isOver && game.drawOfferedBy == null && seats.length > 0 && tool('offer', words.offer),
      !isOver && seats.length > 0 && (game.position.closable || game.seats.length === 2) && tool('resign', words.resign),
      !isOver && mayRecord && game.seats.length === 2 && tool('flag', words.flag),
      game.position.closable && ['arbiter', 'organiser', 'admin'].includes(me?.role) && !isOver && tool('deadline', words.deadline),
      tool('comment', common.comment),
      tool('settings', words.settings),
      mayMakeLinks(me, isOver) && tool('links', words.links)),
    game.drawOfferedBy != null && !isOver && draw(now, recording),
    !mayUndo && !isArbiter && mayRecord && !isWaiting && game.ply > 0 && h('p', { class: 'hint', id: 'undo-hint' }, isOver ? words.overTakesBack : about.hasSecrets ? words.arbiterTakesBack : words.onlyOwnLast),
    panel && h('div', { class: 'panel card', id: 'panel' }, ...content(now, recording)),
  ].filter(Boolean);
}

function seatsOf({ game, mayRecord, ownSeat }) {
  return mayRecord ? game.seats : game.seats.filter(({ number }) => number === ownSeat);
}

function mayMakeLinks(me, isOver) {
  return !isOver && ['recorder', 'arbiter', 'admin'].includes(me?.role) && !me.game;
}

function draw(now, recording) {
  const { game } = now;
  const { agreed, open } = answers(game);
  const names = (numbers) => listed(numbers.map((number) => seatName(game.seats, number)));
  const parts = [words.offers(names([game.drawOfferedBy])), agreed.length > 0 && words.agreed(names(agreed)), game.seats.length > 2 && words.toAnswer(names(open))];
  return h('div', { class: 'notice', id: 'draw-offer', role: 'status' }, h('p', {}, parts.filter(Boolean).join(' ')),
    ...seatsOf(now).filter(({ number }) => open.includes(number)).map(({ number }) => h('div', { class: 'row' },
      h('button', { type: 'button', onclick: () => recording.enter({ type: 'answer', seat: number, accept: true }) }, words.accepts(seatName(game.seats, number))),
      h('button', { type: 'button', onclick: () => recording.enter({ type: 'answer', seat: number, accept: false }) }, words.declines(seatName(game.seats, number))))));
}

/** The seats that have agreed to the draw offered, and those that have yet to answer. */
function answers({ drawOfferedBy, events, seats }) {
  const since = events.nodes.slice(events.nodes.findLastIndex(({ type }) => type === 'draw_offered') + 1);
  const agreed = since.filter(({ type }) => type === 'draw_answered').map(({ by }) => seatOf(by));
  return { agreed, open: seats.map(({ number }) => number).filter((number) => number !== drawOfferedBy && !agreed.includes(number)) };
}

function content(now, recording) {
  const { game, links, panel, said, settings } = now;
  const cancel = h('button', { type: 'button', class: 'quiet', onclick: () => recording.send('set', { panel: '' }) }, common.cancel);
  if (panel === 'comment') {
    return [h('form', { onsubmit: (event) => { event.preventDefault(); comment(game, event.target, recording); } },
      h('label', { for: 'comment' }, game.ply > 0 ? common.commentOn(game.ply) : words.commentOnStart),
      h('textarea', { id: 'comment', dir: 'auto', rows: '3', maxlength: '2000', required: true }),
      h('div', { class: 'row' }, h('button', { type: 'submit', class: 'primary' }, common.enter), cancel))];
  }
  if (panel === 'deadline') {
    return [h('form', { onsubmit: (event) => { event.preventDefault(); deadline(event.target, recording); } },
      h('label', { for: 'due' }, words.due), h('input', { type: 'datetime-local', id: 'due' }),
      h('label', { for: 'reason' }, common.reason), h('input', { id: 'reason', dir: 'auto', maxlength: '200', required: true }),
      h('div', { class: 'row' }, h('button', { type: 'submit', class: 'primary' }, words.setDeadline), cancel))];
  }
  if (panel === 'settings') {
    const choice = (name, text) => h('label', { class: 'choice' }, h('input', { type: 'checkbox', id: `set-${name}`, checked: settings[name], onchange: ({ target }) => recording.prefer({ [name]: target.checked }) }), ` ${text}`);
    return [choice('clocks', words.clocks), choice('leftHanded', words.otherHand),
      h('p', { class: 'hint', id: 'key-hint' }, keyWords(now)),
      h('button', { type: 'button', id: 'tool-key', onclick: () => openKeyDialog({ as: recording.as(), changed: () => recording.load() }) }, common.deviceKey)];
  }
  if (panel === 'links') {
    return [
      h('p', { class: 'hint' }, words.linksWho),
      links.length === 0 && addressField(),
      links.length === 0 ? h('button', { type: 'button', class: 'primary', id: 'make-links', onclick: () => recording.makeLinks() }, words.make)
        : h('div', { class: 'link-cards' }, ...linkCards(game, links, (text) => recording.send('set', { said: text }))),
      h('p', { class: 'hint', role: 'status' }, said)];
  }
  return [
    h('p', {}, words.asked[panel]),
    h('div', { class: 'row' }, ...seatsOf(now).map(({ number }) => h('button', { type: 'button', 'data-seat': String(number), onclick: () => recording.enter({ type: panel, seat: number }) }, seatName(game.seats, number))), cancel)];
}

/** What is signed from here. */
function keyWords({ about, me, publicKey }) {
  if (!publicKey) return words.toolsNoKey;
  const key = publicKey.slice(0, 8);
  if (about.signatures === 'REQUIRED') return words.allSigned(key);
  const isOwn = (player) => currentKeys(player).includes(publicKey);
  const isSigned = me?.player ? isOwn(me.player) : about.seats.some(({ player }) => isOwn(player));
  return isSigned ? words.ownSigned(key) : words.notSigned(key);
}

function deadline(form, recording) {
  const [due, reason] = ['#due', '#reason'].map((name) => form.querySelector(name).value.trim());
  if (reason) recording.enter({ type: 'deadline', due: due && new Date(due).toISOString(), comment: reason });
}

function comment(game, form, recording) {
  const text = form.querySelector('textarea').value.trim();
  if (text) recording.enter({ type: 'comment', ply: game.ply, comment: text });
}
