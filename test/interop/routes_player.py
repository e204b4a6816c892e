"""Every way to name server and environment leads to the same task, prompt, tools and calls."""

from player import expect, expect_equal, main, text_of


async def routes(client):
    for name, tool in [("countdown", "evaluate"), ("wire", "echo")]:
        known = await client.environment(name).get_task("test", 1)
        for label, environment in client.routes(name).items():
            await one_route(environment, known.task_spec, tool, f"{name} by {label}")


async def one_route(environment, task_spec, tool, label):
    task = await environment.get_task("test", 1)
    expect_equal(task.task_spec, task_spec, f"task 1 of {label}")
    expect(tool in [each.name for each in await environment.list_tools()], f"{label}: tool {tool} is not listed")

    async with environment.session(task) as session:
        expect(text_of(await session.get_prompt()), f"{label}: the prompt has no text")
        expect(tool in [each.name for each in await session.list_tools()], f"{label}: the session does not list {tool}")
        if tool == "echo":
            output = await session.call_tool("echo", {"message": label})
            expect_equal(text_of(output.blocks), label, f"echo of {label}")


if __name__ == "__main__":
    main(routes)
