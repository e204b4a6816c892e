"""Serves the environment of the benchmarks with OpenEnv, like the application of its template.

Its functions are asynchronous, so that no step waits for a thread. All settings are the defaults, except that the number
of sessions is not limited to one, and that requests are not logged.
"""

import asyncio
import os
from typing import Literal

import uvicorn
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State

TASK = {"question": "2+2", "answer": "4"}


class BenchAction(Action):
    tool: Literal["submit", "wait", "big"]
    answer: str = ""
    seconds: float = 0
    bytes: int = 0


class BenchObservation(Observation):
    text: str


class BenchEnvironment(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        super().__init__()
        self._state = State(step_count=0)

    async def reset_async(self, seed=None, episode_id=None, **kwargs) -> BenchObservation:
        self._state = State(episode_id=episode_id, step_count=0)
        return BenchObservation(text=TASK["question"])

    async def step_async(self, action: BenchAction, timeout_s=None, **kwargs) -> BenchObservation:
        self._state.step_count += 1
        if action.tool == "submit":
            return BenchObservation(text="Correct!", reward=1)
        if action.tool == "wait":
            await asyncio.sleep(action.seconds)
            return BenchObservation(text="Waited.")
        return BenchObservation(text="x" * action.bytes)

    # The server calls the asynchronous functions if there are any, but these are abstract.
    def reset(self, seed=None, episode_id=None, **kwargs) -> BenchObservation:
        raise NotImplementedError

    def step(self, action, timeout_s=None, **kwargs) -> BenchObservation:
        raise NotImplementedError

    @property
    def state(self) -> State:
        return self._state


app = create_app(
    BenchEnvironment,
    BenchAction,
    BenchObservation,
    env_name="bench",
    max_concurrent_envs=1_000_000,
)

uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
