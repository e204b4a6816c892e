"""Reads exports of traces with programs that are not ours: a line `ok <format> <what was read>` or `not ok ...` for each.

The argument is a folder with a file for each format. OpenAI's types and the protobuf messages of OpenTelemetry are those
packages' own. No package for ATIF and none of LLaMA-Factory is here: their rules are written down below from what they
publish (Harbor's RFC 0001 and its pydantic models; SharegptDatasetConverter and FunctionFormatter).
"""

import base64
import json
import re
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from google.protobuf import json_format
from openai.types.chat import ChatCompletionFunctionToolParam, ChatCompletionMessageParam
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, field_validator, model_validator


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def check(condition, what):
    if not condition:
        raise ValueError(what)


# OpenAI

MESSAGE = TypeAdapter(ChatCompletionMessageParam)
TOOL = TypeAdapter(ChatCompletionFunctionToolParam)
# Beyond OpenAI's own types: where servers of open models, and trainers, keep the thoughts of a turn.
EXTENSIONS = {"reasoning_content"}


def exhaust(value):
    """Pydantic looks at the items of an Iterable when they are taken."""
    if isinstance(value, dict):
        return {key: exhaust(item) for key, item in value.items()}
    if isinstance(value, (list, Iterator)) or type(value).__name__ == "ValidatorIterator":
        return [exhaust(item) for item in value]
    return value


def read_openai(path):
    for example in lines_of(path):
        check(set(example) <= {"messages", "tools"}, f"keys {set(example)}")
        open_calls = set()
        for message in example["messages"]:
            known = exhaust(MESSAGE.validate_python(message, strict=False))
            lost = {key for key in message if key not in known} - EXTENSIONS
            check(not lost, f"unknown keys {lost} in a message of {message['role']}")
            if message["role"] == "tool":
                check(message["tool_call_id"] in open_calls, f"a result of no call: {message}")
                open_calls.discard(message["tool_call_id"])
            else:
                open_calls = {call["id"] for call in message.get("tool_calls", [])}
            for call in message.get("tool_calls", []):
                json.loads(call["function"]["arguments"])
        for tool in example.get("tools", []):
            TOOL.validate_python(tool)
    return len(lines_of(path))


# LLaMA-Factory

SIDES = (("human", "observation"), ("gpt", "function_call"))


def read_sharegpt(path):
    taken = 0
    for example in lines_of(path):
        messages = example["conversations"]
        if messages and messages[0]["from"] == "system":
            messages = messages[1:]
        for index, message in enumerate(messages):
            check(message["from"] in SIDES[index % 2], f"place {index} is of {message['from']}")
            check(isinstance(message["value"], str), "a value that is no text")
            if message["from"] == "function_call":
                # As FunctionFormatter takes the thoughts away; the rest must be calls.
                rest = re.sub(r"<think>\n(.*?)\n</think>\n\n", "", message["value"], count=1, flags=re.DOTALL)
                calls = json.loads(rest)
                for call in calls if isinstance(calls, list) else [calls]:
                    check(isinstance(call["name"], str) and isinstance(call["arguments"], dict), f"a call {call}")
        for tool in json.loads(example.get("tools", "[]")):
            check(isinstance(tool["name"], str), f"a tool {tool}")
        answers = [message for message in messages if message["from"] in SIDES[1]]
        check(not answers or len(messages) % 2 == 0, "the last word is not of the model")
        taken += bool(answers)
    return taken


# ATIF


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Agent(Strict):
    name: str
    version: str
    model_name: str | None = None
    tool_definitions: list[dict[str, Any]] | None = None
    extra: dict[str, Any] | None = None


class ImageSource(Strict):
    media_type: Literal["image/jpeg", "image/png", "image/gif", "image/webp"]
    path: str


class TextPart(Strict):
    type: Literal["text"]
    text: str


class ImagePart(Strict):
    type: Literal["image"]
    source: ImageSource


ContentPart = Annotated[TextPart | ImagePart, Field(discriminator="type")]


class ToolCall(Strict):
    tool_call_id: str
    function_name: str
    arguments: dict[str, Any]


