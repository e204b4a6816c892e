"""Writes rollouts to a trace store, with the run, the step and the task, so that groups of one task can be compared.

ORS_TRACES_URL is where the store listens; without it nothing is written. ORS_RUN is the name of the run.
"""

import json
import logging
import os
import urllib.request
import uuid

log = logging.getLogger(__name__)


def record(episode, messages, *, step=None, sample=None):
    """Writes a rollout that is over: its messages in the form of OpenAI. A store that fails does not stop a training."""
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
    organization = os.environ.get("ORS_TRACES_ORGANIZATION", "default")
    try:
        send(f"/v1/organizations/{organization}/traces", trace)
        send("/v1/rollouts", {"events": list(events(rollout, messages, episode.calls))})
    except Exception as error:
        log.warning("a rollout of step %s was not recorded: %s", step, error)


def events(rollout, messages, calls):
    """The messages one by one, each result with the reward that its call was given."""
    paid, waiting, index = list(calls), [], 0
    for message in messages:
        parts = []
        if message["role"] == "tool":
            call = waiting.pop(0) if waiting else None
            part = {"type": "tool_result", "callId": call, "content": message["content"]}
            # verl cuts long results, and says so. What a trainer answers by itself is none of the environment's.
            if paid and (paid[0][0] == message["content"] or "(truncated)" in message["content"]):
                part["reward"] = paid.pop(0)[1]
            parts.append(part)
        else:
            parts.append({"type": f"{message['role']}_message", "content": message.get("content") or ""})
        for call in message.get("tool_calls") or []:
            function, call_id = call["function"], f"call_{len(waiting)}_{index}"
            arguments = function["arguments"]
            waiting.append(call_id)
            content = arguments if isinstance(arguments, str) else json.dumps(arguments)
            parts.append({"type": "tool_call", "callId": call_id, "name": function["name"], "content": content})
        for part in parts:
            ids = {"eventType": "message", "eventId": f"{rollout[:24]}_{index}", "rolloutEventId": rollout}
            yield {**ids, "index": index, **part}
            index += 1


def count(value):
    """A number as the store takes it; trainers have numbers of numpy and torch, and some say -1 for none."""
    return None if value is None or value < 0 else int(value)


def send(path, body):
    headers = {"Content-Type": "application/json", "X-API-Key": os.environ.get("ORS_TRACES_API_KEY", "none")}
    url = os.environ["ORS_TRACES_URL"].rstrip("/") + path
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        response.read()
