// The order in which events may stand in the log of a game or a line, and who may be their author: all that
// can be told without the rules, as in FORMAT.md and rules/src/log/order.rs.

import { faults as words } from '../words/faults.js';

/** @typedef {import('./verify.js').LogEvent} LogEvent */

const SEATS_MAX = 13;
const SEATS = ['seat'];
const SERVICE = ['service'];
/** The authors of each type of event; of all others, the arbiter. @type {Record<string, string[]>} */
const AUTHORS = {
  created: SERVICE, revealed: SERVICE, acted: ['seat', 'chance'], annotated: ['seat', 'arbiter'],
  sealed: SEATS, entropy_added: SEATS, draw_offered: SEATS, draw_answered: SEATS, resigned: SEATS,
};
/** @type {Record<string, string[]>} */
const DECIDED_BY = { rules: SERVICE, agreement: SERVICE, resignation: SEATS };
const ARBITER = ['arbiter'];
const OF_LINES = ['acted', 'annotated', 'taken_back', 'arranged'];
const WHILE_RUNNING = ['acted', 'entropy_added', 'sealed', 'draw_offered', 'draw_answered', 'resigned', 'ended', 'deadline_set'];

/** What is out of order: the kind of fault, and why. */
export class Disorder extends Error {
  /** @param {string} kind one word, as in FORMAT.md @param {string} problem */
  constructor(kind, problem) {
    super(problem);
    this.kind = kind;
  }
}

/** What the events of a log so far say about the next one. */
export class Order {
  /**
   * @param {LogEvent} first
   * @throws {Disorder}
   */
  constructor(first) {
    const { type, by, body } = first;
    demand(type === 'created', 'order', words.beginsNothing);
    checkAuthor(first);
    this.created = body;
    this.by = by;
    this.isLine = 'fork' in body;
    this.seats = body.seats.length;
    demand(this.seats >= 1 && this.seats <= SEATS_MAX, 'order', words.badSeats);
    demand(this.isLine || !('name' in body || 'owner' in body), 'order', words.onlyOfLines);
    demand(!('sealed_setup' in body) || !('open' in body || this.isLine), 'order', words.sealsInOpen);
    demand(!this.isLine || !('drawn' in body), 'order', words.drawsOnLine);
    demand(!this.isLine || !('signed' in body), 'order', words.signsLine);
    demand(!('drawn' in body) || 'fairness' in body, 'dice', words.drawsUncommitted);
    this.ply = body.fork?.ply ?? 0;
    this.isVoid = false;
    this.isOver = false;
    this.decidedBy = '';
    this.isClosing = false;
    /** @type {Map<number, {by: string, commitment: string}>} what is not revealed, by seq */
    this.sealed = new Map('sealed_setup' in body ? [[0, { by, commitment: body.sealed_setup }]] : []);
    /** @type {Map<number, number>} the plies of submissions on the mainline, by seq */
    this.submitted = new Map();
    /** @type {Map<number, string>} what was revealed, by seq */
    this.revealed = new Map();
    this.offeredBy = 0;
    /** @type {Set<number>} */ this.agreed = new Set();
    /** @type {Set<number>} */ this.gone = new Set();
    /** @type {Set<number>} */ this.contributors = new Set();
    /** When what is awaited has to be done; empty if no deadline stands. */
    this.due = '';
    this.isRolled = false;
    this.isPublic = false;
  }

  /** Whether all seats have agreed to a draw. */
  get isAgreed() {
    return this.seats > 1 && this.agreed.size === this.seats;
  }

  /** Whether the end of the game is begun, so that no log ends here. */
  get isEnding() {
    return this.isClosing || this.isAgreed;
  }

