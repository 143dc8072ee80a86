// The hub of the recorder's page: receives messages, keeps entries on the device, and sends them.

import { request, token } from '../base/api.js';
import { deviceKey, sign } from '../base/device-key.js';
import { contribute } from '../base/entropy.js';
import { Live, backoff, liveUrl } from '../base/live.js';
import { phonesAddress } from '../base/phones.js';
import { newKey } from '../base/random-key.js';
import { keepSettings, loadSettings } from '../base/settings.js';
import { store } from '../base/store.js';
import { due, isStale, isUnchanged, queueName, unechoed, variablesOf } from '../model/entries.js';
import { contributedFor } from '../model/fair.js';
import { clockMs } from '../model/format.js';
import { promptsByActor } from '../model/play.js';
import { CHANGED, GAME_LINKS, RECORDED, SEAT_VIEW, STANDING, recording } from '../model/record-queries.js';
import { deedOf } from '../model/signing.js';
import { record as entryText } from '../words/record.js';
import { derive, isSealed } from './derive.js';
import { Foresight } from './foresight.js';
import { CAN_ENCRYPT, keep, keepSecret, mineOf, onShared, queueOf, secretOf, seenOf, tokenOf } from './keeping.js';
import { first, update } from './update.js';

/** Codes after which the same request may work later. */
const LATER = new Set(['OFFLINE', 'RATE_LIMITED', 'READ_ONLY', 'OUTCOME_UNKNOWN', 'BEHIND', 'INTERNAL']);

/** How long to wait before the rules are looked for again, while something waits. */
const RULES_RETRY_MS = 3000;

/** The state of the page, and its requests. */
export class Recording {
  /** @param {string} id */
  constructor(id) {
    this.store = store(first({ id, token: tokenOf(id), queue: queueOf(id), mine: mineOf(id), settings: loadSettings() }), () => this.draw(this.now()), update);
    /** @type {(now: import('./derive.js').Now) => void} */
    this.draw = () => {};
    this.failures = 0;
    this.timer = 0;
    this.isLoaded = false;
    this.asking = '';
    /** @type {Live | null} */ this.live = null;
    this.foresight = new Foresight();
    onShared(id, (queue) => { this.store.update('shared', queue); this.flush(); });
    globalThis.addEventListener('online', () => this.retry());
    document.addEventListener('visibilitychange', () => (document.hidden ? this.send('cover') : this.retry()));
    globalThis.addEventListener('pagehide', () => this.send('cover'));
    globalThis.addEventListener('beforeunload', (event) => !CAN_ENCRYPT && this.store.state().queue.entries.some(({ isSecret }) => isSecret) && event.preventDefault());
    /** whether secrets of this tab are kept; those of another tab are its own */ this.holdsSecret = false;
    /** What is written to the device, one after the other. @type {Promise<void>} */
    this.keeping = secretOf(id, this.as()).then((secret) => this.restore(secret));
  }

  now() {
    return derive(this.store.state());
  }

  as() {
    return this.store.state().token || token();
  }

  /** Takes a message; see `MESSAGES` in update.js. */
  send(name, ...values) {
    this.store.update(name, ...values);
    this.wantLegal();
    this.foresee();
  }

  /** Takes a message that changes the entries. */
  change(name, ...values) {
    this.send(name, ...values);
    this.keep();
    this.flush();
  }

  /** Keeps what waits on the device. */
  keep() {
    const state = this.store.state();
    keep(state);
    const isSecret = state.queue.entries.some((entry) => entry.isSecret);
    if (isSecret || this.holdsSecret) this.keeping = this.keeping.then(() => keepSecret(state.id, this.as(), this.store.state().queue)).catch(() => {});
    this.holdsSecret = isSecret;
  }

  /** Takes up secrets that waited when the page was left. */
  restore(secret) {
    this.holdsSecret = secret.entries.length > 0;
    if (this.holdsSecret) this.store.update('restored', secret);
  }

  /** @param {Partial<import('../base/settings.js').Settings>} change */
  prefer(change) {
    this.send('prefer', change);
    keepSettings({ ...loadSettings(), ...change });
  }

  // --- what is asked

  async load() {
    const { id } = this.store.state();
    await this.keeping;
    try {
      const { me, game, rules } = await request(RECORDED, { id }, this.as());
      const kind = rules.find((each) => each.kind === game?.kind);
      if (!game || !kind) throw Object.assign(new Error(entryText.notFound), { code: 'NOT_FOUND' });
      const isOpen = Boolean(game.events.nodes[0]?.body.open);
      // While a game with secrets runs, this screen shows what everybody may see.
      const isShared = kind.secrets && !isOpen && game.status === 'RUNNING' && me.role !== 'player';
      this.send('known', me, { isShared, kind: game.kind, setup: game.setup, title: kind.title, hasSecrets: kind.secrets && !isOpen, sealed: isOpen ? [] : kind.sealed, signatures: game.signatures, seats: game.seats, round: game.round, table: game.table, tournament: game.tournament, isLine: game.origin !== 'RECORDED' });
      this.isPublic = isShared;
      await this.readKey();
      await this.contribute(me, game);
      await this.stand();
      this.isLoaded = true;
      this.loadRules();
      this.follow();
      this.flush();
    } catch (error) {
      if (error.code === 'OFFLINE') {
        this.remember();
        this.later(() => this.load());
      } else this.store.update('set', { error });
    }
  }

