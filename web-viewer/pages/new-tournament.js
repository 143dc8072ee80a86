// The form for a new tournament.

import { common } from '../words/common.js';
import { errorWords, request } from '../base/api.js';
import { byId, h, marked, setText } from '../base/dom.js';
import { patch } from '../base/patch.js';
import { store } from '../base/store.js';
import { NEW, changed, copied, fieldOf, inputOf, problems } from '../model/tournament-form.js';
import { CREATE } from '../model/tournament-mutations.js';
import { KINDS_OF, ME, TOURNAMENT } from '../model/tournament-queries.js';
import { tournament as words } from '../words/tournament.js';
import { TournamentForm } from '../tournaments/form.js';
import { ReportImport } from '../tournaments/report-import.js';

const { state, update } = store({
  fields: { ...NEW },
  /** @type {Record<string, string>} */ found: {},
  /** @type {any[]} */ kinds: [],
  /** @type {any} */ error: null,
  role: '',
  isBusy: false,
}, redraw);

const form = new TournamentForm(byId('fields'), change);
const report = new ReportImport(byId('report'), () => state().fields);

function change(name, value) {
  const { fields, found, kinds } = state();
  update({ fields: changed(fields, name, value, kinds), found: { ...found, [name]: '' } });
}

async function create() {
  const { fields, isBusy, kinds } = state();
  if (isBusy) return;
  const rules = kinds.find(({ kind }) => kind === fields.kind);
  const found = problems(fields);
  update({ found, error: null });
  if (Object.keys(found).length > 0) return later();
  update({ isBusy: true });
  try {
    const { createTournament } = await request(CREATE, { input: inputOf(fields, rules) });
    location.assign(`/tournaments/${encodeURIComponent(createTournament.id)}/organise`);
  } catch (error) {
    const field = error.code === 'BAD_INPUT' ? fieldOf(error.message) : '';
    update({ isBusy: false, ...(field ? { found: { [field]: errorWords(error) } } : { error }) });
    later();
  }
  return undefined;
}

/** Once it is drawn, the first invalid field gets the focus. */
function later() {
  setTimeout(() => form.focusProblem());
}

function redraw() {
  const { error, fields, found, isBusy, kinds, role } = state();
  form.draw({ fields, problems: found, kinds, isCreated: false, isLocked: false });
  report.draw();
  byId('create').setAttribute('aria-disabled', String(isBusy));
  setText(byId('create'), isBusy ? common.creating : words.fieldsCreate);
  patch(byId('notice'), [
    role && !['arbiter', 'admin'].includes(role) && h('p', { class: 'notice' }, words.notAllowed,
      h('button', { type: 'button', class: 'link', onclick: () => byId('sign-in').click() }, common.signIn)),
    error && h('p', { class: 'notice bad', role: 'alert' }, ...marked(errorWords(error))),
  ]);
}

byId('form').addEventListener('submit', (event) => {
  event.preventDefault();
  create();
});
redraw();
/** `?copy=` starts from the settings of another tournament. */
async function begin() {
  const { rules } = await request(KINDS_OF);
  const copy = new URLSearchParams(location.search).get('copy');
  const found = copy ? await request(TOURNAMENT, { id: copy }) : null;
  update({ kinds: rules, ...(found?.tournament ? { fields: copied(found.tournament) } : {}) });
}

begin().catch((error) => update({ error }));
request(ME).then(({ me }) => update({ role: me.role }), () => {});
