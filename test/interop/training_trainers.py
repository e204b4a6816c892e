"""Runs the real loops of verl and SkyRL without torch and ray, so without learning.

All modules are real except those of STANDING_IN. Tokens are bytes of text, and the responses of the model are scripted.
"""

import asyncio
import importlib
import importlib.machinery
import importlib.util
import json
import re
import sys
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from unittest.mock import MagicMock

STANDING_IN = ["torch", "ray", "transformers", "transformers.utils", "PIL", "omegaconf"]
STANDING_IN += ["loguru", "tqdm", "tqdm.asyncio"]
END = "<|im_end|>"


def stand_in(name, **attributes):
    """Creates a module with only these attributes."""
    module = sys.modules[name] = MagicMock(name=name, **attributes)
    module.__spec__ = importlib.machinery.ModuleSpec(name, None)
    return module


def without_init(name):
    """Makes the modules of a package importable without its `__init__`, which needs torch."""
    top, *inner = name.split(".")
    paths = sys.modules[top].__path__ if top in sys.modules else importlib.util.find_spec(top).submodule_search_locations
    folder = Path(paths[0]).joinpath(*inner)
    if not folder.is_dir():
        raise ImportError(f"{name} is not in its package any more: look how the trainer is made up now")
    module = sys.modules[name] = ModuleType(name)
    module.__path__ = [str(folder)]


class Tokenizer:
    eos_token, eos_token_id = END, 0

    def encode(self, text, **_):
        return list(text.encode())

    def decode(self, tokens):
        return bytes(tokens).decode()

    def apply_chat_template(self, messages, **_):
        return self.encode("".join(json.dumps(message) + "\n" for message in messages))


class Script:
    """Scripted responses of the model, one per turn of a rollout; the last one is repeated."""

    def __init__(self, answers):
        self._answers, self._turns = answers, {}
        self.prompts = []

    def next(self, rollout, prompt):
        self.prompts.append(prompt)
        turn = self._turns[rollout] = self._turns.get(rollout, -1) + 1
        return self._answers[min(turn, len(self._answers) - 1)]


def verl_loop(script):
    """Returns the agent loop of the example; verl creates one for each trajectory."""
    for name in STANDING_IN:
        stand_in(name)
    sys.modules["regex"] = re
    for name in ("verl", "verl.utils", "verl.tools", "verl.workers"):
        without_init(name)
    for name in ("verl.experimental", "verl.experimental.agent_loop"):
        without_init(name)
    stand_in("verl.workers.rollout")
    stand_in("verl.workers.rollout.replica")
    stand_in("verl.utils.ray_utils")
    stand_in("verl.utils.profiler", simple_timer=contextmanager(lambda *_: iter([None])))
    base = {"AgentLoopBase": VerlBase, "AgentLoopOutput": SimpleNamespace, "register": lambda _: lambda loop: loop}
    stand_in("verl.experimental.agent_loop.agent_loop", **base)

    parser = importlib.import_module("verl.experimental.agent_loop.tool_parser").ToolParser
    parser.register("script")(VerlParser)
    return importlib.import_module("verl_agent_loop").OrsAgentLoop(script)


