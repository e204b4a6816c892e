"""Grades with an exclusive tool: the verdict depends on what was heard before it."""

import asyncio

from openreward.environments import Environment, TextBlock, ToolOutput, tool
from pydantic import BaseModel

from environments.tasks import tasks_of


class Witness(BaseModel):
    name: str


class Verdict(BaseModel):
    guilty: bool


class Courtroom(Environment):
    @classmethod
    def list_splits(cls):
        return ["test"]

    @classmethod
    def list_tasks(cls, split):
        return tasks_of("courtroom")

    def setup(self):
        self.heard = []

    def get_prompt(self):
        return [TextBlock(text=f"Hear {', '.join(self.task_spec['witnesses'])}, then give a verdict.")]

    @tool(concurrent=True)
    async def hear(self, params: Witness) -> ToolOutput:
        """Hear a witness."""
        await asyncio.sleep(0.01)
        self.heard.append(params.name)
        return ToolOutput(blocks=[TextBlock(text=f"{params.name} has spoken.")], reward=0.0625)

    @tool(exclusive=True)
    async def verdict(self, params: Verdict) -> ToolOutput:
        """Give the verdict, which ends the trial."""
        share = len(set(self.heard) & set(self.task_spec["witnesses"])) / len(self.task_spec["witnesses"])
        reward = share if params.guilty == self.task_spec["guilty"] else 0.0
        return ToolOutput(blocks=[TextBlock(text="The court has decided.")], reward=reward, finished=True)
