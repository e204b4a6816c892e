"""Limits of a server as its clients see them: the messages, and that the client can continue."""

from player import expect_equal, expect_raises, main, text_of

PLACES = 8


async def over_full(client):
    """Plays twice as many episodes at a time as the server admits."""
    wire = client.environment("wire")
    task = await wire.get_task("test", 0)

    async def episode(number):
        async with wire.session(task) as session:
            await session.call_tool("sleep", {"ms": 300})
            return (await session.call_tool("finish", {"reward": number})).reward

    rewards = await client.each(range(4 * PLACES), episode, at_once=2 * PLACES)
    expect_equal(rewards, [float(number) for number in range(4 * PLACES)], "rewards of an over-full run")


async def call_timeout(client):
    wire = client.environment("wire")
    task = await wire.get_task("test", 0)
    async with wire.session(task) as session:
        stopped = session.call_tool("sleep", {"ms": 60_000})
        await expect_raises(client.adapter.ToolCrash, stopped, "tool 'sleep' was stopped: it ran longer than 1000 ms")
    await plays(wire, task)


async def result_bytes(client):
    wire = client.environment("wire")
    task = await wire.get_task("test", 0)
    async with wire.session(task) as session:
        large = session.call_tool("echo", {"message": "x" * 1_000, "times": 100})
        await expect_raises(client.adapter.ToolCallError, large, "bytes, more than the limit of 20000, and is not sent")
        small = await session.call_tool("echo", {"message": "x" * 1_000, "times": 19})
        expect_equal(len(text_of(small.blocks)), 19_000, "the length of a result below the limit")


async def body_bytes(client):
    wire = client.environment("wire")
    task = await wire.get_task("test", 0)
    async with wire.session(task) as session:
        large = session.call_tool("echo", {"message": "x" * 200_000})
        await expect_raises(Exception, large, "413", "the body is larger than the limit of 100000 bytes")
    await plays(wire, task)


async def header_bytes(client):
    wire = client.environment("wire")
    task = await wire.get_task("test", 0)
    large = client.secrets({"large": "x" * 100_000})
    await expect_raises(Exception, enter(wire.session(task, secrets=large)), "431", "larger than the limit of 65536 bytes")
    await plays(wire, task)


async def enter(session):
    async with session:
        return await session.get_prompt()


async def plays(wire, task):
    """Plays another episode with the same client."""
    async with wire.session(task) as session:
        expect_equal((await session.call_tool("count")).reward, 1.0, "an episode afterwards")


if __name__ == "__main__":
    main(over_full, call_timeout, result_bytes, body_bytes, header_bytes)
