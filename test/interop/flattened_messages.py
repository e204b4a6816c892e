"""Compares prompts that were flattened by ors-kit with those of openreward: a JSON line [messages, prompt] each."""

import json
import sys

from openreward.environments.types import Message
from openreward.environments.utils import flatten_messages

count = 0
differences = []
for line in open(sys.argv[1], encoding="utf8"):
    messages, prompt = json.loads(line)
    blocks = flatten_messages([Message.model_validate(message) for message in messages])
    expected = json.dumps([block.model_dump() for block in blocks], ensure_ascii=False, separators=(",", ":"))
    count += 1
    if prompt != expected:
        differences.append((prompt, expected))

for ours, theirs in differences[:3]:
    print(f"ours:   {ours}\ntheirs: {theirs}", file=sys.stderr)
print(f"ok flattened {count}" if not differences else f"not ok flattened: {len(differences)} of {count} differ")
