"""Serves a conversation whose final message is graded, with openreward, until standard input ends.

    python servers/quiz.py

prints `ready <url>` when it accepts requests. The same environment as test/bridges/quiz.ts.
"""

import os
import socket
import sys
import threading

import uvicorn
from openreward.environments import (
    Environment,
    Message,
    ReasoningBlock,
    Server,
    Split,
    TextBlock,
    ToolCallBlock,
    ToolOutput,
    ToolResultBlock,
    terminal,
    tool,
)
from pydantic import BaseModel


class Term(BaseModel):
    term: str


class Answer(BaseModel):
    answer: int


class Quiz(Environment):
    @classmethod
    def list_splits(cls):
        return [Split(name="train", type="train")]

    @classmethod
    def list_tasks(cls, split):
        return [{"answer": 2}]

    def get_messages(self):
        result = ToolResultBlock(tool_call_id="c1", blocks=[TextBlock(text="out of order")], is_error=True)
        return [
            Message(role="system", blocks=[TextBlock(text="Be brief.")]),
            Message(role="user", blocks=[TextBlock(text="What is 1 + 1?")]),
            Message(
                role="assistant",
                blocks=[
                    ReasoningBlock(text="I can look it up."),
                    TextBlock(text="I will look."),
                    ToolCallBlock(id="c1", name="look_up", input={"term": "1 + 1"}),
                ],
            ),
            Message(role="user", blocks=[result, TextBlock(text="Then answer by yourself.")]),
        ]

    @tool
    async def look_up(self, params: Term) -> ToolOutput:
        """Look a term up."""
        return ToolOutput(blocks=[TextBlock(text="Nothing found.")], reward=0.25)

    @terminal
    @tool
    async def grade(self, params: Answer) -> ToolOutput:
        """Grades the answer."""
        reward = float(params.answer == self.task_spec["answer"])
        return ToolOutput(blocks=[TextBlock(text="Graded.")], reward=reward, finished=True)


def end_with_parent():
    """Ends the process when standard input ends, which also happens if the parent is killed."""
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    listener = socket.socket(proto=socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    threading.Thread(target=end_with_parent, daemon=True).start()
    print(f"ready http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    uvicorn.Server(uvicorn.Config(Server([Quiz]).app, log_level="critical")).run(sockets=[listener])
