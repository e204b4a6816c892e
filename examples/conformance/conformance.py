"""The fixture environment `conformance` with ors-sdk, for `ors conformance`.

See docs/development/conformance-fixture.md of ors-kit for each task and tool, and for what ors-sdk does not support.

    pip install ors-sdk==0.1.0
    python conformance.py --port 8080

It prints `ready <url>` when it accepts connections.
"""

import argparse
import asyncio
import functools
import hashlib
import os
import socket
import sys
import time
from collections import Counter
from contextlib import suppress
from typing import Annotated, Any, Literal

# The tools fail on purpose, and the package logs to standard output.
os.environ.setdefault("ORS_LOG_LEVEL", "CRITICAL")

import uvicorn
from ors import Environment, ImageBlock, ListToolsOutput, Server, Split, TextBlock, ToolOutput, ToolSpec, tool
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, Strict, model_validator

POINT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII="

IMAGE_METADATA = {
    "unicode": "snow \u2603 and \U0001f600",
    "deep": {"list": [1, 2.5, None, True, {"empty": []}]},
}

PATTERNS = {
    "ascii": "abcdefghijklmnopqrstuvwxyz0123456789",
    "spaces": " ",
    "prose": "The quick brown fox jumps over the lazy dog. ",
    "emoji": "\U0001f600",
    "mixed": "a\u00e9\u2603\U0001f600\u00a0\u3000 \n",
}

ODD_TEXTS = {
    "nul": "a\u0000b",
    "separators": "a\u2028b\u2029c",
    "crlf": "a\r\nb\rc\n",
    "surrogate": "a\ud800b",
}

