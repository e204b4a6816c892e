"""Pays for every step, sometimes nothing at all, with amounts that binary fractions cannot represent. Its tool blocks."""

from openreward.environments import Environment, TextBlock, ToolOutput, tool
from pydantic import BaseModel, Field

from environments.tasks import tasks_of


class Step(BaseModel):
    metres: int = Field(ge=-3, le=3)


class Climb(Environment):
    @classmethod
    def name(cls):
        return "Climb-v0"

    @classmethod
    def list_splits(cls):
        return ["test"]

    @classmethod
    def list_tasks(cls, split):
        return tasks_of("climb-v0")

    def setup(self):
        self.height = 0

    def get_prompt(self):
        return [TextBlock(text=f"Climb {self.task_spec['height']} metres.")]

    @tool
    def step(self, params: Step) -> ToolOutput:
        """Climb up or down by some metres."""
        self.height += params.metres
        # Rest costs nothing and pays nothing: no reward, which differs from a reward of 0.
        reward = None if params.metres == 0 else params.metres * 0.1
        finished = self.height >= self.task_spec["height"]
        return ToolOutput(blocks=[TextBlock(text=f"height: {self.height}")], reward=reward, finished=finished)
