"""Writes rollouts to a trace store, with run, step and task, so that the groups of a task can be compared.

ORS_TRACES_URL is the URL of the store; without it nothing is written. ORS_RUN is the name of the run.
"""

import json
import logging
import os
import urllib.request
import uuid

log = logging.getLogger(__name__)


def record(episode, messages, *, step=None, sample=None):
    """Writes a finished rollout, with its messages in the OpenAI format. A failure of the store does not stop training."""
    if "ORS_TRACES_URL" not in os.environ:
        return
    rollout = uuid.uuid4().hex
    trace = {
        "id": f"tr_{rollout}",
        "run": os.environ.get("ORS_RUN", "training"),
        "environment": episode.environment,
        "split": episode.split,
        "task_index": episode.index,
        "step": count(step),
        "rollout_index": count(sample),
        "status": "error" if episode.failure else "finished" if episode.finished else "abandoned",
        "metadata": {"failure": str(episode.failure)} if episode.failure else {},
    }
    if episode.answered:
        name, arguments, result = episode.answered
        call = {"function": {"name": name, "arguments": arguments}}
        messages = [*messages[:-1], {**messages[-1], "tool_calls": [call]}, {"role": "tool", "content": result}]
    organization = os.environ.get("ORS_TRACES_ORGANIZATION", "default")
    try:
        send(f"/v1/organizations/{organization}/traces", trace)
        send("/v1/rollouts", {"events": list(events(rollout, messages, episode.calls))})
    except Exception as error:
        log.warning("a rollout of step %s was not recorded: %s", step, error)


def events(rollout, messages, calls):
    """Yields the messages as events, and each tool result with the reward of its call."""
    results, pending, index = list(calls), [], 0
    for message in messages:
        parts = []
        if message["role"] == "tool":
            call = pending.pop(0) if pending else None
            part = {"type": "tool_result", "callId": call, "content": message["content"]}
            # verl truncates long results. Results of the trainer itself are not from the environment and have no reward.
            if results and (results[0][0] == message["content"] or "(truncated)" in message["content"]):
                part["reward"] = results.pop(0)[1]
            parts.append(part)
        else:
            parts.append({"type": f"{message['role']}_message", "content": message.get("content") or ""})
        for call in message.get("tool_calls") or []:
            function, call_id = call["function"], f"call_{len(pending)}_{index}"
            arguments = function["arguments"]
            pending.append(call_id)
            content = arguments if isinstance(arguments, str) else json.dumps(arguments)
            parts.append({"type": "tool_call", "callId": call_id, "name": function["name"], "content": content})
        for part in parts:
            ids = {"eventType": "message", "eventId": f"{rollout[:24]}_{index}", "rolloutEventId": rollout}
            yield {**ids, "index": index, **part}
            index += 1


def count(value):
    """Converts a number of numpy or torch to an integer; None if it is missing or -1."""
    return None if value is None or value < 0 else int(value)


def send(path, body):
    headers = {"Content-Type": "application/json", "X-API-Key": os.environ.get("ORS_TRACES_API_KEY", "none")}
    url = os.environ["ORS_TRACES_URL"].rstrip("/") + path
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        response.read()
