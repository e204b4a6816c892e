"""Runs a server that was written for ors-sdk with openreward, whose author API has the same names.

    python conformance_of_openreward.py program.py [its arguments]
"""

import importlib
import runpy
import sys

if __name__ == "__main__":
    sys.modules["ors"] = importlib.import_module("openreward.environments")
    del sys.argv[0]
    runpy.run_path(sys.argv[0], run_name="__main__")
