// A client of the service: requests that are sent again if the answer was lost, and games that are followed
// without a gap.

import { setTimeout as delay } from "node:timers/promises";

import { createClient } from "graphql-ws";
import WebSocket from "ws";

import type { FollowGameSubscription, TypedDocumentString } from "./generated/graphql.js";
import { FollowGame } from "./operations.js";

/** How often a request is sent before it is given up. */
const ATTEMPTS = 5;

/** The pause after the first failure, in milliseconds; each further one is twice as long, up to the longest. */
const PAUSE_MS = 100;
const PAUSE_MAX_MS = 10_000;

export type GameEvent = FollowGameSubscription["gameEvents"];

interface GraphQLError {
  message: string;
  extensions?: { code?: string; retryAfterMs?: number };
}

/** The service has answered with an error; docs/errors.md has the codes. */
export class Refused extends Error {
  readonly code: string;
  readonly retryAfterMs: number | undefined;

  constructor({ message, extensions }: GraphQLError) {
    super(message);
    this.name = "Refused";
    this.code = extensions?.code ?? "INTERNAL";
    this.retryAfterMs = extensions?.retryAfterMs;
  }
}

export class Plybook {
  /** The service at `url`, for the holder of `token`; without one, for the public. */
  constructor(
    private readonly url: string,
    private readonly token?: string,
  ) {}

  /**
   * Executes an operation. It is sent again if the connection broke before the answer came, so mutations need an
   * `idempotencyKey`, which makes the second request harmless.
   */
  async request<Result, Variables>(
    document: TypedDocumentString<Result, Variables>,
    variables: Variables,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.send(document, variables);
      } catch (why) {
        const pause = why instanceof Refused ? why.retryAfterMs : isLost(why) ? pauseMs(attempt) : undefined;
        if (pause === undefined || attempt === ATTEMPTS) throw why;
        await delay(pause);
      }
    }
  }

  /**
   * The events of a game after seq `after`, then new ones as they are recorded, each once and in order, until the
   * caller leaves the loop or `stop` is aborted. A lost connection is opened again, and the service sends what was
   * missed.
   */
  async *follow(game: string, after = -1, stop?: AbortSignal): AsyncGenerator<GameEvent, void> {
    for (let failures = 1; !stop?.aborted; failures += 1) {
      const socket = createClient({
        url: new URL("/graphql", this.url).href.replace(/^http/, "ws"),
        webSocketImpl: WebSocket,
        connectionParams: this.token ? { authorization: `Bearer ${this.token}` } : {},
        // Its own retry would send the same `after` again.
        retryAttempts: 0,
      });
      const dispose = () => void socket.dispose();
      stop?.addEventListener("abort", dispose);
      try {
        const request = { query: FollowGame.toString(), variables: { game, after } };
        for await (const { data, errors } of socket.iterate<FollowGameSubscription>(request)) {
          if (!data) throw new Refused(errors?.[0] ?? { message: "no data" });
          after = data.gameEvents.seq;
          failures = 1;
          yield data.gameEvents;
        }
      } catch (why) {
        if (Array.isArray(why)) throw new Refused(why[0]);
        if (!isClosed(why)) throw why;
      } finally {
        stop?.removeEventListener("abort", dispose);
        dispose();
      }
      await delay(pauseMs(failures));
    }
  }

  /** The exact bytes of a game's log, one event a line. */
  async log(game: string): Promise<Uint8Array> {
    const response = await fetch(new URL(`/games/${game}/log.ndjson`, this.url));
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return new Uint8Array(await response.arrayBuffer());
  }

  private async send<Result, Variables>(
    document: TypedDocumentString<Result, Variables>,
    variables: Variables,
  ): Promise<Result> {
    const response = await fetch(new URL("/graphql", this.url), {
      method: "POST",
      headers: {
        accept: "application/graphql-response+json, application/json",
        "content-type": "application/json",
        ...(this.token && { authorization: `Bearer ${this.token}` }),
      },
      body: JSON.stringify({ query: document.toString(), variables }),
    });
    const { data, errors } = (await response.json()) as { data?: Result; errors?: GraphQLError[] };
    if (errors?.[0]) throw new Refused(errors[0]);
    return data as Result;
  }
}

/** Whether `fetch` has lost the connection, so that nobody knows whether the request arrived. */
function isLost(why: unknown): boolean {
  return why instanceof TypeError;
}

/** Whether a socket was closed by the network or because the service stops; codes from 4000 on are refusals. */
function isClosed(why: unknown): boolean {
  const { code } = why as { code?: unknown };
  return typeof code === "number" && code < 4000;
}

function pauseMs(failures: number): number {
  return Math.min(PAUSE_MS * 2 ** (failures - 1), PAUSE_MAX_MS);
}
