"""Plays with the asynchronous client of `ors-sdk`."""

import sys

from orders import obey_orders
from ors.client import AsyncORS

client = AsyncORS(base_url=sys.argv[1])
obey_orders(lambda: client.environment("bench"))
