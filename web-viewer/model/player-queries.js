// The GraphQL requests about players.

const PLAYER = 'id name club country yearOfBirth seq namesakes { id } merged { id name }';

export const PLAYERS = `query Players($search: String, $first: Int!, $after: String) {
  players(filter: { search: $search }, first: $first, after: $after) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes { ${PLAYER} }
  }
  me { role }
}`;

export const EDIT_PLAYER = `mutation EditPlayer($player: ID!, $input: EditPlayer!, $seq: Int, $key: IdempotencyKey) {
  editPlayer(player: $player, input: $input, expectedSeq: $seq, idempotencyKey: $key) { id }
}`;

export const MERGE_PLAYERS = `mutation MergePlayers($from: ID!, $into: ID!, $key: IdempotencyKey) {
  mergePlayers(from: $from, into: $into, idempotencyKey: $key) { id }
}`;

export const UNMERGE_PLAYER = `mutation UnmergePlayer($player: ID!, $key: IdempotencyKey) {
  unmergePlayer(player: $player, idempotencyKey: $key) { id }
}`;

const LINES = 'creates edits same errors lines { number action name changes problem player { id } }';

export const PREVIEW_PLAYERS = `query PreviewPlayers($csv: String!) { previewPlayers(csv: $csv) { ${LINES} } }`;

export const IMPORT_PLAYERS = `mutation ImportPlayers($csv: String!) { importPlayers(csv: $csv) { ${LINES} } }`;