class VerlBase:
    """The tokenizer that a loop of verl receives, with bytes as tokens. It has the methods that ToolAgentLoop calls."""

    def __init__(self, script):
        self.tokenizer, self.processor = Tokenizer(), None
        self.server_manager = SimpleNamespace(generate=self._generate)
        turns = {"max_user_turns": None, "max_assistant_turns": 10, "max_parallel_calls": 4, "format": "script"}
        texts = {"max_tool_response_length": 10_000, "tool_response_truncate_side": "right"}
        multi_turn = SimpleNamespace(**turns, **texts)
        lengths = {"prompt_length": 100_000, "response_length": 100_000}
        self.rollout_config = SimpleNamespace(multi_turn=multi_turn, full_determinism=False, **lengths)
        self._script = script

    async def _generate(self, request_id, prompt_ids, **_):
        text = self._script.next(request_id, self.tokenizer.decode(prompt_ids))
        ids = self.tokenizer.encode(text)
        return SimpleNamespace(token_ids=ids, log_probs=None, num_preempted=None, extra_fields={}, routed_experts=None)

    async def process_multi_modal_info(self, messages):
        return {}

    def _get_mm_processor_kwargs(self, audio_data=None):
        return {}

    def _assert_mm_supported(self, has_multi_modal):
        assert not has_multi_modal

    @staticmethod
    def build_sglang_video_payload(videos, mm_inputs):
        return None

    async def ct_build_initial_tokens(self, messages, tools=None, **_):
        return self.tokenizer.apply_chat_template([*tools, *messages])

    async def ct_merge_assistant_token(self, tokens, answer, mask, logprobs=None, assistant_logprobs=None):
        return SimpleNamespace(token_ids=tokens + answer), mask + [1] * len(answer), logprobs

    async def ct_merge_context_msg(self, before, after, tokens, mask, logprobs=None, tools=None):
        added = self.tokenizer.apply_chat_template(after[len(before) :])
        return SimpleNamespace(token_ids=tokens + added), mask + [0] * len(added), logprobs


class VerlParser:
    """Parses calls in the format of Hermes, as the parser of verl does, but without its threads."""

    stop_token_ids = []

    def __init__(self, tokenizer):
        self._decode = tokenizer.decode

    async def extract_tool_calls(self, tokens, tools=None):
        text = self._decode(tokens)
        call = importlib.import_module("verl.experimental.agent_loop.tool_parser").FunctionCall
        found = [json.loads(match) for match in re.findall("<tool_call>(.*?)</tool_call>", text)]
        return text, [call(name=each["name"], arguments=json.dumps(each["arguments"])) for each in found]


def skyrl_generator(script, max_turns=10):
    """Returns the generator of the example, which plays all rollouts of a batch."""
    for name in STANDING_IN:
        stand_in(name)
    sys.modules["tqdm.asyncio"].tqdm.gather = gather
    for name in ("skyrl", "skyrl.train", "skyrl.train.generators"):
        without_init(name)
    for name in ("skyrl.backends", "skyrl.backends.skyrl_train", "skyrl.backends.skyrl_train.inference_servers"):
        without_init(name)
    stand_in("skyrl.backends.skyrl_train.inference_servers.base", InferenceEngineInput=dict)
    stand_in("skyrl.train.config")
    stand_in(
        "skyrl.train.generators.utils",
        get_custom_chat_template=lambda _: None,
        get_generation_prompt_ids=lambda _: [],
        get_rollout_metrics=lambda *_, **__: {},
    )

    tokenizer = Tokenizer()

    async def generate(batch, model=None):
        (rollout,), (prompt,) = batch["session_ids"], batch["prompt_token_ids"]
        text = script.next(rollout, tokenizer.decode(prompt))
        return {"responses": [text], "response_ids": [tokenizer.encode(text)], "stop_reasons": ["stop"]}

    async def finish_session(rollout):
        script._turns.pop(rollout, None)

    engine = SimpleNamespace(generate=generate, finish_session=finish_session, weight_version=None)
    settings = {"batched": False, "use_conversation_multi_turn": True, "step_wise_trajectories": False}
    names = ["chat_template", "append_eos_token_after_stop_str_in_multi_turn"]
    names += ["apply_overlong_filtering", "use_cache_salt"]
    config = SimpleNamespace(
        **settings,
        **dict.fromkeys(names),
        max_turns=max_turns,
        max_input_length=100_000,
        chat_template_kwargs={},
        zero_reward_on_non_stop=False,
        sampling_params=SimpleNamespace(max_generate_length=100_000),
        inference_engine=SimpleNamespace(enable_return_routed_experts=False),
    )
    example = importlib.import_module("skyrl_generator").OrsGenerator
    return example(config, SimpleNamespace(max_env_workers=8), engine, tokenizer)


async def gather(*tasks, **_):
    return await asyncio.gather(*tasks)
