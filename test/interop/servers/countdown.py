"""Countdown: the tasks of the example in this repository, which the file named by COUNTDOWN_TASKS holds by split."""

import ast
import json
import operator
import os
from fractions import Fraction
from pathlib import Path

from author_api import Environment, Split, TextBlock, ToolOutput, tool
from pydantic import BaseModel

TASKS = json.loads(Path(os.environ["COUNTDOWN_TASKS"]).read_text())
TYPES = {"train": "train", "test": "test", "hard": "test"}
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


class Attempt(BaseModel):
    expression: str


class Countdown(Environment):
    @classmethod
    def list_splits(cls):
        return [Split(name=name, type=TYPES[name]) for name in TASKS]

    @classmethod
    def list_tasks(cls, split):
        # As for a split that is too large to list: only its size, and each task by its index.
        if split == "hard":
            raise NotImplementedError
        return TASKS[split]

    @classmethod
    async def num_tasks(cls, split):
        return len(TASKS[split])

    @classmethod
    async def get_task(cls, split, index):
        return TASKS[split][index]

    def get_prompt(self):
        numbers = ", ".join(map(str, self.task_spec["numbers"]))
        return [TextBlock(text=f"Reach {self.task_spec['target']} with the numbers {numbers}.")]

    @tool
    async def evaluate(self, params: Attempt) -> ToolOutput:
        """Try an expression. Returns its value, and does not end the episode."""
        value = self.value_of(params.expression)
        return ToolOutput(blocks=[TextBlock(text=f"{params.expression} = {value}")], reward=0)

    @tool
    async def submit(self, params: Attempt) -> ToolOutput:
        """Submit the final expression. Ends the episode: reward 1 if it reaches the target, else 0."""
        try:
            correct = self.value_of(params.expression) == self.task_spec["target"]
        except (ValueError, SyntaxError, ZeroDivisionError):
            correct = False
        text = "Correct." if correct else "Wrong."
        return ToolOutput(blocks=[TextBlock(text=text)], reward=float(correct), finished=True)

    def value_of(self, expression):
        left = list(self.task_spec["numbers"])

        def value(node):
            match node:
                case ast.BinOp(left=one, op=operation, right=other) if type(operation) in OPERATORS:
                    return OPERATORS[type(operation)](value(one), value(other))
                case ast.Constant(value=int(number)) if number in left:
                    left.remove(number)
                    return Fraction(number)
            raise ValueError(f"not arithmetic with the numbers of the task: {expression}")

        return value(ast.parse(expression, mode="eval").body)
