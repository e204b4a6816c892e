"""Takes no answer: the first message without a call ends the episode, and the state is graded (a terminal tool)."""

from openreward.environments import Environment, TextBlock, ToolOutput, terminal, tool
from pydantic import BaseModel

from environments.tasks import tasks_of


class Wait(BaseModel):
    seconds: int


class Timer(Environment):
    def __init__(self, task_spec, secrets={}):
        super().__init__(task_spec, secrets)
        self.clock = 0

    @classmethod
    def list_splits(cls):
        return ["test"]

    @classmethod
    def list_tasks(cls, split):
        return tasks_of("timer")

    def get_prompt(self):
        return [TextBlock(text=f"Stop when the clock shows {self.task_spec['goal']}.")]

    @tool
    async def wait(self, params: Wait) -> ToolOutput:
        """Wait for some seconds."""
        self.clock += params.seconds
        return ToolOutput(blocks=[TextBlock(text=f"clock: {self.clock}")], metadata={"clock": self.clock})

    @terminal
    @tool
    async def stop(self) -> ToolOutput:
        """Stop the clock."""
        distance = abs(self.clock - self.task_spec["goal"])
        return ToolOutput(blocks=[TextBlock(text="Stopped.")], reward=1 / (1 + distance), finished=True)
