"""A game in which everything has to be signed, and is, by the players' own keys.

    PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=<a recorder's> python -m unittest
"""

import os
import unittest

from plybook import Plybook, Refused
from plybook_api.enums import Signatures
from plybook_api.input_types import CreateGame, SeatInput
from signing import Signer, next_place
from thrones import new_key

URL, TOKEN = os.environ["PLYBOOK_URL"], os.environ["PLYBOOK_TOKEN"]


class Signing(unittest.IsolatedAsyncioTestCase):
    async def test_what_is_signed_is_recorded_and_anything_else_is_refused(self):
        recorder = await self.enterAsyncContext(Plybook(URL, TOKEN))
        wanted = CreateGame(
            kind="triangulate", seats=[SeatInput(name="Ada"), SeatInput(name="Ben")],
            signatures=Signatures.REQUIRED, tags={"test": True},
        )
        game = (await recorder.request("new_game", input=wanted, key=new_key())).create_game.id
        issued = (await recorder.request("issue_tokens", game=game)).issue_game_tokens
        signers = []
        for token in (token for token in issued if token.seat):
            player = await self.enterAsyncContext(Plybook(URL, token.token))
            signers.append(Signer())
            await self.act(player, game, token.seat, signers[-1])

        spectator = await self.enterAsyncContext(Plybook(URL))
        found = (await spectator.request("read_signatures", game=game)).game.verification
        self.assertEqual((found.valid, found.unsigned), (True, 0))
        self.assertEqual([signer.key for signer in found.signers], [signer.public_key for signer in signers])

    async def act(self, player, game, seat, signer):
        read = (await player.request("read_game", game=game, seat=seat)).game
        action, another, *_ = read.position.legal_actions
        place = next_place(await player.log(game))
        self.assertEqual(place, (read.head.seq + 1, read.head.hash))

        def signed(of):
            return signer.sign(game, place, f"seat:{seat}", "acted", {"action": of})

        wanted = {"game": game, "seat": seat, "action": action}
        for wrong in (None, signed(another)):
            with self.assertRaises(Refused) as refused:
                await player.request("act_signed", **wanted, signature=wrong, key=new_key())
            self.assertEqual(refused.exception.code, "BAD_SIGNATURE")
        await player.request("act_signed", **wanted, signature=signed(action), key=new_key())


if __name__ == "__main__":
    unittest.main()
