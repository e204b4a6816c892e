"""Parts of packages that are installed without their dependencies: see requirements-alone.txt."""

import importlib
import importlib.util
import json
import sys
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from unittest.mock import MagicMock

from jinja2.sandbox import ImmutableSandboxedEnvironment

# axolotl: the chat templates that it trains with.


def render(name, example):
    """Renders an example as a model sees it."""
    return template(name).render(
        messages=example["messages"], tools=example.get("tools"), add_generation_prompt=False, bos_token="", eos_token=""
    )


@lru_cache
def template(name):
    """A template with the variables that trainers pass to it."""
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = lambda value, **_: json.dumps(value, ensure_ascii=False)
    environment.globals["raise_exception"] = refuse
    environment.globals["strftime_now"] = lambda form: datetime.now().strftime(form)
    path = folder_of("axolotl") / "utils" / "chat_templates" / "templates" / f"{name}.jinja"
    return environment.from_string(path.read_text(encoding="utf-8"))


def refuse(reason):
    raise ValueError(f"the template refuses: {reason}")


def folder_of(package):
    return Path(importlib.util.find_spec(package).origin).parent


# LLaMA-Factory: its reader of ShareGPT, and its conversion of calls and tools to text for a model.

# Imported by these modules, but not used for reading.
ABSENT = ("datasets", "fsspec", "huggingface_hub", "transformers", "transformers.utils")
THOUGHT_WORDS = ("<think>\n", "\n</think>\n\n")


def llama_factory():
    warnings = []
    root = folder_of("llamafactory")
    for name in ABSENT:
        sys.modules.setdefault(name, MagicMock())
    for name in ("llamafactory", "llamafactory.data", "llamafactory.extras"):
        # Their `__init__` modules import everything.
        package = ModuleType(name)
        package.__path__ = [str(root.joinpath(*name.split(".")[1:]))]
        sys.modules[name] = package
    logger = MagicMock(warning_rank0=warnings.append)
    sys.modules["llamafactory.extras.logging"] = MagicMock(get_logger=lambda _: logger)
    for name in ("constants", "misc"):
        sys.modules[f"llamafactory.extras.{name}"] = MagicMock()
    parser, converter, formatter = (
        importlib.import_module(f"llamafactory.data.{name}") for name in ("parser", "converter", "formatter")
    )
    attributes = parser.DatasetAttr("file", "traces", formatting="sharegpt", tools="tools")
    calls = formatter.FunctionFormatter(slots=["{{content}}"], tool_format="qwen")
    tools = formatter.ToolFormatter(tool_format="qwen")

    def check_calls(value):
        """Finds the calls in a function_call, converts them to text, and finds them again in it."""
        [text] = calls.apply(content=value, thought_words=THOUGHT_WORDS)
        listed = json.loads(value.split(THOUGHT_WORDS[1])[-1] if value.startswith(THOUGHT_WORDS[0]) else value)
        expected = [(call["name"], call["arguments"]) for call in (listed if isinstance(listed, list) else [listed])]
        found = calls.tool_utils.tool_extractor(text)
        if [(call.name, json.loads(call.arguments)) for call in found] != expected:
            raise ValueError(f"it reads the calls {found} in {value}")

    def check_tools(value):
        [text] = tools.apply(content=value)
        for tool in json.loads(value):
            if json.dumps(tool["name"]) not in text:
                raise ValueError(f"it does not tell of the tool {tool['name']}")

    return SimpleNamespace(
        convert=converter.SharegptDatasetConverter(attributes, SimpleNamespace(media_dir="")),
        warnings=warnings,
        check_calls=check_calls,
        check_tools=check_tools,
    )
