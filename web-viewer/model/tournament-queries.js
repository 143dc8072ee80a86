// The GraphQL queries of tournaments.

const HEADLINE = `id name kind ruleSet { title minSeats } format formatOptions status seats roundsPlanned startsAt endsAt timeZone place entrantsCount
    currentRound { number status }`;
const PERSON = 'number rank name rating club country';

export const TOURNAMENTS = `query Tournaments($filter: TournamentFilter, $first: Int!, $after: String) {
  tournaments(filter: $filter, first: $first, after: $after) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes { ${HEADLINE} }
  }
}`;

export const ME = 'query Me { me { role player { id name } tournament { id name } } }';

export const TOURNAMENT = `query Tournament($id: ID!) {
  tournament(id: $id) {
    ${HEADLINE}
    timeControl scoring tieBreaks byePolicy { pairing half halfMax halfLastRound } setups roundsAt description announcement forbidden archived rated signatures rolls tags mayOrganise head { seq at }
    rounds { number status tablesCount complete missing adjourned disputed openedAt closedAt }
  }
}`;

const BYE = `unpaired { entrant { ${PERSON} status absences { round } } kind points explanation }`;
const TABLE = `number status result ranking disputed source adjournedUntil
        seats { number partners points scoreBefore forfeited entrant { ${PERSON} player { id } } }
        game { id status ply }`;

export const ROUND = `query Round($id: ID!, $round: Int!, $first: Int!, $offset: Int!) {
  tournament(id: $id) {
    format formatOptions
    round(number: $round) {
      number status tablesCount complete missing openedAt
      tables(first: $first, offset: $offset) { ${TABLE} }
      ${BYE}
      pairing { engine version changedByHand at breaks }
      corrections { table before after paired }
      job { state done total error }
    }
  }
}`;

/** What a slip says that is printed after the result. */
export const RESULT_SLIPS = `query ResultSlips($id: ID!, $round: Int!, $first: Int!, $offset: Int!, $base: String!) {
  tournament(id: $id) {
    round(number: $round) {
      tables(first: $first, offset: $offset) {
        number result ranking source seats { number forfeited entrant { name } }
        game { id status ply head { hash qr(base: $base) { size path } } }
      }
    }
  }
}`;

export const EXPLANATION = `query Explanation($id: ID!, $round: Int!, $table: Int!) {
  tournament(id: $id) {
    round(number: $round) { table(number: $table) { explanation } }
  }
}`;

export const BRACKET = `query Bracket($id: ID!) {
  tournament(id: $id) {
    bracket {
      decided
      stages { matches { thirdPlace decided sides { entrant { number rank name } score won } tables { number round result status source seats { forfeited } game { id } } } }
    }
  }
}`;

const STANDING = `rank struck reached played wins draws losses score
      entrant { ${PERSON} status }
      tieBreaks { name title text }`;

export const GROUPS = `query Groups($id: ID!, $round: Int) {
  tournament(id: $id) { groups(afterRound: $round) { number standings { ${STANDING} } } }
}`;

export const STANDINGS = `query Standings($id: ID!, $round: Int, $first: Int!, $offset: Int!) {
  tournament(id: $id) {
    standings(afterRound: $round, first: $first, offset: $offset) {
      ${STANDING}
    }
  }
}`;

const CELL = `round table seat result forfeit struck bye points score opponents { number rank name }`;

export const PROGRESS = `query Progress($id: ID!, $round: Int, $first: Int!, $offset: Int!) {
  tournament(id: $id) {
    progress(afterRound: $round, first: $first, offset: $offset) { rank score entrant { ${PERSON} status } cells { ${CELL} } }
  }
}`;

export const ENTRANTS = `query Entrants($id: ID!, $first: Int!, $offset: Int!) {
  tournament(id: $id) {
    entrants(first: $first, offset: $offset) { ${PERSON} status withdrawnFrom fromRound points absences { round kind } player { id } }
  }
}`;

export const CARD = `query Card($id: ID!, $entrant: Int!) {
  tournament(id: $id) {
    entrant(number: $entrant) {
      ${PERSON} status withdrawnFrom fromRound points
      player { id name ratings { kind value deviation provisional games } }
      card { ${CELL} }
      standing {
        rank score played wins draws losses
        tieBreaks { name title text explanation terms { round text value counted opponent { number name } } }
      }
    }
  }
}`;

export const HISTORY = `query History($id: ID!, $before: String) {
  tournament(id: $id) {
    events(last: 50, before: $before) { pageInfo { hasPreviousPage startCursor } nodes { seq at by who type body } }
  }
}`;

export const TOKENS = `query Tokens($id: ID!) {
  tournament(id: $id) { tokens { id role label round table created expires } }
}`;

export const CHECK = `query Check($id: ID!, $round: Int!, $tables: [[Int!]!]!, $byes: [ByeInput!]) {
  tournament(id: $id) { checkPairing(round: $round, tables: $tables, byes: $byes) { warnings { rule text table } } }
}`;

const KNOWN = 'id name club country yearOfBirth ratings { kind value provisional } lastTournament { name }';

/** Players found by a few letters, and those who have exactly this name but for its spelling. */
export const FIND_PLAYERS = `query FindPlayers($name: String!) {
  found: players(filter: { search: $name }, first: 8) { nodes { ${KNOWN} } }
  called: players(filter: { called: $name }, first: 8) { nodes { ${KNOWN} } }
}`;

/** What a report file would become. */
export const PREVIEW_REPORT = `query PreviewReport($file: String!, $timeZone: String) {
  previewTournament(file: $file, timeZone: $timeZone) {
    name format rounds tables forfeits byes open leftOut
    entrants { number name rating country players { ${KNOWN} } }
  }
}`;

/** The code of a tournament's public page. */
export const PAGE_QR = `query PageQr($id: ID!, $base: String!) {
  tournament(id: $id) { qr(base: $base) { size path } }
}`;

export const FOLLOW_TOURNAMENT = `subscription FollowTournament($id: ID!) {
  tournamentUpdated(tournament: $id) { head { seq at } }
}`;

export const FOLLOW_GAME = `subscription FollowGame($id: ID!) {
  gameUpdated(game: $id) { id status ply outcome { winners reason } seats { number name } position { scene text toAct } }
}`;

/**
 * Looks up several names by one request: `n0`, `n1` and so on.
 * @param {number} count
 */
export function findAll(count) {
  const numbers = Array.from({ length: count }, (_, index) => `n${index}`);
  return `query FindAll(${numbers.map((name) => `$${name}: String!`).join(', ')}) {
  ${numbers.map((name) => `${name}: players(filter: { called: $${name} }, first: 8) { nodes { ${KNOWN} } }`).join('\n  ')}
}`;
}

export const TABLE_OF = `query TableOf { me { role round table tournament { id name seats } game { id } } }`;

export const AT_TABLE = `query AtTable($id: ID!, $round: Int!, $table: Int!) {
  tournament(id: $id) {
    name seats ruleSet { title }
    round(number: $round) { number status table(number: $table) { ${TABLE} } }
  }
}`;

/** The seat whose draw offer awaits an answer. */
export const OFFERED = 'query Offered($id: ID!) { game(id: $id) { drawOfferedBy } }';

export const PLAYED = `subscription Played($id: ID!) {
  gameUpdated(game: $id) { id status ply signatures }
}`;

export const KINDS_OF = 'query Kinds { rules { kind title minSeats maxSeats chance setupSchema } }';
