// The queries of games, players and ratings.

export const KINDS = 'query Kinds { rules { kind title minSeats maxSeats summary designer source } }';

/** What a kind looks like. */
export const EXAMPLE = 'query Example($kind: String!) { ruleSet(kind: $kind) { example { scene } } }';

export const RULES_PAGE = 'query RulesPage($kind: String!) { ruleSet(kind: $kind) { kind title version summary designer source minSeats maxSeats document } }';

/** The public log that everything is in. */
export const PUBLIC_LOG = 'query PublicLog { checkpoint { origin } }';

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
  nodes(ids: $ids) { ... on Game { id ply position { scene } } }
}`;

export const COUNT = `query Count($filter: GameFilter) {
  games(filter: $filter, first: 1) { totalCount }
}`;

export const PLAYERS = `query Players($name: String!) {
  players(filter: { nameContains: $name }, first: 12) { nodes { id name club country } }
}`;

export const PLAYER = 'query Player($id: ID!) { player(id: $id) { id name } }';

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
  tournaments(filter: { player: $id }, first: 20) { nodes { id name status startsAt endsAt timeZone roundsPlanned currentRound { number status } } }
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
  won: games(filter: { kind: $kind, winner: $id, minPly: 1 }, first: 1) { totalCount }
  player(id: $id) {
    statistics(kind: $kind) { games finished results { draws } plies { count median } analysis { games accuracy } }
  }
}`;
