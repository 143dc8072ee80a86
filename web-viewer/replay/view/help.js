// The dialogs of the replay's controls: keys and settings, and going to a ply.

import { h, openDialog, setText } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { seatName } from '../../model/format.js';
import { ACTS, keyOf, keyProblem, keySign, keysOf, rebound } from '../../model/keys.js';

const FIXED = [['1 … 9', 'View as this seat, if there are secrets; again: your own view'], ['0', 'View as the public'], ['Esc', 'Clear what was clicked'], ['?', 'This help']];

const CHOICES = [
  ['motion', 'Animate steps'], ['labels', 'Show coordinates, numbers and small letters on the board'], ['wheel', 'Step with the wheel over the board'], ['stops', 'Playing stops at marks: comments, mistakes, takebacks, rulings'],
];

/** @param {import('./controls.js').Acts} acts */
export function openHelp(acts) {
  const { settings } = acts.now();
  const choice = ([name, text]) => h('label', { class: 'choice' },
    h('input', { type: 'checkbox', name, checked: settings[name], onchange: ({ target }) => acts.prefer({ [name]: target.checked }) }), text);
  openDialog('Keyboard and settings',
    h('fieldset', { class: 'choices' }, h('legend', {}, 'Settings, kept in this browser'), ...CHOICES.map(choice), stopAt(acts)),
    keyTable(acts),
    h('p', { class: 'hint' }, 'Swipe the board to step; hold a step button to keep stepping. The address contains the ply: share it to show this exact position.'));
}

/** What else autoplay stops at. */
function stopAt(acts) {
  const { game, settings } = acts.now();
  const seats = (game?.seats ?? []).map(({ number }) => [String(number), `before turns of ${seatName(game.seats, number)}`]);
  return h('label', { class: 'choice' }, 'Playing also stops ',
    h('select', { name: 'stopAt', onchange: ({ target }) => acts.prefer({ stopAt: target.value }) },
      ...[['', 'nowhere else'], ['captures', 'after captures'], ...seats].map(([value, text]) => h('option', { value, selected: value === settings.stopAt }, text))));
}

/** The keys, each a button to change it. */
function keyTable(acts) {
  const table = h('dl', { class: 'pairs keys' });
  const said = h('p', { class: 'hint', role: 'status' });
  const usual = h('button', { type: 'button', onclick: () => { acts.prefer({ keys: {} }); draw('All keys are as usual.'); } }, 'Usual keys');
  let waiting = '';
  const choose = (event, act) => {
    if (waiting !== act.name || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = keyOf(event);
    if (['Shift', 'Shift+Shift', 'Tab', 'Shift+Tab'].includes(key)) return;
    event.preventDefault();
    event.stopPropagation();
    waiting = '';
    const problem = key === 'Escape' ? 'Nothing is changed.' : keyProblem(key);
    if (!problem) acts.prefer({ keys: rebound(acts.now().settings.keys, act.name, key) });
    draw(problem || `${keySign(key)}: ${act.what}.`);
  };
  const draw = (text) => {
    const chosen = acts.now().settings.keys;
    patch(table, [
      ...ACTS.flatMap((act) => {
        const keys = keysOf(chosen, act);
        const sign = keys.flatMap((key, index) => [index > 0 && ' ', h('kbd', {}, keySign(key))]);
        const shown = waiting === act.name ? '…' : keys.map(keySign).join(' ') || 'no key';
        const button = h('button', {
          type: 'button', class: 'quiet key', 'data-act': act.name, 'aria-label': `${shown}: ${act.what}. Change`,
          onclick: () => { waiting = act.name; draw(`Press the new key: ${act.what}. Esc leaves it as it is.`); }, onkeydown: (event) => choose(event, act),
        }, ...(waiting !== act.name && keys.length > 0 ? sign : [shown]));
        return [h('dt', {}, button), h('dd', {}, act.what)];
      }),
      ...FIXED.flatMap(([keys, what]) => [h('dt', {}, ...keys.split(' ').map((name) => (name === '…' ? '… ' : h('kbd', {}, name)))), h('dd', {}, what)]),
    ]);
    setText(said, text);
    usual.hidden = Object.keys(chosen).length === 0;
  };
  draw('');
  return h('div', {}, h('p', { class: 'hint' }, 'Choose a key to change it. Your keys are kept in this browser.'), said, table, usual);
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