# Outputs that the package accepts reach the server; with the others the tool fails.
BAD_OUTPUTS = {
    "no_blocks": lambda: ToolOutput(blocks=[]),
    "nan_reward": lambda: text_output("bad", reward=float("nan")),
    "infinite_reward": lambda: text_output("bad", reward=float("inf")),
    "text_reward": lambda: text_output("bad", reward="1"),
    "unknown_block": lambda: ToolOutput(blocks=[{"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]),
    "no_text": lambda: ToolOutput(blocks=[{"type": "text"}]),
}

COORDINATE = {"type": "number", "minimum": 0, "maximum": 10}
NESTED = {
    "type": "object",
    "properties": {
        "mode": {"enum": ["fast", "slow"]},
        "point": {
            "type": "object",
            "properties": {"x": COORDINATE, "y": COORDINATE},
            "required": ["x", "y"],
            "additionalProperties": False,
        },
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
        "level": {"type": "integer", "minimum": 1, "maximum": 5},
    },
    "required": ["mode", "point"],
}

# Numbers of all episodes, by the keys of their tasks.
setups = Counter()
teardowns = Counter()


def to_integer(value):
    """Converts 1.0 to an integer, as in JSON Schema."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def without_default(schema):
    """Removes the default from the schema of an optional parameter."""
    del schema["default"]


def integer(minimum=None, maximum=None):
    return Annotated[int, Strict(), Field(ge=minimum, le=maximum), BeforeValidator(to_integer)]


Number = Annotated[float, Strict()]
String = Annotated[str, Strict()]
Pattern = Literal[tuple(PATTERNS)]
OddText = Literal[tuple(ODD_TEXTS)]
BadOutput = Literal[tuple(BAD_OUTPUTS)]


class Nothing(BaseModel):
    pass


class Echo(BaseModel):
    text: String
    metadata: Annotated[dict[str, Any], Field(json_schema_extra=without_default)] = None


class Count(BaseModel):
    by: integer() = 1


class Runs(BaseModel):
    tool: String


class Sleep(BaseModel):
    ms: integer(0, 3_600_000)


class Block(BaseModel):
    ms: integer(0, 60_000)


class Big(BaseModel):
    characters: integer(1, 20_000_000)
    pattern: Pattern


class OddTextKind(BaseModel):
    kind: OddText


class Fail(BaseModel):
    message: String = "It failed."


class Crash(BaseModel):
    message: String = "It crashed."
    ms: integer(0, 60_000) = 0


class Reward(BaseModel):
    value: Number | None


class Point(BaseModel):
    model_config = ConfigDict(extra="forbid")
    x: Annotated[Number, Field(ge=0, le=10)]
    y: Annotated[Number, Field(ge=0, le=10)]


class Nested(BaseModel):
    mode: Literal["fast", "slow"]
    point: Point
    tags: Annotated[list[String], Field(max_length=3)] = None
    level: integer(1, 5) = None
    _original: dict[str, Any] = PrivateAttr()

    @model_validator(mode="wrap")
    @classmethod
    def keep_original(cls, value, validate):
        """Keeps the original input."""
        nested = validate(value)
        nested._original = value
        return nested

    @classmethod
    def model_json_schema(cls, *_args, **_options):
        return NESTED


class Secret(BaseModel):
    name: String


class BadOutputKind(BaseModel):
    kind: BadOutput


class Key(BaseModel):
    key: String


def text_output(text, **rest):
    return ToolOutput(blocks=[TextBlock(text=text)], **rest)


def counted(shared=True):
    """Defines a tool that counts its runs."""

    def decorate(run):
        @functools.wraps(run)
        async def counting(self, *params):
            self._runs[run.__name__] += 1
            return await run(self, *params)

        return tool(shared=shared)(counting)

    return decorate


class Conformance(Environment):
    """One tool for each possible defect of a server."""

    def __init__(self, task_spec, secrets):
        super().__init__(task_spec, secrets)
        self._secrets = secrets
        self._runs = Counter()
        self._counter = 0

    @classmethod
    def list_splits(cls):
        return [Split(name="train", type="train"), Split(name="test", type="test"), "hard"]

    @classmethod
    def list_tasks(cls, split):
        extra = {"list": [1, 2.5, None, True, "snow \u2603"]}
        return {
            "train": [{"id": f"train-{index}"} for index in range(3)],
            "test": [],
            "hard": [{"id": f"hard-{index}", "extra": extra} for index in range(5)],
        }[split]

    async def setup(self):
        if "key" in self.task_spec:
            setups[self.task_spec["key"]] += 1
        await asyncio.sleep(self.task_spec.get("setup_ms", 0) / 1000)
        if "setup_fail" in self.task_spec:
            raise RuntimeError(self.task_spec["setup_fail"])

    def teardown(self):
        if "key" in self.task_spec:
            teardowns[self.task_spec["key"]] += 1
            print(f"conformance: teardown {self.task_spec['key']}", file=sys.stderr, flush=True)

    def get_prompt(self):
        if "prompt_fail" in self.task_spec:
            raise RuntimeError(self.task_spec["prompt_fail"])
        title = TextBlock(text=f"Conformance task {self.task_spec.get('id', 'inline')}.")
        if not self.task_spec.get("prompt_image"):
            return [title]
        point = ImageBlock(data=POINT, mimeType="image/png", detail={"alt": "a point"})
        return [title, point, TextBlock(text="Look.")]

    def list_task_tools(self):
        schema = Nothing.model_json_schema()
        return ListToolsOutput(
            tools=[ToolSpec(name="only_here", description=self.only_here.__doc__, input_schema=schema)]
        )

    @counted()
    async def echo(self, params: Echo) -> ToolOutput:
        """Returns the text, and the metadata as metadata."""
        return text_output(params.text, metadata=params.metadata)

    @counted()
    async def count(self, params: Count) -> ToolOutput:
        """Adds to the counter of the episode and returns it."""
        self._counter += params.by
        return text_output(str(self._counter))

    @counted()
    async def runs(self, params: Runs) -> ToolOutput:
        """Returns how many runs of a tool have started in this episode."""
        return text_output(str(self._runs[params.tool]))

    @counted()
    async def sleep(self, params: Sleep) -> ToolOutput:
        """Waits without blocking the server."""
        await asyncio.sleep(params.ms / 1000)
        return text_output("slept")

    @counted()
    async def block(self, params: Block) -> ToolOutput:
        """Blocks its thread for that long."""
        end = time.perf_counter() + params.ms / 1000
        while time.perf_counter() < end:
            pass
        return text_output("blocked")

    @counted()
    async def big(self, params: Big) -> ToolOutput:
        """Returns a text with exactly this number of code points."""
        unit = PATTERNS[params.pattern]
        return text_output((unit * (params.characters // len(unit) + 1))[: params.characters])

    @counted()
    async def odd_text(self, params: OddTextKind) -> ToolOutput:
        """Returns a text that is hard to send."""
        return text_output(ODD_TEXTS[params.kind])

    @counted()
    async def image(self, params: Nothing) -> ToolOutput:
        """Returns an image between two texts, and metadata."""
        point = ImageBlock(data=POINT, mimeType="image/png")
        return ToolOutput(blocks=[TextBlock(text="before"), point, TextBlock(text="after")], metadata=IMAGE_METADATA)

    @counted()
    async def fail(self, params: Fail) -> ToolOutput:
        """Reports a failure that the agent can handle."""
        # The package has no other way to report it.
        raise RuntimeError(params.message)

    @counted()
    async def crash(self, params: Crash) -> ToolOutput:
        """Throws an unexpected error, after this time."""
        await asyncio.sleep(params.ms / 1000)
        raise RuntimeError(params.message)

    @counted()
    async def cancel(self, params: Nothing) -> ToolOutput:
        """Fails like a cancelled task."""
        raise asyncio.CancelledError("It was cancelled.")

    @counted()
    async def reward(self, params: Reward) -> ToolOutput:
        """Returns that reward."""
        return text_output("rewarded", reward=params.value)

    @counted()
    async def finish(self, params: Nothing) -> ToolOutput:
        """Ends the episode with reward 1."""
        return text_output("done", reward=1, finished=True)

    @counted()
    async def noargs(self) -> ToolOutput:
        """Runs without parameters."""
        return text_output("ran")

    @counted()
    async def nested(self, params: Nested) -> ToolOutput:
        """Returns its input as metadata."""
        return text_output("nested", metadata={"input": params._original})

    @counted()
    async def show_task(self, params: Nothing) -> ToolOutput:
        """Returns the whole task as metadata."""
        return text_output(self.task_spec.get("id", "inline"), metadata={"task": self.task_spec})

    @counted()
    async def secret_digest(self, params: Secret) -> ToolOutput:
        """Returns the SHA-256 of a secret of the episode."""
        secret = self._secrets.get(params.name)
        return text_output("none" if secret is None else hashlib.sha256(secret.encode()).hexdigest())

    @counted()
    async def bad_output(self, params: BadOutputKind) -> ToolOutput:
        """Returns an invalid output, which a server must not send."""
        return BAD_OUTPUTS[params.kind]()

    @counted()
    async def lifecycle(self, params: Key) -> ToolOutput:
        """Returns the number of setups and teardowns of episodes with that key."""
        return text_output("counted", metadata={"setups": setups[params.key], "teardowns": teardowns[params.key]})

    @counted(shared=False)
    async def only_here(self, params: Nothing) -> ToolOutput:
        """Exists only as a tool of the task."""
        return text_output("here")


def port(text):
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"invalid port: expected a number from 0 to 65535, got {text}")
    return int(text)


def main():
    parser = argparse.ArgumentParser(
        description="Serves the fixture environment 'conformance' with ors-sdk until it is stopped.",
        epilog="example: python conformance.py --port 8080, then in another terminal: ors conformance http://127.0.0.1:8080",
    )
    parser.add_argument("--port", type=port, default=8080, help="port to listen on; 0 for any free port (default: 8080)")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    options = parser.parse_args()

    # With the protocol set, asyncio disables Nagle's algorithm, which delays small writes.
    listener = socket.socket(proto=socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((options.host, options.port))
    except OSError as error:
        address = f"{options.host}:{options.port}"
        parser.exit(1, f"cannot listen on {address}: {error.strerror}; choose another with --port or --host\n")
    listener.listen(1024)
    # Connections from now on wait in the backlog until the server runs.
    print(f"ready http://{options.host}:{listener.getsockname()[1]}", flush=True)
    # The settings of the package.
    config = uvicorn.Config(Server([Conformance]).app, log_level="critical", timeout_keep_alive=60)
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