  /** Without a connection, shows the game as this device last saw it, if it did. */
  remember() {
    const { game, id } = this.store.state();
    const seen = game ? null : seenOf(id);
    if (seen) {
      this.store.update('known', seen.me, seen.about);
      this.store.update('stands', seen.game);
      this.loadRules();
    }
    this.store.update('set', { isOffline: true, live: 'offline' });
  }

  /** Loads the rules while there is a connection, so that they are there without one. What is secret is for the service to say. */
  async loadRules() {
    const { about } = this.store.state();
    if (about.hasSecrets) return;
    await this.foresight.load(about.kind);
    if (this.foresight.rules) this.foresee();
    else if (this.store.state().queue.entries.length > 0) setTimeout(() => this.foresee(), RULES_RETRY_MS);
  }

  /** Shows what the rules say of what waits. */
  foresee() {
    const state = this.store.state();
    if (!state.game || !state.about || state.queue.entries.length === 0) return;
    // They may be on the device although they could not be loaded before.
    if (!this.foresight.rules) {
      this.loadRules();
      return;
    }
    const of = queueName(state.queue, state.game);
    if (of !== state.foreseen.of) this.store.update('foreseen', of, this.foresight.see(state));
  }

  /** Contributes to the dice: a seat for itself, a table for all of its seats. The game goes on without, too. */
  async contribute(me, game) {
    const isTable = me.role === 'recorder' && me.game;
    await contribute(game.id, isTable ? game.entropyAwaitedFrom : contributedFor(me, game), this.as()).catch(() => {});
  }

  viewer() {
    return this.isPublic ? 'public' : null;
  }

  /** Loads the game as it stands. */
  async stand() {
    const { game } = await request(STANDING, { id: this.store.state().id, viewer: this.viewer() }, this.as());
    this.take('stands', game);
  }

  /** Shows a game; one that is over is loaded again, since nothing of it is hidden any more. */
  take(name, ...values) {
    const game = values.at(-1);
    this.change(name, ...values);
    if (this.isPublic && game.status !== 'RUNNING') {
      this.isPublic = false;
      this.stand().catch(() => {});
    }
  }

  follow() {
    const { id } = this.store.state();
    const next = ({ gameUpdated }) => {
      const { game, isSending } = this.store.state();
      if (!isSending && gameUpdated.head.seq > (game?.head.seq ?? -1)) this.stand().catch(() => {});
    };
    this.live ??= new Live({ url: liveUrl(), token: this.as(), state: (live) => { this.store.update('set', { live }); if (live === 'live') this.retry(); } });
    this.live.keep(new Map([['game', { query: CHANGED, variables: () => ({ id }), next }]]));
  }

  /** What is legal for a seat where several may act. */
  async wantLegal() {
    const { id, needsLegal, of, seat } = this.now();
    if (!needsLegal || this.asking === of) return;
    this.asking = of;
    const answer = await request(SEAT_VIEW, { id, viewer: this.viewer(), seat }, this.as()).catch(() => null);
    this.asking = '';
    if (answer && this.now().of === of) this.send('judged', of, { actions: answer.game.position.legalActions, prompt: promptsByActor(answer.game.position.prompts)[`seat:${seat}`] ?? null, form: answer.game.position.form });
  }

  /** Shows what a seat may see to the person who holds the phone. */
  async uncover() {
    const { hand, id } = this.store.state();
    if (!hand) return;
    const { seat } = hand;
    try {
      const { game } = await request(SEAT_VIEW, { id, viewer: String(seat), seat }, this.as());
      this.send('uncover', seat, game.position);
    } catch (error) {
      // What trays hold is no secret.
      const shown = error.code === 'FORBIDDEN' ? await request(SEAT_VIEW, { id, viewer: 'public', seat }, this.as()).catch(() => null) : null;
      const problem = error.code === 'FORBIDDEN' ? entryText.mayNotShow : entryText.unreached;
      this.send('uncover', seat, shown?.game.position ?? null, problem);
    }
  }

  async makeLinks() {
    const { id } = this.store.state();
    try {
      const { issueGameTokens } = await request(GAME_LINKS, { game: id, base: phonesAddress() }, this.as());
      this.send('set', { links: issueGameTokens, refused: null });
    } catch (refused) {
      this.send('set', { refused });
    }
  }

