"""An adapter of the Python clients for `ors conformance-client`; docs/conformance-client.md has the protocol.

    ors conformance-client --command 'python conformance_client_adapter.py ors-sdk async'
"""

import asyncio
import json
import os
import sys
import time
from dataclasses import asdict
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.metadata import version
from unittest.mock import MagicMock

PACKAGE, MODE = sys.argv[1:]


class Unneeded(MetaPathFinder, Loader):
    """Replaces packages that openreward imports only for rollouts, and that take five seconds to load."""

    def find_spec(self, name, path=None, target=None):
        is_unneeded = name.startswith(("anthropic", "openai", "google.genai"))
        return ModuleSpec(name, self, is_package=True) if is_unneeded else None

    def create_module(self, spec):
        return MagicMock()

    def exec_module(self, module):
        pass


if PACKAGE == "openreward":
    sys.meta_path.insert(0, Unneeded())

import aiohttp
from clients import open_client, run

if PACKAGE == "openreward":
    from openreward.api.errors import SessionTerminatedError, ToolCallError, ToolFailed, TransportError

    # Users can distinguish failures by their types, and by the status if there is one.
    KINDS = {
        ToolCallError: "tool_refused",
        ToolFailed: "tool_crashed",
        SessionTerminatedError: "session_lost",
        aiohttp.ClientResponseError: "http",
        TransportError: "gave_up",
        aiohttp.ClientError: "gave_up",
    }
else:
    from ors.client import ToolCallError
    from ors.client._http import HeartbeatTimeoutError, MaxRetriesError
    from ors.client._session import SessionTerminatedError

    # An `error` event is a plain RuntimeError, as is a rejected request: they cannot be distinguished.
    KINDS = {
        ToolCallError: "tool_refused",
        SessionTerminatedError: "session_lost",
        aiohttp.ClientResponseError: "http",
        MaxRetriesError: "gave_up",
        HeartbeatTimeoutError: "gave_up",
        aiohttp.ClientError: "gave_up",
    }


class Adapter:
    def __init__(self, client):
        self.client = client
        self.session = None

    async def hello(self):
        return {"client": f"{PACKAGE} {version(PACKAGE)}, {MODE}"}

    async def discover(self, url, environment):
        found = self._environment(environment)
        return {"splits": await found.list_splits(), "tools": [asdict(tool) for tool in await found.list_tools()]}

    async def open(self, url, environment, task=None, split=None, index=None):
        found = self._environment(environment)
        source = {"split": split, "index": index} if task is None else {"task": self.client.inline_task(environment, task)}
        session = found.session(**source)
        await session.__aenter__()
        self.session = session

    async def prompt(self):
        return [asdict(block) for block in await self.session.get_prompt()]

    async def tools(self):
        return [asdict(tool) for tool in await self.session.list_tools()]

    async def call(self, name, input):
        return asdict(await self.session.call_tool(name, input))

    async def idle(self, ms):
        await pause(ms / 1_000)

    async def close(self):
        await self.session.__aexit__(None, None, None)

    def _environment(self, name):
        if PACKAGE == "ors-sdk":
            return self.client.environment(name)
        # The name alone is a deployment's; its variant is what servers know as an environment.
        return self.client._facing(self.client._inner.environments.get(name, variant=name))


class ExtendedAdapter(Adapter):
    """Has the commands for the extensions of openreward."""

    async def messages(self):
        return [asdict(message) for message in await self.session.get_messages()]

    async def answer(self, text):
        return asdict(await self.session.call_terminal_tool(text))


async def pause(seconds):
    # A blocking program does nothing while its model thinks.
    time.sleep(seconds) if MODE == "sync" else await asyncio.sleep(seconds)


async def next_line():
    return sys.stdin.readline() if MODE == "sync" else await asyncio.to_thread(sys.stdin.readline)


async def obey(adapter, command):
    name, parameters = command.pop("do"), command
    run_command = getattr(adapter, name, None)
    if run_command is None:
        return {"unsupported": True}
    try:
        return {"value": await run_command(**parameters)}
    except Exception as error:
        kind = next((kind for type_, kind in KINDS.items() if isinstance(error, type_)), "other")
        more = {"status": getattr(error, "status", None), "reason": getattr(error, "reason", None)}
        return {"error": {"kind": kind, "message": str(error), **more}}


async def main():
    async with open_client(PACKAGE, MODE, os.environ["ORS_URL"]) as client:
        adapter = (ExtendedAdapter if PACKAGE == "openreward" else Adapter)(client)
        while line := await next_line():
            command = json.loads(line)
            answer = {"id": command.pop("id")}
            print(json.dumps(answer | await obey(adapter, command)), flush=True)


if __name__ == "__main__":
    run(main(), MODE)
