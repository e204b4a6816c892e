"""The fixture environment `conformance` over ors-sdk: what `ors conformance` plays to see what a server does.

docs/conformance-fixture.md of ors-kit says what each task and tool does, and what ors-sdk cannot do of it.

    pip install ors-sdk==0.1.0
    python conformance.py --port 8080

It prints `ready <url>` when it can be asked.
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

# The tools fail on purpose. The package writes its log to standard output, where nobody should look for it.
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

# What the package lets through, the server gets; what it refuses to make, the tool fails with.
BAD_OUTPUTS = {
    "no_blocks": lambda: ToolOutput(blocks=[]),
    "nan_reward": lambda: said("bad", reward=float("nan")),
    "infinite_reward": lambda: said("bad", reward=float("inf")),
    "text_reward": lambda: said("bad", reward="1"),
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

# By the keys of tasks, of all episodes that there ever were.
setups = Counter()
teardowns = Counter()


def whole(value):
    """1.0 is an integer, as in JSON Schema."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def without_default(schema):
    """A parameter that may be left out, and then is nothing at all."""
    del schema["default"]


def integer(least=None, most=None):
    return Annotated[int, Strict(), Field(ge=least, le=most), BeforeValidator(whole)]


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
    _came: dict[str, Any] = PrivateAttr()

    @model_validator(mode="wrap")
    @classmethod
    def keep(cls, value, validate):
        """Keeps the input as it came."""
        nested = validate(value)
        nested._came = value
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


def said(text, **rest):
    return ToolOutput(blocks=[TextBlock(text=text)], **rest)


def counted(shared=True):
    """A tool that counts its runs."""

    def decorate(run):
        @functools.wraps(run)
        async def counting(self, *params):
            self._runs[run.__name__] += 1
            return await run(self, *params)

        return tool(shared=shared)(counting)

    return decorate


class Conformance(Environment):
    """One tool for each thing that a server can get wrong."""

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
        """Gives the text back, and the metadata as its metadata."""
        return said(params.text, metadata=params.metadata)

    @counted()
    async def count(self, params: Count) -> ToolOutput:
        """Adds to the episode's counter and gives it."""
        self._counter += params.by
        return said(str(self._counter))

    @counted()
    async def runs(self, params: Runs) -> ToolOutput:
        """Gives how often a tool has begun to run in this episode."""
        return said(str(self._runs[params.tool]))

    @counted()
    async def sleep(self, params: Sleep) -> ToolOutput:
        """Waits without holding the server up."""
        await asyncio.sleep(params.ms / 1000)
        return said("slept")

    @counted()
    async def block(self, params: Block) -> ToolOutput:
        """Holds its thread for that long, as a badly written tool does."""
        end = time.perf_counter() + params.ms / 1000
        while time.perf_counter() < end:
            pass
        return said("blocked")

    @counted()
    async def big(self, params: Big) -> ToolOutput:
        """Gives a text of exactly so many code points."""
        unit = PATTERNS[params.pattern]
        return said((unit * (params.characters // len(unit) + 1))[: params.characters])

    @counted()
    async def odd_text(self, params: OddTextKind) -> ToolOutput:
        """Gives a text that is hard to send."""
        return said(ODD_TEXTS[params.kind])

    @counted()
    async def image(self, params: Nothing) -> ToolOutput:
        """Gives an image between two texts, and metadata."""
        point = ImageBlock(data=POINT, mimeType="image/png")
        return ToolOutput(blocks=[TextBlock(text="before"), point, TextBlock(text="after")], metadata=IMAGE_METADATA)

    @counted()
    async def fail(self, params: Fail) -> ToolOutput:
        """Reports a failure that the player can mend."""
        # The package has no other way to report it.
        raise RuntimeError(params.message)

    @counted()
    async def crash(self, params: Crash) -> ToolOutput:
        """Throws an error that nobody foresaw."""
        raise RuntimeError(params.message)

    @counted()
    async def cancel(self, params: Nothing) -> ToolOutput:
        """Ends as a task does that was cancelled."""
        raise asyncio.CancelledError("It was cancelled.")

    @counted()
    async def reward(self, params: Reward) -> ToolOutput:
        """Gives that reward."""
        return said("rewarded", reward=params.value)

    @counted()
    async def finish(self, params: Nothing) -> ToolOutput:
        """Ends the episode with reward 1."""
        return said("done", reward=1, finished=True)

    @counted()
    async def noargs(self) -> ToolOutput:
        """Runs; takes no parameters at all."""
        return said("ran")

    @counted()
    async def nested(self, params: Nested) -> ToolOutput:
        """Gives its input back as metadata."""
        return said("nested", metadata={"input": params._came})

    @counted()
    async def show_task(self, params: Nothing) -> ToolOutput:
        """Gives the whole task as metadata."""
        return said(self.task_spec.get("id", "inline"), metadata={"task": self.task_spec})

    @counted()
    async def secret_digest(self, params: Secret) -> ToolOutput:
        """Gives the SHA-256 of one of the episode's secrets."""
        secret = self._secrets.get(params.name)
        return said("none" if secret is None else hashlib.sha256(secret.encode()).hexdigest())

    @counted()
    async def bad_output(self, params: BadOutputKind) -> ToolOutput:
        """Returns to the server what no server may pass on."""
        return BAD_OUTPUTS[params.kind]()

    @counted()
    async def lifecycle(self, params: Key) -> ToolOutput:
        """Gives how many episodes with that key were set up and torn down."""
        return said("counted", metadata={"setups": setups[params.key], "teardowns": teardowns[params.key]})

    @counted(shared=False)
    async def only_here(self, params: Nothing) -> ToolOutput:
        """Is a tool of the task."""
        return said("here")


def port(text):
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"must be 0 to 65535, not {text}")
    return int(text)


def main():
    parser = argparse.ArgumentParser(
        description="Serves the fixture environment 'conformance' with ors-sdk, until it is stopped.",
        epilog="example: python conformance.py --port 8080, then in another terminal: ors conformance http://127.0.0.1:8080",
    )
    parser.add_argument("--port", type=port, default=8080, help="where to listen; 0 takes a free port (default: 8080)")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1)")
    options = parser.parse_args()

    # Said to be of TCP, or the event loop leaves its small writes waiting for each other.
    listener = socket.socket(proto=socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((options.host, options.port))
    except OSError as error:
        place = f"{options.host}:{options.port}"
        parser.exit(1, f"cannot listen on {place}: {error.strerror}; choose another with --port or --host\n")
    listener.listen(1024)
    # Whoever connects from now on is answered as soon as the server runs.
    print(f"ready http://{options.host}:{listener.getsockname()[1]}", flush=True)
    # As the package starts it itself.
    config = uvicorn.Config(Server([Conformance]).app, log_level="critical", timeout_keep_alive=60)
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
