"""Calls whose connection breaks on the way: the client comes back, and the tool has run once.

Plays through a relay that breaks the connection where the key says.
"""

from uuid import uuid4

from fidelity_text import make_text
from player import expect, expect_equal, main, text_of

# Longer than the server's heartbeat, so that there is one to break in.
WAITS = {"before-answer": 0, "after-task-id": 500, "in-chunk": 300, "in-heartbeat": 3_000}


async def faults(client, fault):
    wire = client.environment("wire")
    task = await wire.get_task("test", 0)
    key = f"{fault}:{uuid4()}"
    async with wire.session(task) as session:
        call = {"seed": 7, "length": 50_000, "key": key, "ms": WAITS[fault]}
        output = await session.call_tool("text", call)
        expect(text_of(output.blocks) == make_text(7, 50_000), "the text is not the one that was asked for")
        expect_equal(output.reward, 0.5, "the reward")

    async with wire.session(task) as session:
        runs = int(text_of((await session.call_tool("runs", {"key": key})).blocks))
    # A client that has heard nothing cannot tell that its call arrived: it calls anew.
    expected = (1, 2) if fault == "before-answer" else (1,)
    expect(runs in expected, f"the tool ran {runs} times")


if __name__ == "__main__":
    main(faults, fault="after-task-id")
