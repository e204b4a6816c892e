"""Logs rollouts with the openreward package, as scripts of OpenReward do: URL of the API, number of messages."""

import json
import os
import sys

url, count = sys.argv[1], int(sys.argv[2])
os.environ["OPENREWARD_API_URL"] = url
os.environ["OPENREWARD_API_KEY"] = "some-key"

from openreward import OpenReward  # noqa: E402
from openreward.models import RolloutInfo, RunInfo  # noqa: E402

client = OpenReward()
ids = []
for number in range(2):
    rollout = client.rollout.create(
        run_name="python-run",
        rollout_name=f"rollout {number}",
        environment="countdown",
        split="test",
        task_spec={"number": number},
        metadata={"seed": number},
        run_info=RunInfo(model_name="some-model", run_type="eval"),
    )
    ids.append(rollout.event_id)
    rollout.log_openai_completions({"role": "system", "content": "You play."})
    rollout.log_openai_completions({"role": "user", "content": "Gö! 🎲"})
    for turn in range(count):
        call = {"name": "look", "arguments": json.dumps({"turn": turn})}
        rollout.log_openai_completions(
            {
                "role": "assistant",
                "content": None if turn % 2 else f"turn {turn}",
                "tool_calls": [{"id": f"call_{turn}", "type": "function", "function": call}],
            }
        )
        rollout.log_openai_completions(
            {"role": "tool", "tool_call_id": f"call_{turn}", "content": f"seen {turn}"},
            reward=0.5,
            is_finished=turn == count - 1,
            rollout_info=RolloutInfo(task_index=number, temperature=0.5) if turn == count - 1 else None,
        )
    rollout.log_anthropic_message(
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "Done."}]}
    )
client.rollout.close()
print(json.dumps(ids))
