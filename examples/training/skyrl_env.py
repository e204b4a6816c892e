"""SkyRL: uses an ORS server as a text environment of skyrl-gym.

A row of the data set has the columns `prompt` (a list of messages, such as a system message), `env_class` ("ors"),
`split` and `index`. Register the class in the process that generates:

    skyrl_gym.register(id="ors", entry_point="skyrl_env:OrsEnv")
"""

import json
import re

from episodes import Episode, run
from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput
from traces import record

TOOLS = """You can call these tools:
{tools}
To call one, respond with <tool_call>{{"name": ..., "arguments": {{...}}}}</tool_call>."""
CALL = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)


class OrsEnv(BaseTextEnv):
    """One rollout. SkyRL creates an instance for each, and calls it in a thread of its pool."""

    def __init__(self, env_config=None, extras=None):
        super().__init__()
        self.extras = extras
        self.max_turns = extras.get("max_turns", 10)
        self.episode = Episode(extras["split"], extras["index"])
        self.messages = []

    def init(self, prompt):
        """Opens the episode, and appends its prompt and tools to the messages of the row."""
        text = run(self.episode.open())
        tools = "\n".join(map(json.dumps, run(self.episode.tools())))
        self.messages = [*prompt, {"role": "user", "content": f"{text}\n\n{TOOLS.format(tools=tools)}"}]
        return list(self.messages), {}

    def step(self, action):
        """Runs the calls of a response. The rollout ends with a response without calls, the episode, or max_turns."""
        self.turns += 1
        before = len(self.episode.calls)
        calls = [parse(text) for text in CALL.findall(action)]
        results = [run(self.episode.call(*call)) if len(call) == 2 else call[0] for call in calls]
        if not calls:
            run(self.episode.answer(action))
        self.extras["lost"] = self.episode.failure is not None
        done = not calls or self.episode.over or self.turns >= self.max_turns

        tool_calls = [{"function": {"name": call[0], "arguments": call[1]}} for call in calls if len(call) == 2]
        self.messages.append({"role": "assistant", "content": CALL.sub("", action), "tool_calls": tool_calls})
        observations = [{"role": "tool", "content": result} for result in results]
        self.messages += [message for call, message in zip(calls, observations) if len(call) == 2]
        return BaseTextEnvStepOutput(
            observations=[] if done else observations,
            reward=sum(reward or 0.0 for _, reward in self.episode.calls[before:]),
            done=done,
            metadata={},
        )

    def close(self):
        run(self.episode.close())
        record(self.episode, self.messages, step=self.extras.get("step"), sample=self.extras.get("sample"))

    def get_metrics(self):
        lost = self.episode.failure is not None
        return {"calls": len(self.episode.calls), "finished": self.episode.finished, "lost": lost}


def parse(text):
    """Returns the name and the arguments of a call, or only an error message."""
    try:
        call = json.loads(text)
        return call["name"], dict(call["arguments"])
    except (ValueError, KeyError, TypeError) as error:
        return (f"Error: not a valid tool call: {error!r}",)
