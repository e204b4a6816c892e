"""Tools in the format of each model provider, as the packages convert them."""

from player import expect, expect_equal, main

FORMATS = ("openai", "anthropic", "google", "openrouter")
EXAMPLES = ("countdown", "gsm8k", "maze", "javascript")


async def tool_formats(client):
    environment = client.environment("wire")
    await check(environment, "wire")
    async with environment.session(await environment.get_task("test", 0)) as session:
        await check(session, "an episode of wire")
    for name in EXAMPLES:
        names = [tool.name for tool in await client.environment(name).list_tools()]
        for form in FORMATS:
            converted = await client.environment(name).list_tools(format=form)
            expect_equal([name_of(tool) for tool in converted], names, f"{form} tools of {name}")


async def check(lister, where):
    specs = {tool.name: tool for tool in await lister.list_tools()}
    expect(specs["echo"].description, f"{where}: echo has no description")
    expect_equal(specs["count"].input_schema, None, f"{where}: schema of a tool without parameters")
    expect_equal(specs["echo"].input_schema["required"], ["message"], f"{where}: required parameters of echo")

    for form in FORMATS:
        tools = {name_of(tool): tool for tool in await lister.list_tools(format=form)}
        expect_equal(list(tools), list(specs), f"{where}: names in the format of {form}")
        schema = tools["echo"]["input_schema" if form == "anthropic" else "parameters"]
        expect_equal(schema["type"], "object", f"{where}: type of echo's parameters for {form}")
        expect_equal(schema["properties"]["message"], {"type": "string"}, f"{where}: echo's message for {form}")
        expect_equal(schema["properties"]["times"]["type"], "integer", f"{where}: echo's times for {form}")


def name_of(tool):
    return (tool.get("function") or tool)["name"]


if __name__ == "__main__":
    main(tool_formats)
