"""Plays scripted episodes of the folder `environments` with the loop of the platform's harness scripts.

    python rewards_player.py http://127.0.0.1:8080 openreward async --episodes episodes.json --results results.json

writes the rewards of every episode. scripts.ts describes the file of episodes; scripted-agent.mjs plays the same ones.
"""

import hashlib
import json
import re
from itertools import product
from pathlib import Path

from player import main

AT_ONCE = 50
# The same secret for every environment, as in harness scripts; one environment needs it for its grader.
SECRETS = {"grader_api_key": "key-of-the-grader"}


async def rewards(client, episodes, results):
    scripted = json.loads(Path(episodes).read_text())
    played = []
    for name, tasks in scripted["environments"].items():
        places = [place for index, task in enumerate(tasks) for place in product([index], range(len(task["samples"])))]
        environment = client.environment_of_collection(name)
        specs = await environment.get_task_range("test", 0, len(tasks))

        async def play(place):
            index, sample = place
            async with environment.session(specs[index], secrets=client.secrets(SECRETS)) as session:
                harness = Harness(client, session, tasks[index]["samples"][sample])
                await harness.play(scripted["max_turns"])
            told = {"environment": name, "task": index, "sample": sample, "rewards": harness.rewards}
            return {**told, "answer": harness.answer, "is_graded": harness.is_graded}

        outcomes = await client.each(places, play, at_once=AT_ONCE)
        groups = await score_groups(client, environment, specs, outcomes)
        played += [{**outcome, "group": groups.get(outcome["task"])} for outcome in outcomes]
    Path(results).write_text(json.dumps(played))


class Harness:
    """One episode: the scripted turns of a model, and what the model saw."""

    def __init__(self, client, session, turns):
        self.client = client
        self.session = session
        self.turns = turns
        self.seen = []
        self.images = []
        self.rewards = []
        self.answer = None
        # False if a final message should have been graded, and there was none.
        self.is_graded = True

    async def play(self, max_turns):
        # The first release of the standard has neither conversations nor final messages.
        is_new = hasattr(self.session, "get_messages")
        answer_is_final = is_new and await self.session.is_assistant_message_final()
        self.is_graded = not answer_is_final
        messages = await self.session.get_messages() if is_new else []
        self.replies = sum(message.role == "assistant" for message in messages)
        self.see([block for message in messages for block in message.blocks])
        if not is_new:
            self.see(await self.session.get_prompt())
        tools = [tool.name for tool in await self.session.list_tools()]

        for turn in self.turns[:max_turns]:
            calls = self.fill(turn["calls"])
            if not calls:
                parts = self.fill(turn["text"])
                if answer_is_final:
                    self.answer = "\n".join(parts).strip()
                    self.rewards.append((await self.session.call_terminal_tool(self.answer)).reward)
                    self.is_graded = True
                return
            for call in calls:
                assert call["name"] in tools, f"{call['name']} is not among the tools: {tools}"
                if await self.call(call["name"], call["input"]):
                    return

    async def call(self, name, given):
        """Makes a call, and returns whether the episode is over."""
        try:
            output = await self.session.call_tool(name, given)
        except self.client.adapter.ToolCallError as error:
            self.seen.append(getattr(error, "detail", str(error)))
            return False
        self.rewards.append(output.reward)
        self.see(output.blocks)
        return output.finished

    def see(self, blocks):
        for block in blocks:
            if block.type in ("text", "reasoning"):
                self.seen.append(block.text)
            elif block.type == "image":
                self.images.append(block.data)
            elif block.type == "tool_result":
                self.see(block.blocks)

    def fill(self, value):
        """Returns the value with its placeholders replaced."""
        if isinstance(value, list):
            return [self.fill(item) for item in value]
        if not isinstance(value, dict):
            return value
        if "seen" in value:
            found = re.findall(value["seen"], "\n".join(self.seen))
            return placed(value, found[-1] if found else "nothing")
        if "image" in value:
            return hashlib.sha256(self.images[-1].encode()).hexdigest()
        if "replies" in value:
            return placed(value, str(self.replies))
        return {key: self.fill(item) for key, item in value.items()}


def placed(value, text):
    return int(text) if value.get("number") else value.get("text", "%").replace("%", text)


async def score_groups(client, environment, specs, outcomes):
    """Returns the group rewards of each task, in the order of its samples; None if the judge failed."""
    if len(outcomes) == len(specs):
        return {}
    from openreward import Message, ScoreGroupFailed
    from openreward.api.environments.types import TextBlock

    async def score(index):
        answers = [outcome["answer"] for outcome in outcomes if outcome["task"] == index]
        candidates = [[Message(role="assistant", blocks=[TextBlock(text=answer)])] for answer in answers]
        async with environment.session(specs[index], secrets=client.secrets(SECRETS)) as session:
            try:
                return index, [score.reward for score in await session.score_group(candidates)]
            except ScoreGroupFailed:
                return index, None

    return dict(await client.each(range(len(specs)), score, at_once=AT_ONCE))


if __name__ == "__main__":
    main(rewards, episodes=None, results=None)
