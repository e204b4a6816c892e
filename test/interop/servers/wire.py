"""Wire: one tool for each thing that can go wrong between a server and its clients."""

import asyncio
import hashlib
import json
from collections import Counter
from functools import cache

from author_api import Environment, TextBlock, ToolOutput, tool
from fidelity_text import make_text
from pydantic import BaseModel

# Many calls request the same text.
make_text = cache(make_text)

# Number of events by key, in the whole process: an episode can read those of another one.
counts = Counter()


class Text(BaseModel):
    seed: int
    length: int
    key: str | None = None


class Key(BaseModel):
    key: str


class Sleep(BaseModel):
    ms: int


class Secret(BaseModel):
    name: str


class Message(BaseModel):
    message: str


class Wire(Environment):
    def __init__(self, task_spec, secrets):
        super().__init__(task_spec, secrets)
        self.secrets = secrets

    @classmethod
    def list_splits(cls):
        return ["test"]

    @classmethod
    def list_tasks(cls, split):
        return [{"label": "plain"}, {"label": "slow", "setup_ms": 6_000}]

    async def setup(self):
        await asyncio.sleep(self.task_spec.get("setup_ms", 0) / 1000)
        counts[f"setup {self.task_spec['label']}"] += 1

    def teardown(self):
        counts[f"teardown {self.task_spec['label']}"] += 1

    def get_prompt(self):
        return [TextBlock(text=self.task_spec["label"])]

    @tool
    async def text(self, params: Text) -> ToolOutput:
        """Gives a text full of white space that is known from its seed and length."""
        if params.key is not None:
            counts[params.key] += 1
        text = make_text(params.seed, params.length)
        return ToolOutput(blocks=[TextBlock(text=text)], reward=0.5, metadata={"seed": params.seed})

    @tool
    async def runs(self, params: Key) -> ToolOutput:
        """Tells how often what the key names happened, in all episodes together."""
        return ToolOutput(blocks=[TextBlock(text=str(counts[params.key]))])

    @tool
    async def all_runs(self) -> ToolOutput:
        """Tells how often what has a key happened, by key, in JSON."""
        return ToolOutput(blocks=[TextBlock(text=json.dumps(counts))])

    @tool
    async def sleep(self, params: Sleep) -> ToolOutput:
        """Answers late."""
        await asyncio.sleep(params.ms / 1000)
        return ToolOutput(blocks=[TextBlock(text=f"Slept {params.ms} ms.")])

    @tool
    async def secret(self, params: Secret) -> ToolOutput:
        """Tells the SHA-256 of an episode's secret, or 'none'."""
        value = self.secrets.get(params.name)
        text = "none" if value is None else hashlib.sha256(value.encode()).hexdigest()
        return ToolOutput(blocks=[TextBlock(text=text)])

    @tool
    async def crash(self, params: Message) -> ToolOutput:
        """Fails as a tool should not."""
        raise RuntimeError(params.message)
