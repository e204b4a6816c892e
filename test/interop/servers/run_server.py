"""Common code of the servers of this folder: they print `ready <url>`, and run until standard input ends."""

import os
import socket
import sys
import threading

import uvicorn


def run_server(app):
    # With the protocol set, asyncio disables Nagle's algorithm, which delays small writes.
    listener = socket.socket(proto=socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen(1024)
    threading.Thread(target=end_with_parent, daemon=True).start()
    # Connections from now on wait in the backlog until the server runs.
    print(f"ready http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    # The settings of both packages.
    uvicorn.Server(uvicorn.Config(app, log_level="critical", timeout_keep_alive=60)).run(sockets=[listener])


def end_with_parent():
    """Ends the process when standard input ends, which also happens if the parent is killed."""
    sys.stdin.buffer.read()
    os._exit(0)
