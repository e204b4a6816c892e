"""Plays examples/training against a server, one trainer per process, because each has its own stubs.

    ORS_URL=http://127.0.0.1:8080 ORS_ENVIRONMENT=fragile python training_player.py verl

In task 0 an episode is worth 1.25, in task 1 the first one is lost, in task 2 all are.
"""

import asyncio
import inspect
import sys
import traceback
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "training"))

from episodes import LOST, OVER, Episode, run  # noqa: E402
from player import Unexpected, expect, expect_equal, shortened  # noqa: E402

SUM = {"expression": "1 + 1"}
ANSWERS = [
    'A list of calls.<tool_call>{"name": "look", "arguments": {}}</tool_call>',
    '<tool_call>{"name": "evaluate", "arguments": {"expression": "1 + 1"}}</tool_call>',
    '<tool_call>{"name": "submit", "arguments": {"expression": "1 + 1"}}</tool_call>',
    "Never said.",
]


def trl():
    """Calls an environment in the order in which GRPOTrainer does."""
    from trl_grpo import Countdown, record_all, rows

    tools = [name for name, _ in inspect.getmembers(Countdown, inspect.isfunction) if not name.startswith("_")]
    expect_equal(sorted({*tools} - {"reset", "get_reward"}), ["evaluate", "submit"], "the tools that TRL finds")

    batch = [row for row in rows("train", 3) for _ in range(2)]
    environments = [Countdown() for _ in batch]
    for step in (1, 2):
        prompts, completions = [], []
        for environment, row in zip(environments, batch):
            prompt = environment.reset(**row)
            expect_equal(prompt, f"Task {row['index']}", "the prompt")
            prompts.append([{"role": "user", "content": prompt}])
            completions.append(list(converse(environment)))
        state = SimpleNamespace(global_step=step)
        unpaid = record_all(prompts, completions, environments, trainer_state=state, completion_ids=[])
        expect_equal(unpaid, [None] * 6, "what recording pays")
        rewards = [environment.get_reward() for environment in environments]
        # The first episode of task 1 is lost.
        expect_equal(rewards, [1.25, 1.25, None if step == 1 else 1.25, 1.25, None, None], f"the rewards of step {step}")


def converse(environment):
    for name in ("evaluate", "submit", "submit"):
        call = {"type": "function", "function": {"name": name, "arguments": SUM}}
        yield {"role": "assistant", "content": "", "tool_calls": [call]}
        yield {"role": "tool", "name": name, "content": getattr(environment, name)(**SUM)}


def trl_schemas():
    """The methods of the example describe each tool of `countdown` as the environment does."""
    from trl_grpo import Countdown

    async def tools():
        episode = Episode("test", 0)
        episode.environment = "countdown"
        await episode.open()
        try:
            return await episode.tools()
        finally:
            await episode.close()

    for tool in run(tools()):
        method = getattr(Countdown, tool["name"])
        text = inspect.getdoc(method)
        expect(text.startswith(tool["description"]), f"the docstring of {tool['name']} is not {tool['description']!r}")
        parameters = list(inspect.signature(method).parameters)[1:]
        expect_equal(parameters, list(tool["parameters"]["properties"]), f"the parameters of {tool['name']}")
        for name, schema in tool["parameters"]["properties"].items():
            expect(f"{name}: {schema['description']}" in text, f"{tool['name']} does not say what {name} is")


def trl_spec():
    """Plays the class of TRL for any server; its reward is the last one."""
    from trl.experimental.openreward import OpenRewardSpec

    spec = OpenRewardSpec("http://not-asked.invalid", env_name="fragile")
    environment = spec.environment_factory()
    expect_equal(environment.reset(task_index=0), "Task 0", "the prompt")
    expect_equal(environment.evaluate(**SUM), "go on", "the result of evaluate")
    expect_equal(environment.submit(**SUM), "done", "the result of submit")
    expect_equal((environment.reward, environment.rewards), (1.0, [0.25, 1.0]), "the last reward, and all")
    expect_equal(spec.reward_funcs([environment]), [1.0], "what TRL is given")
    environment._close()


def verl():
    from training_trainers import Script, verl_loop

    async def play(index, sample):
        script = Script(ANSWERS)
        row = {"raw_prompt": [], "extra_info": {"split": "train", "index": index}, "uid": f"task {index}"}
        return script, await verl_loop(script).run({}, **row, session_id=sample, global_steps=1)

    async def all_of_them():
        samples = [(index, sample) for index in range(3) for sample in range(2)]
        return await asyncio.gather(*(play(*each) for each in samples), return_exceptions=True)

    played = run(all_of_them())
    for script, output in played[:4]:
        expect_equal(output.reward_score, 1.25, "the reward")
        spoken = bytes(token for token, mask in zip(output.response_ids, output.response_mask) if mask).decode()
        expect_equal(spoken, "".join(ANSWERS[:3]), "what the model said, and is taught by")
        expect("nothing to see" in bytes(output.response_ids).decode(), "the results are in the response")
        expect('"Pays 0.25."' in script.prompts[0], "the tools are in the prompt")
        expect("Task" in script.prompts[0], "the prompt of the server is in the prompt")
    for error in played[4:]:
        expect(isinstance(error, RuntimeError), f"a lost trajectory raises, not {error!r}")
        expect("failed 3 times" in str(error) and "out of order" in str(error.__cause__), str(error))


