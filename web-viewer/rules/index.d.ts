/** A refused request; nothing has changed. */
export class RulesError extends Error {
  /** `BAD_INPUT`, `NOT_FOUND`, `ILLEGAL_ACTION`, `TOO_LARGE`; `OFFLINE` or `INTERNAL` if the module could not be loaded, or failed. */
  code: string;
  /** For an action that is not legal: its index in the list of actions. */
  action?: number;
}

/** A seat's number, `public` or `all`. */
export type Viewer = string;

/** What is said of a position, besides its ply, who acted, what, and who is to act. */
export type Part = 'scene' | 'text' | 'legal' | 'form' | 'position';

/** A game that the module knows. */
export interface Kind {
  kind: string;
  title: string;
  /** The version of its rules. */
  version: string;
  seatsMin: number;
  seatsMax: number;
  simultaneous: boolean;
  chance: boolean;
  secrets: boolean;
}

/** What was found in a log. */
export interface Finding {
  /** The id of the log. */
  game: string;
  valid: boolean;
  /** The number of valid events before the first fault. */
  events: number;
  /** The hash of the last of them, in hexadecimal. */
  head: string;
  /** The seq of the first event that is wrong. */
  firstBad?: number;
  /** The sort of fault; see FORMAT.md. */
  kind?: string;
  problem?: string;
  /** Which keys signed how many of the valid events; `who` is empty if the service knew nobody. */
  signers: { key: string; who: string; events: number }[];
  /** How many of them somebody did without signing. */
  unsigned: number;
  /** The game, if all of it could be judged: it is valid, and nothing in it is sealed. */
  judged?: { kind: string; rules: string; plies: number; status: 'running' | 'finished' | 'void' };
}

/** The result of checking a record or logs. */
export interface Checked {
  valid: boolean;
  /** What is wrong with the record itself, although its logs are right. */
  problem?: string;
  /** The game's log first. */
  logs: Finding[];
}

/** A position as a viewer sees it. */
export interface Position {
  ply: number;
  /** Who acted last: `seat:N` or `chance`. */
  by: string | null;
  /** What that was; null if the viewer may not know. */
  action: string | null;
  /** Who may act now. */
  toAct: string[];
  /** How the game ended by its rules. */
  outcome: unknown;
  /** What to draw; see docs/scenes.md. */
  scene?: unknown;
  text?: string;
  /** By actor: the legal actions, or null with what is awaited. */
  legal?: Record<string, { actions: string[] | null; prompt: unknown }>;
  /** By actor: how actions are put together on the board, from `trays` or along `routes`; see docs/viewer.md. */
  form?: Record<string, { trays: unknown[] } | { routes: { action: string; places: string[] }[] }>;
  position?: unknown;
  positionKey?: string;
}

/** The rules of a game, and the records that were opened. */
export class Rules {
  constructor(module: WebAssembly.Module);
  /** Loads the rules of a game; by default, from the module beside this file. A module may be compressed with gzip. */
  static load(kind: string, source?: Response | Promise<Response> | BufferSource | WebAssembly.Module): Promise<Rules>;
  kinds(): Kind[];
  open(text: string): Checked;
  /** At most 256 positions, both ends included. */
  positions(of: { game: string; from: number; to: number; viewer?: Viewer; parts?: Part[] }): Position[];
  play(of: { game: string; ply: number; actions: string[]; viewer?: Viewer; parts?: Part[] }): Position;
  fold(of: { kind: string; setup?: object; position?: object; actions?: string[]; viewer?: Viewer; parts?: Part[] }): Position;
  close(): void;
  answer(request: string): string;
}
