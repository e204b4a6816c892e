"""Logs unusual values with the openreward package: URL of the API. Prints what the package then reads."""

import io
import json
import os
import sys
from contextlib import redirect_stderr
from dataclasses import asdict

url = sys.argv[1]
os.environ["OPENREWARD_API_URL"] = url
os.environ["OPENREWARD_SESSION_URL"] = url
os.environ["OPENREWARD_API_KEY"] = "some-key"

from openreward import OpenReward  # noqa: E402
from openreward.api.rollouts.serializers.base import AssistantMessage, ToolCall, ToolResult, UserMessage  # noqa: E402
from openreward.models import RolloutInfo, RunInfo  # noqa: E402

errors = io.StringIO()
with redirect_stderr(errors):
    client = OpenReward()
    odd = client.rollout.create(
        run_name="odd-run",
        environment="acme/odd",
        split="test",
        task_spec={"seed": 12345678901234567890, "limit": float("inf")},
        run_info=RunInfo(model_name="some-model"),
    )
    innocent = client.rollout.create(run_name="odd-run", metadata={"innocent": True})
    odd.log(UserMessage("Go."), reward=True, metadata={"nan": float("nan"), "big": 2**63})
    odd.log(ToolCall(name="look", content='{"at": 1}', call_id=None))
    odd.log(ToolCall(name="look", content='{"at": 2}', call_id=None))
    odd.log(ToolResult(content="one", call_id=None), reward=0.25)
    innocent.log(UserMessage("Hello."))
    odd.log(ToolResult(content="two", call_id=None), reward=float("nan"))
    odd.log(
        AssistantMessage("Done."),
        reward=9007199254740993,
        is_finished=1,
        rollout_info=RolloutInfo(task_index=3, current_step=12),
    )
    client.rollout.close()
    environment = client.environments.get("acme/odd")
    difficulty = [asdict(task) for task in environment.get_task_difficulty()]
    secrets = environment.list_required_secrets()
print(
    json.dumps(
        {
            "ids": [odd.event_id, innocent.event_id],
            "difficulty": difficulty,
            "secrets": secrets,
            "stderr": errors.getvalue(),
        }
    )
)
