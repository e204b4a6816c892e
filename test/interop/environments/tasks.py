"""The tasks of every environment, from the file that the variable EPISODES names (scripts.ts writes it)."""

import json
import os
from functools import cache
from pathlib import Path


@cache
def tasks_of(environment):
    episodes = json.loads(Path(os.environ["EPISODES"]).read_text())
    return [task["spec"] for task in episodes["environments"][environment]]
