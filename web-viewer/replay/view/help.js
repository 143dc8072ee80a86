// The dialogs of the replay's controls: keys and settings, and going to a ply.

import { common } from '../../words/common.js';
import { controls as words } from '../../words/replay-controls.js';
import { keys } from '../../words/replay-keys.js';
import { h, openDialog, setText } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { seatName } from '../../model/format.js';
import { ACTS, keyOf, keyProblem, keySign, keysOf, rebound } from '../../model/keys.js';

const FIXED = [['1 … 9', keys.asSeat], ['0', keys.asPublic], ['Esc', keys.clear], ['?', keys.help]];

/** @param {import('./controls.js').Acts} acts */
export function openHelp(acts) {
  const { settings } = acts.now();
  const choice = ([name, text]) => h('label', { class: 'choice' },
    h('input', { type: 'checkbox', name, checked: settings[name], onchange: ({ target }) => acts.prefer({ [name]: target.checked }) }), text);
  openDialog(words.title,
    h('fieldset', { class: 'choices' }, h('legend', {}, words.settings), ...Object.entries(words.choices).map(choice), stopAt(acts)),
    keyTable(acts),
    h('p', { class: 'hint' }, words.swipe));
}

/** What else autoplay stops at. */
function stopAt(acts) {
  const { game, settings } = acts.now();
  const seats = (game?.seats ?? []).map(({ number }) => [String(number), words.beforeTurns(seatName(game.seats, number))]);
  return h('label', { class: 'choice' }, words.stopsAt,
    h('select', { name: 'stopAt', onchange: ({ target }) => acts.prefer({ stopAt: target.value }) },
      ...[['', words.nowhere], ['captures', words.afterCaptures], ...seats].map(([value, text]) => h('option', { value, selected: value === settings.stopAt }, text))));
}

/** The keys, each a button to change it. */
function keyTable(acts) {
  const table = h('dl', { class: 'pairs keys' });
  const said = h('p', { class: 'hint', role: 'status' });
  const usual = h('button', { type: 'button', onclick: () => { acts.prefer({ keys: {} }); draw(words.allUsual); } }, words.usualKeys);
  let waiting = '';
  const choose = (event, act) => {
    if (waiting !== act.name || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = keyOf(event);
    if (['Shift', 'Shift+Shift', 'Tab', 'Shift+Tab'].includes(key)) return;
    event.preventDefault();
    event.stopPropagation();
    waiting = '';
    const problem = key === 'Escape' ? words.nothingChanged : keyProblem(key);
    if (!problem) acts.prefer({ keys: rebound(acts.now().settings.keys, act.name, key) });
    draw(problem || words.keyDoes(keySign(key), act.what));
  };
  const draw = (text) => {
    const chosen = acts.now().settings.keys;
    patch(table, [
      ...ACTS.flatMap((act) => {
        const own = keysOf(chosen, act);
        const sign = own.flatMap((key, index) => [index > 0 && ' ', h('kbd', {}, keySign(key))]);
        const shown = waiting === act.name ? '…' : own.map(keySign).join(' ') || words.noKey;
        const button = h('button', {
          type: 'button', class: 'quiet key', 'data-act': act.name, 'aria-label': words.changeKey(shown, act.what),
          onclick: () => { waiting = act.name; draw(words.pressKey(act.what)); }, onkeydown: (event) => choose(event, act),
        }, ...(waiting !== act.name && own.length > 0 ? sign : [shown]));
        return [h('dt', {}, button), h('dd', {}, act.what)];
      }),
      ...FIXED.flatMap(([signs, what]) => [h('dt', {}, ...signs.split(' ').map((name) => (name === '…' ? '… ' : h('kbd', {}, name)))), h('dd', {}, what)]),
    ]);
    setText(said, text);
    usual.hidden = Object.keys(chosen).length === 0;
  };
  draw('');
  return h('div', {}, h('p', { class: 'hint' }, words.chooseKey), said, table, usual);
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
