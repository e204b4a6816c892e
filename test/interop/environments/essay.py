"""Lets a model grade the final message (a terminal tool), with a key that is a secret of the session."""

import json
import os
import re

import aiohttp
from openreward.environments import Environment, TextBlock, ToolOutput, terminal, tool
from pydantic import BaseModel

from environments.tasks import tasks_of

GRADER_PROMPT = "Question: {question}\nReference: {reference}\nAnswer: <<<{answer}>>>\nReply with GRADE and a number."


class Topic(BaseModel):
    topic: str


class Answer(BaseModel):
    answer: str


class Essay(Environment):
    def __init__(self, task_spec, secrets={}):
        super().__init__(task_spec, secrets)
        self.key = secrets.get("grader_api_key")
        if not self.key:
            raise ValueError("the secret grader_api_key is missing")

    @classmethod
    def list_splits(cls):
        return ["test"]

    @classmethod
    def list_tasks(cls, split):
        return tasks_of("essay")

    async def get_prompt(self):
        return [TextBlock(text=self.task_spec["question"])]

    @tool(concurrent=True)
    async def look_up(self, params: Topic) -> ToolOutput:
        """Look up a topic in the library."""
        text = self.task_spec["library"].get(params.topic, "The library has nothing about that.")
        return ToolOutput(blocks=[TextBlock(text=text)])

    @terminal
    @tool
    async def submit_answer(self, params: Answer) -> ToolOutput:
        """Grade the final message of the assistant."""
        grade = await self.grade(params.answer)
        return ToolOutput(
            blocks=[TextBlock(text=f"Grade: {grade}")], reward=grade, metadata={"answer": params.answer}, finished=True
        )

    async def grade(self, answer):
        question, reference = self.task_spec["question"], self.task_spec["reference"]
        prompt = GRADER_PROMPT.format(question=question, reference=reference, answer=answer)
        body = {"model": "grader", "messages": [{"role": "user", "content": prompt}]}
        headers = {"Authorization": f"Bearer {self.key}"}
        async with aiohttp.ClientSession(headers=headers) as http:
            async with http.post(f"{os.environ['GRADER_URL']}/chat/completions", json=body) as response:
                response.raise_for_status()
                reply = json.loads(await response.text())
        return float(re.search(r"GRADE ([\d.]+)", reply["choices"][0]["message"]["content"])[1])
