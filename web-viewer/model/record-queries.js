// What is asked to create games and to record them.

import { AWAITED } from './queries.js';

export const ME = 'query Me { me { role seat game { id } player { id } tournament { id } } }';

/**
 * Whether a token may create games.
 * @param {{role: string, game: any}} me
 */
export function mayCreateGames({ role, game }) {
  return ['recorder', 'arbiter', 'admin'].includes(role) && !game;
}

export const NEW_GAME_KINDS = 'query NewGameKinds { rules { kind title summary designer source minSeats maxSeats secrets chance setupSchema } }';

export const FIND_SEATED = `query FindSeated($search: String!) {
  players(filter: { search: $search }, first: 6) { nodes { id name club country } }
}`;

/** The position that a setup leads to. */
export const PICTURE = `query Picture($kind: String!, $setup: JSON, $position: JSON, $actions: [String!]!) {
  fold(kind: $kind, setup: $setup, position: $position, actions: $actions) { ply position scene }
}`;

/** A position of a game, to begin another one from. */
export const POSITION = `query Position($id: ID!, $ply: Int!) {
  game(id: $id) { kind setup seats { number name player { id } } position(ply: $ply, viewer: "all") { position } }
}`;

export const IMPORT = `mutation Import($record: String!, $format: RecordFormat!, $key: IdempotencyKey!) {
  importRecord(record: $record, format: $format, idempotencyKey: $key) { id seats { number name } }
}`;

export const CREATE_GAME = `mutation CreateGame($input: CreateGame!, $key: IdempotencyKey!) {
  createGame(input: $input, idempotencyKey: $key) { id seats { number name } }
}`;

export const GAME_LINKS = `mutation GameLinks($game: ID!, $base: String!) {
  issueGameTokens(game: $game) { seat token expires qr(base: $base) { size path } }
}`;

const NOW = `id status ply head { seq } signingPlace { seq prev } drawOfferedBy deadline { opens due }
    outcome { winners ranking reason decidedBy }
    seats { number name player { id } }
    position(viewer: $viewer) { ply position toAct closable scene text ${AWAITED} legalActions form }
    events(last: 20) { nodes { seq type by } }
    moves(last: 100, viewer: $viewer) { totalCount nodes { ply seq by action text comment clockMs } }`;

/** The keys of a player. */
const KEYS = 'keys { key until }';

/** What a game is, and what the caller may do in it. */
export const RECORDED = `query Recorded($id: ID!) {
  me { role seat player { id name ${KEYS} } game { id } tournament { id } }
  game(id: $id) { id kind setup status origin signatures entropyAwaitedFrom round table tournament { id name } seats { number name player { id ${KEYS} } } events(first: 1) { nodes { body } } }
  rules { kind title secrets sealed }
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
  game(id: $id) { head { seq } position(viewer: $viewer) { ply toAct scene text ${AWAITED} legalActions(seat: $seat) form(seat: $seat) } }
}`;

const ENTRIES = {
  act: ['act', '$seat: Int, $action: String!, $clockMs: Int, $expectedPly: Int, $salt: Hash'],
  roll: ['roll', ''],
  undo: ['takeBack', '$toPly: Int!, $reason: String!, $recordedWith: IdempotencyKey'],
  reopen: ['reopenGame', '$reason: String!'],
  resign: ['resign', '$seat: Int!'],
  offer: ['offerDraw', '$seat: Int!'],
  answer: ['answerDraw', '$seat: Int!, $accept: Boolean!'],
  flag: ['flagFall', '$seat: Int!'],
  deadline: ['setDeadline', '$due: DateTime, $reason: String!'],
  comment: ['annotate', '$ply: Int!, $comment: String!'],
};

/** Those that nobody signs. */
const UNSIGNED = new Set(['roll', 'deadline']);

/**
 * The mutation that records an entry, once for each key, if nobody else has gone on.
 * @param {keyof typeof ENTRIES} type
 */
export function recording(type) {
  const [name, own] = ENTRIES[type];
  const isSigned = !UNSIGNED.has(type);
  const passed = [...own.matchAll(/\$(\w+)/g)].map(([, variable]) => `${variable}: $${variable}, `).join('');
  return `mutation Record($game: ID!, ${own ? `${own}, ` : ''}${isSigned ? '$signature: Signature, ' : ''}$expected: Int, $key: IdempotencyKey!, $viewer: String) {
  changed: ${name}(game: $game, ${passed}${isSigned ? 'signature: $signature, ' : ''}expectedSeq: $expected, idempotencyKey: $key) { ${NOW} }
}`;
}
