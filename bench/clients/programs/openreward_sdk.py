"""Plays with the asynchronous client of `openreward`."""

import os
import sys

from openreward import AsyncOpenReward
from orders import obey_orders

for kind in ("OPENREWARD_URL", "OPENREWARD_API_URL", "OPENREWARD_SESSION_URL"):
    os.environ[kind] = sys.argv[1]
client = AsyncOpenReward()
obey_orders(lambda: client.environments.get("bench"))
