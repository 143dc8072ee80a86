// All GraphQL queries of the viewer.

const ITEMS = 'items { shape points at r size text class place title group flat }';
const BESIDE = 'tables { title columns rows { seat name class cells } }';
const MOTION = 'motion { groups about degrees }';

/**
 * How actions are put together by tapping the board.
 * @param {string} [of] for whom: arguments of the field
 */
export const form = (of = '') => `form${of} { trays { title before blank total slots { place at before after } pieces { letter name most least barred ${ITEMS} } } routes { action places } }`;

/** What is awaited where actions cannot be listed. */
export const AWAITED = 'prompts { seat kind description dice { seat dice } }';

/** What of a position is drawn. */
export const SCENE = `scene { kind view ${ITEMS} ${MOTION} status ${BESIDE} }`;

export const KINDS = 'query Kinds { rules { kind title minSeats } }';

export const TOURNAMENT_NAME = 'query TournamentName($id: ID!) { tournament(id: $id) { id name } }';

export const GAMES = `query Games($filter: GameFilter, $orderBy: GameOrder, $first: Int, $after: String, $last: Int, $before: String) {
  games(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) {
    totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    nodes {
      id kind status createdAt ply
      seats { number name result }
      outcome { winners details reason decidedBy }
      round table tournament { id name }
    }
  }
}`;

/** The last positions of some games, for small boards. */
export const THUMBNAILS = `query Thumbnails($ids: [ID!]!) {
  nodes(ids: $ids) { ... on Game { id ply position { scene { kind view ${ITEMS} } } } }
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
    id kind name rulesVersion ruleSet { title designer source secrets } setup origin status createdAt finishedAt imports { at who source } ply round table tournament { id name }
    seats { number name result player { id keys { key since until } } }
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
    scenes(from: $from, to: $to, viewer: $viewer) { kind ${ITEMS} ${BESIDE} frames { view items tables ${MOTION} status } }
  }
}`;

/** What stands where, without how it looks: a hundredth of a picture. In a game with dice also what they are rolled for. */
export const STANDING = `query Standing($id: ID!, $from: Int!, $to: Int!, $viewer: String, $dice: Boolean = false) {
  game(id: $id) {
    positions(from: $from, to: $to) @include(if: $dice) { ply ${AWAITED} }
    scenes(from: $from, to: $to, viewer: $viewer) { kind items { class place title } frames { items ${MOTION} } }
  }
}`;

export const PROMPTS = `query Prompts($id: ID!, $from: Int!, $to: Int!) {
  game(id: $id) {
    positions(from: $from, to: $to) { ply ${AWAITED} }
  }
}`;

const PROGRESSED = 'engine playouts head stale done total state';

export const ANALYSIS = `query Analysis($id: ID!) {
  game(id: $id) { analysis { ${PROGRESSED} accuracy turningPoints plies { ply chances draw best line lossOfPlayed luck glyph } } }
}`;

export const ANALYZE = `mutation Analyze($id: ID!) { analyze(game: $id) { ${PROGRESSED} } }`;

export const PROGRESS = `subscription Progress($id: ID!) { analysisProgress(game: $id) { ${PROGRESSED} } }`;

/** What the engine says of a position. */
export const EVALUATE = `query Evaluate($kind: String!, $setup: JSON, $actions: [String!]!, $position: JSON, $playouts: Int, $seat: Int) {
  evaluate(kind: $kind, setup: $setup, actions: $actions, position: $position, playouts: $playouts, seat: $seat) {
    chances draw seat best line playouts engine proof { winner plies } actions(first: 5) { action chances draw }
  }
}`;

export const RECORD = `query Record($id: ID!, $format: RecordFormat!, $language: Language) {
  game(id: $id) { record(format: $format, language: $language) }
}`;

export const INCLUSION = `query Inclusion($id: ID!, $seq: Int!) {
  game(id: $id) { inclusion(seq: $seq) { index path checkpoint { note } } }
}`;

/** The game judged by the present rules. */
export const REFOLD = `query Refold($id: ID!) {
  game(id: $id) { refold { recorded present ply verdict difference { log seq ply what why } } }
}`;

export const FOLLOW = `subscription Follow($id: ID!, $after: Int!) {
  gameEvents(game: $id, after: $after) { seq type bytes }
}`;

const ANALYSIS_OF_SEATS = 'analysis { games accuracy accuracyBySeat phases { actions dubious mistakes blunders } chances { ply games chances draw } }';

const LUCK_OF_SEATS = 'luck { name description seats { seat count expected actual } }';

export const STATISTICS = `query Statistics($kind: String!, $filter: GameFilter) {
  statistics(kind: $kind, filter: $filter) {
    games finished pending
    results { wins draws other }
    plies { ...Spread } durationMs { ...Spread } branching { ...Spread }
    reasons { key count }
    byMonth { key count }
    firstActions { action positionKey games results { wins draws other } lastPlayed }
    ${LUCK_OF_SEATS} ${ANALYSIS_OF_SEATS}
    measures { name description value distribution { ...Spread } }
  }
}
fragment Spread on Distribution { count min max mean median p10 p90 histogram { key count } }`;

/** What covers only a player's own seats. */
export const OWN = `query Own($player: ID!, $kind: String!, $filter: GameFilter) {
  player(id: $player) { statistics(kind: $kind, filter: $filter) { ${LUCK_OF_SEATS} ${ANALYSIS_OF_SEATS} } }
}`;

