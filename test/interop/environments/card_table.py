"""Makes its state in get_prompt: every prompt deals the next hand, and tools know only the hand that was dealt last."""

from openreward.environments import Environment, TextBlock, ToolOutput, tool
from pydantic import BaseModel

from environments.tasks import tasks_of

HAND = 3


class Play(BaseModel):
    card: int


class CardTable(Environment):
    def __init__(self, task_spec, secrets={}):
        super().__init__(task_spec, secrets)
        self.dealt = 0

    @classmethod
    def list_splits(cls):
        return ["test"]

    @classmethod
    def list_tasks(cls, split):
        return tasks_of("cardtable")

    def get_prompt(self):
        self.hand = self.task_spec["deck"][self.dealt : self.dealt + HAND]
        self.dealt += HAND
        self.played = 0
        return [TextBlock(text=f"Play two cards, high ones if you can.\n{self.shown()}")]

    @tool
    async def play(self, params: Play) -> ToolOutput:
        """Play a card of your hand. The second card ends the game."""
        if params.card not in self.hand:
            return ToolOutput(blocks=[TextBlock(text=f"You do not hold {params.card}. {self.shown()}")], reward=-0.25)
        self.hand.remove(params.card)
        self.played += 1
        return ToolOutput(
            blocks=[TextBlock(text=self.shown())], reward=params.card / 64, finished=self.played == 2
        )

    def shown(self):
        return f"first: {self.hand[0]}, highest: {max(self.hand)}, cards: {len(self.hand)}"
