"""Calls whose connection breaks: the client reconnects, and the tool has run once.

Plays through a relay that breaks the connection at the point that the key of a call names, once per key.
"""

from uuid import uuid4

from fidelity_text import make_text
from player import expect, expect_equal, main, text_of


async def before_answer(client):
    # Without any response, a client cannot know that its call arrived, so it calls again.
    await call_and_count(client, "before-answer", ms=0, runs=(1, 2))


async def after_task_id(client):
    await call_and_count(client, "after-task-id", ms=2_500, runs=(1,))


async def in_chunk(client):
    await call_and_count(client, "in-chunk", ms=0, runs=(1,))


async def in_heartbeat(client):
    # Longer than the heartbeat of the server, which is one second in this test.
    await call_and_count(client, "in-heartbeat", ms=4_000, runs=(1,))


async def at_the_end(client):
    # The episode is over when the client reconnects, and the reward can still be fetched.
    wire = client.environment("wire")
    key = f"after-task-id:{uuid4()}"
    async with wire.session(await wire.get_task("test", 0)) as session:
        output = await session.call_tool("finish", {"reward": 1, "key": key, "ms": 2_500})
    expect_equal((output.reward, output.finished), (1.0, True), "reward and end")
    expect_equal(await runs_of(wire, key), 1, "runs of the last call")


async def call_and_count(client, fault, ms, runs):
    wire = client.environment("wire")
    key = f"{fault}:{uuid4()}"
    async with wire.session(await wire.get_task("test", 0)) as session:
        output = await session.call_tool("text", {"seed": 7, "length": 50_000, "key": key, "ms": ms})
    expect(text_of(output.blocks) == make_text(7, 50_000), "the text is not the one that was asked for")
    expect_equal((output.reward, output.metadata), (0.5, {"seed": 7}), "reward and metadata")

    told = await runs_of(wire, key)
    expect(told in runs, f"the tool ran {told} times, expected {' or '.join(map(str, runs))}")


async def runs_of(wire, key):
    """Returns how often a call with the key ran, as another episode reports it."""
    async with wire.session(await wire.get_task("test", 0)) as session:
        return int(text_of((await session.call_tool("runs", {"key": key})).blocks))


if __name__ == "__main__":
    main(before_answer, after_task_id, in_chunk, in_heartbeat, at_the_end)
