"""Needs longer to set up than one request may wait: the server answers that it is still starting."""

import asyncio

from openreward.environments import Environment, TextBlock, ToolOutput, tool
from pydantic import BaseModel

from environments.tasks import tasks_of

SETUP_SECONDS = 1.2


class Measure(BaseModel):
    sample: str


class SlowLab(Environment):
    @classmethod
    def list_splits(cls):
        return ["test"]

    @classmethod
    def list_tasks(cls, split):
        return tasks_of("slowlab")

    async def setup(self):
        await asyncio.sleep(SETUP_SECONDS)
        self.samples = dict(self.task_spec["samples"])

    def get_prompt(self):
        names = ", ".join(f"sample {name}" for name in self.samples)
        return [TextBlock(text=f"Measure one of these: {names}.")]

    @tool
    async def measure(self, params: Measure) -> ToolOutput:
        """Measure a sample."""
        return ToolOutput(
            blocks=[TextBlock(text="Measured.")], reward=self.samples.get(params.sample, 0.0), finished=True
        )
