"""One interface for both packages and their asynchronous and blocking classes, so that a player is written once."""

import asyncio
import importlib
from contextlib import asynccontextmanager

PACKAGES = {"ors-sdk": "ors_sdk_adapter", "openreward": "openreward_adapter"}
MODES = ("async", "sync")


class Client:
    """The client of a package for one server. Environments and sessions keep the method names of the package."""

    def __init__(self, adapter, mode, url, inner):
        self.adapter = adapter
        self.mode = mode
        self.url = url
        self._inner = inner

    def environment(self, name):
        return self._facing(self.adapter.environment(self._inner, name))

    def environment_of_collection(self, name):
        """An environment of a Python server that has several."""
        return self._facing(self.adapter.environment_of_collection(self._inner, name))

    def routes(self, name):
        """The ways in which the package can name an environment, by label."""
        ways = self.adapter.routes(self._inner, self.url, name)
        return {label: self._facing(environment) for label, environment in ways.items()}

    def inline_task(self, environment_name, task_spec):
        return self.adapter.inline_task(environment_name, task_spec)

    def secrets(self, values):
        return self.adapter.secrets(values)

    async def each(self, items, play, at_once=1):
        """Plays every item and returns the results in order; `at_once` episodes at a time if the mode allows it."""
        if self.mode == "sync":
            return [await play(item) for item in items]
        places = asyncio.Semaphore(at_once)

        async def wait_and_play(item):
            async with places:
                return await play(item)

        return await asyncio.gather(*map(wait_and_play, items))

    def _facing(self, environment):
        return BlockingEnvironment(environment) if self.mode == "sync" else environment


class Blocking:
    """A blocking object whose methods can be awaited; they run synchronously."""

    def __init__(self, inner):
        self._inner = inner

    def __getattr__(self, name):
        method = getattr(self._inner, name)

        async def call(*args, **kwargs):
            return method(*args, **kwargs)

        return call


class BlockingEnvironment(Blocking):
    def session(self, *args, **kwargs):
        return BlockingSession(self._inner.session(*args, **kwargs))


class BlockingSession(Blocking):
    @property
    def sid(self):
        return self._inner.sid

    async def __aenter__(self):
        self._inner.__enter__()
        return self

    async def __aexit__(self, *exception):
        self._inner.__exit__(*exception)


@asynccontextmanager
async def open_client(package, mode, url):
    adapter = importlib.import_module(PACKAGES[package])
    if mode == "sync":
        with adapter.connect_blocking(url) as inner:
            yield Client(adapter, mode, url, inner)
        return
    inner = adapter.connect(url)
    try:
        yield Client(adapter, mode, url, inner)
    finally:
        await adapter.close(inner)


def run(coroutine, mode):
    """Runs a player. With blocking classes it never waits, and must run without an event loop."""
    if mode == "async":
        return asyncio.run(coroutine)
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise RuntimeError("A player waited for something that is not the client.")
