"""Plays a rollout of a trainer as an episode of an ORS server, with the Python client `openreward`.

ORS_URL is the URL of the server, and ORS_ENVIRONMENT the environment to train on.
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
    """One session. The model receives only text; the rewards stay here.

    A failure of the server is not a failure of the model: `failure` has the error, and `reward` is None instead of 0.
    """

    def __init__(self, split, index):
        self.environment = os.environ.get("ORS_ENVIRONMENT", "countdown")
        self.split, self.index = split, int(index)
        self.calls = []  # text and reward of each successful call
        self.finished = False
        self.failure = None
        self.answered = None  # name and arguments of the terminal tool, and its result
        self._session = None

    @property
    def reward(self):
        return None if self.failure else sum(reward or 0.0 for _, reward in self.calls)

    @property
    def over(self):
        return self.finished or self.failure is not None

    async def open(self):
        """Starts the episode and returns its prompt. Raises if the server is unreachable: training cannot continue."""
        environment = client().environments.get(self.environment, base_url=URL)
        self._session = environment.session(split=self.split, index=self.index)
        try:
            await self._session.__aenter__()
            return text_of(await self._session.get_prompt())
        except BaseException:
            await self.close()
            raise

    async def tools(self):
        """Returns the tools of this task as OpenAI functions: name, description and JSON Schema of the parameters."""
        tools = await self._session.list_tools()
        return [
            {"name": tool.name, "description": tool.description, "parameters": tool.input_schema or NO_PARAMETERS}
            for tool in tools
        ]

    async def call(self, name, arguments):
        """Calls a tool and returns the text for the model. Deletes the session when the episode ends."""
        if self.over:
            return LOST if self.failure else OVER
        try:
            output = await self._session.call_tool(name, arguments)
        except Exception as error:
            if is_model_error(error):
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

    async def answer(self, message):
        """Submits a response without calls, without its reasoning, if the environment grades it with a terminal tool."""
        if self.over or self._session is None:
            return
        try:
            tool = await self._session.terminal_tool()
        except Exception as error:
            self.failure = error
            await self.close()
            return
        if tool is not None:
            arguments = {} if tool.arg is None else {tool.arg: message.split("</think>")[-1].strip()}
            self.answered = tool.name, arguments, await self.call(tool.name, arguments)

    async def close(self):
        """Deletes the session, even during an episode. Can be called twice."""
        session, self._session = self._session, None
        if session is not None:
            await session.__aexit__(None, None, None)


def is_model_error(error):
    """Returns whether the model can fix the call: the tool rejected it, or the server rejected its arguments."""
    return isinstance(error, ToolCallError) or getattr(error, "status", None) in (400, 413, 422)


def text_of(blocks):
    """Converts blocks to text for the model: an image becomes its media type."""
    return "\n".join(block.text if block.type == "text" else f"[{block.mimeType}]" for block in blocks)


_clients = weakref.WeakKeyDictionary()


def client():
    """Returns the client of this event loop: connections cannot be shared between loops."""
    loop = asyncio.get_running_loop()
    if loop not in _clients:
        _clients[loop] = AsyncOpenReward(api_key=os.environ.get("ORS_API_KEY", ""), base_url=URL)
    return _clients[loop]


async def disconnect():
    await client().environments.aclose()


_lock = threading.Lock()
_loop = None


def run(coroutine):
    """Runs a coroutine for a synchronous trainer, from any thread.

    The event loop keeps running between calls, so that the heartbeats of the sessions continue while the model generates.
    """
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="episodes", daemon=True).start()
            atexit.register(lambda: run(disconnect()))
    return asyncio.run_coroutine_threadsafe(coroutine, _loop).result()
