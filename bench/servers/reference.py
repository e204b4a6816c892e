"""Serves the environment of the benchmarks with a Python server: the same split, task and tools.

The argument is the module of the server: `ors` (of ors-sdk) or `openreward.environments`.
"""

import asyncio
import os
import sys
from importlib import import_module

from pydantic import BaseModel

served = import_module(sys.argv[1])
TextBlock, ToolOutput, tool = served.TextBlock, served.ToolOutput, served.tool


class Submit(BaseModel):
    answer: str


class Wait(BaseModel):
    seconds: float


class Big(BaseModel):
    bytes: int


class Bench(served.Environment):
    @classmethod
    def list_splits(cls):
        return ["test"]

    @classmethod
    def list_tasks(cls, split: str):
        return [{"question": "2+2", "answer": "4"}]

    def get_prompt(self):
        return [TextBlock(text=self.task_spec["question"])]

    @tool
    async def submit(self, params: Submit) -> ToolOutput:
        """Submit an answer."""
        return ToolOutput(blocks=[TextBlock(text="Correct!")], reward=1.0, finished=False)

    @tool
    async def wait(self, params: Wait) -> ToolOutput:
        """Wait for some seconds."""
        await asyncio.sleep(params.seconds)
        return ToolOutput(blocks=[TextBlock(text="Waited.")], finished=False)

    @tool
    async def big(self, params: Big) -> ToolOutput:
        """Return one text of this size."""
        return ToolOutput(blocks=[TextBlock(text="x" * params.bytes)], finished=False)


served.Server([Bench]).run(host="127.0.0.1", port=int(os.environ["PORT"]))