export const HEAT = `query Heat($kind: String!, $filter: GameFilter, $what: String!) {
  statistics(kind: $kind, filter: $filter) {
    heat(what: $what) { name description choices { name description } total max places { key count } ${SCENE} }
  }
}`;

export const EXPLORE = `query Explore($kind: String!, $key: Hash!, $filter: GameFilter) {
  explore(kind: $kind, positionKey: $key, filter: $filter) {
    games pending
    results { wins draws other }
    actions { action positionKey games results { wins draws other } lastPlayed }
    topGames { ...Found }
    recentGames { ...Found }
    position { ply ${SCENE} text }
  }
}
fragment Found on Game { id status createdAt ply seats { number name result } outcome { winners details reason } }`;

const PLAYED_FROM = 'games results { wins draws other } actions { action positionKey games results { wins draws other } } position { toAct }';

/** What was played from the usual start, in some games and in all. */
export const REPERTOIRE_START = `query RepertoireStart($kind: String!, $filter: GameFilter) {
  own: explore(kind: $kind, actions: [], filter: $filter) { ${PLAYED_FROM} }
  all: explore(kind: $kind, actions: []) { ${PLAYED_FROM} }
}`;

/** What was played from a position, in some games and in all. */
export const REPERTOIRE = `query Repertoire($kind: String!, $key: Hash!, $filter: GameFilter) {
  own: explore(kind: $kind, positionKey: $key, filter: $filter) { ${PLAYED_FROM} }
  all: explore(kind: $kind, positionKey: $key) { ${PLAYED_FROM} }
}`;

const HITS = `hits { ply action game { id status createdAt seats { number name } outcome { winners details reason decidedBy } } position { ${SCENE} } } pageInfo { hasNextPage endCursor }`;

export const SEARCH = `query Search($kind: String!, $where: String!, $filter: GameFilter, $first: Int!) {
  search(kind: $kind, where: $where, filter: $filter, first: $first) { total games actions(first: 8) { key count } measures { name description value distribution { count min median max } } ${HITS} searched { games positions end } pending }
}`;

/** The hits that follow. */
export const SEARCH_ON = `query SearchOn($kind: String!, $where: String!, $filter: GameFilter, $first: Int!, $after: String) {
  search(kind: $kind, where: $where, filter: $filter, first: $first, after: $after) { ${HITS} }
}`;

export const FACTS = `query Facts($kind: String!) {
  ruleSet(kind: $kind) { maxSeats facts { name description argument words } }
}`;

/** The board at the start, and how games have ended. */
export const BOARD = `query Board($kind: String!) {
  statistics(kind: $kind) { reasons { key } heat(what: "visits") { ${SCENE} } }
}`;

export const KEY = `query Key($id: ID!, $ply: Int!) {
  game(id: $id) { position(ply: $ply) { positionKey } }
}`;

export const FOLD_KEY = `query FoldKey($kind: String!, $setup: JSON, $actions: [String!]!) {
  fold(kind: $kind, setup: $setup, actions: $actions) { positionKey }
}`;

export const LIKENESS = `query Likeness($id: ID!, $ply: Int!) {
  game(id: $id) { position(ply: $ply) { likeness } }
}`;

export const FOLD_LIKENESS = `query FoldLikeness($kind: String!, $setup: JSON, $actions: [String!]!) {
  fold(kind: $kind, setup: $setup, actions: $actions) { likeness }
}`;

export const AGAINST = `query Against($player: ID!, $opponent: ID!, $kind: String) {
  player(id: $player) { against(opponent: $opponent, kind: $kind) { wins draws other } }
}`;

/** Who the reader is, to find out whose keys they may change. */
export const KEY_KEEPER = 'query KeyKeeper { me { role player { id } game { id } tournament { id } } }';

export const PLAYER_GAMES = `query PlayerGames($id: ID!) {
  player(id: $id) {
    id name keys { key since until }
    ratings { kind value deviation provisional games }
    games(first: 100) {
      totalCount
      nodes { id kind status createdAt ply seats { number name player { id } } outcome { winners details reason } }
    }
  }
}`;

export const RATINGS = `query Ratings($kind: String!, $provisional: Boolean!, $first: Int!, $after: String) {
  ratings(kind: $kind, provisional: $provisional, first: $first, after: $after) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes { value deviation games provisional lastGameAt player { id name club country } }
  }
}`;

export const RATING_HISTORY = `query RatingHistory($id: ID!, $kind: String!) {
  player(id: $id) { ratingHistory(kind: $kind, last: 500) { at value deviation } }
}`;

export const PLAYER_KIND = `query PlayerKind($id: ID!, $kind: String!) {
  won: games(filter: { kind: $kind, winner: $id }, first: 1) { totalCount }
  player(id: $id) {
    statistics(kind: $kind) { games finished results { draws } plies { count median } analysis { games accuracy } }
  }
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
    position(ply: $ply) { toAct ${AWAITED} legalActions(seat: $seat) }
  }
}`;

export const FOLD = `query Fold($kind: String!, $setup: JSON, $actions: [String!]!) {
  fold(kind: $kind, setup: $setup, actions: $actions) { ply toAct ${SCENE} text }
}`;

export const FOLD_LEGAL = `query FoldLegal($kind: String!, $setup: JSON, $actions: [String!]!, $seat: Int) {
  fold(kind: $kind, setup: $setup, actions: $actions) { toAct ${AWAITED} legalActions(seat: $seat) }
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
