"""Prints how each package converts tools to each format: a line `ok <package> <format> <JSON>`.

The argument is the JSON of the tools, as a server lists them.
"""

import json
import sys

from openreward.api.environments.client import convert_tool_response as openreward
from ors.client.environment import convert_tool_response as ors_sdk

PACKAGES = {"ors-sdk": ors_sdk, "openreward": openreward}
FORMATS = ("openai", "openrouter", "anthropic", "google")

if __name__ == "__main__":
    tools = json.loads(sys.argv[1])
    for package, convert in PACKAGES.items():
        for form in FORMATS:
            print("ok", package, form, json.dumps(convert({"tools": tools}, format=form)))
