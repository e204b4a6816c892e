"""Plays a conversation and submits its final message with the client of openreward, on any server of the quiz."""

from player import expect_equal, expect_raises, main

ROLES = ["system", "user", "assistant", "user"]
TYPES = [["text"], ["text"], ["reasoning", "text", "tool_call"], ["tool_result", "text"]]


async def quiz(client):
    environment = client.environment("quiz")
    task = await environment.get_task("train", 0)
    async with environment.session(task) as session:
        messages = await session.get_messages()
        expect_equal([message.role for message in messages], ROLES, "the roles")
        expect_equal([[block.type for block in message.blocks] for message in messages], TYPES, "the blocks")
        expect_equal(messages[3].blocks[0].tool_call_id, messages[2].blocks[2].id, "the id of the result")
        tools = [spec.name for spec in await session.list_tools()]
        expect_equal(tools, ["look_up"], "the tools")
        terminal = await session.terminal_tool()
        expect_equal((terminal.name, terminal.arg), ("grade", "answer"), "the terminal tool")
        looked = await session.call_tool("look_up", {"term": "sum"})
        expect_equal(looked.reward, 0.25, "the reward of the tool")
        await expect_raises(client.adapter.ToolCallError, session.call_terminal_tool("two"))
        graded = await session.call_terminal_tool("2")
        expect_equal((graded.reward, graded.finished), (1, True), "the grade")


if __name__ == "__main__":
    main(quiz)
