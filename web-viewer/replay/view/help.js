// The dialogs of the replay's controls: keys and settings, and going to a ply.

import { h, openDialog } from '../../base/dom.js';

const KEYS = [
  ['← →', 'Previous, next ply'], ['↑ ↓', 'Back, on to where somebody else acts; in the list of moves: up, down, Enter goes there'],
  ['Home End', 'First, last position'], ['[ ]', 'Previous, next turn of the same seat'], ['g', 'Go to a ply'], ['Space', 'Play, pause'],
  ['f', 'Flip the board'], ['1 … 9', 'View as this seat, if there are secrets; again: your own view'], ['0', 'View as the public'],
  ['b', 'Play from here: a line'], ['e', 'Explorer, or back to the moves'], ['w', 'Announce the position in words'],
  ['Shift+→', 'Into the variation that leaves here'], ['Shift+←', 'Out of it, to the line it leaves'],
  ['Shift+↑ Shift+↓', 'Previous, next variation of this ply'], ['Esc', 'Clear what was clicked'], ['?', 'This help'],
];

const CHOICES = [
  ['motion', 'Animate steps'], ['labels', 'Show coordinates, numbers and small letters on the board'], ['wheel', 'Step with the wheel over the board'], ['stops', 'Playing stops at marks: comments, mistakes, takebacks, rulings'],
];

/** @param {import('./controls.js').Acts} acts */
export function openHelp(acts) {
  const { settings } = acts.now();
  const rows = KEYS.flatMap(([keys, what]) => [h('dt', {}, ...keys.split(' ').map((name) => (name === '…' ? '… ' : h('kbd', {}, name)))), h('dd', {}, what)]);
  const choice = ([name, text]) => h('label', { class: 'choice' },
    h('input', { type: 'checkbox', name, checked: settings[name], onchange: ({ target }) => acts.prefer({ [name]: target.checked }) }), text);
  openDialog('Keyboard and settings',
    h('fieldset', { class: 'choices' }, h('legend', {}, 'Settings, kept in this browser'), ...CHOICES.map(choice)),
    h('dl', { class: 'pairs keys' }, ...rows),
    h('p', { class: 'hint' }, 'Swipe the board to step; hold a step button to keep stepping. The address contains the ply: share it to show this exact position.'));
}

/** @param {import('./controls.js').Acts} acts */
export function openGoTo(acts) {
  const { last, ply } = acts.now();
  const field = /** @type {HTMLInputElement} */ (h('input', {
    id: 'go-to', type: 'number', min: '0', max: String(last), step: '1', value: String(ply), inputmode: 'numeric', required: true,
  }));
  const form = h('form', { class: 'sign-in', onsubmit: (event) => {
    event.preventDefault();
    acts.go(Number(field.value));
    dialog.close();
  } },
  h('label', { for: 'go-to' }, `Ply, 0 to ${last.toLocaleString()}`), field,
  h('div', { class: 'row' }, h('button', { type: 'submit', class: 'primary' }, 'Go')));
  const dialog = openDialog('Go to a ply', form);
  field.select();
}
