// Everything that this client asks of the service. `npm run generate` derives the types from it.

import { graphql } from "./generated/gql.js";

export const NewGame = graphql(`
  mutation NewGame($input: CreateGame!, $key: IdempotencyKey!) {
    createGame(input: $input, idempotencyKey: $key) { id }
  }
`);

export const IssueTokens = graphql(`
  mutation IssueTokens($game: ID!) {
    issueGameTokens(game: $game) { seat token }
  }
`);

export const Contribute = graphql(`
  mutation Contribute($game: ID!, $seat: Int!, $entropy: Hash!, $key: IdempotencyKey!) {
    addEntropy(game: $game, seat: $seat, entropy: $entropy, idempotencyKey: $key) { entropyFrom }
  }
`);

export const ReadGame = graphql(`
  query ReadGame($game: ID!, $seat: Int) {
    game(id: $game) {
      ply
      status
      outcome { winners reason }
      position { position seatsToAct chanceToAct legalActions(seat: $seat) }
      head { seq hash }
      verification { valid }
    }
  }
`);

export const Act = graphql(`
  mutation Act($game: ID!, $action: String!, $ply: Int!, $key: IdempotencyKey!) {
    act(game: $game, action: $action, expectedPly: $ply, idempotencyKey: $key) { ply }
  }
`);

export const ActSigned = graphql(`
  mutation ActSigned($game: ID!, $seat: Int!, $action: String!, $signature: Signature, $key: IdempotencyKey!) {
    act(game: $game, seat: $seat, action: $action, signature: $signature, idempotencyKey: $key) { ply }
  }
`);

export const ReadSignatures = graphql(`
  query ReadSignatures($game: ID!) {
    game(id: $game) { verification { valid unsigned signers { key events } } }
  }
`);

export const Roll = graphql(`
  mutation Roll($game: ID!, $ply: Int!, $key: IdempotencyKey!) {
    roll(game: $game, expectedPly: $ply, idempotencyKey: $key) { ply }
  }
`);

export const FollowGame = graphql(`
  subscription FollowGame($game: ID!, $after: Int!) {
    gameEvents(game: $game, after: $after) { seq type by bytes }
  }
`);
