"""Serves the environments of the folder `environments` with a Python package, until standard input ends.

    SERVED_BY=openreward EPISODES=episodes.json GRADER_URL=http://127.0.0.1:8000/v1 python serve_environments.py

prints `ready <url>` when it accepts requests. They are written for openreward; ors-sdk serves those that use only what
both packages have.
"""

import importlib
import os
import sys

import author_api
from run_server import run_server

EVERYWHERE = {
    "card_table": "CardTable",
    "climb": "Climb",
    "gallery": "Gallery",
    "petty_cash": "PettyCash",
    "vault": "Vault",
    "workshop": "Workshop",
}
OF_OPENREWARD = {
    "courtroom": "Courtroom",
    "essay": "Essay",
    "haiku": "Haiku",
    "helpdesk": "Helpdesk",
    "kitchen": "Kitchen",
    "slow_lab": "SlowLab",
    "sums": "Sums",
    "timer": "Timer",
}
# A request waits this long for the setup of an episode (25 s by default), then the server answers 503.
SETUP_WAIT_SECONDS = 0.5
RETRY_AFTER_SECONDS = 1


def main():
    names = dict(EVERYWHERE)
    if os.environ["SERVED_BY"] == "openreward":
        import openreward.environments.server as platform

        platform._SETUP_WAIT_TIMEOUT_S = SETUP_WAIT_SECONDS
        platform._SETUP_WAIT_RETRY_AFTER_S = RETRY_AFTER_SECONDS
        names |= OF_OPENREWARD
    else:
        # ors-sdk has its author API under another name.
        sys.modules["openreward.environments"] = importlib.import_module("ors")

    modules = {name: importlib.import_module(f"environments.{name}") for name in names}
    run_server(author_api.Server([getattr(modules[name], names[name]) for name in names]).app)


if __name__ == "__main__":
    main()
