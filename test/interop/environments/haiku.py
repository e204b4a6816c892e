"""Compares the poems of a group: each has a reward of its own, and one that depends on the others."""

from openreward.environments import Environment, GroupScore, TextBlock, ToolOutput, terminal, tool
from pydantic import BaseModel

from environments.tasks import tasks_of


class Poem(BaseModel):
    text: str


class Haiku(Environment):
    @classmethod
    def list_splits(cls):
        return ["test"]

    @classmethod
    def list_tasks(cls, split):
        return tasks_of("haiku")

    def setup(self):
        self.word = self.task_spec["word"]

    def get_prompt(self):
        return [TextBlock(text=f"Write a poem with the word {self.word}.")]

    @terminal
    @tool
    async def hand_in(self, params: Poem) -> ToolOutput:
        """Hand the poem in."""
        has_word = self.word in params.text.split()
        return ToolOutput(blocks=[TextBlock(text="Thank you.")], reward=float(has_word), finished=True)

    async def score_group(self, candidates):
        poems = [poem_of(candidate) for candidate in candidates]
        if self.task_spec["judge"] == "fails":
            raise RuntimeError("the judge did not decide")
        if self.task_spec["judge"] == "miscounts":
            return [1.0 for _ in poems[1:]]
        richness = [len(set(poem.split())) for poem in poems]
        wins = [sum((one > other) + 0.5 * (one == other) for other in richness) - 0.5 for one in richness]
        rewards = [won / (len(poems) - 1) for won in wins]
        if self.task_spec["judge"] == "numbers":
            return rewards
        return [GroupScore(reward=reward, metadata={"words": words}) for reward, words in zip(rewards, richness)]


def poem_of(candidate):
    """The visible text of the last turn of the assistant, which judges look at by default."""
    answers = [message for message in candidate.messages if message.role == "assistant"]
    return "\n".join(block.text for block in answers[-1].blocks if block.type == "text") if answers else ""
