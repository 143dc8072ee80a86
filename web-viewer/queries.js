// Everything the viewer asks of the service.

export const KINDS = 'query Kinds { rules { kind title } }';

export const GAMES = `query Games($filter: GameFilter, $orderBy: GameOrder, $first: Int, $after: String, $last: Int, $before: String) {
  games(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) {
    totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    nodes {
      id kind status createdAt ply
      seats { number name result }
      outcome { winners reason decidedBy }
    }
  }
}`;

export const COUNT = `query Count($filter: GameFilter) {
  games(filter: $filter, first: 1) { totalCount }
}`;

export const PLAYERS = `query Players($name: String!) {
  players(filter: { nameContains: $name }, first: 12) { nodes { id name } }
}`;

export const PLAYER = 'query Player($id: ID!) { player(id: $id) { id name } }';

export const GAME = `query Game($id: ID!) {
  game(id: $id) {
    id kind rulesVersion setup origin status createdAt finishedAt ply round table
    seats { number name result }
    outcome { winners ranking reason decidedBy }
    head { seq hash }
  }
}`;

export const RULES = `query Rules($kind: String!, $version: String) {
  ruleSet(kind: $kind, version: $version) { title designer source secrets document }
}`;

export const MOVES = `query Moves($id: ID!, $first: Int!, $after: String, $viewer: String) {
  game(id: $id) {
    moves(first: $first, after: $after, viewer: $viewer) {
      pageInfo { hasNextPage endCursor }
      nodes { ply seq game by action text elapsedMs comment glyphs }
    }
  }
}`;

export const POSITIONS = `query Positions($id: ID!, $from: Int!, $to: Int!, $viewer: String) {
  game(id: $id) {
    positions(from: $from, to: $to, viewer: $viewer) { ply toAct scene text }
  }
}`;

export const PROMPTS = `query Prompts($id: ID!, $from: Int!, $to: Int!) {
  game(id: $id) {
    positions(from: $from, to: $to) { ply prompt }
  }
}`;

export const RECORD = `query Record($id: ID!, $format: RecordFormat!) {
  game(id: $id) { record(format: $format) }
}`;

export const FOLLOW = `subscription Follow($id: ID!, $after: Int!) {
  gameEvents(game: $id, after: $after) { seq type bytes }
}`;

export const TREE = `query Tree($id: ID!, $after: String, $hidden: Boolean) {
  game(id: $id) { tree(maxNodes: 2000, after: $after, includeHidden: $hidden) }
}`;

export const LEGAL = `query Legal($id: ID!, $ply: Int, $seat: Int) {
  game(id: $id) {
    ply
    head { seq }
    position(ply: $ply) { toAct prompt legalActions(seat: $seat) }
  }
}`;

export const FOLD = `query Fold($kind: String!, $setup: JSON, $actions: [String!]!) {
  fold(kind: $kind, setup: $setup, actions: $actions) { ply toAct scene text }
}`;

export const FOLD_LEGAL = `query FoldLegal($kind: String!, $setup: JSON, $actions: [String!]!, $seat: Int) {
  fold(kind: $kind, setup: $setup, actions: $actions) { toAct prompt legalActions(seat: $seat) }
}`;

const PLAYED = 'id ply createdAt head { seq } forkedFrom { ply game { id } } moves(last: 1) { nodes { ply by action positionKey } }';

export const FORK = `mutation Fork($game: ID!, $ply: Int!, $actions: [String!], $assume: [String!]) {
  fork(game: $game, ply: $ply, actions: $actions, assume: $assume) { ${PLAYED} }
}`;

export const ACT = `mutation Act($game: ID!, $seat: Int, $action: String!, $expectedSeq: Int) {
  act(game: $game, seat: $seat, action: $action, expectedSeq: $expectedSeq) { ${PLAYED} }
}`;

export const ROLL = `mutation Roll($game: ID!, $expectedSeq: Int) {
  roll(game: $game, expectedSeq: $expectedSeq) { ${PLAYED} }
}`;

export const ARRANGE = `mutation Arrange($line: ID!, $name: String, $hidden: Boolean, $promote: Boolean) {
  arrangeLine(line: $line, name: $name, hidden: $hidden, promote: $promote) { id }
}`;

export const ANNOTATE = `mutation Annotate($game: ID!, $ply: Int!, $comment: String, $glyphs: [String!]) {
  annotate(game: $game, ply: $ply, comment: $comment, glyphs: $glyphs) { id }
}`;
