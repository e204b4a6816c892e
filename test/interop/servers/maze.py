"""Maze: the same mazes as the example in this repository, each made from its seed."""

import base64
import struct
import zlib
from enum import Enum

from author_api import Environment, ImageBlock, ListToolsOutput, TextBlock, ToolOutput, ToolSpec, tool
from pydantic import BaseModel, Field
from seeded_random import seeded_random

STEPS = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
PIXELS_OF_A_SQUARE = 32
WALL, FLOOR, WALKER, EXIT = b"\x30\x30\x40", b"\xf4\xf1\xea", b"\xd6\x48\x3e", b"\x2a\x9d\x71"

Direction = Enum("Direction", {name: name for name in STEPS}, type=str)


class Move(BaseModel):
    direction: Direction
    steps: int = Field(default=1, ge=1, le=20)


class Maze(Environment):
    @classmethod
    def list_splits(cls):
        return ["train", "test"]

    @classmethod
    def list_tasks(cls, split):
        count, first_seed = {"train": (1_000, 0), "test": (100, 1_000_000)}[split]
        return [task_of(index, first_seed) for index in range(count)]

    def setup(self):
        self.doors, self.exit = make_maze(self.task_spec["seed"], self.task_spec["size"])
        self.distances = distances_from(self.exit, self.doors)
        self.cell = (0, 0)

    def get_prompt(self):
        return [TextBlock(text="Walk to the green exit of this maze. North is up."), self.picture()]

    @tool
    async def move(self, params: Move) -> ToolOutput:
        """Walk some steps in one direction. You stop at a wall and at the exit, which ends the episode."""
        before = self.cell
        for _ in range(params.steps):
            following = neighbour(self.cell, params.direction.value)
            if frozenset((self.cell, following)) in self.doors and self.cell != self.exit:
                self.cell = following
        saved = self.distances[before] - self.distances[self.cell]
        row, column = self.cell
        return ToolOutput(
            blocks=[TextBlock(text=f"You are at row {row + 1}, column {column + 1}."), self.picture()],
            reward=saved / self.distances[(0, 0)],
            finished=self.cell == self.exit,
        )

    def list_task_tools(self):
        tools = [ToolSpec(name="compass", description=self.compass.__doc__, input_schema=None)]
        return ListToolsOutput(tools=tools if self.task_spec["compass"] else [])

    @tool(shared=False)
    async def compass(self) -> ToolOutput:
        """Returns the direction of the next step on a shortest path to the exit."""
        closer = self.distances[self.cell] - 1
        for direction in STEPS:
            following = neighbour(self.cell, direction)
            if frozenset((self.cell, following)) in self.doors and self.distances[following] == closer:
                return ToolOutput(blocks=[TextBlock(text=direction)], reward=0)
        return ToolOutput(blocks=[TextBlock(text="You are at the exit.")], reward=0)

    def picture(self):
        # Cells at odd positions, with walls and doors between them.
        side = 2 * self.task_spec["size"] + 1
        squares = [[WALL] * side for _ in range(side)]
        for door in self.doors:
            (row, column), (other_row, other_column) = door
            squares[row + other_row + 1][column + other_column + 1] = FLOOR
        for row, column in self.distances:
            squares[2 * row + 1][2 * column + 1] = FLOOR
        for (row, column), colour in ((self.exit, EXIT), (self.cell, WALKER)):
            squares[2 * row + 1][2 * column + 1] = colour
        return ImageBlock(data=base64.b64encode(png(squares)).decode(), mimeType="image/png")


def task_of(index, first_seed):
    return {"seed": first_seed + index, "size": 4 + index // 2 % 8, "compass": index % 2 == 0}


def make_maze(seed, size):
    """Returns the doors, as pairs of cells, and the exit."""
    random = seeded_random(seed, size)
    doors, path, reached = set(), [(0, 0)], {(0, 0)}
    while path:
        ways = [neighbour(path[-1], direction) for direction in STEPS]
        fresh = [(r, c) for r, c in ways if 0 <= r < size and 0 <= c < size and (r, c) not in reached]
        if not fresh:
            path.pop()
            continue
        following = fresh[random(len(fresh))]
        doors.add(frozenset((path[-1], following)))
        reached.add(following)
        path.append(following)
    for _ in range(size // 3):
        cell = (random(size - 1), random(size - 1))
        doors.add(frozenset((cell, neighbour(cell, "east" if random(2) == 0 else "south"))))
    return doors, list(distances_from((0, 0), doors))[-1]


def distances_from(cell, doors):
    """Returns the distance from the cell to every other, nearest first."""
    distances = {cell: 0}
    queue = [cell]
    for here in queue:
        for direction in STEPS:
            following = neighbour(here, direction)
            if frozenset((here, following)) in doors and following not in distances:
                distances[following] = distances[here] + 1
                queue.append(following)
    return distances


def neighbour(cell, direction):
    rows, columns = STEPS[direction]
    return (cell[0] + rows, cell[1] + columns)


def png(squares):
    """Returns a PNG of colored squares."""
    side = len(squares) * PIXELS_OF_A_SQUARE
    lines = (b"\0" + b"".join(colour * PIXELS_OF_A_SQUARE for colour in row) for row in squares)
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(line * PIXELS_OF_A_SQUARE for line in lines))
    parts = ((b"IHDR", header), (b"IDAT", body), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(map(part_of_png, parts))


def part_of_png(part):
    name, data = part
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
