"""A call that arrives during setup waits for it."""

from player import expect_equal, main, text_of


async def slow_setup(client):
    wire = client.environment("wire")
    async with wire.session(await wire.get_task("test", 2)) as session:
        expect_equal((await session.call_tool("count")).reward, 1.0, "a call during setup")
        expect_equal(text_of(await session.get_prompt()), "slow", "the prompt after setup")


if __name__ == "__main__":
    main(slow_setup)
