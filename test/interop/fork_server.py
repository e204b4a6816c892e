"""Runs scripts in forks of this process, which imports openreward once: that takes longer than most scripts.

    python fork_server.py <path of a Unix socket>

prints `ready`, and serves fork_client.py, which represents the process of a script, until standard input ends. The first
client waits for the import.
"""

import gc
import json
import os
import runpy
import select
import signal
import socket
import sys
import threading
from contextlib import suppress


def main():
    # Keeps requests whole.
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(sys.argv[1])
    listener.listen(128)
    print("ready", flush=True)
    is_loaded = False
    while True:
        ready, _, _ = select.select([0, listener], [], [])
        if 0 in ready:
            reap()
            return
        connection, _ = listener.accept()
        if not is_loaded:
            load()
            is_loaded = True
        if os.fork() == 0:
            listener.close()
            become_script(connection)
            return
        connection.close()
        reap()


def load():
    """Imports the packages, and all modules of them that scripts need."""
    import openreward  # noqa: F401
    import ors  # noqa: F401

    # Keeps the garbage collector of the forks from visiting them.
    gc.freeze()


def reap():
    """Collects processes that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass


def become_script(connection):
    """Runs the script in a separate process. This one waits for it, reports its exit code, and exits."""
    request, streams, _, _ = socket.recv_fds(connection, 2**20, 3)
    pid = os.fork()
    if pid == 0:
        connection.close()
        run_script(json.loads(request), streams)
        return
    for stream in streams:
        os.close(stream)
    threading.Thread(target=kill_with_client, args=(connection, pid), daemon=True).start()
    _, status = os.waitpid(pid, 0)
    with suppress(OSError):
        connection.send(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def kill_with_client(connection, pid):
    with suppress(OSError):
        connection.recv(1)
    # It may have just ended.
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def run_script(request, streams):
    for fd, stream in enumerate(streams):
        os.dup2(stream, fd)
        os.close(stream)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    # This process compiles the packages' modules for later ones: no compiled files next to the scripts.
    sys.dont_write_bytecode = True
    if not request["arguments"]:
        return
    script, *_ = sys.argv = request["arguments"]
    # As at the start of Python.
    more = os.environ.get("PYTHONPATH")
    sys.path[0:1] = [os.path.dirname(os.path.realpath(script)), *(more.split(os.pathsep) if more else [])]
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main()
