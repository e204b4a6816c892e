"""Runs a script with its arguments in a fork of fork_server.py, with this process's streams and environment variables.

    python -I -S fork_client.py <path of a Unix socket> [script.py ...]

Exits as the script does; without one, when the packages are imported. If this process is killed, the script is killed too.
"""

import json
import os
import socket
import sys

connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
connection.connect(sys.argv[1])
request = {"arguments": sys.argv[2:], "environment": dict(os.environ), "folder": os.getcwd()}
socket.send_fds(connection, [json.dumps(request).encode()], [0, 1, 2])
# Only the script has them open now, so that readers of its output see its end.
for stream in (0, 1, 2):
    os.close(stream)
code = int(connection.recv(100) or b"1")
if code < 0:
    os.kill(os.getpid(), -code)
os._exit(code)
