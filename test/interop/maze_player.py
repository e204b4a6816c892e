"""Solves mazes: by the compass if there is one, otherwise by trying every way."""

import re

from pictures_player import size_of
from player import expect, expect_equal, expect_raises, main, text_of

STEPS = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
BACK = {"north": "south", "south": "north", "east": "west", "west": "east"}


async def maze(client):
    environment = client.environment("maze")
    for index, find_way_out in [(0, follow_compass), (6, follow_compass), (1, explore)]:
        async with environment.session(await environment.get_task("test", index)) as session:
            walker = Walker(session)
            await look_around(session, find_way_out is follow_compass, client.adapter.ToolCallError)
            await find_way_out(walker)
            expect(walker.finished, f"maze {index}: the walk did not reach the exit")
            expect_equal(round(walker.reward, 9), 1.0, f"maze {index}: sum of the rewards")


class Walker:
    def __init__(self, session):
        self.session = session
        self.reward = 0.0
        self.finished = False
        self.position = None

    async def move(self, direction):
        """Takes a step; returns whether there was no wall."""
        before = self.position or position_in(text_of(await self.session.get_prompt()))
        output = await self.session.call_tool("move", {"direction": direction})
        self.position = position_in(text_of(output.blocks))
        self.reward += output.reward
        self.finished = output.finished
        width, height = size_of(output.blocks[1])
        expect(width >= 256 and height >= 256, f"the picture has only {width} x {height} pixels")

        if self.position == before:
            expect_equal(output.reward, 0.0, "reward of walking into a wall")
            expect("wall" in text_of(output.blocks), f"a wall is not told: {text_of(output.blocks)}")
            return False
        row, column = STEPS[direction]
        expect_equal(self.position, (before[0] + row, before[1] + column), f"the place after a step {direction}")
        return True


async def look_around(session, has_compass, ToolCallError):
    prompt = await session.get_prompt()
    expect_equal([block.type for block in prompt], ["text", "image"], "blocks of the prompt")
    size_of(prompt[1])
    tools = [tool.name for tool in await session.list_tools()]
    expect_equal(tools, ["move", "compass"] if has_compass else ["move"], "tools of the task")
    await expect_raises(ToolCallError, session.call_tool("move", {"direction": "up"}), "direction")
    if not has_compass:
        await expect_raises(ToolCallError, session.call_tool("compass"), "compass")


async def follow_compass(walker):
    while not walker.finished:
        (block,) = (await walker.session.call_tool("compass")).blocks
        expect(await walker.move(block.text), f"the compass points {block.text}, where a wall is")


async def explore(walker):
    seen = set()

    async def visit():
        for direction in STEPS:
            if walker.finished or not await walker.move(direction) or walker.finished:
                continue
            if walker.position not in seen:
                seen.add(walker.position)
                await visit()
            if not walker.finished:
                await walker.move(BACK[direction])

    await visit()


def position_in(text):
    row, column = re.search(r"You are at row (\d+), column (\d+)", text).groups()
    return int(row), int(column)


if __name__ == "__main__":
    main(maze)
