"""Episodes start, continue, and are independent of each other."""

from player import expect, expect_equal, expect_raises, main, text_of

PAYS_NOTHING_YET = {"metadata": None, "reward": None, "finished": False}


async def episodes(client):
    wire = client.environment("wire")
    await by_split_and_index(client)
    await by_inline_task(client, wire)
    await many_turns(wire)
    await side_by_side(client, wire)


async def by_split_and_index(client):
    countdown = client.environment("countdown")
    task = await countdown.get_task("test", 3)
    async with countdown.session(split="test", index=3) as session:
        prompt = text_of(await session.get_prompt())
        expect(str(task.task_spec["target"]) in prompt, f"the prompt of task 3 does not tell its target: {prompt}")

    wire = client.environment("wire")
    if client.adapter.NAMES_ENVIRONMENT_BY_INDEX:
        async with wire.session(split="own", index=12_345) as session:
            expect_equal(text_of(await session.get_prompt()), "task 12345", "prompt by split and index")
            expect_equal((await session.call_tool("count")).reward, 1.0, "first count")
        return
    # The server opened its first environment: a clear error is better than the reward of another environment.
    async with wire.session(split="test", index=0) as session:
        await expect_raises(Exception, session.call_tool("count"), "404", "countdown", "wire")


async def by_inline_task(client, wire):
    label = "\u3000 an \u00a0 own\u2028task \U0001f600 "
    task = client.inline_task("wire", {"label": label})
    async with wire.session(task) as session:
        expect_equal((await session.get_prompt())[0].text, label, "prompt of an inline task")


async def many_turns(wire):
    async with wire.session(await wire.get_task("test", 0)) as session:
        for turn in range(1, 6):
            output = await session.call_tool("count", {})
            told = (text_of(output.blocks), output.reward, output.metadata, output.finished)
            expect_equal(told, (str(turn), float(turn), {"steps": turn}, False), f"turn {turn}")
            expect(isinstance(output.reward, float), f"the reward {output.reward!r} is no float")

        output = await session.call_tool("echo", {"message": "na", "times": 3})
        told = {name: getattr(output, name) for name in PAYS_NOTHING_YET}
        expect_equal(text_of(output.blocks), "nanana", "echo")
        expect_equal(told, PAYS_NOTHING_YET, "what a plain step means")

        output = await session.call_tool("finish", {"reward": 0.25})
        expect_equal((output.reward, output.finished), (0.25, True), "the end")


async def side_by_side(client, wire):
    task = await wire.get_task("test", 0)

    async def count_to_three(_):
        async with wire.session(task) as session:
            return [(await session.call_tool("count")).reward for _ in range(3)]

    counts = await client.each(range(16), count_to_three, at_once=16)
    expect_equal(counts, [[1.0, 2.0, 3.0]] * 16, "counts of 16 episodes")


if __name__ == "__main__":
    main(episodes)
