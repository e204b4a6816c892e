"""Shows images in its prompt and results. The policy proves with their SHA-256 that it saw them."""

import base64
import hashlib

from maze import png
from openreward.environments import Environment, ImageBlock, TextBlock, ToolOutput, tool
from pydantic import BaseModel

from environments.tasks import tasks_of


class Guess(BaseModel):
    sha256: str


class Gallery(Environment):
    @classmethod
    def list_splits(cls):
        return ["test"]

    @classmethod
    def list_tasks(cls, split):
        return tasks_of("gallery")

    def setup(self):
        self.pictures = [picture_of(colour) for colour in self.task_spec["colours"]]
        self.room = 0

    def get_prompt(self):
        return [TextBlock(text="Tell the SHA-256 of each picture that you see."), self.shown()]

    @tool
    async def walk(self) -> ToolOutput:
        """Walk to the next picture, without telling this one."""
        self.room = min(self.room + 1, len(self.pictures) - 1)
        return ToolOutput(blocks=[self.shown(), TextBlock(text=f"Room {self.room}.")], reward=0.0)

    @tool
    async def tell(self, params: Guess) -> ToolOutput:
        """Tell which picture is in this room. The last one ends the tour."""
        is_right = params.sha256 == hashlib.sha256(self.pictures[self.room].encode()).hexdigest()
        is_last = self.room == len(self.pictures) - 1
        self.room = min(self.room + 1, len(self.pictures) - 1)
        blocks = [TextBlock(text="Right." if is_right else "Wrong."), *([] if is_last else [self.shown()])]
        return ToolOutput(blocks=blocks, reward=0.5 if is_right else -0.5, finished=is_last)

    def shown(self):
        return ImageBlock(data=self.pictures[self.room], mimeType="image/png")


def picture_of(colour):
    return base64.b64encode(png([[bytes(colour)]])).decode()
