// The rules of a game as a WebAssembly module: checks records, draws positions and plays lines with no service.
// In browsers and in Node.

import { MODULES } from './modules.js';

const GZIP = 0x1f8b;

/** A refused request; nothing has changed. */
export class RulesError extends Error {
  /** @param {{code: string, message: string, action?: number}} refusal */
  constructor({ code, message, action }) {
    super(message);
    this.code = code;
    this.action = action;
  }
}

/** The rules, and the games that were opened. */
export class Rules {
  #instance;
  #module;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#module = module;
    this.#instance = new WebAssembly.Instance(module);
  }

  /**
   * Loads the rules of a game.
   * @param {string} kind one of `MODULES`
   * @param {Response | Promise<Response> | BufferSource | WebAssembly.Module} [source] by default, the module beside this file
   * @returns {Promise<Rules>}
   */
  static async load(kind, source = fetchModule(kind)) {
    const given = await source;
    if (given instanceof WebAssembly.Module) return new Rules(given);
    const bytes = ArrayBuffer.isView(given) ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength) : new Uint8Array(given instanceof ArrayBuffer ? given : await loaded(given));
    return new Rules(await WebAssembly.compile((bytes[0] << 8 | bytes[1]) === GZIP ? await unpacked(bytes) : bytes));
  }

  /** The game, with the version of its rules. */
  kinds() {
    return this.#ask({ do: 'kinds' });
  }

  /**
   * Checks a record or logs under the rules, and keeps the games in it that could be judged.
   * @param {string} text a JSON record, or logs as NDJSON
   */
  open(text) {
    return this.#ask({ do: 'open', text });
  }

  /** Positions of a game that was opened. */
  positions({ game, from, to, viewer, parts = [] }) {
    return this.#ask({ do: 'positions', game, from, to, viewer, parts });
  }

  /** The position after actions played from a ply of a game that was opened. */
  play({ game, ply, actions, viewer, parts = [] }) {
    return this.#ask({ do: 'play', game, ply, actions, viewer, parts });
  }

  /** The position after actions played from the start of a game. */
  fold({ kind, setup, position, actions = [], viewer, parts = [] }) {
    return this.#ask({ do: 'fold', kind, setup, position, actions, viewer, parts });
  }

  /** Forgets the games that were opened. */
  close() {
    return this.#ask({ do: 'close' });
  }

  /**
   * Answers a request as it goes into the module; see `Request` in `rules/wasm/src/request.rs`.
   * @param {object} request
   * @returns {any}
   * @throws {RulesError}
   */
  #ask(request) {
    const { ok, error } = JSON.parse(this.answer(JSON.stringify(request)));
    if (error) throw new RulesError(error);
    return ok;
  }

  /**
   * The answer of the module as it stands, to any text.
   * @param {string} request
   * @returns {string}
   */
  answer(request) {
    const bytes = new TextEncoder().encode(request);
    const { memory, plybook_alloc: alloc, plybook_answer: answer, plybook_free: free } = /** @type {any} */ (this.#instance.exports);
    try {
      const at = alloc(bytes.length) >>> 0;
      new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
      const packed = BigInt.asUintN(64, answer(at, bytes.length));
      const [from, length] = [Number(packed >> 32n), Number(packed & 0xffff_ffffn)];
      const text = new TextDecoder().decode(new Uint8Array(memory.buffer, from, length));
      free(from, length);
      return text;
    } catch (why) {
      if (!(why instanceof WebAssembly.RuntimeError || why instanceof RangeError)) throw why;
      // Out of memory, or a fault of the module: its memory cannot be trusted any more.
      this.#instance = new WebAssembly.Instance(this.#module);
      throw new RulesError({ code: 'INTERNAL', message: `the rules failed (${why.message}); the games that were opened are forgotten` });
    }
  }
}

function fetchModule(kind) {
  const file = MODULES.get(kind);
  if (!file) throw new RulesError({ code: 'NOT_FOUND', message: `there are no rules of ${kind} here, but of ${[...MODULES.keys()].join(', ')}` });
  return fetch(new URL(file, import.meta.url));
}

function loaded(response) {
  if (!response.ok) throw new RulesError({ code: 'OFFLINE', message: `the rules could not be loaded (${response.status})` });
  return response.arrayBuffer();
}

function unpacked(bytes) {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}
