"""The environments that the server hosts: `conformance`, to test the protocol with, and the small game `words`."""

import hashlib
import math
import random
import sys
import threading
import time
from collections import Counter
from concurrent.futures import CancelledError

from server import Environment, ToolError, ToolOutput, image_block, parameters, text_block, tool

STRING = {"type": "string"}
INTEGER = {"type": "integer"}

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII="
)
PATTERNS = {
    "ascii": "abcdefghijklmnopqrstuvwxyz0123456789",
    "spaces": " ",
    "prose": "The quick brown fox jumps over the lazy dog. ",
    "emoji": "\U0001F600",
    "mixed": "a\u00E9\u2603\U0001F600\u00A0\u3000 \n",
}
ODD_TEXTS = {
    "nul": "a\0b",
    "separators": "a\u2028b\u2029c",
    "crlf": "a\r\nb\rc\n",
    "surrogate": "a\ud800b",
}
BAD_OUTPUTS = {
    "no_blocks": lambda: ToolOutput([]),
    "nan_reward": lambda: ToolOutput.of_text("bad", reward=math.nan),
    "infinite_reward": lambda: ToolOutput.of_text("bad", reward=math.inf),
    "text_reward": lambda: ToolOutput.of_text("bad", reward="1"),
    "unknown_block": lambda: ToolOutput([{"type": "audio", "text": "bad"}]),
    "no_text": lambda: ToolOutput([{"type": "text"}]),
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
        "tags": {"type": "array", "items": STRING, "maxItems": 3},
        "level": {"type": "integer", "minimum": 1, "maximum": 5},
    },
    "required": ["mode", "point"],
}


