"""Sends bodies over the limit with the standard library, which reads a response only after it has sent the whole body.

Arguments: the URL to send to, and the size of the body in bytes.
"""

import http.client
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from urllib.parse import urlsplit

ATTEMPTS = 4
HEADERS = {"Content-Type": "application/json"}


def with_urllib(url: str, size: int) -> int:
    request = urllib.request.Request(url, data=b" " * size, headers=HEADERS, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


def with_http_client(url: str, size: int, chunked: bool = False) -> int:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
    body = (b" " * 65536 for _ in range(size // 65536)) if chunked else b" " * size
    try:
        connection.request("POST", parts.path, body, HEADERS)
        return connection.getresponse().status
    finally:
        connection.close()


def play(subject: str, send: Callable[[], int]) -> None:
    try:
        statuses = [send() for _ in range(ATTEMPTS)]
    except OSError as error:
        print(f"not ok {subject}: {error!r}")
        return
    print(f"ok {subject}" if statuses == [413] * ATTEMPTS else f"not ok {subject}: {statuses}")


url, size = sys.argv[1], int(sys.argv[2])
play("urllib", lambda: with_urllib(url, size))
play("http_client", lambda: with_http_client(url, size))
play("http_client_in_chunks", lambda: with_http_client(url, size, chunked=True))