  // --- what is recorded

  /** @param {Partial<import('../model/entries.js').Entry>} what */
  enter(what) {
    this.change('enter', what, newKey());
  }

  /** Records an action for the seat that is to act. */
  act(action) {
    const { about, actor, clock, isSecret, ply, seat, settings, toAct } = this.now();
    const isNoted = settings.clocks && actor !== 'chance' && clock.trim() !== '';
    const time = isNoted ? clockMs(clock) : null;
    if (isNoted && time === null) {
      this.send('set', { said: entryText.notATime(clock.trim()) });
      return;
    }
    const atOnce = isSecret && seat > 0 && toAct.length > 1;
    this.enter({ type: 'act', seat, action, clock: time, ply, atOnce, isSecret: actor !== 'chance' && isSealed(about, action) });
  }

  /** Records what is typed: the one action that fits, or the text as it is. */
  type() {
    const { fitting, isGuess, typed } = this.now();
    const text = typed.trim();
    if (text) this.act(fitting.length === 1 && !isGuess ? fitting[0] : text);
    else this.send('set', { said: entryText.typeOrTap });
  }

  /** Sends what waits, one entry after another. */
  async flush() {
    const { game, id, isSending, queue } = this.store.state();
    const entry = due(queue);
    if (!entry || !game || isSending || !this.isLoaded || this.now().unsigned) return;
    clearTimeout(this.timer);
    // A game with secrets that goes on is shown as everybody may see it.
    if (this.now().mayRecord && this.now().about.hasSecrets) this.isPublic = true;
    this.store.update('set', { isSending: true });
    let signed = null;
    try {
      signed = await this.signed(entry);
      const expected = entry.atOnce ? signed?.after ?? null : queue.after;
      const { changed } = await request(recording(entry.type), { game: id, ...variablesOf(entry), signature: signed?.signature, salt: signed?.salt, expected, key: entry.key, viewer: this.viewer() }, this.as());
      this.failures = 0;
      this.store.update('set', { isSending: false });
      this.take('recorded', entry.key, changed ?? (await request(STANDING, { id, viewer: this.viewer() }, this.as())).game);
    } catch (error) {
      if (LATER.has(error.code)) {
        this.store.update('set', { isSending: false, isOffline: true });
        this.later(() => this.flush());
        return;
      }
      await this.stand().catch(() => {});
      this.store.update('set', { isSending: false });
      if (error.code === 'NO_KEY') {
        await this.readKey();
        return;
      }
      const { game: now } = this.store.state();
      if (error.code === 'LOG_CONFLICT' && unechoed(queue, now).after > queue.after) this.change('echoed');
      else if (error.code === 'LOG_CONFLICT' && now.head.seq > queue.after && isUnchanged(now, queue.after)) this.change('follows');
      // Others have acted meanwhile who were to act at the same time; whether that matters is for the service to say.
      else if (error.code === 'LOG_CONFLICT' && entry.atOnce && signed && now.head.seq > signed.after) this.change('signed', entry.key, null);
      // Why an action is illegal can depend on what one seat knows, and this screen is seen by everybody.
      else this.change('refused', entry.key, this.isPublic && error.code === 'ILLEGAL_ACTION' && !this.store.state().hand ? { code: 'HIDDEN', message: '' } : error);
    }
  }

  /**
   * The signature that an entry is sent with. It is the same until the service answers, so that the entry is recorded once.
   * @param {import('../model/entries.js').Entry} entry
   */
  async signed(entry) {
    if (entry.signed) return entry.signed;
    const { about, game, me, queue } = this.store.state();
    if (isStale(entry, game, queue.after)) return null;
    const { ownSeat } = this.now();
    const { closable, toAct } = game.position;
    const deed = deedOf(entry, { seats: about.seats, toAct, closable, ownSeat, sealed: about.sealed });
    const made = deed && await sign(deed, { ...game, signatures: about.signatures, seats: about.seats }, me);
    if (!made) return null;
    const signed = { ...made, after: game.head.seq };
    this.send('signed', entry.key, signed);
    this.keep();
    await this.keeping;
    return signed;
  }

  /** Finds out which key this device has. */
  async readKey() {
    const key = await deviceKey();
    this.send('set', { publicKey: key?.publicKey ?? '' });
  }

  later(call) {
    clearTimeout(this.timer);
    this.timer = setTimeout(call, backoff(this.failures++));
  }

  /** The connection may be back. */
  retry() {
    if (!this.isLoaded) {
      if (this.store.state().isOffline) this.load();
      return;
    }
    // A key was perhaps made or registered on another page.
    if (this.now().unsigned) this.load();
    this.flush();
    this.stand().then(() => this.store.update('set', { isOffline: false }), () => {});
  }
}
