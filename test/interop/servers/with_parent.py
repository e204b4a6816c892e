"""Runs a program, and ends it when standard input ends, which also happens if the parent is killed.

    python with_parent.py program.py [its arguments]
"""

import os
import runpy
import sys
import threading


def end_with_parent():
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=end_with_parent, daemon=True).start()
    del sys.argv[0]
    runpy.run_path(sys.argv[0], run_name="__main__")
