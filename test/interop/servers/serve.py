"""Serves countdown, maze and wire with a Python package, until standard input ends.

    SERVED_BY=ors-sdk COUNTDOWN_TASKS=tasks.json python serve.py

prints `ready <url>` when it accepts requests.
"""

import os

from author_api import Server
from countdown import Countdown
from maze import Maze
from run_server import run_server
from wire import Wire

# The platform's server lets a request wait this long for an episode's setup, then answers 503. Here setups take seconds.
SETUP_WAIT_SECONDS = 2


def main():
    if os.environ["SERVED_BY"] == "openreward":
        import openreward.environments.server as platform

        platform._SETUP_WAIT_TIMEOUT_S = SETUP_WAIT_SECONDS

    run_server(Server([Countdown, Maze, Wire]).app)


if __name__ == "__main__":
    main()
