// The dialogs of the replay's controls: keys and settings, and going to a ply.

import { common } from '../../words/common.js';
import { replay as words } from '../../words/replay.js';
import { h, openDialog } from '../../base/dom.js';
import { ACTS, keySign } from '../../model/keys.js';

const FIXED = [[['1', '…', '9'], words.asSeat], [['0'], words.asPublic], [['Esc'], words.clear], [['?'], words.help]];

/** @param {import('./controls.js').Acts} acts */
export function openHelp(acts) {
  const { settings } = acts.now();
  const choice = ([name, text]) => h('label', { class: 'choice' },
    h('input', { type: 'checkbox', name, checked: settings[name], onchange: ({ target }) => acts.prefer({ [name]: target.checked }) }), text);
  openDialog(words.title,
    h('fieldset', { class: 'choices' }, h('legend', {}, words.settings), ...Object.entries(words.choices).map(choice)),
    keyTable(),
    h('p', { class: 'hint' }, words.swipe));
}

function keyTable() {
  const kbd = (name) => (name === '…' ? '… ' : h('kbd', {}, name));
  return h('dl', { class: 'pairs keys' }, ...[...ACTS.map(({ key, what }) => [[keySign(key)], what]), ...FIXED].flatMap(([signs, what]) => [h('dt', {}, ...signs.map(kbd)), h('dd', {}, what)]));
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
  h('label', { for: 'go-to' }, words.plyUpTo(last)), field,
  h('div', { class: 'row' }, h('button', { type: 'submit', class: 'primary' }, words.go)));
  const dialog = openDialog(common.goTo, form);
  field.select();
}