def skyrl():
    import skyrl_gym
    from training_trainers import Script, skyrl_generator

    skyrl_gym.register(id="ors", entry_point="skyrl_env:OrsEnv")
    script = Script(ANSWERS)
    ids = [SimpleNamespace(instance_id=str(index), repetition_id=sample) for index in range(3) for sample in range(2)]
    batch = {
        "prompts": [[{"role": "system", "content": "Play."}]] * 6,
        "env_classes": ["ors"] * 6,
        "env_extras": [{"split": "train", "index": int(each.instance_id)} for each in ids],
        "sampling_params": {},
        "trajectory_ids": ids,
        "batch_metadata": SimpleNamespace(global_step=1),
    }
    output = asyncio.run(skyrl_generator(script).generate(batch))

    expect_equal([sum(rewards) for rewards in output["rewards"]], [1.25] * 4 + [0.0] * 2, "the rewards")
    spoken = [
        bytes(token for token, mask in zip(*each) if mask).decode()
        for each in zip(output["response_ids"], output["loss_masks"])
    ]
    expect_equal(spoken, ["".join(ANSWERS[:3])] * 4 + [""] * 2, "what the model is taught by")
    expect("Pays 0.25." in script.prompts[0] and "Task" in script.prompts[0], "the prompt has tools and task")


def skyrl_answers():
    """Plays responses without valid calls on the class that skyrl-gym creates."""
    import skyrl_gym

    skyrl_gym.register(id="ors", entry_point="skyrl_env:OrsEnv")
    for answer, complaint in [
        ("<tool_call>{</tool_call>", "not a valid tool call"),
        ("<tool_call>[]</tool_call>", "not a valid tool call"),
        ('<tool_call>{"name": "look"}</tool_call>', "not a valid tool call"),
        ('<tool_call>{"name": "nothing", "arguments": {}}</tool_call>', "unknown tool"),
        ('<tool_call>{"name": 3, "arguments": {}}</tool_call>', "body.name must be string"),
        ('<tool_call>{"name": "evaluate", "arguments": {"expression": NaN}}</tool_call>', "invalid JSON"),
        ('<tool_call>{"name": "evaluate", "arguments": {"expression": "\\ud800"}}</tool_call>', "surrogate"),
    ]:
        with skyrl_gym.make("ors", extras={"split": "train", "index": 0, "max_turns": 2}) as environment:
            environment.init([])
            first = environment.step(answer)
            expect(complaint in first["observations"][0]["content"], f"{answer}: {first}")
            expect_equal((first["reward"], first["done"]), (0, False), answer)
            last = environment.step(answer)
            expect_equal((last["observations"], last["done"]), ([], True), "the last turn")
            expect_equal(environment.get_metrics(), {"calls": 0, "finished": False, "lost": False}, "the metrics")
            silent = environment.step("No call.")
            expect(silent["done"], "an answer without a call ends the rollout")
    expect_equal(run(Episode("train", 0).close()), None, "closing what was never opened")


FINAL = ['<tool_call>{"name": "look", "arguments": {}}</tool_call>', "<think>How?</think> The end."]


def trl_final():
    from trl_grpo import Countdown, record_all

    environment = Countdown()
    prompt = [{"role": "user", "content": environment.reset("train", 0)}]
    run(environment._episode.call("look", {}))
    call = {"type": "function", "function": {"name": "look", "arguments": {}}}
    completion = [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "name": "look", "content": "nothing to see"},
        {"role": "assistant", "content": FINAL[1]},
    ]
    record_all([prompt], [completion], [environment], trainer_state=SimpleNamespace(global_step=1))
    expect_equal(environment.get_reward(), 1.0, "the reward")


def verl_final():
    from training_trainers import Script, verl_loop

    row = {"raw_prompt": [], "extra_info": {"split": "train", "index": 0}, "uid": "task 0"}
    output = run(verl_loop(Script(FINAL)).run({}, **row, session_id=0, global_steps=1))
    expect_equal(output.reward_score, 1.0, "the reward")


def skyrl_final():
    import skyrl_gym

    skyrl_gym.register(id="ors", entry_point="skyrl_env:OrsEnv")
    with skyrl_gym.make("ors", extras={"split": "train", "index": 0, "max_turns": 3}) as environment:
        environment.init([])
        first, last = environment.step(FINAL[0]), environment.step(FINAL[1])
        expect_equal([(step["reward"], step["done"]) for step in (first, last)], [(0, False), (1.0, True)], "the steps")


def over():
    """A call after the end of the episode returns a message, and no reward."""

    async def play():
        episode = Episode("train", 0)
        await episode.open()
        await episode.call("submit", SUM)
        expect_equal(await episode.call("submit", SUM), OVER, "a call after the end")
        expect_equal(episode.reward, 1.0, "the reward")
        lost = Episode("train", 2)
        await lost.open()
        answers = [await lost.call("evaluate", SUM), await lost.call("look", {})]
        expect_equal(answers, [LOST, LOST], "calls of a lost episode")
        expect_equal((lost.reward, lost.over), (None, True), "a lost episode")
        await lost.close()

    run(play())


def unrecorded():
    """An unreachable trace store does not stop training."""
    import os

    from traces import record

    store = os.environ["ORS_TRACES_URL"]
    os.environ["ORS_TRACES_URL"] = "http://127.0.0.1:9"
    try:
        record(Episode("train", 0), [{"role": "user", "content": "?"}], step=1, sample=0)
    finally:
        os.environ["ORS_TRACES_URL"] = store


if __name__ == "__main__":
    failed = False
    for name in sys.argv[1:]:
        try:
            globals()[name]()
            print(f"ok {name}", flush=True)
        except Exception as error:
            failed = True
            if not isinstance(error, Unexpected):
                traceback.print_exc()
            print(f"not ok {name}: {type(error).__name__}: {shortened(str(error), 2000)}", flush=True)
    sys.exit(1 if failed else 0)
