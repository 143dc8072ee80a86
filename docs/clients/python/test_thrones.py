"""A game of Thrones from both seats, followed over a connection that breaks, and verified.

    PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=<an arbiter's> python -m unittest
"""

import asyncio
import hashlib
import os
import re
import unittest

from plybook import Plybook, Refused
from thrones import PLANS, contribute, create, step
from verify import BadLog, battle, verify
from wire import Wire

URL, TOKEN = os.environ["PLYBOOK_URL"], os.environ["PLYBOOK_TOKEN"]


class Thrones(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.spectator = await self.enterAsyncContext(Plybook(URL))
        self.arbiter = await self.enterAsyncContext(Plybook(URL, TOKEN))
        self.wire = await self.enterAsyncContext(Wire(URL))

    async def test_a_game_is_played_followed_and_verified(self):
        game, tokens = await create(self.arbiter)
        following = asyncio.create_task(self.followed(game))
        self.addCleanup(following.cancel)
        players = {seat: await self.enterAsyncContext(Plybook(URL, token)) for seat, token in tokens.items()}
        entropy = [await contribute(player, game, seat) for seat, player in players.items()]
        await self.secrets_are_kept(game, players[1])
        over = False
        while not over:
            for seat, player in players.items():
                over = await step(player, game, seat)

        found = (await self.spectator.request("read_game", game=game)).game
        self.assertEqual((found.outcome.winners, found.outcome.reason), ([1], "throne-removed"))
        self.assertTrue(found.verification.valid)
        events = await following
        self.assertGreaterEqual(self.wire.cuts, 3)
        log = await self.spectator.log(game)
        self.assertEqual("".join(f"{event.bytes_}\n" for event in events).encode(), log)
        for part in entropy:
            self.assertIn(part, log.decode())

        verified = verify(log, battle)
        self.assertEqual((verified.head, verified.events), (found.head.hash, found.head.seq + 1))
        self.assertEqual(verified.opened, 4, "two homelands and two favours")
        self.assertGreaterEqual(verified.rolls, 1)
        self.forgeries_are_found(log.decode())

    async def test_an_action_whose_answer_was_lost_is_recorded_once(self):
        game, tokens = await create(self.arbiter)
        player = await self.enterAsyncContext(Plybook(self.wire.url, tokens[1]))
        before = (await player.request("read_game", game=game)).game.head.seq
        self.wire.lose_next_answer()
        await contribute(player, game, 1)
        self.assertEqual(self.wire.cuts, 1)
        self.assertEqual((await self.spectator.request("read_game", game=game)).game.head.seq, before + 1)

    async def test_a_refusal_has_the_code_of_the_service(self):
        stranger = await self.enterAsyncContext(Plybook(URL, "forged"))
        with self.assertRaises(Refused) as refused:
            await stranger.request("read_game", game="nothing")
        self.assertEqual(refused.exception.code, "UNAUTHENTICATED")
        with self.assertRaises(Refused) as refused:
            await anext(self.spectator.follow("nothing"))
        self.assertEqual(refused.exception.code, "BAD_INPUT")

    async def followed(self, game):
        """The events of a game to its end, over a wire that is cut after every fourth."""
        events = []
        async with Plybook(self.wire.url) as follower:
            async for event in follower.follow(game):
                events.append(event)
                if event.type_ == "ended":
                    return events
                if len(events) % 4 == 0:
                    self.wire.cut()

    async def secrets_are_kept(self, game, ada):
        """Seat 1 submits its homeland: it sees it, and nobody else does."""
        await step(ada, game, 1)
        homeland = PLANS[1][0].removeprefix("setup:")
        for who, sees in ((ada, True), (self.spectator, False)):
            position = (await who.request("read_game", game=game)).game.position.position
            self.assertEqual(homeland in str(position), sees)

    def forgeries_are_found(self, log):
        """A forger who changes something and repairs the chain is found out by the commitments and the seed."""
        with self.assertRaisesRegex(BadLog, "does not carry the hash"):
            verify(log.replace("Ada", "Eve").encode(), battle)
        verify(chained(log.replace("Ada", "Eve")), battle)  # Names are not sealed.
        with self.assertRaisesRegex(BadLog, "does not open what event"):
            verify(chained(log.replace("favor:hasten", "favor:assault")), battle)
        way = ("even", "odd") if "battle:even" in log else ("odd", "even")
        with self.assertRaisesRegex(BadLog, "is not what the seed gives"):
            verify(chained(log.replace(*(f"battle:{side}" for side in way), 1)), battle)
        with self.assertRaises(BadLog):
            verify(log[:-1].encode(), battle)


def chained(log):
    """The log with hashes that fit again."""
    lines, prev = [], "0" * 64
    for line in log.splitlines():
        lines.append(re.sub('"prev":"[0-9a-f]{64}"', f'"prev":"{prev}"', line))
        prev = hashlib.sha256(f"plybook/event/v1\0{lines[-1]}".encode()).hexdigest()
    return "".join(f"{line}\n" for line in lines).encode()


if __name__ == "__main__":
    unittest.main()
