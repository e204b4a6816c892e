"""TRL: GRPO on the environment `countdown`. Every generation plays a separate episode.

    python trl_grpo.py Qwen/Qwen3-0.6B
"""

import os
import sys

from episodes import Episode, run
from traces import record


class Countdown:
    """An environment of TRL: its public methods are the tools, described by their types and docstrings."""

    _episode = None

    def reset(self, split, index, **row):
        """Starts the episode of a row. TRL appends the returned text to the prompt of the row."""
        self._close()
        self._episode = Episode(split, index)
        return run(self._episode.open())

    def evaluate(self, expression: str) -> str:
        """
        Try an expression. Returns its value, and does not end the episode.

        Args:
            expression: Whole numbers, + - * / and parentheses, such as (25 - 4) * 7
        """
        return run(self._episode.call("evaluate", {"expression": expression}))

    def submit(self, expression: str) -> str:
        """
        Submit the final expression. Ends the episode: reward 1 if it reaches the target, else 0.

        Args:
            expression: Whole numbers, + - * / and parentheses, such as (25 - 4) * 7
        """
        return run(self._episode.call("submit", {"expression": expression}))

    def get_reward(self):
        """Returns the sum of the rewards, or None if the environment failed: TRL leaves it out of the group."""
        self._close()
        return self._episode.reward

    def _close(self):
        if self._episode:
            run(self._episode.close())


def record_all(prompts, completions, environments, trainer_state, **_):
    """Submits final messages and records all rollouts. As a reward function it receives the conversations and the step,
    but returns no reward; TRL calls `get_reward` after it."""
    for sample, (prompt, completion, environment) in enumerate(zip(prompts, completions, environments)):
        last = completion[-1]
        if last["role"] == "assistant" and not last.get("tool_calls"):
            run(environment._episode.answer(last["content"]))
        record(environment._episode, [*prompt, *completion], step=trainer_state.global_step, sample=sample)
    return [None] * len(environments)


def rows(split, count):
    """Creates the data set: the task of each row. The prompt comes from the server."""
    return [{"prompt": [{"role": "user", "content": ""}], "split": split, "index": index} for index in range(count)]


def create_trainer(model, **settings):
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    usual = {"num_generations": 8, "max_completion_length": 2048, "max_tool_calling_iterations": 8, "max_steps": 100}
    return GRPOTrainer(
        model=model,
        args=GRPOConfig(**{"output_dir": os.environ.get("ORS_RUN", "training"), "seed": 1, **usual, **settings}),
        train_dataset=Dataset.from_list(rows("train", 5000)),
        environment_factory=Countdown,
        reward_funcs=[record_all],
    )


if __name__ == "__main__":
    create_trainer(sys.argv[1]).train()
