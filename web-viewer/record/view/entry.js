// Entering an action: who acts, what was tapped, and a list that typing narrows down.

import { common } from '../../words/common.js';
import { h, marked } from '../../base/dom.js';
import { dice, path, trays } from '../../entry/view.js';
import { actorName, capital, seatName } from '../../model/format.js';
import { OFFERED_MAX, promptWords, refusalWords } from '../../model/play.js';
import { inWords } from '../../model/spoken.js';
import { record as words } from '../../words/record.js';

/** As many actions are listed before anything is tapped or typed; of more, those that no tap finds. */
const FEW = 12;

/**
 * The panel below the board; nothing where there is nothing to enter.
 * @param {import('../derive.js').Now} now
 * @param {import('../recording.js').Recording} recording
 */
export function entryPanel(now, recording) {
  const { actor, die, drawing, faces, game, hand, hands, isForeseen, isGuess, isHidden, isOver, isRunning, laying, past, position, refused, seat, toAct, typed: text } = now;
  if (!game || isOver || hand?.stage === 'covered' || hand?.stage === 'done') return [];
  if (!actor && !isGuess) return [h('p', { class: 'hint', id: 'waits' }, isForeseen && toAct.length === 0 ? words.endsGame : words.notHere)];
  const entering = enteringOf(recording);
  return [
    who(now, recording),
    actor === 'chance' && !isGuess && isRunning && h('button', { type: 'button', id: 'roll', class: hands.length > 0 ? '' : 'primary', onclick: () => recording.enter({ type: 'roll' }) }, words.roll),
    hands.length > 0 && dice({ die, faces, hands, seats: game.seats }, entering),
    laying && trays({ laying, past, scene: position.scene, typed: text }, entering),
    drawing && path({ drawing, past }, entering),
    isHidden
      ? h('button', { type: 'button', id: 'hand-over', class: 'primary', onclick: () => recording.send('handTo', seat) }, common.handOver(seatName(game.seats, seat)))
      : typed(now, recording),
    refused && h('div', { role: 'alert', id: 'refused' }, h('p', { class: 'bad' }, ...marked(refusalWords(refused))), ...near(refused, recording)),
    !isHidden && !drawing && offered(now, recording),
  ].filter(Boolean);
}

/** @returns {import('../../entry/view.js').Entering} */
function enteringOf(recording) {
  return {
    lay: (text) => recording.send('lay', text), unlay: () => recording.send('unlay'), hold: (tray, held) => recording.send('set', { tray, held, said: '' }),
    face: (die, value) => recording.send('face', die, value), choose: (die) => recording.send('set', { die }), enter: (action) => recording.act(action),
  };
}

function who({ actor, actors, game, hand, isGuess }, recording) {
  if (hand || isGuess || actors.length < 2) return null;
  return h('div', { class: 'who', id: 'who', role: 'group', 'aria-label': words.who },
    ...actors.map((by) => h('button', { type: 'button', 'aria-pressed': String(by === actor), onclick: () => recording.send('actFor', by) }, actorName(by, game.seats))));
}

/** Legal actions much like the one that was refused. */
function near({ details }, recording) {
  const found = (details?.near ?? []).slice(0, 6);
  return found.length === 0 ? [] : [h('div', { class: 'offered' }, h('p', { class: 'hint' }, words.near), ...found.map((action) => h('button', { type: 'button', dir: 'ltr', onclick: () => recording.act(action) }, action)))];
}

function typed({ actor, clock, isForeseen, isGuess, isListed, prompt, settings, typed: text }, recording) {
  const hint = isGuess ? words.unknown : isForeseen ? words.foreseen : !isListed && actor !== 'chance' ? promptWords(prompt) || words.unlisted : '';
  return h('form', { class: 'typed', id: 'typed', onsubmit: (event) => { event.preventDefault(); recording.type(); } },
    h('label', { for: 'action' }, common.action),
    h('div', { class: 'row' },
      h('input', { id: 'action', value: text, dir: 'ltr', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', enterkeyhint: 'send', 'aria-describedby': 'action-hint', oninput: ({ target }) => recording.send('set', { typed: target.value, past: [], refused: null }) }),
      h('button', { type: 'submit', class: 'primary' }, common.enter)),
    h('p', { class: 'hint', id: 'action-hint' }, hint),
    settings.clocks && actor !== 'chance' && h('label', { class: 'clock', for: 'clock' }, ...words.entryClock(
      h('input', { id: 'clock', value: clock, dir: 'ltr', inputmode: 'text', autocomplete: 'off', placeholder: '1:23:45', oninput: ({ target }) => recording.send('set', { clock: target.value, said: '' }) }))));
}

function offered({ fitting, hands, isGuess, loose, picked, typed: text }, recording) {
  const isChosen = picked.length > 0 || text.trim() !== '';
  const all = isGuess ? [] : fitting.length <= FEW ? fitting : loose;
  const shown = hands.length > 0 ? [] : (isChosen ? fitting : all).slice(0, OFFERED_MAX);
  return h('div', { class: 'offered', id: 'offered', role: 'group', 'aria-label': common.actions },
    picked.length > 0 && h('button', { type: 'button', class: 'quiet', id: 'forget', dir: 'ltr', 'aria-label': words.forget(picked), onclick: () => recording.send('pick', []) }, `${picked.join(' ')} ✕`),
    ...shown.map((action) => offer(action, recording)),
    !isChosen && shown.length < fitting.length && hands.length === 0 && h('p', { class: 'hint' }, isGuess ? words.tapOrType : (shown.length ? words.furtherActions : words.unlistedActions)(fitting.length - shown.length)),
    isChosen && fitting.length > shown.length && h('p', { class: 'hint' }, words.more(fitting.length - shown.length)));
}

/** Notation is written from left to right. */
function offer(action, recording) {
  const told = inWords(action);
  return h('button', { type: 'button', class: 'action', dir: !told && 'ltr', 'data-action': action, onclick: () => recording.act(action) }, capital(told) || action);
}
