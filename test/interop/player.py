"""Common code of all players: expectations and the command line.

    python countdown_player.py http://127.0.0.1:8080 ors-sdk async

prints `ok countdown` or `not ok countdown: <what was wrong>`, and exits with 1 if anything was wrong.
"""

import argparse
import logging
import sys
import traceback

from clients import MODES, PACKAGES, open_client, run


class Unexpected(Exception):
    """The server, or the client in front of it, misbehaved; the message says how."""


def expect(condition, message):
    if not condition:
        raise Unexpected(message)


def expect_equal(actual, expected, what):
    expect(actual == expected, f"{what}: expected {shortened(expected)}, got {shortened(actual)}")


async def expect_raises(kind, awaitable, *words):
    """Expects an exception of this type whose text contains all the words, and returns its text."""
    try:
        result = await awaitable
    except kind as error:
        missing = [word for word in words if word not in str(error)]
        expect(not missing, f"{type(error).__name__} does not say {missing}: {shortened(str(error))}")
        return str(error)
    raise Unexpected(f"expected {kind.__name__}, got {shortened(result)}")


def text_of(blocks):
    return "\n".join(block.text for block in blocks if block.type == "text")


def shortened(value, limit=300):
    shown = ascii(value)
    return shown if len(shown) <= limit else f"{shown[:limit]}... ({len(shown)} characters)"


def main(*players, **options):
    """Plays each coroutine function `<subject>(client, **options)` with the package and mode of the command line."""
    chosen, given = arguments(**options)
    sys.exit(0 if all([play(player, chosen, given) for player in players]) else 1)


def arguments(**options):
    """Reads the command line: the arguments of every player, and the values of `options`, which have defaults."""
    parser = argparse.ArgumentParser(description="Plays a served environment with a Python client.")
    parser.add_argument("url", help="where the server listens, such as http://127.0.0.1:8080")
    parser.add_argument("package", choices=PACKAGES)
    parser.add_argument("mode", choices=MODES)
    for name, default in options.items():
        parser.add_argument(f"--{name}", default=default)
    chosen = parser.parse_args()
    return chosen, {name: getattr(chosen, name) for name in options}


class PingWatch(logging.Handler):
    """Collects what openreward logs about failed pings: it abandons a session only after five of them."""

    def __init__(self):
        super().__init__()
        self.failures = []

    def emit(self, record):
        if record.msg.startswith("Ping failed"):
            self.failures.append(record.getMessage())


def play(player, chosen, given):
    """Plays with a new client; prints the result, and returns whether everything was right."""
    pings = PingWatch()
    logging.getLogger("openreward").addHandler(pings)

    async def playing():
        async with open_client(chosen.package, chosen.mode, chosen.url) as client:
            await player(client, **given)

    try:
        run(playing(), chosen.mode)
        expect(not pings.failures, f"pings failed: {pings.failures}")
    except Exception as error:
        # Only unexpected errors need a stack trace.
        if not isinstance(error, Unexpected):
            traceback.print_exc()
        print(f"not ok {player.__name__}: {type(error).__name__}: {shortened(str(error), 2000)}", flush=True)
        return False
    print(f"ok {player.__name__}", flush=True)
    return True
