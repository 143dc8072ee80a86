"""Two players of Thrones, each with a token of its own.

They lay out their homelands in secret, choose favours that nobody sees, and fight for a fortress, which the service's
dice decide.
"""

import secrets
import uuid

from plybook_api.input_types import CreateGame, SeatInput

HOMELAND = "mmmmmwwww/wwwfFffff/ffffppppp/ppppppppp"

PLANS = {
    1: [
        f"setup:{HOMELAND}:Ra4Rb4Sc4Sd4Te2De4Ef4Xg3Lg4Ch3Lh4Bi3Wi4:pafbwcmd",
        "favor:hasten", "e7xe8", "e4xe8", "end", "a4-a5", "a5-a4",
    ],
    2: [
        f"setup:{HOMELAND}:Ra6Rb6Sc6Sd6Te8Df6Eg6Wg7Lh6Xh7Li6Ci7Bi8:pffgwhmi",
        "favor:conspire", "leave", "end", "a6-b7", "b7-a6",
    ],
}
"""What each seat would like to do, the most important first."""


async def create(recorder):
    """A game of two, created with the token of a recorder, and the token of each seat."""
    wanted = CreateGame(kind="thrones", seats=[SeatInput(name="Ada"), SeatInput(name="Ben")])
    game = (await recorder.request("new_game", input=wanted, key=new_key())).create_game.id
    issued = (await recorder.request("issue_tokens", game=game)).issue_game_tokens
    return game, {token.seat: token.token for token in issued if token.seat}


async def contribute(player, game, seat):
    """A seat contributes to the dice, so that nobody has chosen the rolls. Returns what it contributed."""
    entropy = secrets.token_hex(32)
    await player.request("contribute", game=game, seat=seat, entropy=entropy, key=new_key())
    return entropy


async def step(player, game, seat):
    """One turn of the loop: the seat acts if it may. Returns whether the game is over."""
    read = (await player.request("read_game", game=game, seat=seat)).game
    if read.status != "RUNNING":
        return True
    if read.position.chance_to_act:
        await player.request("roll", game=game, ply=read.ply, key=new_key())
    elif seat in read.position.seats_to_act:
        action = choose(seat, read.position.legal_actions)
        await player.request("act", game=game, action=action, ply=read.ply, key=new_key())
    return False


def choose(seat, legal):
    """The first wish that is legal. Where the actions cannot be listed, the homeland is asked for."""
    return next(wish for wish in PLANS[seat] if legal is None or wish in legal)


def new_key():
    return str(uuid.uuid4())
