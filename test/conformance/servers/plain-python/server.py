"""A server of the Open Reward Standard that needs only the standard library, and its API for environments.

    python3 server.py --port 8080
"""

import argparse
import contextlib
import copy
import json
import math
import os
import re
import signal
import sys
import threading
import time
import traceback
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

SESSION_TIMEOUT = 15 * 60.0
RESULT_LINGER = 60.0
PING_INTERVAL = 10.0
CHUNK_SIZE = 4096
# Time for running tools to notice that their episode is over, before teardown runs.
TOOL_GRACE = 5.0
# Time that a delete request waits for teardown, which continues after it.
TEARDOWN_WAIT = 30.0
MAX_BODY = 64 * 1024 * 1024
MAX_DELETED_SESSIONS = 10_000


# ---------------------------------------------------------------------------------------------- JSON and JSON Schema

TYPES: dict[str, Callable[[object], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    # 1.0 is an integer in JSON Schema.
    "integer": lambda value: TYPES["number"](value) and (isinstance(value, int) or value.is_integer()),
}
ANNOTATIONS = {"title", "description", "default", "examples"}
KEYWORDS = {"type", "enum", "properties", "required", "additionalProperties", "items", "maxItems", "minimum", "maximum"}


def check_schema(schema: dict) -> None:
    """Rejects keywords that `violations` ignores, so that no author relies on them."""
    unknown = schema.keys() - KEYWORDS - ANNOTATIONS
    if unknown:
        raise ValueError(f"unsupported keywords in a schema: {', '.join(sorted(unknown))}")
    if not isinstance(schema.get("additionalProperties", True), bool):
        raise ValueError("additionalProperties can only be true or false")
    for part in schema.get("properties", {}).values():
        check_schema(part)
    if "items" in schema:
        check_schema(schema["items"])


def violations(schema: dict, value: object, at: str = "input") -> Iterator[str]:
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(TYPES[name](value) for name in types):
        yield f"{at} must be of type {' or '.join(types)}"
        return
    if "enum" in schema and not any(same_json(value, option) for option in schema["enum"]):
        yield f"{at} must be one of {to_json(schema['enum'])}"
    if TYPES["number"](value):
        if value < schema.get("minimum", value):
            yield f"{at} must be at least {schema['minimum']}"
        if value > schema.get("maximum", value):
            yield f"{at} must be at most {schema['maximum']}"
    if isinstance(value, list):
        if len(value) > schema.get("maxItems", len(value)):
            yield f"{at} must have at most {schema['maxItems']} items"
        for index, item in enumerate(value):
            yield from violations(schema.get("items", {}), item, f"{at}[{index}]")
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value:
                yield f"{at}.{name} is required"
        for name, item in value.items():
            if name in properties:
                yield from violations(properties[name], item, f"{at}.{name}")
            elif not schema.get("additionalProperties", True):
                yield f"{at}.{name} is not known"


def same_json(a: object, b: object) -> bool:
    """Compares JSON values; unlike in Python, true is not 1."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_json, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same_json(a[key], b[key]) for key in a)
    return a == b


def to_json(value: object) -> str:
    # ASCII only: the text can be cut anywhere, has no line separator at which a lenient reader of events might split,
    # and can contain lone surrogates, which UTF-8 cannot.
    return json.dumps(value, allow_nan=False)


def from_json(text: bytes) -> object:
    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refuse)


# ------------------------------------------------------------------------------------------------- API for environments

class ToolError(Exception):
    """A failure of a tool that the agent can handle: it receives the message, and the episode continues."""


class EpisodeOver(Exception):
    """The session was deleted or expired while its environment was working."""


def text_block(text: str, detail: dict | None = None) -> dict:
    return {"text": text, "detail": detail, "type": "text"}


def image_block(data: str, mime_type: str, detail: dict | None = None) -> dict:
    return {"data": data, "mimeType": mime_type, "detail": detail, "type": "image"}


@dataclass
class ToolOutput:
    blocks: list[dict]
    metadata: dict | None = None
    reward: float | None = None
    finished: bool = False

    @classmethod
    def of_text(cls, text: str, **others) -> "ToolOutput":
        return cls([text_block(text)], **others)


@dataclass
class Tool:
    function: Callable
    description: str
    input_schema: dict | None
    shared: bool

    @property
    def spec(self) -> dict:
        return {
            "name": self.function.__name__,
            "description": self.description,
            "input_schema": self.input_schema,
        }


def tool(description: str, input_schema: dict | None, shared: bool = True) -> Callable[[Callable], Tool]:
    """Makes a method a tool. It receives the validated input. Tools that are not shared are listed to sessions only."""
    if input_schema is not None:
        check_schema(input_schema)
    return lambda function: Tool(function, description, input_schema, shared)


def parameters(required: dict | None = None, optional: dict | None = None) -> dict:
    schema = {"type": "object", "properties": {**(required or {}), **(optional or {})}}
    return {**schema, "required": list(required)} if required else schema


class Environment:
    """One episode. Its tools may be called concurrently, each in a separate thread.

    `teardown` runs after every `setup`, including one that failed.
    """

    name: str
    # By name; None means the type that the standard gives to custom splits.
    splits: dict[str, str | None]
    tools: dict[str, Tool]

    def __init_subclass__(cls) -> None:
        cls.tools = {name: value for name, value in vars(cls).items() if isinstance(value, Tool)}

    def __init__(self, task: dict, secrets: dict[str, str]) -> None:
        self.task = task
        self.secrets = secrets
        self.over = threading.Event()

    @classmethod
    def tasks(cls, split: str) -> Sequence[dict]:
        raise NotImplementedError

    def setup(self) -> None:
        pass

    def prompt(self) -> list[dict]:
        raise NotImplementedError

    def call(self, name: str, arguments: dict) -> ToolOutput:
        return self.tools[name].function(self, arguments)

    def teardown(self) -> None:
        pass

    def wait(self, seconds: float) -> None:
        if self.over.wait(seconds):
            raise EpisodeOver


def checked_blocks(blocks: object) -> list[dict]:
    if not isinstance(blocks, list) or not blocks:
        raise ValueError("blocks must be a list that is not empty")
    for block in blocks:
        match block:
            case {"type": "text", "text": str()} | {"type": "image", "data": str(), "mimeType": str()}:
                if not isinstance(block.get("detail"), dict | None):
                    raise ValueError("the detail of a block must be an object")
            case _:
                raise ValueError("a block must be a text with its text or an image with its data and type")
    return blocks


def checked_output(output: object) -> dict:
    if not isinstance(output, ToolOutput):
        raise ValueError("it is no ToolOutput")
    if output.reward is not None and not (TYPES["number"](output.reward) and math.isfinite(output.reward)):
        raise ValueError("the reward must be a finite number")
    if not isinstance(output.finished, bool):
        raise ValueError("finished must be true or false")
    if not isinstance(output.metadata, dict | None):
        raise ValueError("the metadata must be an object")
    return {
        "blocks": checked_blocks(output.blocks),
        "metadata": output.metadata,
        "reward": output.reward,
        "finished": output.finished,
    }


# ------------------------------------------------------------------------------------------------------------ sessions

class HttpError(Exception):
    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = headers or {}


def reason(error: BaseException) -> str:
    return str(error) or type(error).__name__


class Run:
    """A call of a tool. It continues without its connection, so that a client can reconnect for the result."""

    def __init__(self, task_id: str) -> None:
        self.task_id = task_id
        self.done = threading.Event()
        self.done_at = math.inf
        self._lock = threading.Lock()
        self._event = self._data = ""

    def execute(self, environment: Environment, name: str, arguments: dict) -> None:
        try:
            output = environment.call(name, arguments)
        except ToolError as error:
            self.settle("end", to_json({"ok": False, "error": f"Tool '{name}' failed: {reason(error)}"}))
        except EpisodeOver:
            self.settle("error", "The session was deleted")
        except BaseException as error:
            # Including SystemExit: whatever a tool raises, its stream must end.
            traceback.print_exc()
            self.settle("error", f"Tool '{name}' raised {type(error).__name__}: {error}")
        else:
            try:
                self.settle("end", to_json({"ok": True, "output": checked_output(output)}))
            except Exception as error:
                self.settle("error", f"Tool '{name}' returned an invalid output: {reason(error)}")

    def settle(self, event: str, data: str) -> None:
        with self._lock:
            if not self.done.is_set():
                self._event, self._data, self.done_at = event, data, time.monotonic()
                self.done.set()

    def events(self) -> Iterator[bytes]:
        start = 0
        if self._event == "end":
            while len(self._data) - start > CHUNK_SIZE:
                yield sse("chunk", self._data[start:start + CHUNK_SIZE])
                start += CHUNK_SIZE
        yield sse(self._event, self._data[start:])


def sse(event: str, data: str) -> bytes:
    lines = "".join(f"data: {line}\n" for line in re.split(r"\r\n|\r|\n", data))
    return f"event: {event}\n{lines}\n".encode(errors="backslashreplace")


class Session:
    """An episode with its environment. One thread runs setup, waits for the end, and runs teardown."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.open_requests = 0
        self.last_seen = time.monotonic()
        self.torn_down = threading.Event()
        self._lock = threading.Lock()
        self._ready = threading.Event()
        self._failure: str | None = None
        # None: a run whose result has been dropped.
        self._runs: dict[str, Run | None] = {}
        threading.Thread(target=self._live, daemon=True).start()

    def _live(self) -> None:
        try:
            self.environment.setup()
        except BaseException as error:
            if not isinstance(error, EpisodeOver):
                traceback.print_exc()
            self._failure = reason(error)
            self._ready.set()
        else:
            self._ready.set()
            self.environment.over.wait()
            self._finish_runs()
        try:
            self.environment.teardown()
        except BaseException:
            traceback.print_exc()
        self.torn_down.set()

    def _finish_runs(self) -> None:
        with self._lock:
            runs = [run for run in self._runs.values() if run]
        deadline = time.monotonic() + TOOL_GRACE
        for run in runs:
            run.done.wait(max(0.0, deadline - time.monotonic()))
            run.settle("error", "The session was deleted")

    def end(self) -> None:
        with self._lock:
            self.environment.over.set()
        # Requests that wait for setup end now, however long setup still takes.
        self._ready.set()

    def when_ready(self) -> Environment:
        self._ready.wait()
        self._refuse_if_over()
        if self._failure is not None:
            raise HttpError(500, f"Setup failed: {self._failure}")
        return self.environment

    def _refuse_if_over(self) -> None:
        if self.environment.over.is_set():
            raise HttpError(410, "Session was deleted")

    def call(self, name: str, arguments: dict, task_id: str | None) -> Run:
        environment = self.when_ready()
        with self._lock:
            # Checked again: no run may start after the thread of the session has begun to finish them.
            self._refuse_if_over()
            if task_id in self._runs:
                return self._known_run(task_id)
            wanted = environment.tools.get(name)
            if wanted is None:
                raise HttpError(404, f"Tool not found: {name}")
            wrong = "; ".join(violations(wanted.input_schema or {}, arguments))
            if wrong:
                raise HttpError(400, f"Invalid input for tool '{name}': {wrong}")
            run = Run(task_id or uuid.uuid4().hex)
            self._runs[run.task_id] = run
        threading.Thread(target=run.execute, args=(environment, name, arguments), daemon=True).start()
        return run

    def _known_run(self, task_id: str) -> Run:
        run = self._runs[task_id]
        if run is None or time.monotonic() - run.done_at > RESULT_LINGER:
            # A used id does not become free when its result is dropped: the client wants that call, not a second one.
            run = Run(task_id)
            run.settle("error", f"Unknown task_id: {task_id} (results are kept for {RESULT_LINGER:.0f} seconds)")
        return run

    def forget_old_results(self) -> None:
        now = time.monotonic()
        with self._lock:
            for task_id, run in self._runs.items():
                if run and now - run.done_at > RESULT_LINGER:
                    self._runs[task_id] = None

    @contextlib.contextmanager
    def in_use(self) -> Iterator[None]:
        with self._lock:
            self.open_requests += 1
        try:
            yield
        finally:
            with self._lock:
                self.open_requests -= 1
                self.last_seen = time.monotonic()

    @property
    def idle(self) -> float:
        with self._lock:
            return 0.0 if self.open_requests else time.monotonic() - self.last_seen


class Sessions:
    def __init__(self, timeout: float = SESSION_TIMEOUT) -> None:
        self._timeout = timeout
        self._lock = threading.Lock()
        self._live: dict[str, Session] = {}
        self._deleted: dict[str, None] = {}
        self._closed = threading.Event()
        threading.Thread(target=self._look_after, daemon=True).start()

    def create(self, sid: str, make: Callable[[], Environment]) -> None:
        with self._lock:
            if self._closed.is_set():
                raise HttpError(503, "The server is shutting down")
            # An id belongs to one episode: a request with a used id must not reach another episode.
            if sid in self._live or sid in self._deleted:
                raise HttpError(400, "Session already exists")
            self._live[sid] = Session(make())

    def get(self, sid: str | None, status_if_deleted: int = 410) -> Session:
        with self._lock:
            session = self._live.get(self.id(sid))
            if session:
                return session
            if sid in self._deleted:
                raise HttpError(status_if_deleted, "Session was deleted")
            raise HttpError(404, "Session not found")

    @staticmethod
    def id(sid: str | None) -> str:
        if not sid:
            raise HttpError(400, "Missing X-Session-ID header")
        return sid

    def in_use(self, sid: str | None) -> contextlib.AbstractContextManager:
        with self._lock:
            session = self._live.get(sid)
        return session.in_use() if session else contextlib.nullcontext()

    def delete(self, sid: str) -> Session | None:
        with self._lock:
            session = self._live.pop(sid, None)
            if session:
                self._deleted[sid] = None
                if len(self._deleted) > MAX_DELETED_SESSIONS:
                    del self._deleted[next(iter(self._deleted))]
        if session:
            session.end()
        return session

    def close(self) -> None:
        """Ends all sessions, and waits for a limited time until they are torn down and their streams have ended."""
        self._closed.set()
        with self._lock:
            sids = list(self._live)
        sessions = [session for sid in sids if (session := self.delete(sid))]
        deadline = time.monotonic() + TEARDOWN_WAIT
        for session in sessions:
            session.torn_down.wait(max(0.0, deadline - time.monotonic()))
        deadline = time.monotonic() + 1.0
        while any(session.open_requests for session in sessions) and time.monotonic() < deadline:
            time.sleep(0.02)

    def _look_after(self) -> None:
        while not self._closed.wait(min(5.0, self._timeout / 4)):
            with self._lock:
                sessions = list(self._live.items())
            for sid, session in sessions:
                session.forget_old_results()
                if session.idle > self._timeout:
                    self.delete(sid)


# ----------------------------------------------------------------------------------------------------------- endpoints

def integer(body: dict, name: str) -> int | None:
    value = body.get(name)
    if value is None:
        return None
    if not TYPES["integer"](value):
        raise HttpError(400, f"{name} must be an integer")
    return int(value)


def parsed(body: bytes) -> dict:
    try:
        value = from_json(body)
    except (ValueError, RecursionError) as error:
        raise HttpError(400, f"The body is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise HttpError(400, "The body must be a JSON object")
    return value


@dataclass
class Request:
    method: str
    path: str
    sid: str | None
    body: bytes
    env_name: str = ""


class Endpoints:
    """A response: a value that is sent as JSON, or a run whose events are streamed."""

    def __init__(self, environments: list[type[Environment]], sessions: Sessions) -> None:
        self._environments = {environment.name: environment for environment in environments}
        self._sessions = sessions
        self._of_server = {
            "health": ("GET", lambda request: {"status": "ok"}),
            "list_environments": ("GET", lambda request: list(self._environments)),
            "create_session": ("POST", lambda request: {"sid": str(uuid.uuid4())}),
            "create": ("POST", self._create),
            "ping": ("POST", self._ping),
            "delete": ("POST", self._delete),
            "delete_session": ("POST", self._delete_session),
        }
        self._of_environment = {
            "tools": ("GET", self._tools),
            "splits": ("GET", self._splits),
            "tasks": ("POST", self._tasks),
            "num_tasks": ("POST", self._num_tasks),
            "task": ("POST", self._task),
            "task_range": ("POST", self._task_range),
            "task_tools": ("GET", self._task_tools),
            "prompt": ("GET", self._prompt),
            "call": ("POST", self._call),
        }

    def answer(self, request: Request) -> object:
        match [unquote(part) for part in request.path.split("/")[1:]]:
            case [name] if name in self._of_server:
                method, endpoint = self._of_server[name]
            case [env_name, name] if name in self._of_environment:
                method, endpoint = self._of_environment[name]
                request.env_name = env_name
            case [name] if name in self._of_environment and len(self._environments) == 1:
                raise HttpError(307, "Redirected", {"Location": f"/{next(iter(self._environments))}/{name}"})
            case _:
                raise HttpError(404, "Not found")
        if request.method != method:
            raise HttpError(405, "Method not allowed", {"Allow": method})
        return endpoint(request)

    def _environment(self, name: str) -> type[Environment]:
        if name not in self._environments:
            raise HttpError(404, f"Environment not found: {name}")
        return self._environments[name]

    def _tools(self, request: Request) -> object:
        tools = self._environment(request.env_name).tools.values()
        return {"tools": [tool.spec for tool in tools if tool.shared]}

    def _splits(self, request: Request) -> object:
        splits = self._environment(request.env_name).splits
        return [{"name": name, "type": kind or "validation"} for name, kind in splits.items()]

    def _split(self, environment: type[Environment], body: dict) -> Sequence[dict]:
        split = body.get("split")
        if not isinstance(split, str):
            raise HttpError(400, "split must be a string")
        if split not in environment.splits:
            raise HttpError(400, f"Invalid split: {split}")
        return environment.tasks(split)

    def _task_at(self, environment: type[Environment], body: dict) -> dict:
        tasks = self._split(environment, body)
        index = integer(body, "index")
        if index is None:
            raise HttpError(400, "index is required")
        if not 0 <= index < len(tasks):
            raise HttpError(400, f"index {index} is out of range: there are {len(tasks)} tasks")
        return tasks[index]

    def _listed(self, request: Request) -> tuple[Sequence[dict], dict]:
        environment = self._environment(request.env_name)
        body = parsed(request.body)
        return self._split(environment, body), body

    def _tasks(self, request: Request) -> object:
        tasks, _ = self._listed(request)
        return {"tasks": list(tasks), "env_name": request.env_name}

    def _num_tasks(self, request: Request) -> object:
        tasks, _ = self._listed(request)
        return {"num_tasks": len(tasks)}

    def _task(self, request: Request) -> object:
        environment = self._environment(request.env_name)
        return {"task": self._task_at(environment, parsed(request.body))}

    def _task_range(self, request: Request) -> object:
        tasks, body = self._listed(request)
        return {"tasks": list(tasks[integer(body, "start"):integer(body, "stop")])}

    def _create(self, request: Request) -> object:
        sid = self._sessions.id(request.sid)
        body = parsed(request.body)
        env_name, task_spec, secrets = body.get("env_name"), body.get("task_spec"), body.get("secrets")
        if not isinstance(env_name, str | None):
            raise HttpError(400, "env_name must be a string")
        environment = self._environment(next(iter(self._environments)) if env_name is None else env_name)
        by_index = body.get("split") is not None or body.get("index") is not None
        if by_index == (task_spec is not None):
            raise HttpError(400, "Provide either task_spec or both split and index")
        if not isinstance(task_spec, dict | None):
            raise HttpError(400, "task_spec must be an object")
        secrets = {} if secrets is None else secrets
        if not isinstance(secrets, dict) or not all(isinstance(secret, str) for secret in secrets.values()):
            raise HttpError(400, "secrets must be an object of strings")
        # A copy, because an episode may change its task.
        task = copy.deepcopy(self._task_at(environment, body)) if task_spec is None else task_spec
        self._sessions.create(sid, lambda: environment(task, secrets))
        return {"sid": sid}

    def _ping(self, request: Request) -> object:
        self._sessions.get(request.sid, status_if_deleted=404)
        return {"status": "ok"}

    def _delete(self, request: Request) -> object:
        self._sessions.get(request.sid, status_if_deleted=404)
        return self._delete_session(request)

    def _delete_session(self, request: Request) -> object:
        sid = self._sessions.id(request.sid)
        session = self._sessions.delete(sid)
        if session:
            session.torn_down.wait(TEARDOWN_WAIT)
        return {"sid": sid}

    def _task_tools(self, request: Request) -> object:
        environment = self._sessions.get(request.sid).when_ready()
        return {"tools": [tool.spec for tool in environment.tools.values()]}

    def _prompt(self, request: Request) -> object:
        environment = self._sessions.get(request.sid).when_ready()
        try:
            return checked_blocks(environment.prompt())
        except Exception as error:
            traceback.print_exc()
            raise HttpError(500, f"Prompt failed: {reason(error)}") from error

    def _call(self, request: Request) -> Run:
        session = self._sessions.get(request.sid)
        if request.env_name != session.environment.name:
            raise HttpError(404, f"The session is not one of the environment '{request.env_name}'")
        body = parsed(request.body)
        name, arguments, task_id = body.get("name"), body.get("input"), body.get("task_id")
        if not isinstance(name, str):
            raise HttpError(400, "name must be a string")
        if not isinstance(arguments, dict):
            raise HttpError(400, "input must be an object")
        # It is sent back as the data of an event, which cannot be empty or contain line breaks.
        if task_id is not None and not (isinstance(task_id, str) and task_id and task_id.isprintable()):
            raise HttpError(400, "task_id must be a string of printable characters")
        return session.call(name, arguments, task_id)


# ---------------------------------------------------------------------------------------------------------------- HTTP

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 300
    wbufsize = 64 * 1024
    disable_nagle_algorithm = True
    server: "OrsServer"

    def _handle(self) -> None:
        try:
            # Read first, even if it is not used: the next request of the connection follows it.
            body = self._read_body()
            sid = (self.headers.get("X-Session-ID") or "").strip() or None
            with self.server.sessions.in_use(sid):
                answer = self.server.endpoints.answer(Request(self.command, urlsplit(self.path).path, sid, body))
                if isinstance(answer, Run):
                    self._send_stream(answer)
                else:
                    self._send_json(200, answer)
        except HttpError as error:
            self._send_json(error.status, {"detail": error.detail}, error.headers)
        except (ConnectionError, TimeoutError):
            self.close_connection = True
        except Exception:
            traceback.print_exc()
            self.close_connection = True
            self._send_json(500, {"detail": "Internal server error"})

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _handle

    def _read_body(self) -> bytes:
        # If the body is rejected, the start of the next request is unknown.
        keep_open, self.close_connection = self.close_connection, True
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            body = self._read_chunked()
        else:
            body = self._read_exactly(self.headers.get("Content-Length") or "0", 10)
        self.close_connection = keep_open
        return body

    def _read_exactly(self, size: str, base: int, limit: int = MAX_BODY) -> bytes:
        if not re.fullmatch("[0-9]{1,15}" if base == 10 else "[0-9a-fA-F]{1,15}", size):
            raise HttpError(400, "The length of the body is no number")
        length = int(size, base)
        if length > limit:
            raise HttpError(413, f"The body is longer than {MAX_BODY} bytes")
        data = self.rfile.read(length)
        if len(data) < length:
            raise ConnectionAbortedError("the body ended early")
        return data

    def _read_chunked(self) -> bytes:
        body = b""
        while True:
            size = self.rfile.readline(256).decode("latin-1").split(";")[0].strip()
            chunk = self._read_exactly(size, 16, MAX_BODY - len(body))
            if not chunk:
                break
            body += chunk
            self.rfile.readline(3)
        while self.rfile.readline(65536).strip():
            pass
        return body

    def _send_json(self, status: int, value: object, headers: dict[str, str] | None = None) -> None:
        data = to_json(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self._send_headers(headers or {})
        if self.command != "HEAD":
            self.wfile.write(data)

    def _send_stream(self, run: Run) -> None:
        chunked = self.request_version != "HTTP/1.0"
        self.close_connection = self.close_connection or not chunked
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-cache")
        self._send_headers({"Transfer-Encoding": "chunked"} if chunked else {})

        def write(data: bytes) -> None:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data) if chunked else data)

        write(sse("task_id", run.task_id))
        self.wfile.flush()
        while not run.done.wait(PING_INTERVAL):
            write(b": ping\n\n")
            self.wfile.flush()
        for event in run.events():
            write(event)
        if chunked:
            self.wfile.write(b"0\r\n\r\n")
        # Done here, while the session still counts as in use.
        self.wfile.flush()

    def _send_headers(self, headers: dict[str, str]) -> None:
        for name, value in headers.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()

    def handle_expect_100(self) -> bool:
        go_on = super().handle_expect_100()
        self.wfile.flush()
        return go_on

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        self.close_connection = True
        self._send_json(code, {"detail": message or HTTPStatus(code).phrase})

    def version_string(self) -> str:
        return "ors-plain-python"

    def log_message(self, format: str, *args: object) -> None:
        pass


class OrsServer(ThreadingHTTPServer):
    request_queue_size = 1024

    def __init__(self, port: int, environments: list[type[Environment]], timeout: float = SESSION_TIMEOUT) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        # A client that disconnects between select and accept would block all others, and the shutdown.
        self.socket.settimeout(1.0)
        self.sessions = Sessions(timeout)
        self.endpoints = Endpoints(environments, self.sessions)

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


def main() -> None:
    from conformance_environment import Conformance, Words

    options = argparse.ArgumentParser(description="Hosts the environments `conformance` and `words`.")
    options.add_argument("--port", type=int, default=8080, help="0 takes one that is free")
    options.add_argument("--until-stdin-closes", action="store_true", help="end when the standard input is closed")
    arguments = options.parse_args()

    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())

    def read_stdin() -> None:
        # Not through sys.stdin, whose lock this thread would hold when the interpreter exits.
        while os.read(0, 65536):
            pass
        stop.set()

    if arguments.until_stdin_closes:
        threading.Thread(target=read_stdin, daemon=True).start()
    server = OrsServer(arguments.port, [Conformance, Words])
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
    print(f"ready http://127.0.0.1:{server.server_port}", flush=True)
    # A signal that another thread receives is handled when this one wakes, so the wait has a timeout.
    while not stop.wait(0.2):
        pass
    # The process ends, whatever blocks the rest.
    threading.Thread(target=end_after, args=(TEARDOWN_WAIT + 10.0, 1), daemon=True).start()
    server.shutdown()
    server.sessions.close()
    server.server_close()
    sys.stdout.flush()
    sys.stderr.flush()
    # Does not wait for running threads, or for locks that they hold.
    os._exit(0)


def end_after(seconds: float, code: int) -> None:
    time.sleep(seconds)
    os._exit(code)


if __name__ == "__main__":
    # The environments import this module by its name: using that copy keeps each class unique.
    import server as this_module

    this_module.main()
