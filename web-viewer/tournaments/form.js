// The form for a tournament, to create one and to change its settings.

import { common } from '../words/common.js';
import { h, marked } from '../base/dom.js';
import { patch } from '../base/patch.js';
import { FORMATS, scoringWords } from '../model/tournament.js';
import { OWN_ZONE, ZONES } from '../model/time-zone.js';
import { seatCounts } from '../model/setup-form.js';
import { SCORINGS, formatsFor, isAsked, isOwnScoring, roundTimes, seatsOf, tieBreaksFor, withRoundTime } from '../model/tournament-form.js';
import { listed } from '../words/locale.js';
import { newGame } from '../words/new-game.js';
import { tournament as words } from '../words/tournament.js';
import { SetupForm } from './setup-form.js';

/** Numbers, and codes of tie-breaks, in a row. */
const [POINTS, CODES] = ['\\d+(\\.\\d+)?', '[A-Z]{2,4}(/[A-Z0-9+\\-]+)*'].map((one) => `\\s*${one}([\\s,;]+${one})*\\s*`);

/** @typedef {{fields: Record<string, string>, problems: Record<string, string>, kinds: any[], isCreated: boolean, isLocked: boolean}} Filled */

/** Draws the fields; `change` is called with what is typed. */
export class TournamentForm {
  /** @param {HTMLElement} place @param {(name: string, value: string) => void} change */
  constructor(place, change) {
    this.place = place;
    this.times = '';
    /** @type {string[][]} the tournament's own scoring, as a choice */ this.own = [];
    this.setup = new SetupForm((setup) => change('setup', setup));
    place.addEventListener('input', ({ target }) => {
      const round = Number(target.dataset.round);
      if (round) change('roundsAt', withRoundTime(this.times, round, target.value));
      else if (target.name) change(target.name, target.type === 'checkbox' ? (target.checked ? 'on' : '') : target.value);
    });
    place.addEventListener('click', ({ target }) => {
      const code = target.closest('[data-code]')?.dataset.code;
      const field = place.querySelector('[name=tieBreaks]');
      if (code && field) change('tieBreaks', [field.value.trim(), code].filter(Boolean).join(', '));
    });
    // What is invalid is shown, however it is folded.
    place.addEventListener('invalid', ({ target }) => unfold(target), { capture: true });
  }

