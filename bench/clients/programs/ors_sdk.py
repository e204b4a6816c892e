"""Plays episodes with the asynchronous client of `ors-sdk`."""

import sys

from jobs import run_jobs
from ors.client import AsyncORS

client = AsyncORS(base_url=sys.argv[1])
run_jobs(lambda: client.environment("bench"))
