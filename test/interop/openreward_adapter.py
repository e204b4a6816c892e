"""openreward, the platform's client, under the names that the players use."""

import os

# Otherwise it asks a package index for newer versions of itself.
os.environ.setdefault("OPENREWARD_DISABLE_UPDATE_CHECK", "1")

from openreward import AsyncOpenReward, OpenReward
from openreward.api.environments.types import Task
from openreward.api.errors import ToolCallError as ToolCallError
from openreward.api.errors import ToolFailed

# The client deletes the session immediately after an `error` event.
ToolCrash = ToolFailed
SURVIVES_A_CRASH = False

# A session by split and index names its environment, in `env_name` or in the header `X-Deployment`.
NAMES_ENVIRONMENT_BY_INDEX = True


def connect(url):
    point_at(url)
    return AsyncOpenReward()


def connect_blocking(url):
    point_at(url)
    return OpenReward()


def environment(client, name):
    return client.environments.get(name)


def environment_of_collection(client, name):
    """An environment of a Python server, which identifies environments only by the path."""
    return client.environments.get("collection", variant=name)


def routes(client, url, name):
    """The ways to name an environment: the header `X-Deployment` with bare paths, or the path."""
    environments = client.environments
    return {
        "get(name)": environments.get(name),
        "get(owner/name)": environments.get(f"somebody/{name}"),
        "get(NAME)": environments.get(name.upper()),
        "get(name, base_url)": environments.get(name, base_url=url),
        "get(name, base_url/)": environments.get(name, base_url=f"{url}/"),
        "get(other, variant=name)": environments.get("somebody/collection", variant=name),
    }


def inline_task(environment_name, task_spec):
    return Task(server_name=environment_name, environment_name=environment_name, task_spec=task_spec, namespace=None)


def secrets(values):
    """Each secret lists the hosts to which it may be sent."""
    return {name: (value, ["example.org"]) for name, value in values.items()}


async def close(client):
    await client.environments.aclose()


def point_at(url):
    # `base_url` would become api.<host> and sessions.<host>; these two are used unchanged.
    os.environ["OPENREWARD_SESSION_URL"] = url
    os.environ["OPENREWARD_API_URL"] = url
