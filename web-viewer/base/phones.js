// The address at which phones reach the service: on slips, and in the links of helpers, tables and seats.

import { addressProblem } from '../model/tournament-url.js';
import { common } from '../words/common.js';
import { h, setText } from './dom.js';
import { publicAddress } from './public-address.js';

/** Where an address that was typed is kept until the tab is closed: networks change. */
const KEPT = 'plybook.address';

/** What the organiser typed, or else what the service says of itself. */
export function phonesAddress() {
  return sessionStorage.getItem(KEPT) ?? publicAddress();
}

/** A field for the address, with what is wrong with it. */
export function addressField() {
  const problem = h('p', { class: 'bad', role: 'status', id: 'address-problem' });
  const look = (address) => setText(problem, common.phonesProblems[addressProblem(address)] ?? '');
  const typed = ({ target }) => {
    const address = target.value.trim().replace(/\/+$/, '');
    look(address);
    if (addressProblem(address) !== 'malformed') sessionStorage.setItem(KEPT, address);
  };
  look(phonesAddress());
  return h('div', { class: 'field wide', id: 'address-field' }, h('label', { for: 'phones-address' }, common.phonesAddress),
    h('input', { id: 'phones-address', type: 'url', dir: 'ltr', maxlength: '300', autocomplete: 'off', spellcheck: 'false', value: phonesAddress(), 'aria-describedby': 'address-problem', oninput: typed }), problem);
}
