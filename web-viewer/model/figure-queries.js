// The queries of what is worked out from many positions: figures, the explorer, the search, the engine.

import { PROGRESSED } from './queries.js';

export const ANALYZE = `mutation Analyze($id: ID!) { analyze(game: $id) { ${PROGRESSED} } }`;

export const PROGRESS = `subscription Progress($id: ID!) { analysisProgress(game: $id) { ${PROGRESSED} } }`;

/** What the engine says of a position. */
export const EVALUATE = `query Evaluate($kind: String!, $setup: JSON, $actions: [String!]!, $position: JSON, $playouts: Int, $seat: Int) {
  evaluate(kind: $kind, setup: $setup, actions: $actions, position: $position, playouts: $playouts, seat: $seat) {
    chances draw seat best line playouts engine proof { winner plies } actions(first: 5) { action chances draw }
  }
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
    heat(what: $what) { name description choices { name description } total max places { key count } scene }
  }
}`;

export const EXPLORE = `query Explore($kind: String!, $key: Hash!, $filter: GameFilter) {
  explore(kind: $kind, positionKey: $key, filter: $filter) {
    games pending
    results { wins draws other }
    actions { action positionKey games results { wins draws other } lastPlayed }
    topGames { ...Found }
    recentGames { ...Found }
    position { ply scene text }
  }
}
fragment Found on Game { id status createdAt ply seats { number name result } outcome { winners details reason } }`;

const HITS = `hits { ply action game { id status createdAt seats { number name } outcome { winners details reason decidedBy } } position { scene } } pageInfo { hasNextPage endCursor }`;

export const SEARCH = `query Search($kind: String!, $where: String!, $filter: GameFilter, $first: Int!) {
  search(kind: $kind, where: $where, filter: $filter, first: $first) { total games actions(first: 8) { key count } ${HITS} searched { games positions end } pending }
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
  statistics(kind: $kind) { reasons { key } }
  ruleSet(kind: $kind) { example { scene } }
}`;

export const KEY = `query Key($id: ID!, $ply: Int!) {
  game(id: $id) { position(ply: $ply) { positionKey } }
}`;

export const FOLD_KEY = `query FoldKey($kind: String!, $setup: JSON, $position: JSON, $actions: [String!]!) {
  fold(kind: $kind, setup: $setup, position: $position, actions: $actions) { positionKey }
}`;

export const LIKENESS = `query Likeness($id: ID!, $ply: Int!) {
  game(id: $id) { position(ply: $ply) { likeness } }
}`;

export const FOLD_LIKENESS = `query FoldLikeness($kind: String!, $setup: JSON, $position: JSON, $actions: [String!]!) {
  fold(kind: $kind, setup: $setup, position: $position, actions: $actions) { likeness }
}`;
