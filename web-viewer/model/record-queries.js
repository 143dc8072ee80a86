// What is asked to create games and to record them.

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
  fold(kind: $kind, setup: $setup, actions: []) { scene text }
}`;

export const CREATE_GAME = `mutation CreateGame($input: CreateGame!, $key: IdempotencyKey!) {
  createGame(input: $input, idempotencyKey: $key) { id seats { number name } }
}`;

export const GAME_LINKS = `mutation GameLinks($game: ID!, $base: String!) {
  issueGameTokens(game: $game) { seat token expires qr(base: $base) { size path } }
}`;