class Conformance(Environment):
    name = "conformance"
    splits = {"train": "train", "test": "test", "hard": None}

    _lifecycle_lock = threading.Lock()
    _setups: Counter[str] = Counter()
    _teardowns: Counter[str] = Counter()

    @classmethod
    def tasks(cls, split):
        extra = {"list": [1, 2.5, None, True, "snow \u2603"]}
        return {
            "train": [{"id": f"train-{index}"} for index in range(3)],
            "test": [],
            "hard": [{"id": f"hard-{index}", "extra": extra} for index in range(5)],
        }[split]

    def __init__(self, task, secrets):
        super().__init__(task, secrets)
        self._lock = threading.Lock()
        self._counter = 0
        self._begun: Counter[str] = Counter()

    def _field(self, name, kind):
        """Returns a field of the task; None if it is missing or has another type."""
        value = self.task.get(name)
        return value if isinstance(value, kind) else None

    @property
    def _id(self):
        value = self._field("id", str)
        return "inline" if value is None else value

    def setup(self):
        key = self._field("key", str)
        if key is not None:
            with self._lifecycle_lock:
                self._setups[key] += 1
        self.wait((self._field("setup_ms", (int, float)) or 0) / 1000)
        failure = self._field("setup_fail", str)
        if failure is not None:
            raise RuntimeError(failure)

    def prompt(self):
        failure = self._field("prompt_fail", str)
        if failure is not None:
            raise RuntimeError(failure)
        blocks = [text_block(f"Conformance task {self._id}.")]
        if self.task.get("prompt_image") is True:
            blocks += [image_block(PIXEL, "image/png", {"alt": "a point"}), text_block("Look.")]
        return blocks

    def teardown(self):
        key = self._field("key", str)
        if key is not None:
            with self._lifecycle_lock:
                self._teardowns[key] += 1
            sys.stderr.write(f"conformance: teardown {key}\n")
            sys.stderr.flush()

    def call(self, name, arguments):
        with self._lock:
            self._begun[name] += 1
        return super().call(name, arguments)

    @tool("Gives the text back.", parameters({"text": STRING}, optional={"metadata": {"type": "object"}}))
    def echo(self, arguments):
        return ToolOutput.of_text(arguments["text"], metadata=arguments.get("metadata"))

    @tool("Adds to the counter of the episode.", parameters(optional={"by": {**INTEGER, "default": 1}}))
    def count(self, arguments):
        with self._lock:
            self._counter += int(arguments.get("by", 1))
            return ToolOutput.of_text(str(self._counter))

    @tool("Gives how often a tool has begun to run in this episode.", parameters({"tool": STRING}))
    def runs(self, arguments):
        with self._lock:
            return ToolOutput.of_text(str(self._begun[arguments["tool"]]))

    @tool("Waits.", parameters({"ms": {**INTEGER, "minimum": 0, "maximum": 3_600_000}}))
    def sleep(self, arguments):
        self.wait(arguments["ms"] / 1000)
        return ToolOutput.of_text("slept")

    @tool("Holds its thread.", parameters({"ms": {**INTEGER, "minimum": 0, "maximum": 60_000}}))
    def block(self, arguments):
        time.sleep(arguments["ms"] / 1000)
        return ToolOutput.of_text("blocked")

    @tool("Gives a text of a certain length.", parameters({
        "characters": {**INTEGER, "minimum": 1, "maximum": 20_000_000},
        "pattern": {**STRING, "enum": list(PATTERNS)},
    }))
    def big(self, arguments):
        length, unit = int(arguments["characters"]), PATTERNS[arguments["pattern"]]
        return ToolOutput.of_text((unit * (length // len(unit) + 1))[:length])

    @tool("Gives a text that is hard to send.", parameters({"kind": {**STRING, "enum": list(ODD_TEXTS)}}))
    def odd_text(self, arguments):
        return ToolOutput.of_text(ODD_TEXTS[arguments["kind"]])

    @tool("Gives an image between two texts.", parameters())
    def image(self, arguments):
        return ToolOutput(
            [text_block("before"), image_block(PIXEL, "image/png"), text_block("after")],
            metadata={
                "unicode": "snow \u2603 and \U0001F600",
                "deep": {"list": [1, 2.5, None, True, {"empty": []}]},
            },
        )

    @tool("Reports a failure.", parameters(optional={"message": {**STRING, "default": "It failed."}}))
    def fail(self, arguments):
        raise ToolError(arguments.get("message", "It failed."))

    @tool("Fails unforeseen.", parameters(optional={"message": {**STRING, "default": "It crashed."}}))
    def crash(self, arguments):
        raise RuntimeError(arguments.get("message", "It crashed."))

    @tool("Ends as if it were cancelled.", parameters())
    def cancel(self, arguments):
        raise CancelledError

    @tool("Gives a reward.", parameters({"value": {"type": ["number", "null"]}}))
    def reward(self, arguments):
        return ToolOutput.of_text("rewarded", reward=arguments["value"])

    @tool("Finishes the episode.", parameters())
    def finish(self, arguments):
        return ToolOutput.of_text("done", reward=1.0, finished=True)

    @tool("Takes no parameters.", None)
    def noargs(self, arguments):
        return ToolOutput.of_text("ran")

    @tool("Gives its input as metadata.", NESTED)
    def nested(self, arguments):
        return ToolOutput.of_text("nested", metadata={"input": arguments})

    @tool("Gives the task as metadata.", parameters())
    def show_task(self, arguments):
        return ToolOutput.of_text(self._id, metadata={"task": self.task})

    @tool("Gives the SHA-256 of a secret.", parameters({"name": STRING}))
    def secret_digest(self, arguments):
        secret = self.secrets.get(arguments["name"])
        return ToolOutput.of_text("none" if secret is None else hashlib.sha256(secret.encode()).hexdigest())

    @tool("Returns what may not be sent.", parameters({"kind": {**STRING, "enum": list(BAD_OUTPUTS)}}))
    def bad_output(self, arguments):
        return BAD_OUTPUTS[arguments["kind"]]()

    @tool("Counts the setups and teardowns of a key.", parameters({"key": STRING}))
    def lifecycle(self, arguments):
        key = arguments["key"]
        with self._lifecycle_lock:
            counts = {"setups": self._setups[key], "teardowns": self._teardowns[key]}
        return ToolOutput.of_text("counted", metadata=counts)

    @tool("Is a tool of the task.", parameters(), shared=False)
    def only_here(self, arguments):
        return ToolOutput.of_text("here")


WORDS = {
    "train": """
        anchor basket bridge button candle carpet castle cherry copper cotton desert dragon engine fabric falcon
        forest galaxy garlic hammer harbor island jacket jungle kettle ladder lizard magnet mirror muffin needle
        orchid parrot pebble pillow pocket puzzle rabbit ribbon rocket saddle
    """.split(),
    "test": "temple tunnel velvet walnut window".split(),
    "long": "butterfly crocodile lighthouse strawberry".split(),
}
GUESSES = 3


class Words(Environment):
    """A game: find a word from its shuffled letters, with few guesses. Each revealed letter costs reward."""

    name = "words"
    splits = {"train": "train", "test": "test", "long": None}

    @classmethod
    def tasks(cls, split):
        return [{"word": word} for word in WORDS[split]]

    def setup(self):
        word = self.task.get("word")
        if not isinstance(word, str) or not (word.isascii() and word.isalpha() and word.islower()):
            raise ValueError("A task needs a word of lower-case letters.")
        self._lock = threading.Lock()
        self._word = word
        self._letters = word
        self._revealed: set[int] = set()
        self._guesses_left = GUESSES
        # Seeded by the word, so that an episode can be repeated.
        shuffle = random.Random(word)
        while self._letters == word and len(set(word)) > 1:
            self._letters = "".join(shuffle.sample(word, len(word)))

    def prompt(self):
        return [text_block(
            f"Find the word that has these letters: {' '.join(self._letters)}\n"
            f"You have {GUESSES} guesses. Each letter that you reveal lowers the reward."
        )]

    @tool("Guess the word. It must use each of the given letters once.", parameters({
        "word": {**STRING, "description": "The word, in lower case"},
    }))
    def guess(self, arguments):
        word = arguments["word"]
        if sorted(word) != sorted(self._word):
            raise ToolError(f"'{word}' does not use each of the letters {' '.join(self._letters)} once.")
        with self._lock:
            if self._guesses_left == 0:
                raise ToolError("No guesses are left.")
            if word == self._word:
                self._guesses_left = 0
                reward = 1 - len(self._revealed) / len(word)
                return ToolOutput.of_text("That is the word.", reward=reward, finished=True)
            self._guesses_left -= 1
            if self._guesses_left == 0:
                return ToolOutput.of_text(f"No. The word was '{self._word}'.", reward=0.0, finished=True)
            return ToolOutput.of_text(f"No. Guesses left: {self._guesses_left}.", reward=0.0)

    @tool("Reveal one letter of the word, at the price of some reward.", parameters({
        "position": {**INTEGER, "minimum": 1, "description": "1 is the first letter"},
    }))
    def reveal(self, arguments):
        position = int(arguments["position"])
        if position > len(self._word):
            raise ToolError(f"The word has only {len(self._word)} letters.")
        with self._lock:
            self._revealed.add(position)
        return ToolOutput.of_text(f"Letter {position} is '{self._word[position - 1]}'.", reward=0.0)
