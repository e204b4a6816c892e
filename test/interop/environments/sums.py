"""Takes the final message as a number, and sometimes leaves the episode open after it."""

from openreward.environments import Environment, TextBlock, ToolOutput, terminal, tool
from pydantic import BaseModel

from environments.tasks import tasks_of


class Result(BaseModel):
    result: int


class Sums(Environment):
    @classmethod
    def list_splits(cls):
        return ["test"]

    @classmethod
    def list_tasks(cls, split):
        raise NotImplementedError

    @classmethod
    async def num_tasks(cls, split):
        return len(tasks_of("sums"))

    @classmethod
    async def get_task(cls, split, index):
        return tasks_of("sums")[index]

    def get_prompt(self):
        one, other = self.task_spec["numbers"]
        return [TextBlock(text=f"What is {one} + {other}? Answer with the number alone.")]

    @tool
    @terminal
    async def check(self, params: Result) -> ToolOutput:
        """Check the result."""
        difference = abs(params.result - sum(self.task_spec["numbers"]))
        reward = 1.0 if difference == 0 else 0.25 if difference == 1 else 0.0
        return ToolOutput(blocks=[TextBlock(text="Checked.")], reward=reward, finished=not self.task_spec["open"])
