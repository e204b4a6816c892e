"""Runs the fixture `conformance`, which was written for ors-sdk, with openreward, whose author API has the same names.

    python conformance_of_openreward.py path/of/conformance.py [its arguments]

Adds the extensions of openreward that the fixture has: a terminal tool, an exclusive one, conversations, group scoring.
"""

import asyncio
import functools
import importlib
import importlib.util
import sys
from typing import Annotated

from pydantic import BaseModel, Field, Strict

openreward = importlib.import_module("openreward.environments")

CALL_INPUT = {"id": "7", "page": 2, "words": ["snow \u2603", "\U0001f600", 'a"b\\c'], "deep": {"none": None}}


class Answer(BaseModel):
    text: Annotated[str, Strict()]


class Final(BaseModel):
    ms: Annotated[int, Field(ge=0, le=60_000)] = 0
    finish: bool = False


def fixture_of(path):
    spec = importlib.util.spec_from_file_location("conformance", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def last_text(messages):
    texts = [block.text for message in messages for block in message.blocks if block.type == "text"]
    return texts[-1] if texts else ""


def tracked(run):
    """Counts the runs of a tool that have not ended."""

    @functools.wraps(run)
    async def tracking(self, *params):
        self._started += 1
        self._active += 1
        try:
            return await run(self, *params)
        finally:
            self._active -= 1

    return tracking


def with_extensions(module):
    text, image = openreward.TextBlock, openreward.ImageBlock

    class Conformance(module.Conformance):
        def __init__(self, task_spec, secrets):
            super().__init__(task_spec, secrets)
            self._started = self._active = self._scorings = 0

        # The server makes the prompt of the messages.
        get_prompt = openreward.Environment.get_prompt

        def get_messages(self):
            blocks = super().get_prompt()
            message = openreward.Message
            if not self.task_spec.get("conversation"):
                return [message(role="user", blocks=blocks)]
            result = openreward.ToolResultBlock
            found = [text(text="Found."), image(data=module.POINT, mimeType="image/png")]
            return [
                message(role="system", blocks=[text(text="Be brief.", detail={"source": "fixture"})]),
                message(role="user", blocks=blocks),
                message(
                    role="assistant",
                    blocks=[
                        openreward.ReasoningBlock(text="I look it up.", signature="c2ln"),
                        text(text="One moment."),
                        openreward.ToolCallBlock(id="c1", name="lookup", input=CALL_INPUT),
                        openreward.ToolCallBlock(id="c2", name="draw", input={}),
                    ],
                ),
                message(
                    role="user",
                    blocks=[
                        result(tool_call_id="c1", blocks=found),
                        result(tool_call_id="c2", blocks=[text(text="No pen.")], is_error=True),
                        text(text="Hurry."),
                    ],
                ),
            ]

        async def score_group(self, candidates):
            self._scorings += 1
            texts = [last_text(candidate.messages) for candidate in candidates]
            if "throw" in texts:
                raise RuntimeError("The judge failed.")
            metadata = {"scorings": self._scorings}
            if "short" in texts:
                return [openreward.GroupScore(reward=1, metadata=metadata)]
            return [openreward.GroupScore(reward=float(each), metadata=metadata) for each in texts]

        @openreward.tool(exclusive=True)
        async def final(self, params: Final) -> openreward.ToolOutput:
            """Waits, and reports how many other tools ran meanwhile."""
            active, started = self._active, self._started
            await asyncio.sleep(params.ms / 1000)
            running = active + self._started - started
            return module.text_output("final", finished=params.finish, metadata={"running": running})

        @openreward.terminal
        @openreward.tool
        async def answer(self, params: Answer) -> openreward.ToolOutput:
            """Grades the final message."""
            reward = 1 if params.text == "right" else 0
            metadata = {"text": params.text, "running": self._active}
            return module.text_output("graded", reward=reward, finished=True, metadata=metadata)

    for name in ("sleep", "noargs", "count"):
        setattr(Conformance, name, tracked(getattr(module.Conformance, name)))
    return Conformance


if __name__ == "__main__":
    sys.modules["ors"] = openreward
    del sys.argv[0]
    module = fixture_of(sys.argv[0])
    module.Conformance = with_extensions(module)
    module.main()
