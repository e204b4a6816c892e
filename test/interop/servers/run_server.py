"""What the servers of this folder share: they print `ready <url>`, and run until standard input ends."""

import os
import socket
import sys
import threading

import uvicorn


def run_server(app):
    # Said to be of TCP, or the event loop leaves its small writes waiting for each other.
    listener = socket.socket(proto=socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen(1024)
    threading.Thread(target=end_with_parent, daemon=True).start()
    # Whoever connects from now on is answered as soon as the server runs.
    print(f"ready http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    # As both packages start it themselves.
    uvicorn.Server(uvicorn.Config(app, log_level="critical", timeout_keep_alive=60)).run(sockets=[listener])


def end_with_parent():
    """Ends the process with standard input, which a parent holds open even if it dies without a word."""
    sys.stdin.buffer.read()
    os._exit(0)
