// Entering who came in which place, for tables of more than two.

import { chip, h } from '../base/dom.js';
import { patch } from '../base/patch.js';
import { ranked } from '../model/tournament.js';
import { tournament as words } from '../words/tournament.js';

/** Seats are chosen in the order of their places, partners together; a place can be shared. */
export class RankingField {
  /** @param {{number: number, name: string, partners: number[]}[]} seats @param {number[][]} ranking */
  constructor(seats, ranking = []) {
    this.seats = seats;
    this.ranking = ranking;
    this.isShared = false;
    this.changed = () => {};
    this.place = h('div', { class: 'ranking-field palette' });
    this.draw();
  }

  isComplete() {
    return this.ranking.flat().length === this.seats.length;
  }

  choose(seat) {
    const partners = this.seats.find(({ number }) => number === seat)?.partners ?? [];
    this.ranking = ranked(this.ranking, [seat, ...partners].sort((one, other) => one - other), this.isShared);
    this.isShared = false;
    this.draw();
    this.changed();
  }

  draw() {
    let place = 1;
    const places = new Map(this.ranking.flatMap((group) => {
      const found = group.map((seat) => /** @type {[number, number]} */ ([seat, place]));
      place += group.length;
      return found;
    }));
    patch(this.place, [
      h('p', { class: 'hint', role: 'status' }, this.isComplete() ? words.rankingComplete : this.isShared ? words.chooseSame : place === 1 ? words.chooseFirst : words.choosePlace(place)),
      h('div', { class: 'ranking-seats' }, ...this.seats.map(({ number, name }) => h('button', { type: 'button', class: 'big', 'aria-pressed': String(places.has(number)), onclick: () => this.choose(number) },
        chip(number), h('span', {}, name), h('strong', {}, places.has(number) ? `${places.get(number)}.` : '')))),
      h('label', { class: 'tick' }, h('input', { type: 'checkbox', checked: this.isShared, onchange: (event) => { this.isShared = event.target.checked; this.draw(); } }), words.isShared),
    ]);
  }
}
