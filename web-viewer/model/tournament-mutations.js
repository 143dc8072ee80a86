// The GraphQL mutations of organisers and tables.

export const CREATE = `mutation Create($input: CreateTournament!) {
  createTournament(input: $input) { id }
}`;

export const IMPORT_REPORT = `mutation ImportReport($input: ImportTournament!, $key: IdempotencyKey) {
  importTournament(input: $input, idempotencyKey: $key) { id }
}`;

export const ORGANISER_TOKEN = `mutation OrganiserToken($tournament: ID!, $label: String!, $days: Int, $base: String!) {
  createToken(input: { role: "organiser", tournament: $tournament, label: $label, days: $days }) { id token expires qr(base: $base) { size path } }
}`;

export const REVOKE = `mutation Revoke($id: String!) {
  revokeToken(token: $id) { id }
}`;

export const SLIPS = `mutation Slips($tournament: ID!, $round: Int!, $tables: [Int!], $base: String!) {
  issueTableTokens(tournament: $tournament, round: $round, tables: $tables) { id table token expires names qr(base: $base) { size path } }
}`;

const ENTRANT = '$tournament: ID!, $entrant: Int!';
const TABLE = '$tournament: ID!, $round: Int!, $table: Int!';

/** Each decision: the variables it takes besides `expectedSeq`. */
const DECISIONS = {
  editTournament: '$tournament: ID!, $input: EditTournament!',
  addEntrants: '$tournament: ID!, $entrants: [EntrantInput!]',
  editEntrant: `${ENTRANT}, $input: EditEntrant!`,
  removeEntrant: ENTRANT,
  withdraw: `${ENTRANT}, $fromRound: Int, $reason: String`,
  returnEntrant: `${ENTRANT}, $fromRound: Int`,
  announceAbsence: `${ENTRANT}, $round: Int!, $kind: ByeKind!`,
  cancelAbsence: `${ENTRANT}, $round: Int!`,
  pairRound: '$tournament: ID!',
  changePairing: '$tournament: ID!, $round: Int!, $tables: [[Int!]!]!, $byes: [ByeInput!], $force: Boolean',
  unpairRound: '$tournament: ID!, $round: Int!',
  openRound: '$tournament: ID!, $round: Int!',
  unopenRound: '$tournament: ID!, $round: Int!',
  enterResult: `${TABLE}, $ranking: [[Int!]!]!`,
  clearResult: `${TABLE}, $reason: String`,
  forfeit: `${TABLE}, $seats: [Int!]!, $reason: String`,
  reseatTable: `${TABLE}, $seats: [Int!]!`,
  adjourn: `${TABLE}, $until: String`,
  resumeGame: TABLE,
  openGame: TABLE,
  endRound: '$tournament: ID!, $round: Int!',
  resumeRound: '$tournament: ID!, $round: Int!',
  finishTournament: '$tournament: ID!',
  resumeTournament: '$tournament: ID!',
};

/** @typedef {keyof typeof DECISIONS} Decision */

/**
 * The mutation for a decision; with `expectedSeq`, it fails if others have decided something in the meantime, and with
 * `key`, it is carried out once, however often it is sent.
 * @param {Decision} name
 */
export function decision(name) {
  const declared = DECISIONS[name];
  const passed = [...declared.matchAll(/\$(\w+)/g)].map(([, variable]) => `${variable}: $${variable}`).join(', ');
  return `mutation Decide(${declared}, $expectedSeq: Int, $key: IdempotencyKey) {
  ${name}(${passed}, expectedSeq: $expectedSeq, idempotencyKey: $key) { ${name === 'pairRound' ? 'number' : '__typename'} }
}`;
}

export const CANCEL_PAIRING = 'mutation CancelPairing($tournament: ID!) { cancelPairing(tournament: $tournament) { number status } }';

/** The result of a game whose record has begun: the game is adjudicated, and the table follows. */
export const ADJUDICATE = `mutation Adjudicate($game: ID!, $input: Ruling!, $signature: Signature) {
  adjudicate(game: $game, input: $input, signature: $signature) { id }
}`;

/** Where everything is signed, a game that does not count is declared void by itself: the decision that follows cannot do it. */
export const VOID = `mutation Void($game: ID!, $reason: String!, $signature: Signature) {
  voidGame(game: $game, reason: $reason, signature: $signature) { id }
}`;

/**
 * The reasons that decisions leave in the logs of games, as the service words its own. Logs are for readers of every
 * language, so these are not translated.
 */
export const REASONS = {
  forfeited: 'forfeited',
  openedByMistake: 'the round was opened by mistake',
  decidedByMistake: 'decided by mistake',
  decided: 'decided by the organiser',
};

/** Undoes the end of a game, if the rules did not end it. */
export const REOPEN = `mutation Reopen($game: ID!, $reason: String!, $signature: Signature) {
  reopenGame(game: $game, reason: $reason, signature: $signature) { id }
}`;

export const RESIGN = `mutation Resign($game: ID!, $seat: Int!, $signature: Signature) {
  resign(game: $game, seat: $seat, signature: $signature) { id }
}`;

export const OFFER = `mutation Offer($game: ID!, $seat: Int!, $signature: Signature) {
  offerDraw(game: $game, seat: $seat, signature: $signature) { id }
}`;

export const AGREE = `mutation Agree($game: ID!, $seat: Int!, $signature: Signature) {
  answerDraw(game: $game, seat: $seat, accept: true, signature: $signature) { id }
}`;
