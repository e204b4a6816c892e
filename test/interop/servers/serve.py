"""Serves countdown, maze and wire with a Python package, until standard input ends.

    SERVED_BY=ors-sdk COUNTDOWN_TASKS=tasks.json python serve.py

prints `ready <url>` when it can be asked.
"""

import os
import socket
import sys
import threading

import uvicorn
from author_api import Server
from countdown import Countdown
from maze import Maze
from wire import Wire

# The platform's server lets a request wait this long for an episode's setup, then answers 503. Here setups take seconds.
SETUP_WAIT_SECONDS = 2


def main():
    if os.environ["SERVED_BY"] == "openreward":
        import openreward.environments.server as platform

        platform._SETUP_WAIT_TIMEOUT_S = SETUP_WAIT_SECONDS

    # Said to be of TCP, or the event loop leaves its small writes waiting for each other.
    listener = socket.socket(proto=socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen(1024)
    threading.Thread(target=end_with_parent, daemon=True).start()
    # Whoever connects from now on is answered as soon as the server runs.
    print(f"ready http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    # As both packages start it themselves.
    config = uvicorn.Config(Server([Countdown, Maze, Wire]).app, log_level="critical", timeout_keep_alive=60)
    uvicorn.Server(config).run(sockets=[listener])


def end_with_parent():
    """Ends the process with standard input, which a parent holds open even if it dies without a word."""
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main()
