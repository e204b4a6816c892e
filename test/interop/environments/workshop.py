"""Takes most of its tools from a toolset, which works on the environment's own state."""

from openreward.environments import Environment, TextBlock, ToolOutput, tool
from pydantic import BaseModel

from environments.tasks import tasks_of


class Cut(BaseModel):
    length: int


class Saws:
    """A toolset; public ones inherit from Toolset, which wants a sandbox."""

    def __init__(self, env):
        self.env = env
        self.cuts = 0

    @tool
    async def measure(self) -> ToolOutput:
        """Measure the board."""
        return ToolOutput(blocks=[TextBlock(text=f"The board is {self.env.board} long.")], reward=0.0)

    @tool
    async def cut(self, params: Cut) -> ToolOutput:
        """Cut a piece from the board."""
        if params.length > self.env.board:
            return ToolOutput(blocks=[TextBlock(text="The board is too short.")], reward=-0.5)
        self.cuts += 1
        self.env.board -= params.length
        self.env.pieces.append(params.length)
        return ToolOutput(blocks=[TextBlock(text=f"Cut {self.cuts}: {params.length}.")], reward=0.125)


class Workshop(Environment):
    toolsets = [Saws]

    def __init__(self, task_spec, secrets={}):
        super().__init__(task_spec, secrets)
        self.board = task_spec["board"]
        self.pieces = []

    @classmethod
    def list_splits(cls):
        return ["test"]

    @classmethod
    def list_tasks(cls, split):
        return tasks_of("workshop")

    def get_prompt(self):
        return [TextBlock(text=f"Cut pieces of {self.task_spec['pieces']} from a board, then deliver them.")]

    @tool
    async def deliver(self) -> ToolOutput:
        """Deliver the pieces."""
        reward = float(self.pieces == self.task_spec["pieces"])
        return ToolOutput(blocks=[TextBlock(text="Delivered.")], reward=reward, finished=True)
