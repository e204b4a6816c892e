"""Plays episodes with the asynchronous client of `openreward`."""

import os
import sys

from openreward import AsyncOpenReward
from jobs import run_jobs

for kind in ("OPENREWARD_URL", "OPENREWARD_API_URL", "OPENREWARD_SESSION_URL"):
    os.environ[kind] = sys.argv[1]
client = AsyncOpenReward()
run_jobs(lambda: client.environments.get("bench"))
