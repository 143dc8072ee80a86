// Entering an action: who acts, what was tapped, a list that typing narrows down, and dice by their faces.

import { h } from '../../base/dom.js';
import { enteredRoll } from '../../model/entries.js';
import { counted, seatName, toActWords } from '../../model/format.js';
import { OFFERED_MAX, promptWords, refusalWords } from '../../model/play.js';
import { path, trays } from './together.js';

/** As many actions are listed before anything is tapped or typed; of more, those that no tap finds. */
const FEW = 12;

/**
 * The panel below the board; nothing where there is nothing to enter.
 * @param {import('../derive.js').Now} now
 * @param {import('../recording.js').Recording} recording
 */
export function entryPanel(now, recording) {
  const { actor, drawing, game, hand, hands, isForeseen, isGuess, isHidden, isOver, laying, refused, seat, toAct } = now;
  if (!game || isOver || hand?.stage === 'covered' || hand?.stage === 'done') return [];
  if (!actor && !isGuess) return [h('p', { class: 'hint', id: 'waits' }, isForeseen && toAct.length === 0 ? 'By the rules, what waits ends the game.' : 'Somebody else is to act.')];
  return [
    who(now, recording),
    laying && trays(now, recording),
    drawing && path(now, recording),
    isHidden
      ? h('button', { type: 'button', id: 'hand-over', class: 'primary', onclick: () => recording.send('handTo', seat) }, `Hand the phone to ${seatName(game.seats, seat)}`)
      : typed(now, recording),
    refused && h('div', { role: 'alert', id: 'refused' }, h('p', { class: 'bad' }, refusalWords(refused)), ...near(refused, recording)),
    hands.length > 0 && !isHidden && dice(now, recording),
    !isHidden && !drawing && offered(now, recording),
  ].filter(Boolean);
}

function who({ actor, actors, game, hand, isGuess }, recording) {
  if (hand || isGuess || actors.length < 2) return null;
  return h('div', { class: 'who', id: 'who', role: 'group', 'aria-label': 'For whom' },
    ...actors.map((by) => h('button', { type: 'button', 'aria-pressed': String(by === actor), onclick: () => recording.send('actFor', by) }, by === 'chance' ? 'Chance' : toActWords([by], game.seats).replace(' to act', ''))));
}

/** Legal actions much like the one that was refused. */
function near({ details }, recording) {
  const found = (details?.near ?? []).slice(0, 6);
  return found.length === 0 ? [] : [h('div', { class: 'offered' }, h('p', { class: 'hint' }, 'Much like it:'), ...found.map((action) => h('button', { type: 'button', onclick: () => recording.act(action) }, action)))];
}

function typed({ actor, clock, isForeseen, isGuess, isListed, prompt, settings, typed: text }, recording) {
  const hint = isGuess ? 'What is legal now is not known until what waits is recorded. What is entered is judged then.' : isForeseen ? 'The board shows what waits, by the rules in this browser.' : !isListed && actor !== 'chance' ? promptWords(prompt) || 'What is legal is not listed here: what is typed is judged.' : '';
  return h('form', { class: 'typed', id: 'typed', onsubmit: (event) => { event.preventDefault(); recording.type(); } },
    h('label', { for: 'action' }, 'Action'),
    h('div', { class: 'row' },
      h('input', { id: 'action', value: text, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', enterkeyhint: 'send', 'aria-describedby': 'action-hint', oninput: ({ target }) => recording.send('set', { typed: target.value, past: [], refused: null }) }),
      h('button', { type: 'submit', class: 'primary' }, 'Enter')),
    h('p', { class: 'hint', id: 'action-hint' }, hint),
    settings.clocks && actor !== 'chance' && h('label', { class: 'clock', for: 'clock' }, 'The clock shows ',
      h('input', { id: 'clock', value: clock, inputmode: 'text', autocomplete: 'off', placeholder: '1:23:45', oninput: ({ target }) => recording.send('set', { clock: target.value, said: '' }) })));
}

function offered({ actor, fitting, hands, isGuess, isRunning, loose, picked, typed: text }, recording) {
  const isChosen = picked.length > 0 || text.trim() !== '';
  const all = isGuess ? [] : fitting.length <= FEW ? fitting : loose;
  const shown = hands.length > 0 ? [] : (isChosen ? fitting : all).slice(0, OFFERED_MAX);
  return h('div', { class: 'offered', id: 'offered', role: 'group', 'aria-label': 'Actions' },
    isRunning && actor === 'chance' && !isGuess && h('button', { type: 'button', id: 'roll', class: hands.length > 0 ? '' : 'primary', onclick: () => recording.enter({ type: 'roll' }) }, 'Roll fairly'),
    picked.length > 0 && h('button', { type: 'button', class: 'quiet', id: 'forget', 'aria-label': `Forget ${picked.join(', ')}`, onclick: () => recording.send('pick', []) }, `${picked.join(' ')} ✕`),
    ...shown.map((action) => h('button', { type: 'button', class: 'action', 'data-action': action, onclick: () => recording.act(action) }, action)),
    !isChosen && shown.length < fitting.length && hands.length === 0 && h('p', { class: 'hint' }, isGuess ? 'Tap the board, or type.' : `${counted(fitting.length - shown.length, shown.length ? 'further action' : 'action')}: tap the board, or type.`),
    isChosen && fitting.length > shown.length && h('p', { class: 'hint' }, `and ${counted(fitting.length - shown.length, 'more', 'more')}`));
}

/** The faces of dice, to be tapped as they lie on the table. */
function dice({ faces, game, hands }, recording) {
  const roll = enteredRoll(hands, faces);
  const die = (seat, sides, index) => {
    const key = `${seat}:${index}`;
    return h('div', { class: 'die', role: 'group', 'aria-label': `${seat ? seatName(game.seats, seat) : 'Chance'}, die with ${sides} faces` },
      h('p', {}, `${seat ? seatName(game.seats, seat) : 'Chance'} `, h('small', {}, `d${sides}`)),
      h('div', { class: 'faces' }, ...Array.from({ length: sides }, (_, at) => h('button', { type: 'button', 'aria-pressed': String(faces[key] === at + 1), 'data-die': key, 'data-face': String(at + 1), onclick: () => recording.send('face', key, at + 1) }, String(at + 1)))));
  };
  return h('div', { class: 'dice', id: 'dice' },
    ...hands.flatMap(({ seat, dice: all }) => all.map((sides, index) => die(seat, sides, index))),
    h('button', { type: 'button', id: 'record-dice', class: 'primary', 'aria-disabled': String(!roll), onclick: () => roll && recording.act(roll) }, roll ? 'Record these dice' : 'Tap the face of every die'));
}
