"""ors-sdk, the reference client, under the names that the players use."""

from ors.client import ORS, AsyncORS, Task
from ors.client import ToolCallError as ToolCallError

# An `error` event becomes a plain RuntimeError; the session stays usable.
ToolCrash = RuntimeError
SURVIVES_A_CRASH = True

# A session by split and index does not name its environment, so the server opens its first one.
NAMES_ENVIRONMENT_BY_INDEX = False


def connect(url):
    return AsyncORS(base_url=url)


def connect_blocking(url):
    return ORS(base_url=url)


def environment(client, name):
    return client.environment(name)


def environment_of_collection(client, name):
    """An environment of a server; this package always names it in the path."""
    return client.environment(name)


def routes(client, url, name):
    """The ways to name an environment."""
    return {
        "environment(name)": client.environment(name),
        "environments.get(name, base_url)": client.environments.get(name, base_url=url),
        "environments.get(NAME)": client.environments.get(name.upper()),
    }


def inline_task(environment_name, task_spec):
    return Task(environment_name=environment_name, task_spec=task_spec)


def secrets(values):
    return dict(values)


async def close(client):
    for session in client.environments._clients.values():
        await session.close()
