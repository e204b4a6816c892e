"""Plays on a server with API keys: with a key, which both packages read from an environment variable, and without."""

import os
import sys

from player import Unexpected, arguments, expect_equal, play


async def with_key(client):
    wire = client.environment("wire")
    async with wire.session(await wire.get_task("test", 0)) as session:
        expect_equal((await session.call_tool("count")).reward, 1.0, "an episode with a key")


async def without_key(client):
    try:
        await client.environment("wire").get_task("test", 0)
    except Exception as error:
        # Each package has its own error, one of them without the reason that the server sent.
        expect_equal(type(error).__name__, "AuthenticationError", "the error without a key")
    else:
        raise Unexpected("a task was given out without a key")


if __name__ == "__main__":
    chosen, _ = arguments()
    results = [play(with_key, chosen, {})]
    # Each new client reads them.
    os.environ.update(ORS_API_KEY="", OPENREWARD_API_KEY="")
    results.append(play(without_key, chosen, {}))
    sys.exit(0 if all(results) else 1)