  /** @param {Filled} filled isCreated: it exists already; isLocked: games were paired, so the game and format can no longer change */
  draw({ fields, problems, kinds, isCreated, isLocked }) {
    const rules = kinds.find(({ kind }) => kind === fields.kind);
    const seats = seatsOf(fields, rules);
    const asked = (name) => isAsked(fields, name, rules);
    const field = (name, text, options = {}) => asked(name) && labelled(name, text, { ...options, value: fields[name], problem: problems[name] });
    const choice = (name, text, pairs, options = {}) => asked(name) && labelled(name, text, { ...options, value: fields[name], problem: problems[name], pairs });
    const whole = (name, text, min, max, options = {}) => field(name, text, { type: 'number', min: String(min), max: String(max), ...options });
    const tick = (name, text) => asked(name) && h('label', { class: 'tick', id: `label-${name}` }, h('input', { type: 'checkbox', name, checked: Boolean(fields[name]) }), text);
    this.times = fields.roundsAt;
    if (isOwnScoring(fields.scoring)) this.own = [[fields.scoring, scoringWords(JSON.parse(fields.scoring))]];
    const counts = rules ? seatCounts(rules) : [];
    const step = String(counts.length > 1 ? counts[1] - counts[0] : 1);
    const formats = FORMATS.filter(([value]) => formatsFor(seats).includes(value));
    patch(this.place, [
      group('what', words.what,
        field('name', common.name, { required: true, pattern: '.*\\S.*', maxlength: '100', class: 'wide' }),
        choice('kind', common.game, [['', common.chooseKind], ...kinds.map(({ kind, title }) => [kind, title])], { disabled: isLocked, required: true }),
        whole('seats', words.seats, rules?.minSeats, rules?.maxSeats, { disabled: isLocked, step, hint: rules && (step === '1' ? words.seatsHint(rules.minSeats, rules.maxSeats) : listed(counts.map(String))), placeholder: rules && String(rules.minSeats) }),
        choice('format', words.format, formats, { disabled: isLocked }),
        choice('system', words.system, Object.entries(words.systems), { disabled: isLocked }),
        whole('rounds', words.rounds, 1, 200, { required: fields.format === 'SWISS' }),
        whole('bestOf', words.bestOf, 1, 15, { disabled: isLocked }),
        whole('replays', words.replays, 0, 10, { disabled: isLocked, placeholder: words.replaysUsual, hint: words.replaysHint }),
        whole('smallest', words.smallest, Math.max(3, rules?.minSeats ?? 0), seats, { disabled: isLocked, step, placeholder: words.smallestUsual }),
        whole('largest', words.largest, seats, rules?.maxSeats, { disabled: isLocked, step, placeholder: words.largestUsual }),
        whole('groups', words.groups, 2, 64, { disabled: isLocked }),
        whole('qualifiers', words.qualifiers, 1, 8, { disabled: isLocked }),
        tick('double', fields.format === 'GROUPS_KNOCKOUT' ? words.doubleInGroups : words.double), tick('thirdPlace', words.thirdPlace), tick('accelerated', words.accelerated)),
      group('when', words.when,
        field('startsAt', words.startsAt, { type: 'datetime-local' }), field('endsAt', words.endsAt, { type: 'datetime-local', min: fields.startsAt || null }), field('timeZone', words.timeZone, { maxlength: '100', list: 'time-zones', placeholder: OWN_ZONE, spellcheck: 'false' }), h('datalist', { id: 'time-zones' }, ...ZONES.map((zone) => h('option', { value: zone }))),
        field('place', words.aboutPlace, { maxlength: '300', class: 'wide' }),
        field('timeControl', words.timeControl, { maxlength: '300', placeholder: words.timeControlSuchAs }),
        isCreated && field('announcement', words.announcement, { maxlength: '300', class: 'full', hint: words.announcementHint }),
        field('description', words.description, { area: true, maxlength: '4000', class: 'full' })),
      roundsAt(fields, problems.roundsAt),
      h('details', { class: 'card group', id: 'group-scoring' }, h('summary', {}, words.further), h('div', { class: 'fields' },
        choice('scoring', words.scoring, [...SCORINGS, ...this.own], { class: 'wide' }), field('placePoints', words.placePoints, { placeholder: '5, 3, 1, 0', required: true, pattern: POINTS, title: words.placePointsSuchAs }),
        labelled('tieBreaks', words.fieldsTieBreaks, { value: fields.tieBreaks, problem: problems.tieBreaks, pattern: CODES, class: 'full', placeholder: words.tieBreaksUsual, hint: isLocked && words.tieBreaksLate }),
        h('div', { class: 'codes full', role: 'group', 'aria-label': words.addTieBreak, id: 'codes' }, ...tieBreaksFor(fields.format, seats).map(([code, text]) => h('button', { type: 'button', class: 'small', 'data-code': code, title: text, 'aria-label': words.tieBreak(code, text) }, code))),
        whole('halfMax', words.halfMax, 0, 200), whole('halfLastRound', words.halfLastRound, 1, 200),
        choice('rolls', newGame.rolls, Object.entries(newGame.rollSources), { hint: newGame.rollsHint, class: 'wide' }),
        tick('rated', common.countsForRatings),
        tick('signatures', words.fieldsSignatures),
        asked('signatures') && h('p', { class: 'hint full', id: 'hint-signatures' }, words.signaturesHint))),
      setupGroup(this.setup.draw(rules, fields.setup), fields, problems),
    ].filter(Boolean));
    for (const name of ['kind', 'format', 'system', 'scoring', 'rolls']) {
      const select = this.place.querySelector(`select[name=${name}]`);
      if (select && select.value !== fields[name]) select.value = fields[name];
    }
    for (const input of this.place.querySelectorAll('#group-setup input[value]')) if (input !== document.activeElement && input.value !== input.getAttribute('value')) input.value = input.getAttribute('value');
    for (const [name, value] of Object.entries(fields)) {
      const input = this.place.querySelector(`input[name=${name}]:not([type=checkbox]), textarea[name=${name}]`);
      if (input && input.value !== value) input.value = value;
    }
  }

