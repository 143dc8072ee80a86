"""A client of the service: requests that are sent again if the answer was lost, and games followed without a gap."""

import asyncio
from urllib.parse import urljoin

import httpx
import websockets

from plybook_api.client import Client
from plybook_api.exceptions import GraphQLClientGraphQLMultiError, GraphQLClientHttpError

ATTEMPTS = 5
"""How often a request is sent before it is given up."""

PAUSE_S = 0.1
PAUSE_MAX_S = 10.0
"""The pause after the first failure; each further one is twice as long, up to the longest."""


class Refused(Exception):
    """The service has answered with an error; docs/errors.md has the codes."""

    def __init__(self, error):
        super().__init__(error["message"])
        extensions = error.get("extensions") or {}
        self.code = extensions.get("code", "INTERNAL")
        self.retry_after_ms = extensions.get("retryAfterMs")


class Plybook:
    """The service at `url`, for the holder of `token`; without one, for the public."""

    def __init__(self, url, token=None):
        self.url = url
        bearer = {"authorization": f"Bearer {token}"} if token else {}
        self.client = Client(
            url=urljoin(url, "/graphql"),
            headers={"accept": "application/graphql-response+json, application/json", **bearer},
            ws_url=urljoin(url, "/graphql").replace("http", "ws", 1),
            ws_connection_init_payload=bearer,
        )

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.client.http_client.aclose()

    async def request(self, operation, **variables):
        """Executes a generated operation by its name, as in `request("read_game", game=game)`.

        It is sent again if the connection broke before the answer came, so mutations need a `key`, which makes the
        second request harmless.
        """
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await getattr(self.client, operation)(**variables)
            except httpx.TransportError:
                pause = pause_s(attempt)
                if attempt == ATTEMPTS:
                    raise
            except (GraphQLClientGraphQLMultiError, GraphQLClientHttpError) as why:
                refused = refusal(why)
                if refused.retry_after_ms is None or attempt == ATTEMPTS:
                    raise refused from why
                pause = refused.retry_after_ms / 1000
            await asyncio.sleep(pause)

    async def follow(self, game, after=-1):
        """The events of a game after seq `after`, then new ones as they are recorded, each once and in order.

        It goes on until the caller leaves the loop. A lost connection is opened again, and the service sends what
        was missed.
        """
        failures = 0
        while True:
            try:
                async for data in self.client.follow_game(game=game, after=after):
                    failures, after = 0, data.game_events.seq
                    yield data.game_events
            except GraphQLClientGraphQLMultiError as why:
                raise refusal(why) from why
            except websockets.ConnectionClosed as why:
                if why.rcvd and why.rcvd.code >= 4000:
                    raise
            except OSError:
                pass  # The service cannot be reached at the moment.
            failures += 1
            await asyncio.sleep(pause_s(failures))

    async def log(self, game):
        """The exact bytes of a game's log, one event a line."""
        answer = await self.client.http_client.get(urljoin(self.url, f"/games/{game}/log.ndjson"))
        return answer.raise_for_status().content


def refusal(why):
    if isinstance(why, GraphQLClientHttpError):
        return Refused(why.response.json()["errors"][0])
    error = why.errors[0]
    return Refused({"message": error.message, "extensions": error.extensions})


def pause_s(failures):
    return min(PAUSE_S * 2 ** (failures - 1), PAUSE_MAX_S)
