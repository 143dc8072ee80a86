// Queries as an application with Relay has them: connections, a list that loads more, objects found again by `node`.
import { graphql } from "relay-runtime";

export const games = graphql`
  query queriesGamesQuery($first: Int!, $after: String, $filter: GameFilter) {
    ...queriesGames @arguments(first: $first, after: $after, filter: $filter)
  }
`;

export const list = graphql`
  fragment queriesGames on Query
  @argumentDefinitions(first: { type: "Int", defaultValue: 10 }, after: { type: "String" }, filter: { type: "GameFilter" })
  @refetchable(queryName: "queriesGamesPaginationQuery") {
    games(first: $first, after: $after, filter: $filter, orderBy: PLAYED_DESC) @connection(key: "queries_games") {
      edges { node { id ...queriesGame } }
      pageInfo { hasNextPage endCursor }
    }
  }
`;

export const game = graphql`
  fragment queriesGame on Game @refetchable(queryName: "queriesGameRefetchQuery") {
    kind
    status
    ply
    seats { number name player { id name } result }
    outcome { winners reason }
    tournament { id name }
  }
`;

export const moves = graphql`
  fragment queriesMoves on Game
  @argumentDefinitions(first: { type: "Int", defaultValue: 20 }, after: { type: "String" })
  @refetchable(queryName: "queriesMovesPaginationQuery") {
    moves(first: $first, after: $after) @connection(key: "queries_moves") {
      edges { node { ply action text } }
    }
  }
`;

export const replay = graphql`
  query queriesReplayQuery($game: ID!) {
    node(id: $game) {
      __typename
      id
      ...queriesGame @alias(as: "game")
      ...queriesMoves @alias(as: "moves")
    }
  }
`;

export const act = graphql`
  mutation queriesActMutation($game: ID!, $action: String!, $ply: Int!, $key: IdempotencyKey!) {
    act(game: $game, action: $action, expectedPly: $ply, idempotencyKey: $key) {
      ...queriesGame
    }
  }
`;

export const follow = graphql`
  subscription queriesFollowSubscription($game: ID!) {
    gameUpdated(game: $game) { ...queriesGame }
  }
`;
