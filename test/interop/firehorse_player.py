"""Plays tasks of several environments with firehorse, the platform's harness, in this process.

    python firehorse_player.py http://127.0.0.1:8080 results --model http://127.0.0.1:8000/v1 \
        --plain countdown --store http://127.0.0.1:8090 --logged maze

The model has the name of the environment. The platform's API is the server itself, or, for the runs that are logged, the
trace store. firehorse writes its files into the folder of results, by environment.
"""

import argparse
import os
import sys

import openreward_adapter

TASKS = 3


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("results")
    parser.add_argument("--model")
    parser.add_argument("--store")
    parser.add_argument("--plain", nargs="*", default=[])
    parser.add_argument("--logged", nargs="*", default=[])
    chosen = parser.parse_args()
    os.environ["OPENROUTER_API_KEY"] = "key-of-the-model"

    codes = {}
    for name in [*chosen.plain, *chosen.logged]:
        openreward_adapter.point_at(chosen.url)
        if name in chosen.logged:
            os.environ["OPENREWARD_API_URL"] = chosen.store
        codes[name] = play(name, chosen.model, chosen.results, is_logged=name in chosen.logged)
        print(f"ok {name}" if codes[name] == 0 else f"not ok {name}: firehorse ended with {codes[name]}")
    sys.exit(max(codes.values()))


def play(name, model_url, results, is_logged):
    from firehorse.cli import main as firehorse

    # It wants an owner; the server knows an environment by its name alone.
    model = ["--agent", "react", "--model", f"openrouter/{name}", "--provider-url", model_url]
    tasks = ["--env", f"examples/{name}", "--split", "test", "--max-tasks", str(TASKS), "--run-name", f"firehorse-{name}"]
    output = ["--output-dir", os.path.join(results, name), *([] if is_logged else ["--no-logging"])]
    return firehorse([*tasks, *model, *output])


if __name__ == "__main__":
    main()
