// The queries of the replay, and what all queries share.

/** What is awaited where actions cannot be listed. */
export const AWAITED = 'prompts { seat kind description dice { seat dice } }';

export const GAME = `query Game($id: ID!) {
  game(id: $id) {
    id kind name rulesVersion ruleSet { title designer source secrets } setup origin status createdAt finishedAt imports { at who source } ply round table tournament { id name }
    teams seats { number name result player { id keys { key since until } } }
    outcome { winners ranking details reason decidedBy }
    head { seq hash } entropyAwaitedFrom
  }
}`;

export const SEATED = 'query Seated { me { role seat player { id } game { id } } }';

/** The document of rules: a third of what else a game loads first, and few read it. */
export const RULES = `query Rules($kind: String!, $version: String) {
  ruleSet(kind: $kind, version: $version) { document }
}`;

export const MOVES = `query Moves($id: ID!, $first: Int!, $after: String, $viewer: String) {
  game(id: $id) {
    moves(first: $first, after: $after, viewer: $viewer) {
      pageInfo { hasNextPage endCursor }
      nodes { ply seq game { id } by action text elapsedMs comment glyphs }
    }
  }
}`;

export const POSITIONS = `query Positions($id: ID!, $from: Int!, $to: Int!, $viewer: String) {
  game(id: $id) {
    positions(from: $from, to: $to, viewer: $viewer) { ply toAct text }
    scenes(from: $from, to: $to, viewer: $viewer)
  }
}`;

/** What stands where. In a game with dice also what they are rolled for. */
export const STANDING = `query Standing($id: ID!, $from: Int!, $to: Int!, $viewer: String) {
  game(id: $id) {
    scenes(from: $from, to: $to, viewer: $viewer)
  }
}`;

export const PROGRESSED = 'engine playouts head stale done total state';

export const ANALYSIS = `query Analysis($id: ID!) {
  game(id: $id) { analysis { ${PROGRESSED} accuracy turningPoints plies { ply chances draw best line lossOfPlayed luck glyph } } }
}`;

export const RECORD = `query Record($id: ID!, $format: RecordFormat!, $language: Language) {
  game(id: $id) { record(format: $format, language: $language) }
}`;

export const INCLUSION = `query Inclusion($id: ID!, $seq: Int!) {
  game(id: $id) { inclusion(seq: $seq) { index path checkpoint { note } } }
}`;

export const CODE = 'query Code($id: ID!, $base: String!) { game(id: $id) { head { qr(base: $base) { size path } } } }';

export const FOLLOW = `subscription Follow($id: ID!, $after: Int!) {
  gameEvents(game: $id, after: $after) { seq type bytes }
}`;

export const TREE = `query Tree($id: ID!, $after: String, $hidden: Boolean) {
  game(id: $id) {
    tree(maxNodes: 2000, after: $after, includeHidden: $hidden) {
      lines { id name parent ply rank hidden createdAt plies mayArrange last }
      nodes { id parent ply action by comment glyphs same lines }
      next totalLines
    }
  }
}`;

export const LEGAL = `query Legal($id: ID!, $ply: Int, $seat: Int) {
  game(id: $id) {
    ply
    head { seq }
    position(ply: $ply) { toAct ${AWAITED} legalActions(seat: $seat) form(seat: $seat) }
  }
}`;

export const FOLD = `query Fold($kind: String!, $setup: JSON, $position: JSON, $actions: [String!]!) {
  fold(kind: $kind, setup: $setup, position: $position, actions: $actions) { ply toAct scene text }
}`;

export const FOLD_LEGAL = `query FoldLegal($kind: String!, $setup: JSON, $position: JSON, $actions: [String!]!, $seat: Int) {
  fold(kind: $kind, setup: $setup, position: $position, actions: $actions) { toAct ${AWAITED} legalActions(seat: $seat) form(seat: $seat) }
}`;

const PLAYED = 'id ply createdAt head { seq } forkedFrom { ply game { id } } moves(last: 1) { nodes { ply by action positionKey } }';

export const FORK = `mutation Fork($game: ID!, $ply: Int!, $actions: [String!], $assume: [String!], $name: String, $visibility: Visibility) {
  fork(game: $game, ply: $ply, actions: $actions, assume: $assume, name: $name, visibility: $visibility) { ${PLAYED} }
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
