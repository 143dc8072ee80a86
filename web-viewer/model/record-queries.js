// What is asked to create games and to record them.

import { AWAITED, SCENE, form } from './queries.js';

export const ME = 'query Me { me { role seat game { id } player { id } tournament { id } } }';

/**
 * Whether a token may create games.
 * @param {{role: string, game: any}} me
 */
export function mayCreateGames({ role, game }) {
  return ['recorder', 'arbiter', 'admin'].includes(role) && !game;
}

export const NEW_GAME_KINDS = 'query NewGameKinds { rules { kind title minSeats maxSeats secrets setupSchema } }';

export const FIND_SEATED = `query FindSeated($search: String!) {
  players(filter: { search: $search }, first: 6) { nodes { id name club country } }
}`;

/** The position that a setup leads to. */
export const PICTURE = `query Picture($kind: String!, $setup: JSON) {
  fold(kind: $kind, setup: $setup, actions: []) { ${SCENE} text }
}`;

export const CREATE_GAME = `mutation CreateGame($input: CreateGame!, $key: IdempotencyKey!) {
  createGame(input: $input, idempotencyKey: $key) { id seats { number name } }
}`;

export const GAME_LINKS = `mutation GameLinks($game: ID!, $base: String!) {
  issueGameTokens(game: $game) { seat token expires qr(base: $base) { size path } }
}`;

const NOW = `id status ply head { seq } drawOfferedBy deadline { opens due }
    outcome { winners ranking reason decidedBy }
    seats { number name player { id } }
    position(viewer: $viewer) { ply toAct ${SCENE} text ${AWAITED} legalActions ${form()} }
    events(last: 20) { nodes { seq type } }
    moves(last: 100, viewer: $viewer) { totalCount nodes { ply seq by action text comment clockMs } }`;

/** What a game is, and what the caller may do in it. */
export const RECORDED = `query Recorded($id: ID!) {
  me { role seat player { id } game { id } tournament { id } }
  game(id: $id) { id kind status origin entropyAwaitedFrom round table tournament { id name } seats { number name player { id } } events(first: 1) { nodes { body } } }
  rules { kind title secrets simultaneous }
}`;

/** The game as it stands. */
export const STANDING = `query Standing($id: ID!, $viewer: String) {
  game(id: $id) { ${NOW} }
}`;

export const CHANGED = `subscription Changed($id: ID!) {
  gameUpdated(game: $id) { head { seq } }
}`;

/** What one seat sees and may do. */
export const SEAT_VIEW = `query SeatView($id: ID!, $viewer: String, $seat: Int) {
  game(id: $id) { head { seq } position(viewer: $viewer) { ply toAct ${SCENE} text ${AWAITED} legalActions(seat: $seat) ${form('(seat: $seat)')} } }
}`;

const ENTRIES = {
  act: ['act', '$seat: Int, $action: String!, $clockMs: Int, $expectedPly: Int'],
  roll: ['roll', ''],
  undo: ['takeBack', '$toPly: Int!, $reason: String!, $recordedWith: IdempotencyKey'],
  resign: ['resign', '$seat: Int!'],
  offer: ['offerDraw', '$seat: Int!'],
  answer: ['answerDraw', '$seat: Int!, $accept: Boolean!'],
  flag: ['flagFall', '$seat: Int!'],
  deadline: ['setDeadline', '$due: DateTime, $reason: String!'],
  comment: ['annotate', '$ply: Int!, $comment: String!'],
};

/**
 * The mutation that records an entry, once for each key, if nobody else has gone on.
 * @param {keyof typeof ENTRIES} type
 */
export function recording(type) {
  const [name, own] = ENTRIES[type];
  const passed = [...own.matchAll(/\$(\w+)/g)].map(([, variable]) => `${variable}: $${variable}, `).join('');
  return `mutation Record($game: ID!, ${own ? `${own}, ` : ''}$expected: Int, $key: IdempotencyKey!, $viewer: String) {
  changed: ${name}(game: $game, ${passed}expectedSeq: $expected, idempotencyKey: $key) { ${NOW} }
}`;
}
