"""Failures as clients see them, and the state of the episode after them."""

from player import expect, expect_equal, expect_raises, main, text_of


async def errors(client):
    wire = client.environment("wire")
    task = await wire.get_task("test", 0)
    async with wire.session(task) as session:
        await refused_calls(session, client.adapter.ToolCallError)
    async with wire.session(task) as session:
        await after_the_end(session, client.adapter.ToolCallError)
    async with wire.session(task) as session:
        await crash(session, client.adapter)
    async with wire.session(task) as session:
        expect_equal((await session.call_tool("count")).reward, 1.0, "an episode after a crash")


async def refused_calls(session, ToolCallError):
    await session.call_tool("count")
    for tool, given, words in [
        ("fail", {"message": "File 'a b' not found"}, ["fail", "File 'a b' not found"]),
        ("fail", {"message": " first\n  second "}, [" first\n  second "]),
        ("dance", {}, ["dance"]),
        ("echo", {}, ["echo", "message"]),
        ("echo", {"message": 5}, ["echo", "message"]),
        ("echo", {"message": "x", "times": 0}, ["echo", "times"]),
    ]:
        await expect_raises(ToolCallError, session.call_tool(tool, given), *words)
    expect_equal((await session.call_tool("count")).reward, 2.0, "the count after refused calls")


async def after_the_end(session, ToolCallError):
    expect((await session.call_tool("finish", {"reward": 1})).finished, "finish does not end the episode")
    await expect_raises(ToolCallError, session.call_tool("finish", {"reward": 1}), "finish", "finished")
    await expect_raises(ToolCallError, session.call_tool("count"), "count", "finished")


async def crash(session, adapter):
    await session.call_tool("count")
    said = await expect_raises(adapter.ToolCrash, session.call_tool("crash", {"message": "Boom\n\u6f22 \U0001f600"}))
    expect(said.endswith("Boom\n\u6f22 \U0001f600"), f"the crash says {said!r}")
    if adapter.SURVIVES_A_CRASH:
        expect_equal((await session.call_tool("count")).reward, 2.0, "the count after a crash")
        await expect_raises(adapter.ToolCrash, session.call_tool("crash", {"message": ""}))
        expect_equal(text_of((await session.call_tool("echo", {"message": "alive"})).blocks), "alive", "echo")


if __name__ == "__main__":
    main(errors)
