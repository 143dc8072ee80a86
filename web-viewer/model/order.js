// The order in which events may stand in the log of a game or a line, and who may be their author: all that
// can be told without the rules, as in FORMAT.md and rules/src/log/order.rs.

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
    demand(type === 'created', 'order', 'begins no log of a game');
    checkAuthor(first);
    this.created = body;
    this.by = by;
    this.isLine = 'fork' in body;
    this.seats = body.seats.length;
    demand(this.seats >= 1 && this.seats <= SEATS_MAX, 'order', 'does not have 1 to 13 seats');
    demand(this.isLine || !('name' in body || 'owner' in body), 'order', 'has what only a line has: a name, or an owner');
    demand(!('sealed_setup' in body) || !('open' in body || this.isLine), 'order', 'seals something in a log that seals nothing');
    demand(!this.isLine || !('drawn' in body), 'order', 'draws something of the setup of a line');
    demand(!this.isLine || !('signed' in body), 'order', 'demands signatures on a line');
    demand(!('dice' in body || 'drawn' in body) || 'fairness' in body, 'dice', 'draws, but commits to no seed');
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
    demand(isOwn && type !== 'created', 'order', `is of a type, ${type}, that does not belong in this log`);
    checkAuthor(event);
    const seat = seatOf(by);
    demand(seat <= this.seats && !(this.isLine && type === 'annotated' && seat), 'author', `cannot be by ${by}`);
    const isLate = this.due !== '' && event.at >= this.due;
    const isForAbsent = (type === 'acted' || type === 'sealed') && seat > 0 && (this.gone.has(seat) || isLate);
    const isUnsigned = 'signed' in this.created && isPersonal(event) && !event.signature && !isForAbsent;
    demand(!isUnsigned, 'signature', 'is not signed, although everything that a person does in this game is');
    const why = this.#misplaced(event, seat);
    demand(!why, 'order', `cannot come here: ${why}`);
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
      [this.isClosing && !isEnd, 'what only the end reveals is revealed'],
      [this.isAgreed && !isAgreement, 'a draw is agreed'],
      [type === 'annotated' && body.ply > this.ply, 'there is no such ply'],
      [type === 'voided' && this.isVoid, 'the game is void already'],
      [type === 'unvoided' && !this.isVoid, 'the game is not void'],
      [['corrected', 'reopened'].includes(type) && !isFinished, 'the game is not over, or void'],
      [type === 'reopened' && this.decidedBy === 'rules', 'the rules ended the game'],
      [type === 'taken_back' && this.isVoid, 'the game is void'],
      [type === 'taken_back' && body.to_ply >= this.ply, 'there is no later ply to take back'],
      [type === 'taken_back' && this.isLine && body.to_ply < this.created.fork.ply, 'the line begins at a later ply'],
      [WHILE_RUNNING.includes(type) && (this.isOver || this.isVoid), 'the game is over'],
      [type === 'sealed' && 'open' in this.created, 'the game is recorded openly'],
      [type === 'draw_offered' && this.agreed.size > 0, 'a draw is offered already'],
      [type === 'draw_answered' && this.agreed.size === 0, 'no draw is offered'],
      [type === 'draw_answered' && this.agreed.has(seat), 'the seat has agreed already'],
      [type === 'resigned' && this.gone.has(seat), 'the seat has resigned already'],
      [type === 'deadline_set' && body.due <= at, 'the deadline is over already'],
      [type === 'deadline_set' && body.opens >= (body.due ?? ''), 'it is due before it opens'],
      [type === 'ended' && body.decided_by === 'agreement' && !this.isAgreed, 'not all seats have agreed to a draw'],
    ];
    return wrong.find(([is]) => is)?.[1] ?? '';
  }

  /** Checks that a game with so many seats can have this outcome. */
  #checkOutcome({ outcome, decided_by: decider }, seat) {
    const { winners, ranking } = outcome;
    const isGroup = (group) => group.every((one, index) => one >= 1 && one <= this.seats && (index === 0 || group[index - 1] < one));
    demand(isGroup(winners), 'outcome', 'names winners that are no seats, or not ascending, each once');
    if (ranking) {
      const isWhole = ranking.every((group) => group.length > 0 && isGroup(group)) && new Set(ranking.flat()).size === this.seats;
      demand(isWhole && ranking.flat().length === this.seats, 'outcome', 'has a ranking that does not name each seat once, in groups');
    }
    const isForfeit = outcome.forfeit === true && winners.length === 0 && !ranking;
    demand(!Object.hasOwn(outcome, 'forfeit') || isForfeit, 'outcome', 'has a forfeit with winners or a ranking');
    const isPlain = Object.keys(outcome).length === 2 && outcome.reason === decider;
    const isWon = isPlain && this.seats === 2 && winners.length === 1;
    demand(decider !== 'resignation' || (isWon && winners[0] === 3 - seat), 'outcome', 'is a resignation that the other one of two seats does not win, or has another reason');
    demand(decider !== 'time' || isWon, 'outcome', 'is a loss on time that is not won by one of two seats, or has another reason');
    demand(decider !== 'agreement' || (isPlain && winners.length === 0), 'outcome', 'is an agreed draw that somebody wins, or has another reason');
  }

  /** Checks what is opened, and the dice. */
  #checkSecrets(type, body, seat) {
    const hasDice = 'dice' in this.created;
    if (type === 'entropy_added') {
      demand(hasDice, 'dice', 'contributes to dice that take no contributions');
      demand(!this.isRolled && !this.isPublic, 'dice', 'contributes to dice that have been rolled already');
      demand(!this.contributors.has(seat), 'dice', 'contributes to the dice a second time');
    }
    if (type === 'revealed') demand(this.sealed.has(body.of), 'seal', `opens event ${body.of}, which sealed nothing, or is open`);
    if (type === 'acted' && body.fair) {
      demand('fairness' in this.created, 'dice', 'is rolled from a seed that was never committed to');
      demand(!this.isPublic, 'dice', 'is rolled from a seed that was public');
    }
    if (type !== 'ended' && type !== 'voided') return;
    const isUsed = (hasDice && this.isRolled) || 'drawn' in this.created;
    const isOwed = type === 'ended' && isUsed && !this.isPublic;
    demand(!isOwed || 'seed' in body, 'dice', 'ends the game without the seed that it was drawn from');
    demand(this.sealed.size === 0, 'seal', 'ends the game while something is sealed');
    demand(!('seed' in body) || 'fairness' in this.created, 'dice', 'publishes a seed that the game never committed to');
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
  demand(authors.includes(by.split(':')[0]), 'author', `cannot be by ${by}`);
  demand(!who || by !== 'service' || type === 'created', 'author', 'follows from another event: nobody caused it, as `who` says');
  demand(!signature || isPersonal({ by, body }), 'author', 'follows from another event: nobody signs it');
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
