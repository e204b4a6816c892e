"""Writes JavaScript functions, as a model would."""

from player import expect, expect_equal, main, text_of

FUNCTIONS = {
    "add": "function add(a, b) { return a + b }",
    "unique": "const unique = (list) => list.filter((item, index) => list.indexOf(item) === index)",
}


async def javascript(client):
    environment = client.environment("javascript")
    tasks = {task.task_spec["function_name"]: task for task in await environment.list_tasks("train")}
    for name, code in FUNCTIONS.items():
        await submit(environment, tasks[name], code, 1.0)
    await submit(environment, tasks["add"], "function add(a, b) { return 3 }", 0.0)
    await submit(environment, tasks["add"], "function add(a, b) { for (;;) {} }", 0.0)
    await submit(environment, tasks["add"], "this is \u00a0 no code", 0.0)


async def submit(environment, task, code, reward):
    examples = task.task_spec["examples"]
    expect(examples, "the task shows no examples")
    async with environment.session(task) as session:
        output = await session.call_tool("run_examples", {"code": code})
        expect_equal((output.reward, output.finished), (0.0, False), "running the examples")
        expect(text_of(output.blocks), "nothing is told of the examples")
        output = await session.call_tool("submit", {"code": code})
        expect_equal((output.reward, output.finished), (reward, True), f"submitting {code}")


if __name__ == "__main__":
    main(javascript)
