"""Is played with several calls in one turn: some may overlap, and the order of the others matters."""

import asyncio

from openreward.environments import Environment, TextBlock, ToolOutput, tool
from pydantic import BaseModel

from environments.tasks import tasks_of


class Item(BaseModel):
    item: str


class Kitchen(Environment):
    @classmethod
    def list_splits(cls):
        return ["test"]

    @classmethod
    def list_tasks(cls, split):
        return tasks_of("kitchen")

    def setup(self):
        self.chopped = []
        self.pot = []

    def get_prompt(self):
        return [TextBlock(text=f"Cook: {', '.join(self.task_spec['recipe'])}, in this order.")]

    @tool(concurrent=True)
    async def chop(self, params: Item) -> ToolOutput:
        """Chop an item."""
        await asyncio.sleep(0.01)
        self.chopped.append(params.item)
        return ToolOutput(blocks=[TextBlock(text=f"{params.item} is chopped.")], reward=0.0625)

    @tool
    async def add(self, params: Item) -> ToolOutput:
        """Add a chopped item to the pot."""
        if params.item not in self.chopped:
            return ToolOutput(blocks=[TextBlock(text=f"{params.item} is not chopped.")], reward=-0.25)
        self.pot.append(params.item)
        return ToolOutput(blocks=[TextBlock(text=f"pot: {len(self.pot)} items")], reward=0.0)

    @tool
    async def serve(self) -> ToolOutput:
        """Serve the dish."""
        return ToolOutput(
            blocks=[TextBlock(text="Served.")], reward=float(self.pot == self.task_spec["recipe"]), finished=True
        )
