// What happens in a game besides actions: taking back, draws, resigning, time, comments, links.

import { h } from '../../base/dom.js';
import { openKeyDialog } from '../../base/key-dialog.js';
import { seatName } from '../../model/format.js';
import { currentKeys } from '../../model/signing.js';
import { linkCards } from '../links.js';

/**
 * @param {import('../derive.js').Now} now
 * @param {import('../recording.js').Recording} recording
 */
export function tools(now, recording) {
  const { about, game, hand, isOver, isWaiting, mayRecord, mayUndo, me, panel, undoes } = now;
  if (!game || hand) return [];
  const open = (name) => recording.send('set', { panel: panel === name ? '' : name });
  const tool = (name, text) => h('button', { type: 'button', id: `tool-${name}`, 'aria-expanded': String(panel === name), 'aria-controls': 'panel', onclick: () => open(name) }, text);
  const seats = seatsOf(now);
  return [
    h('div', { class: 'tools', id: 'tools', role: 'group', 'aria-label': 'More' },
      h('button', { type: 'button', id: 'undo', 'aria-disabled': String(!mayUndo), onclick: () => mayUndo && recording.enter({ type: 'undo', ply: game.ply, entry: undoes }) }, 'Take back'),
      !isOver && game.drawOfferedBy == null && seats.length > 0 && tool('offer', 'Offer a draw'),
      !isOver && seats.length > 0 && tool('resign', 'Resign'),
      !isOver && mayRecord && game.seats.length === 2 && tool('flag', 'Out of time'),
      game.position.closable && ['arbiter', 'organiser', 'admin'].includes(me?.role) && !isOver && tool('deadline', 'Deadline'),
      tool('comment', 'Comment'),
      tool('settings', 'Settings'),
      mayMakeLinks(me, isOver) && tool('links', 'Links')),
    game.drawOfferedBy != null && !isOver && draw(now, recording),
    !mayUndo && !isOver && mayRecord && !isWaiting && game.ply > 0 && h('p', { class: 'hint', id: 'undo-hint' }, about.hasSecrets ? 'In a game with secrets, only an arbiter takes actions back.' : 'Only the last action can be taken back here, if it was entered on this device and nothing has happened since.'),
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
  const name = seatName(game.seats, game.drawOfferedBy);
  const others = seatsOf(now).filter(({ number }) => number !== game.drawOfferedBy);
  return h('div', { class: 'notice', id: 'draw-offer', role: 'status' }, h('p', {}, `${name} offers a draw.`),
    ...others.map(({ number }) => h('div', { class: 'row' },
      h('button', { type: 'button', onclick: () => recording.enter({ type: 'answer', seat: number, accept: true }) }, `${seatName(game.seats, number)} accepts`),
      h('button', { type: 'button', onclick: () => recording.enter({ type: 'answer', seat: number, accept: false }) }, `${seatName(game.seats, number)} declines`))));
}

const ASKED = { offer: 'Who offers a draw?', resign: 'Who resigns? This cannot be taken back here.', flag: 'Whose time has run out?' };

function content(now, recording) {
  const { game, links, panel, said, settings } = now;
  const cancel = h('button', { type: 'button', class: 'quiet', onclick: () => recording.send('set', { panel: '' }) }, 'Cancel');
  if (panel === 'comment') {
    return [h('form', { onsubmit: (event) => { event.preventDefault(); comment(game, event.target, recording); } },
      h('label', { for: 'comment' }, game.ply > 0 ? `Comment on ply ${game.ply}` : 'Comment on the start'),
      h('textarea', { id: 'comment', rows: '3', maxlength: '2000', required: true }),
      h('div', { class: 'row' }, h('button', { type: 'submit', class: 'primary' }, 'Enter'), cancel))];
  }
  if (panel === 'deadline') {
    return [h('form', { onsubmit: (event) => { event.preventDefault(); deadline(event.target, recording); } },
      h('label', { for: 'due' }, 'Due (your time; empty for no deadline)'), h('input', { type: 'datetime-local', id: 'due' }),
      h('label', { for: 'reason' }, 'Reason'), h('input', { id: 'reason', maxlength: '200', required: true }),
      h('div', { class: 'row' }, h('button', { type: 'submit', class: 'primary' }, 'Set the deadline'), cancel))];
  }
  if (panel === 'settings') {
    const choice = (name, text) => h('label', { class: 'choice' }, h('input', { type: 'checkbox', id: `set-${name}`, checked: settings[name], onchange: ({ target }) => recording.prefer({ [name]: target.checked }) }), ` ${text}`);
    return [choice('clocks', 'Note what the clock shows with every action'), choice('leftHanded', 'Buttons at the left'),
      h('p', { class: 'hint', id: 'key-hint' }, keyWords(now)),
      h('button', { type: 'button', id: 'tool-key', onclick: () => openKeyDialog({ as: recording.as(), changed: () => recording.load() }) }, 'The key of this device…')];
  }
  if (panel === 'links') {
    return [
      h('p', { class: 'hint' }, 'Whoever has a link can record this game, and nothing else, without signing in. Making links again ends the earlier ones.'),
      links.length === 0 ? h('button', { type: 'button', class: 'primary', id: 'make-links', onclick: () => recording.makeLinks() }, 'Make links for the table and the seats')
        : h('div', { class: 'link-cards' }, ...linkCards(game, links, (text) => recording.send('set', { said: text }))),
      h('p', { class: 'hint', role: 'status' }, said)];
  }
  return [
    h('p', {}, ASKED[panel]),
    h('div', { class: 'row' }, ...seatsOf(now).map(({ number }) => h('button', { type: 'button', 'data-seat': String(number), onclick: () => recording.enter({ type: panel, seat: number }) }, seatName(game.seats, number))), cancel)];
}

/** What is signed from here. */
function keyWords({ about, me, publicKey }) {
  if (!publicKey) return 'This device has no key: nothing that is entered here is signed.';
  const key = `the key ${publicKey.slice(0, 8)}… of this device`;
  if (about.signatures === 'REQUIRED') return `Everything in this game is signed, here with ${key}.`;
  const isOwn = (player) => currentKeys(player).includes(publicKey);
  const isSigned = me?.player ? isOwn(me.player) : about.seats.some(({ player }) => isOwn(player));
  return isSigned ? `What its player does here is signed with ${key}.` : `Nothing is signed here: ${key} is registered with nobody who plays.`;
}

function deadline(form, recording) {
  const [due, reason] = ['#due', '#reason'].map((name) => form.querySelector(name).value.trim());
  if (reason) recording.enter({ type: 'deadline', due: due && new Date(due).toISOString(), comment: reason });
}

function comment(game, form, recording) {
  const text = form.querySelector('textarea').value.trim();
  if (text) recording.enter({ type: 'comment', ply: game.ply, comment: text });
}