class ObservationResult(Strict):
    source_call_id: str | None = None
    content: str | list[ContentPart] | None = None


class Observation(Strict):
    results: list[ObservationResult]


class Step(Strict):
    step_id: int = Field(ge=1)
    timestamp: str | None = None
    source: Literal["system", "user", "agent"]
    model_name: str | None = None
    message: str | list[ContentPart]
    reasoning_content: str | None = None
    tool_calls: list[ToolCall] | None = None
    observation: Observation | None = None
    metrics: dict[str, Any] | None = None
    extra: dict[str, Any] | None = None

    @field_validator("timestamp")
    @classmethod
    def is_iso_8601(cls, timestamp):
        datetime.fromisoformat(timestamp.replace("Z", "+00:00"))
        return timestamp

    @model_validator(mode="after")
    def has_fields_of_its_source(self):
        of_agents = (self.model_name, self.reasoning_content, self.tool_calls, self.metrics)
        check(self.source == "agent" or all(field is None for field in of_agents), "a field of agents only")
        ids = {call.tool_call_id for call in self.tool_calls or []}
        for result in self.observation.results if self.observation else []:
            check(result.source_call_id is None or result.source_call_id in ids, f"a result of no call: {result}")
        return self


class FinalMetrics(Strict):
    total_steps: int | None = None
    extra: dict[str, Any] | None = None


class Trajectory(Strict):
    schema_version: Literal["ATIF-v1.4", "ATIF-v1.5", "ATIF-v1.6"]
    session_id: str
    agent: Agent
    steps: list[Step] = Field(min_length=1)
    final_metrics: FinalMetrics | None = None
    extra: dict[str, Any] | None = None

    @model_validator(mode="after")
    def counts_its_steps(self):
        check([step.step_id for step in self.steps] == list(range(1, len(self.steps) + 1)), "steps out of order")
        return self


def read_atif(path):
    return sum(len(Trajectory.model_validate(document).steps) > 0 for document in lines_of(path))


# OpenTelemetry

CONVENTIONS = {value for key, value in vars(gen_ai_attributes).items() if isinstance(value, str) and key.isupper()}


def with_protobuf_ids(value):
    """OTLP writes ids in hex; protobuf's own JSON has bytes in base64, and is the same in everything else."""
    if isinstance(value, list):
        return [with_protobuf_ids(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: base64.b64encode(bytes.fromhex(item)).decode() if key in ("traceId", "spanId", "parentSpanId")
        else with_protobuf_ids(item)
        for key, item in value.items()
    }


def read_otlp(path):
    count = 0
    for document in lines_of(path):
        request = json_format.Parse(json.dumps(with_protobuf_ids(document)), ExportTraceServiceRequest())
        request = ExportTraceServiceRequest.FromString(request.SerializeToString())
        spans = [span for of in request.resource_spans for scope in of.scope_spans for span in scope.spans]
        ids = {span.span_id for span in spans}
        check(len(ids) == len(spans), "two spans with one id")
        for span in spans:
            check(len(span.trace_id) == 16 and len(span.span_id) == 8, "an id of a wrong length")
            check(not span.parent_span_id or span.parent_span_id in ids, "a parent that is not there")
            check(0 < span.start_time_unix_nano <= span.end_time_unix_nano, "a span that ends before it begins")
            names = {attribute.key for attribute in span.attributes if attribute.key.startswith("gen_ai.")}
            check(names <= CONVENTIONS, f"names that the conventions do not have: {names - CONVENTIONS}")
        check(sum(not span.parent_span_id for span in spans) == 1, "not one root")
        count += 1
    return count


READERS = {
    "openai.jsonl": read_openai,
    "sharegpt.jsonl": read_sharegpt,
    "atif.jsonl": read_atif,
    "otlp.jsonl": read_otlp,
    "jsonl": lambda path: sum("trace" in line for line in lines_of(path)),
}

if __name__ == "__main__":
    for extension, read in READERS.items():
        try:
            print("ok", extension, read(Path(sys.argv[1]) / f"traces.{extension}"))
        except Exception as error:  # each format is read, whatever became of the one before
            print("not ok", extension, f"{type(error).__name__}: {error}".replace("\n", " "))
