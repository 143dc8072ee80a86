// Entrants who are not to meet: of a family, or of a club.

import { common } from '../../words/common.js';
import { h } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { clubGroups } from '../../model/tournament.js';
import { console as words } from '../../words/console.js';

/** Draws the groups and handles their input. */
export class Forbidden {
  /** @param {import('./console.js').Console} console */
  constructor(console) {
    this.console = console;
    this.list = h('div', { class: 'forbidden' });
    this.place = h('details', { class: 'card group', id: 'group-forbidden' }, h('summary', {}, words.forbiddenTitle), h('p', { class: 'hint' }, words.explained), this.list);
  }

  /** @param {import('./console.js').Now} now */
  draw({ entrants, tournament }) {
    const there = entrants.filter(({ status }) => status !== 'REMOVED').sort((one, other) => one.name.localeCompare(other.name));
    this.place.hidden = tournament.format !== 'SWISS' || tournament.status === 'FINISHED' || there.length < 2;
    if (this.place.hidden) return;
    const names = new Map(there.map(({ number, name }) => [number, name]));
    const groups = tournament.forbidden;
    const named = (group) => group.map((number) => names.get(number)).filter(Boolean).join(' – ');
    const select = (id, label) => h('div', { class: 'field' }, h('label', { for: id }, label), h('select', { id }, ...there.map(({ number, name }) => h('option', { value: String(number) }, name))));
    const clubs = clubGroups(there).filter((group) => !groups.some((other) => String(other) === String(group)));
    patch(this.list, [
      groups.length > 0 && h('ul', { class: 'forbidden-groups' }, ...groups.map((group, index) => h('li', { id: `forbidden-${index}` }, h('bdi', {}, named(group)), ' ',
        h('button', { type: 'button', class: 'small', 'aria-label': words.removeGroup(named(group)), onclick: () => this.save(groups.filter((_, other) => other !== index), words.forbiddenRemoved) }, common.remove)))),
      h('form', { class: 'fields', id: 'forbid', onsubmit: (event) => { event.preventDefault(); this.add(event.target); } }, select('forbid-one', common.player), select('forbid-other', words.other), h('button', { type: 'submit' }, words.add)),
      clubs.length > 0 && h('button', { type: 'button', id: 'forbid-clubs', onclick: () => this.save([...groups, ...clubs], words.clubsAdded) }, words.clubs),
    ].filter(Boolean));
  }

  add(form) {
    const pair = ['forbid-one', 'forbid-other'].map((id) => Number(form.querySelector(`#${id}`).value)).sort((one, other) => one - other);
    const { forbidden } = this.console.now().tournament;
    if (pair[0] !== pair[1] && !forbidden.some((group) => String(group) === String(pair))) this.save([...forbidden, pair], words.added);
  }

  save(forbidden, told) {
    return this.console.decide('editTournament', { input: { forbidden } }, { told, before: { fields: { forbidden: this.console.now().tournament.forbidden } } });
  }
}