  /**
   * Checks that an event may come next, apart from the hashes of what it opens.
   * @param {LogEvent} event
   * @throws {Disorder}
   */
  check(event) {
    const { type, by, body } = event;
    const isOwn = this.isLine ? OF_LINES.includes(type) || (type === 'ended' && body.decided_by === 'rules') : type !== 'arranged';
    demand(isOwn && type !== 'created', 'order', words.notInThisLog(type));
    checkAuthor(event);
    const seat = seatOf(by);
    demand(seat <= this.seats && !(this.isLine && type === 'annotated' && seat), 'author', words.notBy(by));
    const isLate = this.due !== '' && event.at >= this.due;
    const isForAbsent = (type === 'acted' || type === 'sealed') && seat > 0 && (this.gone.has(seat) || isLate);
    const isUnsigned = 'signed' in this.created && isPersonal(event) && !event.signature && !isForAbsent;
    demand(!isUnsigned, 'signature', words.unsigned);
    const why = this.#misplaced(event, seat);
    demand(!why, 'order', words.misplaced(why));
    if (type === 'ended' || type === 'corrected') this.#checkOutcome(body, seat);
    this.#checkSecrets(type, body, seat);
  }

  /** Why an event cannot come at this point; empty if it can. */
  #misplaced({ type, at, body }, seat) {
    const isEnd = ['revealed', 'ended', 'voided'].includes(type);
    const isAgreement = type === 'revealed' || body.decided_by === 'agreement';
    const isFinished = this.isOver && !this.isVoid;
    /** @type {[boolean, string][]} */
    const wrong = [
      [this.isClosing && !isEnd, words.onlyReveals],
      [this.isAgreed && !isAgreement, words.drawAgreed],
      [type === 'annotated' && body.ply > this.ply, words.noSuchPly],
      [type === 'voided' && this.isVoid, words.voidAlready],
      [type === 'unvoided' && !this.isVoid, words.notVoid],
      [['corrected', 'reopened'].includes(type) && !isFinished, words.notOver],
      [type === 'reopened' && this.decidedBy === 'rules', words.endedByRules],
      [type === 'taken_back' && this.isVoid, words.isVoid],
      [type === 'taken_back' && body.to_ply >= this.ply, words.nothingToTakeBack],
      [type === 'taken_back' && this.isLine && body.to_ply < this.created.fork.ply, words.lineBeginsLater],
      [WHILE_RUNNING.includes(type) && (this.isOver || this.isVoid), words.isOver],
      [type === 'sealed' && 'open' in this.created, words.recordedOpenly],
      [type === 'draw_offered' && this.agreed.size > 0, words.offeredAlready],
      [type === 'draw_answered' && this.agreed.size === 0, words.notOffered],
      [type === 'draw_answered' && this.agreed.has(seat), words.agreedAlready],
      [type === 'resigned' && this.gone.has(seat), words.resignedAlready],
      [type === 'deadline_set' && body.due <= at, words.deadlineOver],
      [type === 'deadline_set' && body.opens >= (body.due ?? ''), words.dueBeforeOpening],
      [type === 'ended' && body.decided_by === 'agreement' && !this.isAgreed, words.notAllAgreed],
    ];
    return wrong.find(([is]) => is)?.[1] ?? '';
  }

  /** Checks that a game with so many seats can have this outcome. */
  #checkOutcome({ outcome, decided_by: decider }, seat) {
    const { winners, ranking } = outcome;
    const isGroup = (group) => group.every((one, index) => one >= 1 && one <= this.seats && (index === 0 || group[index - 1] < one));
    demand(isGroup(winners), 'outcome', words.badWinners);
    if (ranking) {
      const isWhole = ranking.every((group) => group.length > 0 && isGroup(group)) && new Set(ranking.flat()).size === this.seats;
      demand(isWhole && ranking.flat().length === this.seats, 'outcome', words.badRanking);
    }
    const isForfeit = outcome.forfeit === true && winners.length === 0 && !ranking;
    demand(!Object.hasOwn(outcome, 'forfeit') || isForfeit, 'outcome', words.badForfeit);
    const isPlain = Object.keys(outcome).length === 2 && outcome.reason === decider;
    const isWon = isPlain && this.seats === 2 && winners.length === 1;
    demand(decider !== 'resignation' || (isWon && winners[0] === 3 - seat), 'outcome', words.badResignation);
    demand(decider !== 'time' || isWon, 'outcome', words.badTimeout);
    demand(decider !== 'agreement' || (isPlain && winners.length === 0), 'outcome', words.badAgreement);
  }

  /** Checks what is opened, and the dice. */
  #checkSecrets(type, body, seat) {
    if (type === 'entropy_added') {
      demand('fairness' in this.created, 'dice', words.noContributions);
      demand(!this.isRolled && !this.isPublic, 'dice', words.rolledAlready);
      demand(!this.contributors.has(seat), 'dice', words.contributesTwice);
    }
    if (type === 'revealed') demand(this.sealed.has(body.of), 'seal', words.opensNothing(body.of));
    if (type === 'acted' && body.fair) {
      demand('fairness' in this.created, 'dice', words.rolledUncommitted);
      demand(!this.isPublic, 'dice', words.rolledPublic);
    }
    if (type !== 'ended' && type !== 'voided') return;
    const isUsed = this.isRolled || 'drawn' in this.created;
    const isOwed = type === 'ended' && isUsed && !this.isPublic;
    demand(!isOwed || 'seed' in body, 'dice', words.endsWithoutSeed);
    demand(this.sealed.size === 0, 'seal', words.endsSealed);
    demand(!('seed' in body) || 'fairness' in this.created, 'dice', words.seedUncommitted);
  }

  /**
   * Adds an event that was checked.
   * @param {LogEvent} event
   */
  apply({ seq, type, by, body }) {
    const seat = seatOf(by);
    if (type === 'acted' || type === 'sealed') {
      this.ply += 1;
      if (seat !== this.offeredBy) this.#lapse();
      this.isRolled ||= 'fair' in body;
    }
    switch (type) {
      case 'sealed':
        this.sealed.set(seq, { by, commitment: body.commitment });
        this.submitted.set(seq, this.ply);
        break;
      case 'revealed':
        this.sealed.delete(body.of);
        this.revealed.set(body.of, body.content);
        this.isClosing ||= !this.submitted.has(body.of);
        break;
      case 'taken_back':
        this.ply = body.to_ply;
        for (const [sealed, ply] of this.submitted) if (ply > this.ply) this.submitted.delete(sealed);
        this.#lapse();
        this.isOver = false;
        break;
      case 'draw_offered':
        this.offeredBy = seat;
        this.agreed.add(seat);
        break;
      case 'draw_answered':
        if (body.accept) this.agreed.add(seat);
        else this.#lapse();
        break;
      case 'ended':
        this.isOver = true;
        this.decidedBy = body.decided_by;
        this.#lapse();
        break;
      case 'resigned': this.gone.add(seat); break;
      case 'entropy_added': this.contributors.add(seat); break;
      case 'deadline_set': this.due = body.due ?? ''; break;
      case 'reopened': this.isOver = false; break;
      case 'voided': this.isVoid = true; break;
      case 'unvoided': this.isVoid = false; break;
    }
    if (type === 'ended' || type === 'voided') {
      this.isClosing = false;
      this.isPublic ||= 'seed' in body;
    }
  }

  #lapse() {
    this.offeredBy = 0;
    this.agreed.clear();
  }
}

/** @param {LogEvent} event */
function checkAuthor({ type, by, who, body, signature }) {
  let authors = Object.hasOwn(AUTHORS, type) ? AUTHORS[type] : ARBITER;
  if (type === 'ended') authors = DECIDED_BY[body.decided_by] ?? ARBITER;
  if (type === 'acted' && body.fair) authors = ['chance'];
  if (type === 'deadline_set' && !('reason' in body)) authors = SERVICE;
  demand(authors.includes(by.split(':')[0]), 'author', words.notBy(by));
  demand(!who || by !== 'service' || type === 'created', 'author', words.causedByNobody);
  demand(!signature || isPersonal({ by, body }), 'author', words.signedByNobody);
}

/** Whether an event is something that a person does, and can sign. */
export function isPersonal({ by, body }) {
  return by !== 'service' && !body.fair;
}

/** The seat of an author; 0 of anybody else. */
function seatOf(by) {
  return by.startsWith('seat:') ? Number(by.slice('seat:'.length)) : 0;
}

function demand(isRight, kind, problem) {
  if (!isRight) throw new Disorder(kind, problem);
}
