// Answers to the queries of the replay page, from a record and the rules. No DOM here.

import { common } from '../words/common.js';
import { replay as words } from '../words/replay.js';
import { ApiError } from '../base/api.js';
import { ANALYSIS, FOLD, FOLD_LEGAL, GAME, LEGAL, MOVES, POSITIONS, RECORD, RULES, STANDING, TREE } from '../model/queries.js';
import { gameOf, movesOf, treeOf } from './game.js';

/** The most positions that the rules give at once. */
const POSITIONS_MAX = 256;

/** A record, and the rules of its game. */
export class Answers {
  /**
   * @param {import('../rules/index.js').Rules} rules
   * @param {string} text the record
   * @param {{rules: any, teams: number[][], tournament: {id: string, name: string} | null}} about what the record does not say
   * @throws {ApiError} the record is not valid
   */
  constructor(rules, text, about) {
    this.rules = rules;
    this.text = text;
    this.record = JSON.parse(text);
    const { problem, logs } = rules.open(text);
    const wrong = logs.find(({ judged }) => !judged);
    if (wrong || problem) throw new ApiError(words.changed(wrong?.problem ?? problem ?? words.incomplete), 'INTERNAL');
    const written = [this.record, ...this.record.lines ?? []];
    this.logs = new Map(logs.map(({ game: id, judged: { plies } }, index) => [id, { id, name: written[index].name ?? null, events: written[index].events.map((line) => JSON.parse(line)), plies: this.plies(id, plies) }]));
    const [game, ...lines] = this.logs.values();
    const facts = gameOf(this.record, game.events, about);
    /** @type {Map<string, (variables: any) => any>} */
    this.answers = new Map(/** @type {[string, (variables: any) => any][]} */ ([
      [GAME, () => ({ game: { ...facts, ruleSet: about.rules } })],
      [RULES, () => ({ ruleSet: about.rules })],
      [MOVES, () => ({ game: { moves: { nodes: movesOf(game, facts.seats), pageInfo: { hasNextPage: false, endCursor: null } } } })],
      [TREE, () => ({ game: { tree: treeOf(game, lines) } })],
      [ANALYSIS, () => ({ game: { analysis: null } })],
      [RECORD, () => ({ game: { record: text } })],
      [POSITIONS, ({ id, from, to, viewer }) => ({ game: { positions: this.positions(id, from, to, viewer, ['text']), scenes: this.scenes(id, from, to, viewer) } })],
      [STANDING, ({ id, from, to, viewer }) => ({ game: { scenes: this.scenes(id, from, to, viewer) } })],
      [LEGAL, ({ id, ply, seat }) => ({ game: { ply: facts.ply, head: facts.head, position: legalOf(this.positions(id, ply, ply, null, ['legal', 'form'])[0], seat) } })],
      [FOLD, ({ actions }) => ({ fold: this.played(actions, ['scene', 'text']) })],
      [FOLD_LEGAL, ({ actions, seat }) => ({ fold: legalOf(this.played(actions, ['legal', 'form']), seat) })],
    ]));
  }

  /**
   * @param {string} query one of the viewer's
   * @param {any} variables
   * @throws {ApiError} `OFFLINE` for what only a service can answer
   */
  async answer(query, variables) {
    const answer = this.answers.get(query);
    if (!answer) throw new ApiError(common.offline, 'OFFLINE');
    return answer(variables);
  }

  /** The exact events of a log. @param {string} id */
  lines(id) {
    return [this.record, ...this.record.lines ?? []].find(({ game, line }) => (line ?? game) === id)?.events ?? [];
  }

  /** Who did what, ply by ply. */
  plies(game, last) {
    const found = [];
    for (let from = 1; from <= last; from += POSITIONS_MAX) found.push(...this.rules.positions({ game, from, to: Math.min(last, from + POSITIONS_MAX - 1), parts: [] }));
    return found.map(({ ply, by, action }) => ({ ply, by, action }));
  }

  positions(game, from, to, viewer, parts) {
    const found = [];
    for (let at = from; at <= to; at += POSITIONS_MAX) found.push(...this.rules.positions({ game, from: at, to: Math.min(to, at + POSITIONS_MAX - 1), viewer: viewer || 'all', parts }));
    return found;
  }

  played(actions, parts) {
    return this.rules.play({ game: this.record.game, ply: 0, actions, viewer: 'all', parts });
  }

  /** Scenes in the form of the service; see `scenesOf` in model/scene.js. */
  scenes(id, from, to, viewer) {
    const scenes = this.positions(id, from, to, viewer, ['scene']).map(({ scene }) => scene);
    const [items, tables] = [[], []];
    const frames = scenes.map((scene) => {
      const [first, row] = [items.length, tables.length];
      items.push(...scene.items);
      tables.push(...scene.tables ?? []);
      return { ...scene, items: [[first, items.length]], tables: tables.slice(row).map((_, index) => row + index) };
    });
    return { kind: scenes[0].kind, items, tables, frames };
  }
}

/** What is awaited where actions cannot be listed, in the form of the service. */
function awaited({ ply, legal }) {
  const prompts = Object.entries(legal).filter(([, { prompt }]) => prompt).map(([actor, { prompt }]) => ({
    ...prompt, seat: actor === 'chance' ? null : Number(actor.slice('seat:'.length)),
    dice: Object.entries(prompt.dice ?? {}).map(([seat, dice]) => ({ seat: Number(seat), dice })),
  }));
  return { ply, prompts };
}

function legalOf(position, seat) {
  const actor = seat ? `seat:${seat}` : position.toAct[0];
  const { actions = null } = position.legal[actor] ?? {};
  return { toAct: position.toAct, prompts: awaited(position).prompts, legalActions: actions, form: position.form[actor] ?? null };
}