  /** Moves the focus to the first field with a problem. */
  focusProblem() {
    const field = this.place.querySelector('[aria-invalid=true]');
    unfold(field);
    field?.focus();
  }
}

/** Opens what a field is folded into. */
function unfold(field) {
  for (let at = field?.closest('details'); at; at = at.parentElement.closest('details')) at.setAttribute('open', '');
}

function group(id, title, ...fields) {
  return h('section', { class: 'card group', id: `group-${id}`, 'aria-label': title }, h('h2', {}, title), h('div', { class: 'fields' }, ...fields));
}

/** The setup of all games, with deadlines where the game has them; as JSON, there may be one for each round. */
function setupGroup(controls, { setup }, problems) {
  const json = labelled('setup', words.setup, { value: setup, problem: problems.setup, area: true, dir: 'ltr', class: 'full', placeholder: words.setupUsual, hint: words.setupHint });
  return h('details', { class: 'card group', id: 'group-setup' }, h('summary', {}, words.setupTitle), h('div', { class: 'setup-fields' }, ...controls),
    controls.length > 0 ? h('details', { id: 'setup-json' }, h('summary', {}, words.asJson), json) : json);
}

/** When each round starts: a field for each time, and an empty one. */
function roundsAt({ format, rounds, roundsAt: text }, problem) {
  const times = roundTimes(text);
  const most = format === 'SWISS' && /^\d+$/.test(rounds) ? Number(rounds) : 200;
  const count = Math.min(times.length + 1, Math.max(most, times.length));
  return h('details', { class: 'card group', id: 'group-rounds-at', open: times.length > 0 }, h('summary', {}, words.times),
    h('p', { class: 'hint' }, words.timesHint),
    h('div', { class: 'fields' }, ...Array.from({ length: count }, (_, index) => h('div', { class: 'field', id: `label-round-${index + 1}` },
      h('label', { for: `field-round-${index + 1}` }, common.round(index + 1)),
      h('input', { type: 'datetime-local', id: `field-round-${index + 1}`, 'data-round': String(index + 1), value: times[index] ?? '', 'aria-invalid': problem && !times[index] && index < times.length ? 'true' : null })))),
    problem && h('p', { class: 'bad', role: 'alert' }, ...marked(problem)));
}

/** A field with its label, hint and problem. */
function labelled(name, text, { value, problem, hint, pairs, area, class: style = '', ...rest }) {
  const describedby = [problem && `problem-${name}`, hint && `hint-${name}`].filter(Boolean).join(' ') || null;
  const common = { name, id: `field-${name}`, 'aria-invalid': problem ? 'true' : null, 'aria-describedby': describedby, ...rest };
  const control = pairs
    ? h('select', common, ...pairs.map(([option, said]) => h('option', { value: option, selected: option === value }, said)))
    : h(area ? 'textarea' : 'input', area ? { ...common, rows: '3' } : { autocomplete: 'off', ...common });
  return h('div', { class: `field ${style}`, id: `label-${name}` },
    h('label', { for: `field-${name}` }, text), control,
    problem && h('p', { class: 'bad', id: `problem-${name}` }, ...marked(problem)),
    hint && h('p', { class: 'hint', id: `hint-${name}` }, hint));
}
