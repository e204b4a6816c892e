"""A rollout of a trainer as an episode of an ORS server, over the Python client `openreward`.

ORS_URL is where the server listens, ORS_ENVIRONMENT the environment to train on.
"""

import asyncio
import atexit
import os
import threading
import weakref

from openreward import AsyncOpenReward
from openreward.api.errors import ToolCallError

URL = os.environ.get("ORS_URL", "http://127.0.0.1:8080")
OVER = "The episode is over."
LOST = "The environment failed."
NO_PARAMETERS = {"type": "object", "properties": {}}


class Episode:
    """One session. Only text reaches the model; the rewards stay here.

    A server that fails is no player that fails: then `failure` says why, and `reward` is None instead of 0.
    """

    def __init__(self, split, index):
        self.environment = os.environ.get("ORS_ENVIRONMENT", "countdown")
        self.split, self.index = split, int(index)
        self.calls = []  # of each call that the environment answered: its text and its reward
        self.finished = False
        self.failure = None
        self._session = None

    @property
    def reward(self):
        return None if self.failure else sum(reward or 0.0 for _, reward in self.calls)

    @property
    def over(self):
        return self.finished or self.failure is not None

    async def open(self):
        """Starts the episode and gives its prompt. Raises if there is no server: nothing can be learned then."""
        environment = client().environments.get(self.environment, base_url=URL)
        self._session = environment.session(split=self.split, index=self.index)
        try:
            await self._session.__aenter__()
            return text_of(await self._session.get_prompt())
        except BaseException:
            await self.close()
            raise

    async def tools(self):
        """The tools of this task as functions of OpenAI: name, description and the schema of the parameters."""
        tools = await self._session.list_tools()
        return [
            {"name": tool.name, "description": tool.description, "parameters": tool.input_schema or NO_PARAMETERS}
            for tool in tools
        ]

    async def call(self, name, arguments):
        """Calls a tool and gives what the model reads. The session is deleted as soon as the episode is over."""
        if self.over:
            return LOST if self.failure else OVER
        try:
            output = await self._session.call_tool(name, arguments)
        except Exception as error:
            if is_of_the_model(error):
                return f"Error: {getattr(error, 'detail', None) or getattr(error, 'message', error)}"
            self.failure = error
            await self.close()
            return LOST
        text = text_of(output.blocks)
        self.calls.append((text, output.reward))
        self.finished = output.finished
        if self.finished:
            await self.close()
        return text

    async def close(self):
        """Deletes the session, also in the middle of an episode; may be called twice."""
        session, self._session = self._session, None
        if session is not None:
            await session.__aexit__(None, None, None)


def is_of_the_model(error):
    """Whether another call can do better: the tool refused this one, or the server its arguments."""
    return isinstance(error, ToolCallError) or getattr(error, "status", None) in (400, 413, 422)


def text_of(blocks):
    """What a text model reads: of a picture, its kind."""
    return "\n".join(block.text if block.type == "text" else f"[{block.mimeType}]" for block in blocks)


_clients = weakref.WeakKeyDictionary()


def client():
    """The client of this event loop, to which its connections belong."""
    loop = asyncio.get_running_loop()
    if loop not in _clients:
        _clients[loop] = AsyncOpenReward(api_key=os.environ.get("ORS_API_KEY", ""), base_url=URL)
    return _clients[loop]


async def disconnect():
    await client().environments.aclose()


_lock = threading.Lock()
_loop = None


def run(coroutine):
    """Runs a coroutine for a trainer of plain functions, from any of its threads.

    The loop goes on between the calls, so that sessions are kept alive while the model thinks.
    """
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="episodes", daemon=True).start()
            atexit.register(lambda: run(disconnect()))
    return asyncio.run_coroutine_threadsafe(coroutine, _loop).result()
