"""Python's gql, which needs no generated code, over HTTP and over a WebSocket.

    PLYBOOK_URL=http://127.0.0.1:8080 python -m unittest
"""

import os
import unittest
from urllib.parse import urljoin

from gql import Client, GraphQLRequest, gql
from gql.transport.aiohttp import AIOHTTPTransport
from gql.transport.exceptions import TransportQueryError
from gql.transport.httpx import HTTPXTransport
from gql.transport.websockets import WebsocketsTransport

URL = urljoin(os.environ["PLYBOOK_URL"], "/graphql")
SOCKET = URL.replace("http", "ws", 1)
GAMES = gql("{ games(first: 1) { nodes { id ply } } }")
FOLLOW = "subscription ($game: ID!, $after: Int!) { gameEvents(game: $game, after: $after) { seq type } }"


class Gql(unittest.IsolatedAsyncioTestCase):
    def test_queries_over_http_are_checked_against_the_schema(self):
        client = Client(transport=HTTPXTransport(url=URL), fetch_schema_from_transport=True)
        self.assertEqual(len(client.execute(GAMES)["games"]["nodes"]), 1)
        self.assertIn("Query", client.schema.type_map)

    async def test_refusals_have_their_code(self):
        async with Client(transport=AIOHTTPTransport(url=URL)) as session:
            with self.assertRaises(TransportQueryError) as refused:
                await session.execute(gql('mutation { createPlayer(input: {name: "Eve"}) { id } }'))
        self.assertEqual(refused.exception.errors[0]["extensions"]["code"], "UNAUTHENTICATED")

    async def test_a_game_is_followed_over_a_web_socket(self):
        transport = WebsocketsTransport(url=SOCKET, subprotocols=[WebsocketsTransport.GRAPHQLWS_SUBPROTOCOL])
        async with Client(transport=transport) as session:
            game = (await session.execute(GAMES))["games"]["nodes"][0]["id"]
            events = session.subscribe(follow(game))
            self.assertEqual((await anext(events))["gameEvents"], {"seq": 0, "type": "created"})
            await events.aclose()

def follow(game):
    return GraphQLRequest(FOLLOW, variable_values={"game": game, "after": -1})


if __name__ == "__main__":
    unittest.main()
