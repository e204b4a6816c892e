"""Reads exports of traces with programs that are not ours: a line `ok <format> <what was read>` or `not ok ...` for each.

The argument is a folder with a file for each format. OpenAI's types, axolotl's chat templates, Harbor's models of ATIF,
LLaMA-Factory's reader and the protobuf messages of OpenTelemetry are those packages' own.
"""

import base64
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from google.protobuf import json_format
from harbor.models.trajectories import Trajectory
from openai.types.chat import ChatCompletionFunctionToolParam, ChatCompletionMessageParam
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes
from pydantic import TypeAdapter

from trace_formats_packages import llama_factory, render


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def check(condition, what):
    if not condition:
        raise ValueError(what)


# OpenAI

MESSAGE = TypeAdapter(ChatCompletionMessageParam)
TOOL = TypeAdapter(ChatCompletionFunctionToolParam)
# Not in the types of OpenAI: the field in which servers of open models and trainers keep the reasoning of a turn.
EXTENSIONS = {"reasoning_content"}


def exhaust(value):
    """Reads all items, because Pydantic validates those of an Iterable only when they are read."""
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
        for name in TEMPLATES:
            check_rendered(name, example)
    return len(lines_of(path))


# Three families that accept the same as the API of OpenAI: arguments as text, contents in parts or none.
TEMPLATES = ("gemma4", "jamba", "qwen3")


def check_rendered(name, example):
    """Asserts that a model sees every word and every call, in order."""
    shown = render(name, example)
    place = 0
    for message in example["messages"]:
        for text in [*texts_of(message), *(call["function"]["name"] for call in message.get("tool_calls", []))]:
            place = shown.find(text, place)
            check(place >= 0, f"{name} does not show {text!r} of {message['role']}, or not in its place")
            place += len(text)


def texts_of(message):
    content = message["content"] or ""
    texts = [content] if isinstance(content, str) else [part.get("text", "") for part in content]
    return [text.strip() for text in texts]


# LLaMA-Factory


def read_sharegpt(path):
    reader = llama_factory()
    taken = 0
    for example in lines_of(path):
        messages = example["conversations"]
        reader.warnings.clear()
        read = reader.convert({"tools": "", **example})
        if not any(message["from"] in ("gpt", "function_call") for message in messages):
            check(reader.warnings and not read["_prompt"], "it took an example in which the model says nothing")
            continue
        check(not reader.warnings, f"it warns: {reader.warnings}")
        said = [message["content"] for message in read["_prompt"] + read["_response"]]
        system = [read["_system"]] if messages[0]["from"] == "system" else []
        check(system + said == [message["value"] for message in messages], "it read other words")
        for message in messages:
            if message["from"] == "function_call":
                reader.check_calls(message["value"])
        reader.check_tools(example.get("tools", "[]"))
        taken += 1
    return taken


# ATIF


def read_atif(path):
    steps = 0
    for document in lines_of(path):
        trajectory = Trajectory.model_validate_json(json.dumps(document))
        # Reading loses and changes nothing.
        again = trajectory.model_dump(mode="json", exclude_none=True)
        check(without_nulls(again) == without_nulls(document), "Harbor reads another document")
        steps += len(trajectory.steps)
    return len(lines_of(path)) if steps else 0


def without_nulls(value):
    """Removes fields that are None: Pydantic omits them, except those in `extra`."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


# OpenTelemetry

CONVENTIONS = {value for key, value in vars(gen_ai_attributes).items() if isinstance(value, str) and key.isupper()}


def with_protobuf_ids(value):
    """Converts ids from hex, which OTLP uses, to base64, which the JSON of protobuf uses; everything else is equal."""
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
        except Exception as error:  # a failure of one format must not prevent the others
            print("not ok", extension, f"{type(error).__name__}: {error}".replace("\n", " "))
