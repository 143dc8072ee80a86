"""A wire to the service that can be cut, or lose an answer."""

import asyncio
from urllib.parse import urlsplit


class Wire:
    def __init__(self, url):
        self.to = urlsplit(url)
        self.ends = set()
        self.losing = False
        self.cuts = 0
        """How often it was cut or lost an answer."""

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.join, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_):
        self.server.close()
        self.cut()

    def cut(self):
        """Breaks all connections."""
        self.cuts += bool(self.ends)
        for end in self.ends:
            end.close()

    def lose_next_answer(self):
        """Breaks the connection when the service next answers: it has carried out the request, and nobody learns."""
        self.losing = True

    async def join(self, near_in, near_out):
        far_in, far_out = await asyncio.open_connection(self.to.hostname, self.to.port)
        ends = {near_out, far_out}
        self.ends |= ends
        carried = [
            asyncio.create_task(self.carry(near_in, far_out, is_answer=False)),
            asyncio.create_task(self.carry(far_in, near_out, is_answer=True)),
        ]
        await asyncio.wait(carried, return_when=asyncio.FIRST_COMPLETED)
        self.ends -= ends
        for end in ends:
            end.close()

    async def carry(self, incoming, outgoing, is_answer):
        while piece := await read(incoming):
            if self.losing and is_answer:
                self.losing, self.cuts = False, self.cuts + 1
                return
            outgoing.write(piece)


async def read(incoming):
    try:
        return await incoming.read(65536)
    except ConnectionError:
        return b""
